"""One turn from the request to its end."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest

from jarvis_desktop.core.items.calls import Json, ResultStatus, ToolCall
from jarvis_desktop.core.items.decisions import Allow, Answer
from jarvis_desktop.core.items.errors import ModelTrouble, ModelUnavailableError
from jarvis_desktop.core.items.events import (
    ModelWaiting,
    QuestionAsked,
    QuestionSettled,
    ReplyDelta,
    ReplyReplaced,
    ToolFinished,
    TurnEnded,
)
from jarvis_desktop.core.items.turn import Message, Role, TurnEnd, TurnRequest
from jarvis_desktop.core.ports import CallPiece, CallStyle, ChatPiece, DonePiece, TextPiece
from jarvis_desktop.core.tool import ToolOutput
from jarvis_desktop.core.turn.engine import EMPTY, INTERRUPTED, INTERRUPTED_MARK, MAX_TOOL_ROUNDS
from jarvis_desktop.core.turn.text_calls import UNREADABLE
from jarvis_desktop.core.turn.tool_runner import DENIED
from jarvis_desktop.core.turn.turn_notes import TurnNotes, TurnOutcome
from tests.fakes.chat_model import ScriptedModel, calls, says
from tests.fakes.clock import settle
from tests.fakes.team import JARVIS
from tests.fakes.tools import FakeBash, LookArguments, LookTool, failing, final
from tests.unit.policy.asking import REQUEST
from tests.unit.turn.stage import Stage, korean

ALLOW, DENY = Answer.ALLOW, Answer.DENY
APOLOGY = "Sorry, I could not put together a proper answer. Please ask again in other words."
DENIAL = "Approval was denied, so I stopped running {}. Ask again if you need it."
NO_ANSWER = "Nobody answered the approval request in time, so I stopped running {}. Ask again if you need it."
ASKED = Message(Role.USER, "run ls")


def choice(tool: str, **arguments: Json) -> tuple[ChatPiece, ...]:
    """A schema-bound answer."""
    return says(json.dumps({"tool": tool, "arguments": arguments}))


def several(*pieces: CallPiece) -> tuple[ChatPiece, ...]:
    return (*pieces, DonePiece("stop"))


BASH, LOOK = CallPiece("bash", {"command": "ls"}), CallPiece("look", {"path": "a"})


def shown(stage: Stage) -> str:
    """What stands on the screen after all events."""
    text = ""
    for event in stage.events:
        if isinstance(event, ReplyDelta):
            text += event.text
        elif isinstance(event, ReplyReplaced):
            text = event.text
    return text


async def test_an_answer_streams_and_ends_the_turn() -> None:
    stage = Stage()
    outcome = await stage.turn(ScriptedModel(says("Hello you.")))
    assert outcome == TurnOutcome(
        TurnEnd.ANSWERED, "Hello you.", (ASKED, Message(Role.ASSISTANT, "Hello you."))
    )
    deltas = stage.seen(ReplyDelta)
    assert [delta.text for delta in deltas[:7]] == ["H", "e", "l", "l", "o", " y", "o"]
    assert stage.events[-1] == TurnEnded(REQUEST.turn_id, REQUEST.session_id, TurnEnd.ANSWERED, "Hello you.")


async def test_a_tool_runs_and_the_model_answers_from_its_result() -> None:
    stage, model = Stage([LookTool("blue")]), ScriptedModel(calls("look", path="a"), says("It is blue."))
    outcome = await stage.turn(model)
    call_id = outcome.messages[1].calls[0].call_id
    assert outcome == TurnOutcome(
        TurnEnd.ANSWERED,
        "It is blue.",
        (
            ASKED,
            Message(Role.ASSISTANT, "", (ToolCall(call_id, "look", {"path": "a"}),)),
            Message(Role.TOOL, "blue", call_id=call_id, tool_name="look"),
            Message(Role.ASSISTANT, "It is blue."),
        ),
    )
    assert model.requests[1].messages[2:] == outcome.messages[1:3]


async def test_the_same_turn_works_schema_bound() -> None:
    stage, model = (
        Stage([LookTool("blue")]),
        ScriptedModel(choice("look", path="a"), choice("answer", text="Blue.")),
    )
    outcome = await stage.turn(model, style=CallStyle.SCHEMA)
    assert (outcome.end, outcome.text, shown(stage)) == (TurnEnd.ANSWERED, "Blue.", "Blue.")
    assert model.requests[1].messages[2:] == (
        Message(Role.ASSISTANT, '{"tool": "look", "arguments": {"path": "a"}}'),
        Message(Role.USER, "[result of look]\nblue"),
    )


async def test_words_before_a_call_stay_on_screen_above_the_answer() -> None:
    first = (TextPiece("Let me look."), LOOK, DonePiece("stop"))
    stage = Stage([LookTool()])
    outcome = await stage.turn(ScriptedModel(first, says("Found it.")))
    assert outcome.text == shown(stage) == "Let me look.\n\nFound it."
    assert [message.text for message in outcome.messages] == ["run ls", "Let me look.", "seen", "Found it."]


@pytest.mark.promise("T-007", "T-019", "T-025", "T-031", "T-200", "T-205")
async def test_after_a_denial_one_fixed_line_ends_the_turn_without_the_model() -> None:  # X44
    stage, model = Stage([FakeBash()], [DENY]), ScriptedModel((TextPiece("I will run it."), BASH))
    outcome = await stage.turn(model)
    assert (outcome.end, outcome.text) == (TurnEnd.DENIED, DENIAL.format("bash"))
    assert stage.seen(ReplyReplaced) == [ReplyReplaced(REQUEST.turn_id, DENIAL.format("bash"))]
    assert (len(model.requests), shown(stage)) == (1, DENIAL.format("bash"))
    assert [message.text for message in outcome.messages[2:]] == [DENIED, DENIAL.format("bash")]


@pytest.mark.promise("T-025", "T-027", "T-028")
async def test_the_korean_lines_are_word_for_word(tmp_path: Path) -> None:
    texts = korean(tmp_path)
    denied = Stage([FakeBash()], [DENY], texts=texts)
    assert (await denied.turn(ScriptedModel(several(BASH)))).text == (
        "승인이 거부되어 bash 실행을 멈췄습니다. 필요하면 다시 요청해 주세요."
    )
    late = Stage([FakeBash()], [None], texts=texts)
    assert (await late.turn(ScriptedModel(several(BASH)))).text == (
        "승인 요청에 시간 안에 답이 없어 bash 실행을 멈췄습니다. 필요하면 다시 요청해 주세요."
    )
    assert late.activity == ["⚡ approval · 시간 초과로 거부"]
    assert denied.activity == ["⚡ approval · bash · 거부 · 창"]


@pytest.mark.promise("T-019", "T-241")
async def test_two_refused_tools_are_named_in_one_line() -> None:
    class FakeEdit(FakeBash):
        name = "edit_file"

    stage = Stage([FakeBash(), FakeEdit()], [DENY, DENY])
    model = ScriptedModel(several(BASH, CallPiece("edit_file", {"command": "x"})))
    assert (await stage.turn(model)).text == DENIAL.format("bash, edit_file")
    assert len(model.requests) == 1


@pytest.mark.promise("T-027", "T-243")
async def test_a_time_out_has_its_own_line_and_the_same_request_asks_again() -> None:
    stage, model = (
        Stage([FakeBash()], [None, ALLOW]),
        ScriptedModel(several(BASH), several(BASH), says("Done.")),
    )
    outcome = await stage.turn(model)
    assert (outcome.end, outcome.text) == (TurnEnd.TIMED_OUT, NO_ANSWER.format("bash"))
    assert len(stage.seen(QuestionSettled)) == 1
    again = await stage.turn(model, outcome.messages)
    assert (again.end, again.text) == (TurnEnd.ANSWERED, "Done.")
    assert len(stage.seen(QuestionAsked)) == 2


async def test_denied_and_timed_out_together_is_the_denial_line() -> None:
    stage = Stage([FakeBash()], [None, DENY])
    outcome = await stage.turn(ScriptedModel(several(BASH, BASH)))
    assert (outcome.end, outcome.text) == (TurnEnd.DENIED, DENIAL.format("bash"))


@pytest.mark.promise("T-020", "T-242")
async def test_when_only_some_are_refused_the_model_goes_on() -> None:
    bash = FakeBash()
    stage, model = Stage([bash, LookTool()], [DENY]), ScriptedModel(several(BASH, LOOK), says("I saw a."))
    outcome = await stage.turn(model)
    assert (outcome.end, outcome.text, bash.ran) == (TurnEnd.ANSWERED, "I saw a.", [])
    assert [m.text for m in model.requests[1].messages if m.role is Role.TOOL] == [DENIED, "seen"]
    assert len(model.requests) == 2


@pytest.mark.promise("T-023", "T-030")
async def test_after_a_denial_the_model_reads_no_how_to_and_a_new_request_asks_again() -> None:
    stage, model = (
        Stage([FakeBash()], [DENY, ALLOW]),
        ScriptedModel(several(BASH), several(BASH), says("Done.")),
    )
    first = await stage.turn(model)
    await stage.turn(model, first.messages)
    told = " ".join(message.text for message in model.requests[1].messages[1:])
    assert "terminal" not in told.lower()
    assert len(stage.seen(QuestionAsked)) == 2


@pytest.mark.promise("T-016", "T-244")
async def test_errors_of_guards_go_back_to_the_model() -> None:
    stage = Stage([LookTool(), FakeBash()], card=replace(JARVIS, tools=("look",)))
    model = ScriptedModel(several(BASH), says("I may not do that."))
    assert (await stage.turn(model)).text == "I may not do that."
    assert model.requests[1].messages[-1].text == "bash is not permitted for this agent."


@pytest.mark.promise("T-033")
async def test_final_results_alone_are_the_answer_word_for_word() -> None:
    stage, model = Stage([final("| a | b |\n ")]), ScriptedModel((TextPiece("Here it is:"), LOOK))
    outcome = await stage.turn(model)
    assert (outcome.end, outcome.text, shown(stage)) == (TurnEnd.ANSWERED, "| a | b |\n ", "| a | b |\n ")
    assert len(model.requests) == 1


@pytest.mark.promise("T-033")
async def test_a_final_result_that_is_an_error_goes_to_the_model() -> None:
    broken = LookTool(ToolOutput("no budget file", ResultStatus.ERROR, final=True))
    outcome = await Stage([broken]).turn(ScriptedModel(several(LOOK), says("There is no budget file.")))
    assert outcome.text == "There is no budget file."


@pytest.mark.promise("T-034")
async def test_final_results_mixed_with_others_are_summed_up_by_the_model() -> None:
    stage = Stage([final("table"), FakeBash()], [ALLOW])
    model = ScriptedModel(several(BASH, LOOK), says("Both done."))
    assert (await stage.turn(model)).text == "Both done."


@pytest.mark.promise("T-021", "T-250")
async def test_the_tool_rounds_end_after_twenty() -> None:
    look = LookTool()
    stage, model = Stage([look]), ScriptedModel(*[calls("look", path=f"{n}") for n in range(21)])
    outcome = await stage.turn(model)
    assert (outcome.end, len(look.ran), len(model.requests)) == (TurnEnd.OVERFLOW, 20, MAX_TOOL_ROUNDS)
    assert outcome.text == (
        "I stopped after 20 rounds of tool calls without reaching the end. "
        "Tell me to go on, or ask for a smaller step."
    )


@pytest.mark.parametrize("silence", ["", " \n", "<think></think>", "<think>done</think>\n"])
@pytest.mark.voice_bug("llm", "Tool ran but no text -> error spoken")
@pytest.mark.voice_bug("llm", "Empty content after tool result")
async def test_a_tool_that_ran_and_a_silent_model_give_an_answer_from_the_result(silence: str) -> None:
    stage = Stage([LookTool("blue")])
    outcome = await stage.turn(ScriptedModel(several(LOOK), says(silence)))
    assert (outcome.end, outcome.text) == (TurnEnd.ANSWERED, "Done: look. The result:\n\nblue")


@pytest.mark.parametrize(
    ("tool", "text"),
    [
        (LookTool(" "), "Done: look."),
        (failing("no such file"), "look did not work: no such file"),
        (LookTool("x" * 5000), "Done: look. The result:\n\n" + "x" * 600 + " …"),
    ],
)
async def test_the_answer_from_a_result_says_how_it_went(tool: LookTool, text: str) -> None:
    assert (await Stage([tool]).turn(ScriptedModel(several(LOOK), says("")))).text == text


async def test_an_empty_answer_is_asked_for_again_and_then_given_up() -> None:
    stage, model = Stage(), ScriptedModel(says(""), says(" "), says("<think>x</think>"))
    outcome = await stage.turn(model)
    assert (outcome.end, outcome.text, len(model.requests)) == (TurnEnd.FAILED, APOLOGY, 3)
    assert model.requests[1].messages[-1] == Message(Role.USER, EMPTY)
    assert outcome.messages == (ASKED, Message(Role.ASSISTANT, APOLOGY))


async def test_an_unreadable_call_is_explained_to_the_model_which_tries_again() -> None:
    stage = Stage([LookTool()])
    model = ScriptedModel(says("<tool_call>look at a</tool_call>"), several(LOOK), says("Seen."))
    outcome = await stage.turn(model)
    assert outcome.text == shown(stage) == "Seen."
    assert model.requests[1].messages[-1] == Message(Role.USER, UNREADABLE)
    assert UNREADABLE not in [message.text for message in outcome.messages]


@pytest.mark.voice_bug("llm", "Hallucinated tool names crash")
async def test_unknown_tools_get_two_more_tries() -> None:
    model = ScriptedModel(*[calls("open_browser_now")] * 3)
    outcome = await Stage([LookTool()]).turn(model)
    assert (outcome.end, outcome.text, len(model.requests)) == (TurnEnd.FAILED, APOLOGY, 3)
    assert model.requests[1].messages[-1].text.endswith("The tools are: look.")


@pytest.mark.voice_bug("llm", "gemma4 + system prompt + think:false + tools -> JSON in content")
@pytest.mark.voice_bug("llm", "Raw JSON is spoken")
async def test_a_call_written_as_text_runs_and_is_never_shown() -> None:
    look, stage = LookTool(), Stage()
    stage.tools = [look]
    model = ScriptedModel(says('```json\n{"name": "look", "arguments": {"path": "a"}}\n```'), says("Seen."))
    outcome = await stage.turn(model)
    assert (outcome.text, shown(stage), len(look.ran)) == ("Seen.", "Seen.", 1)
    assert not any("{" in delta.text or "`" in delta.text for delta in stage.seen(ReplyDelta))


@pytest.mark.voice_bug("llm", "Loop of BEGIN_ARG tokens")
async def test_a_stuck_model_is_cut_off_with_an_apology_and_its_stream_closed() -> None:
    stage, model = Stage(), ScriptedModel([TextPiece("BEGIN_ARG ")] * 500)
    outcome = await stage.turn(model)
    assert (outcome.end, model.open_streams) == (TurnEnd.FAILED, 0)
    assert outcome.text == shown(stage)
    assert outcome.text.endswith(f"\n\n{APOLOGY}")
    assert outcome.text.count("BEGIN_ARG") <= 2


async def test_an_answer_that_turns_out_to_be_thinking_is_taken_back() -> None:
    stage = Stage()
    assert (await stage.turn(ScriptedModel(says("I wonder</think>Yes.")))).text == shown(stage) == "Yes."


@pytest.mark.voice_bug("llm", "First call 70 s")
async def test_people_hear_of_a_slow_model_after_3_s_and_then_every_10_s() -> None:
    loaded = asyncio.Event()
    stage, model = Stage(), ScriptedModel((loaded, *says("Hi.")))
    running = asyncio.ensure_future(stage.turn(model))
    await settle()
    await stage.clock.advance(70)
    assert [event.waited_s for event in stage.seen(ModelWaiting)] == [3, 13, 23, 33, 43, 53, 63]
    loaded.set()
    assert (await running).end is TurnEnd.ANSWERED
    await stage.clock.advance(30)
    assert len(stage.seen(ModelWaiting)) == 7


@pytest.mark.voice_bug("llm", "Model missing -> 404 traceback")
async def test_a_missing_model_ends_the_turn_with_what_to_do_and_the_request_is_kept() -> None:
    error = ModelUnavailableError(
        ModelTrouble.NO_MODEL, "There is no model gemma4:e2b. Run: ollama pull gemma4:e2b"
    )
    stage = Stage()
    outcome = await stage.turn(ScriptedModel([error]))
    assert outcome == TurnOutcome(TurnEnd.FAILED, str(error), (ASKED, Message(Role.ASSISTANT, str(error))))
    assert stage.events[-1] == TurnEnded(REQUEST.turn_id, REQUEST.session_id, TurnEnd.FAILED, str(error))


async def test_a_connection_lost_in_the_middle_keeps_what_was_said() -> None:
    lost = ModelUnavailableError(ModelTrouble.LOST, "The connection to Ollama broke off. Ask again.")
    stage, model = Stage(), ScriptedModel([TextPiece("It is"), lost])
    outcome = await stage.turn(model)
    assert outcome.text == shown(stage) == "It is\n\nThe connection to Ollama broke off. Ask again."
    assert model.open_streams == 0


@pytest.mark.voice_bug("llm", "Cancel leaves CPU running")
async def test_an_interrupted_answer_is_kept_and_its_stream_closed() -> None:
    stage, model, notes = Stage(), ScriptedModel([TextPiece("It is"), asyncio.Event()]), TurnNotes()
    running = asyncio.ensure_future(stage.turn(model, notes=notes))
    await settle()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert model.open_streams == 0
    assert stage.events[-1] == TurnEnded(REQUEST.turn_id, REQUEST.session_id, TurnEnd.INTERRUPTED, "It is")
    assert notes.messages == [ASKED, Message(Role.ASSISTANT, f"It is\n\n{INTERRUPTED_MARK}")]
    await stage.clock.advance(30)
    assert stage.seen(ModelWaiting) == []


async def test_an_interrupted_step_keeps_what_was_done_and_names_what_was_not() -> None:
    bash, look, notes = FakeBash(), LookTool(), TurnNotes()
    bash.hold = asyncio.Event()
    stage = Stage([bash, look], [ALLOW])
    running = asyncio.ensure_future(stage.turn(ScriptedModel(several(LOOK, BASH, LOOK)), notes=notes))
    await settle()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert (bash.ran, len(look.ran)) == ([], 1)
    assert [(m.role, m.text) for m in notes.messages] == [
        (Role.USER, "run ls"),
        (Role.ASSISTANT, ""),
        (Role.TOOL, "seen"),
        (Role.TOOL, INTERRUPTED),
        (Role.TOOL, INTERRUPTED),
        (Role.ASSISTANT, INTERRUPTED_MARK),
    ]


async def test_an_interrupted_question_closes_everywhere() -> None:  # X08
    stage = Stage([FakeBash()])
    running = asyncio.ensure_future(stage.turn(ScriptedModel(several(BASH))))
    await asyncio.wait_for(stage.asking.wait(), 1)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert len(stage.seen(QuestionSettled)) == 1
    assert stage.seen(ToolFinished) == []


async def test_calls_of_one_step_run_in_the_models_order() -> None:
    bash, look = FakeBash("second"), LookTool("first")
    stage = Stage([bash, look], [ALLOW])
    await stage.turn(ScriptedModel(several(LOOK, BASH, LOOK), says("Done.")))
    assert stage.results == ["first", "second", "first"]


async def test_a_tool_that_appears_during_a_turn_counts_from_the_next_request_on() -> None:
    class Growing(LookTool):
        async def run(self, arguments: LookArguments, allow: Allow, request: TurnRequest) -> ToolOutput:
            stage.tools.append(FakeBash())
            return await super().run(arguments, allow, request)

    stage, model = Stage([Growing()]), ScriptedModel(several(LOOK), says("Done."))
    await stage.turn(model)
    assert [[tool.name for tool in one.tools] for one in model.requests] == [["look"], ["look", "bash"]]
