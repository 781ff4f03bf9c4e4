"""Slash commands in the running loop: beside turns, without the model, stored, shown, given back."""

import asyncio
from dataclasses import dataclass, field

import pytest

from jarvis_desktop.app.bus import Bus
from jarvis_desktop.app.recorder import Recorder
from jarvis_desktop.app.shown_lines import lines_of
from jarvis_desktop.app.slash_desk import SlashDesk
from jarvis_desktop.core.items.commands import Attach, Command, NewConversation, SubmitTurn
from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.items.events import (
    ActivityNoted,
    ConversationOpened,
    Event,
    RequestRefused,
    TurnEnded,
    TurnStarted,
)
from jarvis_desktop.core.items.ids import TurnId, WindowId
from jarvis_desktop.core.items.slash import (
    AskChoices,
    OpenStored,
    QuitAsked,
    SlashAnswered,
    SlashChoices,
    StoredConversation,
)
from jarvis_desktop.core.items.turn import Origin, TurnEnd
from jarvis_desktop.core.ports.slash import ModelsLooked
from jarvis_desktop.core.slash.command import Said
from jarvis_desktop.core.slash.parsing import Slash, read
from jarvis_desktop.core.slash.registry import COMMANDS
from jarvis_desktop.core.slash.world import World
from tests.fakes.chat_model import ScriptedModel, says
from tests.fakes.clock import START
from tests.fakes.slash import HERE, FakeModels, Fakes
from tests.fakes.store import FakeStore
from tests.fakes.texts import PlainTexts
from tests.unit.app.stage import Stage, playing

WINDOW = WindowId("window")


@dataclass
class Desk:
    """A desk on fakes, and what it posted."""

    fakes: Fakes = field(default_factory=Fakes)
    posted: list[Command] = field(default_factory=list)

    async def type(self, line: str, errand: str = "") -> None:
        """Type a line and wait until all is said."""
        desk = SlashDesk(self.fakes.world(), self.posted.append)
        slash = read(line)
        assert isinstance(slash, Slash)
        desk.obey(slash, SubmitTurn(line, Origin.TYPED, errand))
        await desk.close()

    def answer(self) -> SlashAnswered:
        (answered,) = [event for event in self.fakes.events if isinstance(event, SlashAnswered)]
        return answered


# --- the desk ---------------------------------------------------------------------------------


async def test_an_answer_names_the_conversation_and_what_was_typed() -> None:
    desk = Desk()
    await desk.type("/Mute", errand="e")
    answered = desk.answer()
    assert (answered.session_id, answered.text, answered.well) == (HERE.session_id, "/Mute", True)
    assert (answered.origin, answered.errand, answered.aloud) == (Origin.TYPED, "e", "")


async def test_what_follows_a_command_comes_after_its_answer() -> None:
    desk = Desk()
    await desk.type("/new")
    assert (len(desk.fakes.events), desk.posted) == (1, [NewConversation()])
    desk = Desk()
    await desk.type("/quit")
    assert [type(event) for event in desk.fakes.events] == [SlashAnswered, QuitAsked]


@pytest.mark.parametrize(
    ("line", "near"), [("/hlep", "/help"), ("/모댈", "/모델"), ("/exprt now", "/export")]
)
async def test_an_unknown_command_names_the_nearest_and_gives_the_text_back(line: str, near: str) -> None:
    desk = Desk()
    await desk.type(line)
    activity, refused = desk.fakes.events
    assert isinstance(activity, ActivityNoted)
    assert isinstance(refused, RequestRefused)
    assert refused.text == line
    assert f"Did you mean /{near[1:]}?" in refused.reason
    assert desk.posted == []


async def test_a_word_that_is_like_no_command_is_not_guessed_at() -> None:
    desk = Desk()
    await desk.type("/qwertyuiop")
    assert "Did you mean" not in desk.fakes.events[-1].reason  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (UserFixableError("the disk is full"), "the disk is full"),
        (PermissionError(13, "Permission denied", "/x"), "/x: Permission denied."),
        (RuntimeError("secret"), "Something in Jarvis itself broke in `/mute`; the details are in the log."),
    ],
)
async def test_whatever_goes_wrong_in_a_command_is_its_answer(
    error: Exception, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (mute,) = [command for command in COMMANDS if command.name == "mute"]

    async def broken(self: object, rest: str, world: World) -> Said:
        raise error

    monkeypatch.setattr(mute, "run", broken)
    desk = Desk()
    await desk.type("/mute")
    assert (desk.answer().answer, desk.answer().well) == (said, False)


async def test_suggestions_go_to_the_window_that_asked() -> None:
    fakes = Fakes()
    desk = SlashDesk(fakes.world(), lambda _: None)
    desk.suggest(AskChoices("/voice o", WINDOW))
    desk.suggest(AskChoices("/nothing o", WINDOW))
    await desk.close()
    (choices,) = fakes.events
    assert isinstance(choices, SlashChoices)
    assert (choices.window_id, choices.text) == (WINDOW, "/voice o")
    assert [choice.text for choice in choices.choices] == ["/voice on", "/voice off"]


async def test_only_that_something_was_shown_is_kept_of_what_may_be_forgotten() -> None:
    desk = Desk()
    desk.fakes.chats.stored = (StoredConversation(HERE.session_id, HERE.agent_id, "my secret", START, 1),)
    await desk.type("/history")
    answered = desk.answer()
    assert "my secret" in answered.answer
    assert "my secret" not in answered.to_keep
    assert [line.text for line in lines_of(answered, START)] == ["/history", answered.to_keep]
    desk = Desk()
    await desk.type("/help")
    assert desk.answer().to_keep == desk.answer().answer


async def test_a_suggestion_that_the_line_has_left_behind_is_given_up() -> None:
    fakes, never = Fakes(), asyncio.Event()

    class Slow(FakeModels):
        async def look(self) -> ModelsLooked:
            await never.wait()
            return ModelsLooked((), None)

    fakes.models = Slow()
    desk = SlashDesk(fakes.world(), lambda _: None)
    desk.suggest(AskChoices("/model g", WINDOW))
    await asyncio.sleep(0)
    desk.suggest(AskChoices("/voice o", WINDOW))
    await desk.close()
    assert [type(event) for event in fakes.events] == [SlashChoices]
    assert fakes.events[0].text == "/voice o"  # type: ignore[union-attr]


async def test_an_answer_is_on_disk_before_it_is_shown() -> None:
    desk, store, bus = Desk(), FakeStore(), Bus()
    await desk.type("/mute")
    shown: list[tuple[Event, list[SlashAnswered]]] = []
    bus.subscribe(lambda event: shown.append((event, [*store.commands])))
    await Recorder(store, bus, PlainTexts()).emit(desk.answer())
    await asyncio.sleep(0)
    assert shown == [(desk.answer(), [desk.answer()])]


# --- the loop ---------------------------------------------------------------------------------


def typed(text: str) -> SubmitTurn:
    return SubmitTurn(text, Origin.TYPED)


ONE_OF_EACH = [f"/{command.name}" for command in COMMANDS] + ["/hlep", "/", "/model x", "/rules revoke 1"]


async def test_no_command_ever_reaches_the_model() -> None:
    stage = Stage(ScriptedModel())
    async with playing(stage):
        stage.post(*[typed(line) for line in ONE_OF_EACH])
        await stage.until_slash(len(ONE_OF_EACH))
    assert (stage.model.requests, stage.seen(TurnStarted), stage.store.turns) == ([], [], {})


async def test_a_command_is_taken_while_a_turn_runs_and_does_not_wait_for_it() -> None:
    hold = asyncio.Event()
    stage = Stage(ScriptedModel((hold, *says("One."))))
    async with playing(stage):
        stage.post(typed("hello"))
        await stage.until(TurnStarted)
        stage.post(typed("/help"))
        await stage.until_slash(1)
        assert stage.seen(TurnEnded) == []
        hold.set()
        assert (await stage.until(TurnEnded)).end is TurnEnd.ANSWERED


async def test_what_is_no_command_goes_to_the_model_without_the_sign_that_says_so() -> None:
    lines = ["/etc/hosts what is it?", "//help", " /help me", "／tmp 에 뭐가 있어?"]
    stage = Stage(ScriptedModel(*[says("Yes.") for _ in lines]))
    async with playing(stage):
        for number, line in enumerate(lines, 1):
            stage.post(typed(line))
            await stage.until(TurnEnded, number)
    texts = [event.text for event in stage.seen(TurnStarted)]
    assert texts == ["/etc/hosts what is it?", "/help", "/help me", "／tmp 에 뭐가 있어?"]
    assert stage.slash == []


async def test_what_is_heard_is_never_a_command() -> None:
    stage = Stage(ScriptedModel(says("Pardon?")))
    async with playing(stage):
        stage.post(SubmitTurn("/quit", Origin.SPOKEN))
        await stage.until(TurnEnded)
    assert (stage.slash, stage.seen(TurnStarted)[0].text) == ([], "/quit")


async def test_a_command_that_is_too_long_is_refused_like_a_request() -> None:
    stage = Stage(ScriptedModel(), input_max_length=10)
    async with playing(stage):
        stage.post(SubmitTurn("/history " + "x" * 20, Origin.TYPED, "e"))
        refused = await stage.until(RequestRefused)
    assert (refused.errand, stage.slash) == ("e", [])


async def test_an_answer_is_stored_shown_to_later_windows_and_no_model_reads_it() -> None:
    hold = asyncio.Event()
    stage = Stage(ScriptedModel((hold, *says("One.")), says("Two.")))
    async with playing(stage):
        stage.post(typed("hello"))
        started = await stage.until(TurnStarted)
        answered = SlashAnswered(
            TurnId("c"), started.session_id, "/help", "All.", Origin.TYPED, stage.clock.now()
        )
        stage.announce(answered)
        hold.set()
        await stage.until(TurnEnded)
        stage.post(typed("again"))
        await stage.until(TurnEnded, 2)
        stage.post(Attach(WINDOW))
        shown = await stage.until(ConversationOpened, 2)
    assert [line.text for line in shown.lines] == ["hello", "One.", "/help", "All.", "again", "Two."]
    assert all("All." not in message.text for message in stage.model.requests[1].messages)


async def test_a_stored_conversation_is_gone_on_with_and_the_model_remembers_it() -> None:
    stage = Stage(ScriptedModel(says("Hi Ann."), says("You are Ann.")))
    async with playing(stage):
        stage.post(typed("I am Ann"))
        first = await stage.until(TurnEnded)
        stage.post(NewConversation())
        await stage.until(ConversationOpened, 2)
        stage.post(OpenStored(first.session_id))
        opened = await stage.until(ConversationOpened, 3)
        stage.post(typed("who am I?"))
        second = await stage.until(TurnEnded, 2)
    assert opened.session_id == second.session_id == first.session_id
    assert [line.text for line in opened.lines] == ["I am Ann", "Hi Ann."]
    said = [message.text for message in stage.model.requests[1].messages]
    assert any(text.startswith("I am Ann") for text in said)
    assert "Hi Ann." in said


async def test_opening_another_conversation_stops_what_runs_and_takes_along_what_waits() -> None:
    never = asyncio.Event()
    stage = Stage(ScriptedModel(says("Old."), (never,), says("Second.")))
    async with playing(stage):
        stage.post(typed("old"))
        old = await stage.until(TurnEnded)
        stage.post(NewConversation(), typed("first"))
        await stage.until(TurnStarted, 2)
        stage.post(typed("second"), OpenStored(old.session_id))
        last = await stage.until(TurnEnded, 3)
    assert stage.seen(TurnEnded)[1].end is TurnEnd.INTERRUPTED
    assert (last.session_id, last.text) == (old.session_id, "Second.")


async def test_a_conversation_that_is_not_there_changes_nothing() -> None:
    stage = Stage(ScriptedModel(says("Hi.")))
    async with playing(stage):
        stage.post(OpenStored(HERE.session_id), typed("hello"))
        await stage.until(TurnEnded)
    assert len(stage.seen(ConversationOpened)) == 1
    assert len(stage.seen(ActivityNoted)) >= 1


async def test_the_open_conversation_is_only_shown_again() -> None:
    never = asyncio.Event()
    stage = Stage(ScriptedModel((never,)))
    async with playing(stage):
        stage.post(typed("hello"))
        started = await stage.until(TurnStarted)
        stage.post(OpenStored(started.session_id))
        await stage.until(ConversationOpened, 2)
        assert stage.seen(TurnEnded) == []
