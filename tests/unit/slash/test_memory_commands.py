"""``/memory`` and ``/patterns``: looking, forgetting, and taking that back."""

from dataclasses import replace

import pytest

from jarvis_desktop.core.items.ids import SessionId, TurnId
from jarvis_desktop.core.items.memory import Episode, KeptText, Recall, SessionKind, TaskPattern
from jarvis_desktop.core.items.memory_desk import ForgetEpisode, ForgetPattern, UndoForget
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import TurnEnd
from tests.fakes.clock import START, FakeClock
from tests.fakes.slash import HERE, FakeMemory, Fakes
from tests.unit.slash.test_commands import Desk


def episode(number: int, request: str) -> Episode:
    return Episode(
        TurnId(f"t{number}"),
        SessionId("s"),
        HERE.agent_id,
        SessionKind.CONVERSATION,
        TurnEnd.ANSWERED,
        START,
        1.0,
        Language.ENGLISH,
        "chat",
        KeptText(request),
        KeptText("an answer"),
        number=number,
    )


def pattern(number: int, name: str) -> TaskPattern:
    when, content = "when a *report* is wanted", "Write it in ```three``` lines.\nSign it."
    return TaskPattern(HERE.agent_id, name, when, ("report",), content, START, number=number)


def remembering(*, enabled: bool = True) -> Fakes:
    memory = FakeMemory(
        (episode(7, "the *tax* form"), episode(4, "hello")), (pattern(2, "report"), pattern(3, "greeting"))
    )
    fakes = Fakes(memory=memory, clock=FakeClock())
    settings = fakes.settings.now
    off = settings.memory.model_copy(update={"enabled": enabled})
    fakes.settings.now = settings.model_copy(update={"memory": off})
    return fakes


# --- memory -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("line", "words"), [("/memory", ""), ("/memory 세금 form", "세금 form")])
async def test_memory_looks_into_what_this_agent_remembers(line: str, words: str) -> None:
    fakes = remembering()
    said = await Desk(fakes).type(line)
    assert fakes.memory.asked == [Recall(text=words, agent_id=HERE.agent_id, limit=10)]
    assert said.text.startswith("1. the \\*tax\\* form — ")
    assert "2. hello — " in said.text


async def test_what_is_remembered_is_shown_and_not_stored() -> None:
    desk = Desk(remembering())
    lines = ("/memory", "/patterns", "/patterns show report", "/patterns nothing-like-it")
    assert [(await desk.type(line)).quotes for line in lines] == [True] * 4


async def test_a_turn_is_forgotten_by_its_number_and_kept_after_all_in_time() -> None:
    desk = Desk(remembering())
    await desk.type("/memory")
    said = await desk.type("/memory forget 2")
    assert (said.then, "`/memory keep`" in said.text, "hello" in said.text) == (ForgetEpisode(4), True, False)
    assert (await desk.type("/memory keep")).then == UndoForget(ForgetEpisode(4))
    assert (await desk.type("/memory keep")).then is None


async def test_keeping_comes_too_late_when_it_is_erased() -> None:
    fakes = remembering()
    desk = Desk(fakes)
    await desk.type("/memory forget 1")
    assert isinstance(fakes.clock, FakeClock)
    await fakes.clock.advance(10)
    said = await desk.type("/memory keep")
    assert (said.well, said.then) == (False, None)


async def test_a_single_request_of_the_command_line_promises_no_way_back() -> None:
    said = await Desk(remembering(), stays=False).type("/memory forget 1")
    assert (said.then, "keep" in said.text) == (ForgetEpisode(7), False)


@pytest.mark.parametrize(
    "line", ["/memory forget", "/memory forget 0", "/memory forget 3", "/memory forget all"]
)
async def test_a_number_that_is_not_in_the_list_forgets_nothing(line: str) -> None:
    said = await Desk(remembering()).type(line)
    assert (said.well, said.then) == (False, None)


async def test_an_empty_memory_says_so() -> None:
    desk = Desk(Fakes())
    assert "yet" in (await desk.type("/memory")).text
    assert "`tax`" in (await desk.type("/memory tax")).text


@pytest.mark.parametrize("line", ["/memory", "/patterns"])
async def test_what_is_there_can_be_looked_at_while_memory_is_off_and_that_is_said(line: str) -> None:
    said = await Desk(remembering(enabled=False)).type(line)
    assert (said.well, "switched off" in said.text) == (True, True)


# --- patterns ---------------------------------------------------------------------------------


async def test_patterns_are_listed_with_what_they_are_for() -> None:
    text = (await Desk(remembering()).type("/patterns")).text
    assert text.startswith("1. `report` — when a \\*report\\* is wanted")


@pytest.mark.parametrize("typed", ["show report", "show REPORT", "show 1", "report", "보기 report"])
async def test_a_pattern_is_shown_whole_whatever_it_holds(typed: str) -> None:
    text = (await Desk(remembering()).type(f"/patterns {typed}")).text
    assert text.endswith("````\nWrite it in ```three``` lines.\nSign it.\n````")


@pytest.mark.parametrize("typed", ["forget greeting", "forget 2", "잊기 greeting"])
async def test_a_pattern_is_forgotten_by_name_or_number(typed: str) -> None:
    desk = Desk(remembering())
    assert (await desk.type(f"/patterns {typed}")).then == ForgetPattern(3)
    assert (await desk.type("/patterns 되돌리기")).then == UndoForget(ForgetPattern(3))


@pytest.mark.parametrize("typed", ["forget", "forget nothing", "show", "show 9", "reprt"])
async def test_a_pattern_that_is_not_there_is_not_forgotten(typed: str) -> None:
    said = await Desk(remembering()).type(f"/patterns {typed}")
    assert (said.well, said.then) == (False, None)
    assert ("Did you mean `report`" in said.text) == (typed == "reprt")


async def test_an_agent_that_was_taught_nothing_says_how_to_teach_it() -> None:
    fakes = remembering()
    fakes.memory = replace(fakes.memory, patterns=())
    assert "Tell it" in (await Desk(fakes).type("/patterns")).text
