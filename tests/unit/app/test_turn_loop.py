"""The loop over commands: turns one after another, answers and interruptions at any time."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.commands import (
    AnswerQuestion,
    Attach,
    Detach,
    Interrupt,
    NewConversation,
    Quit,
    SubmitTurn,
    TalkNow,
)
from jarvis_desktop.core.items.decisions import Answer, AnsweredBy, AnswerFate, QuestionEnd
from jarvis_desktop.core.items.errors import StorageError
from jarvis_desktop.core.items.events import (
    ActivityNoted,
    AnswerRefused,
    ConversationOpened,
    NothingHeard,
    Part,
    QuestionAsked,
    QuestionSettled,
    ReplyDelta,
    RequestRefused,
    StoredLine,
    ToolFinished,
    TroubleCleared,
    TroubleNoted,
    TurnEnded,
    TurnQueued,
    TurnStarted,
)
from jarvis_desktop.core.items.ids import TurnId, WindowId
from jarvis_desktop.core.items.turn import Message, Origin, Role, TurnEnd, TurnRequest
from tests.fakes.chat_model import ScriptedModel, calls, says
from tests.fakes.clock import FakeClock, settle
from tests.fakes.store import FakeStore
from tests.fakes.team import FakeTeam
from tests.unit.app.stage import WINDOW, Stage, playing

HELLO = SubmitTurn("hello", Origin.TYPED)


def allow(question: QuestionAsked) -> AnswerQuestion:
    asked = question.question
    return AnswerQuestion(asked.question_id, asked.digest, Answer.ALLOW, AnsweredBy.WINDOW, WINDOW)


async def test_a_request_is_on_disk_and_seen_though_what_people_added_takes_its_time() -> None:
    stage = Stage(ScriptedModel(says("Hi there.")))
    stage.added_ready.clear()
    async with playing(stage):
        stage.post(HELLO)
        begun = await stage.until(TurnStarted)
        await settle()
        assert begun.turn_id in stage.store.turns
        assert not stage.seen(TurnEnded)
        stage.added_ready.set()
        await stage.until(TurnEnded)


async def test_a_turn_is_on_disk_when_it_is_shown() -> None:
    stage = Stage(ScriptedModel(says("Hi there.")))
    async with playing(stage):
        stage.post(HELLO)
        ended = await stage.until(TurnEnded)
    assert (ended.end, ended.text) == (TurnEnd.ANSWERED, "Hi there.")
    assert stage.store.replies == {ended.turn_id: "Hi there."}
    assert [message for _, message in stage.store.messages] == [
        Message(Role.USER, "hello"),
        Message(Role.ASSISTANT, "Hi there."),
    ]


async def test_a_question_can_be_answered_while_its_turn_runs() -> None:
    stage = Stage(ScriptedModel(calls("bash", command="make"), says("Done.")))
    async with playing(stage):
        stage.post(HELLO)
        stage.post(allow(await stage.until(QuestionAsked)))
        ended = await stage.until(TurnEnded)
    assert (ended.text, stage.bash.ran) == ("Done.", ["make"])


async def test_waiting_for_the_answer_is_not_the_time_of_the_call() -> None:
    clock = FakeClock()
    stage = Stage(ScriptedModel(calls("bash", command="make"), says("Done.")), clock=clock)
    async with playing(stage):
        stage.post(HELLO)
        question = await stage.until(QuestionAsked)
        await clock.advance(17)
        stage.post(allow(question))
        finished = await stage.until(ToolFinished)
    assert finished.took_s == 0


async def test_a_second_request_waits_and_then_knows_the_first() -> None:
    hold = asyncio.Event()
    stage = Stage(ScriptedModel((hold, *says("One.")), says("Two.")))
    async with playing(stage):
        stage.post(HELLO, SubmitTurn("and now?", Origin.TYPED))
        queued = await stage.until(TurnQueued)
        hold.set()
        await stage.until(TurnEnded, 2)
    session_id = stage.seen(ConversationOpened)[0].session_id
    assert queued == TurnQueued("and now?", Origin.TYPED, 1, session_id)
    assert [ended.text for ended in stage.seen(TurnEnded)] == ["One.", "Two."]
    said = [message.text for message in stage.model.requests[1].messages]
    assert any(text.startswith("hello") for text in said)
    assert "One." in said


async def test_an_interrupted_turn_keeps_what_was_said_and_the_next_one_runs() -> None:
    half, never = says("Half")[:-1], asyncio.Event()
    stage = Stage(ScriptedModel((*half, never), says("Fresh.")))
    async with playing(stage):
        stage.post(HELLO)
        await stage.until(ReplyDelta, 2)
        stage.post(Interrupt())
        first = await stage.until(TurnEnded)
        stage.post(SubmitTurn("again", Origin.TYPED))
        await stage.until(TurnEnded, 2)
    assert first.end is TurnEnd.INTERRUPTED
    assert stage.model.open_streams == 0
    assert stage.store.ends[first.turn_id] is TurnEnd.INTERRUPTED
    assert "hello" in stage.model.requests[1].messages[1].text


class SlowTeam(FakeTeam):
    """Its files take their time when a turn looks at them; the request itself was the first to look."""

    def __init__(self) -> None:
        super().__init__()
        self.looks = 0
        self.looking, self.go_on = asyncio.Event(), asyncio.Event()

    async def look(self) -> None:
        self.looks += 1
        if self.looks == 2:
            self.looking.set()
            await self.go_on.wait()


@pytest.mark.parametrize("stop", [Interrupt(), Quit()])
async def test_what_is_interrupted_before_it_began_is_stored_shown_and_over(stop: Interrupt | Quit) -> None:
    team = SlowTeam()
    stage = Stage(ScriptedModel((asyncio.Event(),)), team=team)
    async with playing(stage):
        stage.post(HELLO)
        async with asyncio.timeout(5):
            await team.looking.wait()
        stage.post(stop)
        await settle()
        team.go_on.set()
        ended = await stage.until(TurnEnded)
    assert (ended.end, [turn.text for turn in stage.seen(TurnStarted)]) == (TurnEnd.INTERRUPTED, ["hello"])
    assert stage.store.ends == {ended.turn_id: TurnEnd.INTERRUPTED}


async def test_quitting_during_a_turn_closes_it_as_interrupted() -> None:
    stage = Stage(ScriptedModel((asyncio.Event(),)))
    async with playing(stage):
        stage.post(HELLO)
        await stage.until(TurnStarted)
        stage.post(Quit())
    assert list(stage.store.ends.values()) == [TurnEnd.INTERRUPTED]


@pytest.mark.promise("T-173")
async def test_a_request_that_is_empty_or_too_long_is_refused() -> None:
    stage = Stage(ScriptedModel(), input_max_length=10)
    async with playing(stage):
        stage.post(SubmitTurn("x" * 11, Origin.TYPED), SubmitTurn("   ", Origin.TYPED))
        refused = await stage.until(RequestRefused)
    assert (refused.text, "11 characters" in refused.reason) == ("x" * 11, True)
    assert [line.text for line in stage.seen(ActivityNoted)] == [refused.reason]
    assert stage.model.requests == []


@pytest.mark.promise("T-172")
@pytest.mark.parametrize("origin", Origin)
async def test_input_is_looked_at_before_anything_else_and_comes_back_as_it_was(origin: Origin) -> None:
    text = "run <script> for cafe\u0301"
    stage = Stage(ScriptedModel())
    async with playing(stage):
        stage.post(SubmitTurn(text, origin))
        refused = await stage.until(RequestRefused)
    assert refused.text == text
    assert (stage.model.requests, stage.seen(TurnStarted), stage.seen(QuestionAsked)) == ([], [], [])


@pytest.mark.promise("T-172", "T-174")
async def test_what_was_looked_at_still_has_to_pass_the_policy_and_is_stored_as_written() -> None:
    stage = Stage(ScriptedModel(calls("bash", command="ls"), says("Done.")))
    async with playing(stage):
        stage.post(SubmitTurn("run ls & say <b>cafe\u0301</b>", Origin.TYPED))
        stage.post(allow(await stage.until(QuestionAsked)))
        await stage.until(TurnEnded)
    assert stage.seen(TurnStarted)[0].text == "run ls & say <b>café</b>"
    assert stage.model.requests[0].messages[-1].text.startswith("run ls & say <b>café</b>")


async def test_a_broken_turn_says_so_and_the_next_one_runs() -> None:
    stage = Stage(ScriptedModel((ZeroDivisionError("a bug"),), says("Well again.")))
    async with playing(stage):
        stage.post(HELLO)
        broken = await stage.until(TurnEnded)
        stage.post(HELLO)
        well = await stage.until(TurnEnded, 2)
    assert broken.end is TurnEnd.FAILED
    assert "ask again" in broken.text
    assert well.text == "Well again."


class FullDisk(FakeStore):
    """A store whose disk is full until somebody mends it."""

    full = True

    def _write(self) -> None:
        if self.full:
            raise StorageError("the disk is full; free some space.")

    async def begin_turn(self, request: TurnRequest) -> None:
        self._write()
        await super().begin_turn(request)

    async def set_reply(self, turn_id: TurnId, text: str) -> None:
        self._write()
        await super().set_reply(turn_id, text)

    async def end_turn(self, turn_id: TurnId, end: TurnEnd, text: str) -> None:
        self._write()
        await super().end_turn(turn_id, end, text)

    async def add_messages(self, turn_id: TurnId, messages: Sequence[Message]) -> None:
        self._write()
        await super().add_messages(turn_id, messages)


async def test_a_full_disk_is_said_once_and_the_conversation_goes_on() -> None:
    disk = FullDisk()
    stage = Stage(ScriptedModel(says("Still here."), says("Mended.")), store=disk)
    async with playing(stage):
        stage.post(HELLO)
        ended = await stage.until(TurnEnded)
        disk.full = False
        stage.post(HELLO)
        await stage.until(TurnEnded, 2)
        cleared = await stage.until(TroubleCleared)
    assert (ended.text, cleared.part) == ("Still here.", Part.DATABASE)
    assert len(stage.seen(TroubleNoted)) == 1


async def test_a_late_window_is_shown_the_conversation_and_the_open_question() -> None:
    late = WindowId("late")
    stage = Stage(ScriptedModel(says("Hi."), calls("bash", command="make"), says("Done.")))
    async with playing(stage):
        stage.post(HELLO)
        await stage.until(TurnEnded)
        stage.post(HELLO)
        await stage.until(QuestionAsked)
        stage.post(Attach(late))
        question = await stage.until(QuestionAsked, 2)
        stage.post(allow(question))
        await stage.until(TurnEnded, 2)
    opened = stage.seen(ConversationOpened)[-1]
    assert (opened.window_id, question.window_id) == (late, late)
    assert [(line.role, line.text) for line in opened.lines] == [
        (Role.USER, "hello"),
        (Role.ASSISTANT, "Hi."),
        (Role.USER, "hello"),
    ]


async def test_a_late_window_sees_which_tools_ran_and_what_was_spoken() -> None:
    stage = Stage(ScriptedModel(calls("bash", command="make"), says("Done.")))
    async with playing(stage):
        stage.post(SubmitTurn("build it", Origin.SPOKEN))
        stage.post(replace(allow(await stage.until(QuestionAsked)), answer=Answer.DENY))
        await stage.until(TurnEnded)
        stage.post(Attach(WindowId("late")))
        await stage.until(ConversationOpened, 2)
    lines = stage.seen(ConversationOpened)[-1].lines
    assert [(line.role, line.text, line.spoken, line.status) for line in lines[:2]] == [
        (Role.USER, "build it", True, ResultStatus.OK),
        (Role.TOOL, "bash make", False, ResultStatus.DENIED),
    ]


@pytest.mark.promise("T-068")
async def test_without_any_window_a_question_is_denied_at_once() -> None:
    stage = Stage(ScriptedModel(calls("bash", command="make")))
    async with playing(stage):
        stage.post(Detach(WINDOW), HELLO)
        ended = await stage.until(TurnEnded)
    assert (ended.end, stage.bash.ran) == (TurnEnd.DENIED, [])


async def test_a_new_conversation_knows_nothing_of_the_old_one() -> None:
    stage = Stage(ScriptedModel(says("Old."), says("New.")))
    async with playing(stage):
        stage.post(HELLO)
        await stage.until(TurnEnded)
        stage.post(NewConversation(), SubmitTurn("who?", Origin.TYPED))
        await stage.until(TurnEnded, 2)
    assert stage.seen(ConversationOpened)[-1].lines == ()
    assert len(stage.model.requests[1].messages) == 2


async def test_restored_lines_come_before_new_ones() -> None:
    stage = Stage(ScriptedModel(says("Before.")))
    async with playing(stage):
        stage.post(HELLO)
        await stage.until(TurnEnded)
    again = Stage(ScriptedModel(), store=stage.store)
    async with playing(again):
        opened = await again.until(ConversationOpened)
    assert [line.text for line in opened.lines if isinstance(line, StoredLine)] == ["hello", "Before."]


async def test_talking_while_voice_is_off_is_answered_in_words() -> None:
    stage = Stage(ScriptedModel())
    async with playing(stage):
        stage.post(TalkNow())
        trouble = await stage.until(TroubleNoted)
        await stage.until(NothingHeard)
    assert "Switch it on in the setup window" in trouble.text


async def test_requests_that_wait_go_along_into_a_new_conversation_in_order() -> None:
    stage = Stage(ScriptedModel(calls("bash", command="make"), says("One."), says("Two.")))
    async with playing(stage):
        stage.post(HELLO)
        await stage.until(QuestionAsked)
        stage.post(SubmitTurn("first", Origin.TYPED), SubmitTurn("second", Origin.TYPED), NewConversation())
        await stage.until(TurnEnded, 3)
    opened = stage.seen(ConversationOpened)[-1]
    begun = [(turn.text, turn.session_id) for turn in stage.seen(TurnStarted)[1:]]
    assert begun == [("first", opened.session_id), ("second", opened.session_id)]
    assert stage.events.index(opened) < stage.events.index(stage.seen(TurnStarted)[1])
    assert stage.seen(TurnStarted)[0].session_id != opened.session_id


async def test_requests_that_wait_when_the_program_quits_are_shown_again_by_the_next_start() -> None:
    stage = Stage(ScriptedModel(calls("bash", command="make")))
    async with playing(stage):
        stage.post(HELLO)
        await stage.until(QuestionAsked)
        stage.post(SubmitTurn("and then this", Origin.TYPED))
        await stage.until(TurnQueued)
    again = Stage(ScriptedModel(), store=stage.store)
    async with playing(again):
        opened = await again.until(ConversationOpened)
    assert "and then this" in [line.text for line in opened.lines]


@pytest.mark.parametrize("given", [Answer.ALLOW, Answer.ALWAYS])
async def test_a_yes_right_behind_a_stop_is_late_and_nobody_is_told_otherwise(given: Answer) -> None:
    stage = Stage(ScriptedModel(calls("bash", command="make")))
    async with playing(stage):
        stage.post(SubmitTurn("build it", Origin.TYPED))
        question = (await stage.until(QuestionAsked)).question
        late = AnswerQuestion(question.question_id, question.digest, given, AnsweredBy.WINDOW, WINDOW)
        stage.post(Interrupt(), late)
        ended = await stage.until(TurnEnded)
    assert (ended.end, stage.bash.ran) == (TurnEnd.INTERRUPTED, [])
    assert [one.settled.end for one in stage.seen(QuestionSettled)] == [QuestionEnd.WITHDRAWN]
    assert [one.fate for one in stage.seen(AnswerRefused)] == [AnswerFate.EXPIRED]
