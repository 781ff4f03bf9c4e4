"""A model that asks for what it has just been told is told to answer."""

import pytest

from jarvis_desktop.core.items.calls import ResultStatus, ToolCall, ToolResult
from jarvis_desktop.core.items.decisions import Answer
from jarvis_desktop.core.items.ids import CallId
from jarvis_desktop.core.items.turn import Message, Role, TurnEnd
from jarvis_desktop.core.ports import CallPiece, CallStyle
from jarvis_desktop.core.turn.repeats import HAVE_IT, known_results
from jarvis_desktop.core.turn.schema_calls import choice_schema
from tests.fakes.chat_model import ScriptedModel, says
from tests.fakes.tools import FakeBash, LookTool, failing
from tests.unit.turn.stage import Stage
from tests.unit.turn.test_engine import choice, several

BASH, LOOK = CallPiece("bash", {"command": "ls"}), CallPiece("look", {"path": "a"})
LOOKED, RAN = ToolCall(CallId("1"), "look", {"path": "a"}), ToolCall(CallId("2"), "bash", {"command": "ls"})
SEEN, OUTPUT = ToolResult(CallId("1"), "look", "seen"), ToolResult(CallId("2"), "bash", "out")


def only_look(name: str) -> bool:
    return name == "look"


def told(model: ScriptedModel) -> list[list[str]]:
    """The results in each request."""
    return [[m.text for m in request.messages if m.role is Role.TOOL] for request in model.requests]


@pytest.mark.parametrize("look", [LookTool("blue"), failing("no such file")])
async def test_the_same_look_again_is_not_run_and_the_model_told_to_answer(look: LookTool) -> None:
    model = ScriptedModel(several(LOOK), several(LOOK), says("It is blue."))
    outcome = await Stage([look]).turn(model)
    assert (outcome.end, outcome.text, len(look.ran)) == (TurnEnd.ANSWERED, "It is blue.", 1)
    assert told(model) == [[], [look.output.text], [look.output.text, HAVE_IT]]


async def test_a_model_held_to_a_schema_can_only_answer_then_and_its_prompt_begins_alike() -> None:
    model = ScriptedModel(*[choice("look", path="a")] * 2, choice("answer", text="Blue."))
    stage = Stage([LookTool("blue")])
    assert (await stage.turn(model, style=CallStyle.SCHEMA)).text == "Blue."
    offered = choice_schema([LookTool().spec])
    assert [request.schema for request in model.requests] == [offered, offered, choice_schema([])]
    assert model.requests[2].messages[:4] == model.requests[1].messages


async def test_a_model_that_asks_a_third_time_gets_its_turn_ended_with_the_result() -> None:
    look, model = LookTool("blue"), ScriptedModel(*[several(LOOK)] * 3)
    outcome = await Stage([look]).turn(model)
    assert (outcome.end, outcome.text) == (TurnEnd.ANSWERED, "Done: look. The result:\n\nblue")
    assert (len(look.ran), len(model.requests)) == (1, 3)


async def test_a_silent_model_after_a_reminder_gives_an_answer_from_the_result() -> None:
    model = ScriptedModel(several(LOOK), several(LOOK), says(""))
    assert (await Stage([LookTool("blue")]).turn(model)).text == "Done: look. The result:\n\nblue"


async def test_what_may_change_something_runs_as_often_as_it_is_asked_for() -> None:
    bash = FakeBash()
    model = ScriptedModel(several(BASH), several(BASH), says("Done."))
    await Stage([bash], [Answer.ALLOW, Answer.ALLOW]).turn(model)
    assert bash.ran == ["ls", "ls"]


async def test_after_something_may_have_changed_the_same_look_runs_again() -> None:
    look = LookTool()
    model = ScriptedModel(several(LOOK), several(BASH, LOOK), several(LOOK), says("Done."))
    await Stage([look, FakeBash()], [Answer.ALLOW]).turn(model)
    assert len(look.ran) == 3


@pytest.mark.parametrize(
    ("calls", "results", "text"),
    [
        ((LOOKED,), (SEEN,), "seen"),
        ((ToolCall(CallId("1"), "look", {"path": "b"}),), (SEEN,), None),
        ((LOOKED, RAN), (SEEN, OUTPUT), None),
        ((RAN,), (OUTPUT,), None),
        ((LOOKED,), (ToolResult(CallId("1"), "look", "no", ResultStatus.DENIED),), None),
        ((), (), None),
    ],
)
def test_known_is_only_what_the_step_before_told_and_could_not_change(
    calls: tuple[ToolCall, ...], results: tuple[ToolResult, ...], text: str | None
) -> None:
    messages = (Message(Role.USER, "look"), Message(Role.ASSISTANT, "", calls))
    again = ToolCall(CallId("9"), "look", {"path": "a"})
    expected = {} if text is None else {CallId("9"): ToolResult(CallId("9"), "look", text)}
    assert known_results((again,), messages, results, only_look) == expected
