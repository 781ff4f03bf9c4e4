"""Commands in, one turn at a time: the loop never waits on a turn, so answers get through."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from jarvis_desktop.app.conversations import OpenConversation
from jarvis_desktop.app.core_thread import Inbox
from jarvis_desktop.core.items.commands import (
    AnswerQuestion,
    Attach,
    Command,
    DecideSaving,
    Detach,
    Interrupt,
    NewConversation,
    Quit,
    SetMuted,
    SubmitTurn,
    TalkNow,
    Tick,
    WindowCommand,
)
from jarvis_desktop.core.items.events import (
    ActivityKind,
    ActivityNoted,
    ConversationOpened,
    Event,
    RequestRefused,
    TurnEnded,
    TurnQueued,
    TurnStarted,
)
from jarvis_desktop.core.items.ids import AgentId, TurnId, WindowId, fresh_id
from jarvis_desktop.core.items.turn import Message, Origin, TurnEnd, TurnRequest
from jarvis_desktop.core.ports import CallStyle, Clock, Conversation, Emit, Restored, Texts
from jarvis_desktop.core.settings import Settings
from jarvis_desktop.core.turn.engine import TurnNotes, TurnOutcome
from jarvis_desktop.core.turn.input_check import refusal, taken

log = logging.getLogger(__name__)


class Questions(Protocol):
    """The approval broker, as far as commands reach it."""

    async def answer(self, command: AnswerQuestion) -> object:
        """A person answered."""

    async def decide_saving(self, command: DecideSaving) -> None:
        """What a person said to the rule that was read back."""

    async def attach(self, window_id: WindowId) -> None:
        """A place to answer is open."""

    def detach(self, window_id: WindowId) -> None:
        """It is gone."""


class Turns(Protocol):
    """Runs one turn; cancelling the call stops it."""

    async def run(
        self, request: TurnRequest, past: Sequence[Message], style: CallStyle, notes: TurnNotes
    ) -> TurnOutcome:
        """Work on ``request`` until it has ended; ``notes`` hold what was said and done at any time."""


class Record(Protocol):
    """Where requests and messages are kept; never raises for a disk in trouble."""

    async def queue_turn(self, request: TurnRequest) -> None:
        """The request waits, and that is on disk."""

    async def begin_turn(self, request: TurnRequest) -> None:
        """The request is on disk."""

    async def keep_messages(self, turn_id: TurnId, messages: Sequence[Message]) -> None:
        """What later prompts should know is on disk."""


class Listening(Protocol):
    """The ears, as far as commands reach them."""

    def talk_now(self) -> None:
        """Listen for a request."""

    def set_muted(self, muted: bool) -> None:  # noqa: FBT001 - it carries the value of the command SetMuted
        """Microphone off or on."""

    def interrupt(self) -> None:
        """Give up what is being listened to."""


class Speaking(Protocol):
    """The mouth, as far as commands reach it."""

    def cut(self) -> None:
        """Silence at once."""


class LiveValues(Protocol):
    """The settings, as far as turns need them; ``LiveSettings`` fills it."""

    async def look(self) -> Settings:
        """As the file says now; what changed counts when this returns."""


@dataclass(frozen=True, slots=True)
class LoopParts:
    """What the loop steers."""

    turns: Turns
    style: Callable[[], CallStyle]
    """Asked at every turn."""
    questions: Questions
    begin_conversation: Callable[[AgentId, Path], Awaitable[Conversation]]
    folder: Callable[[], Awaitable[Path]]
    """Where a new conversation works."""
    record: Record
    ears: Listening
    mouth: Speaking
    clock: Clock
    texts: Texts
    emit: Emit
    publish: Callable[[ConversationOpened], None]
    settings: LiveValues
    set_up: Callable[[WindowCommand], None]
    """Does what setup and settings window ask for; returns at once."""


class TurnLoop:
    """Reads the inbox; runs turns one after another in a task of their own."""

    def __init__(self, parts: LoopParts, restored: Restored) -> None:
        self._parts = parts
        self._open = OpenConversation(restored)
        self._waiting: deque[TurnRequest] = deque()
        self._running: asyncio.Task[None] | None = None

    async def run(self, inbox: Inbox) -> None:
        """Serve commands until ``Quit``; a running turn is interrupted then."""
        while True:
            command = await inbox.get()
            if isinstance(command, Quit):
                break
            await self._obey(command)
        self._waiting.clear()
        self._interrupt()
        if self._running:
            await asyncio.wait([self._running])

    async def _obey(self, command: Command) -> None:  # noqa: C901, PLR0912 - one line for each command
        parts = self._parts
        match command:
            case SubmitTurn():
                await self._submit(command)
            case AnswerQuestion():
                await parts.questions.answer(command)
            case DecideSaving():
                await parts.questions.decide_saving(command)
            case Interrupt():
                self._interrupt()
            case TalkNow():
                parts.mouth.cut()
                parts.ears.talk_now()
            case SetMuted(muted):
                parts.ears.set_muted(muted)
            case Attach(window_id):
                self._show_conversation(window_id)
                await parts.questions.attach(window_id)
            case Detach(window_id):
                parts.questions.detach(window_id)
            case NewConversation():
                await self._exchange(self._begin_conversation)
            case Tick():
                await parts.settings.look()
            case Quit():
                pass
            case _:
                parts.set_up(command)

    def _interrupt(self) -> None:
        self._parts.mouth.cut()
        self._parts.ears.interrupt()
        if self._running:
            self._running.cancel()

    async def _submit(self, command: SubmitTurn) -> None:
        text = taken(command.text)
        if not text:
            return
        limit = (await self._parts.settings.look()).security.input_max_length
        reason = refusal(text, limit, self._parts.texts)
        if reason:
            await self._parts.emit(ActivityNoted(ActivityKind.TROUBLE, reason, self._parts.clock.now()))
            await self._parts.emit(RequestRefused(command.text.strip(), reason))
            return
        await self._start_or_queue(self._request(text, command.origin))

    async def _start_or_queue(self, request: TurnRequest) -> None:
        if self._running:
            # On disk before it is shown as waiting; the running turn may end meanwhile.
            await self._parts.record.queue_turn(request)
        if self._running:
            self._waiting.append(request)
            await self._parts.emit(TurnQueued(request.text, request.origin, len(self._waiting)))
        else:
            self._start(request)

    def _start(self, request: TurnRequest) -> None:
        request = replace(request, asked_at=self._parts.clock.now())
        self._running = asyncio.create_task(self._turn(request))
        self._running.add_done_callback(self._turn_over)

    def _turn_over(self, task: "asyncio.Task[None]") -> None:
        self._running = None
        if not task.cancelled() and task.exception():
            log.error("a turn could not be kept", exc_info=task.exception())
        if self._waiting:
            self._start(self._waiting.popleft())

    async def _turn(self, request: TurnRequest) -> None:
        parts = self._parts
        await parts.record.begin_turn(request)
        await parts.emit(
            TurnStarted(request.turn_id, request.session_id, request.text, request.origin, request.asked_at)
        )
        notes = TurnNotes()
        try:
            await parts.turns.run(request, self._open.past, parts.style(), notes)
        except Exception as error:  # rim: the loop. A bug in a turn ends that turn, not the program.
            log.error("a turn broke", exc_info=error)
            await parts.emit(TurnEnded(request.turn_id, request.session_id, TurnEnd.FAILED, self._broken()))
        finally:
            self._open.remember(notes.messages)
            await asyncio.shield(parts.record.keep_messages(request.turn_id, notes.messages))

    def _broken(self) -> str:
        return self._parts.texts(
            "Something in Jarvis itself broke while it worked on this, and the request was not finished. "
            "Please ask again; the details are in the log."
        )

    def _request(self, text: str, origin: Origin) -> TurnRequest:
        return TurnRequest(
            turn_id=TurnId(fresh_id()),
            session_id=self._open.now.session_id,
            agent_id=self._open.now.agent_id,
            text=text,
            origin=origin,
            language=self._parts.texts.language,
            cwd=self._open.now.cwd,
            asked_at=self._parts.clock.now(),
        )

    def on_event(self, event: Event) -> None:
        """Keep what is shown for windows that open later."""
        self._open.note(event, self._parts.clock.now())

    def _show_conversation(self, window_id: WindowId | None) -> None:
        self._parts.publish(self._open.opened(window_id))

    async def _begin_conversation(self) -> Restored:
        folder = await self._parts.folder()
        begun = await self._parts.begin_conversation(self._open.now.agent_id, folder)
        return Restored(begun, (), (), ())

    async def _exchange(self, another: Callable[[], Awaitable[Restored]]) -> None:
        # What waits was asked for: it goes along, and must not begin in the conversation that is left.
        waiting = tuple(self._waiting)
        self._waiting.clear()
        self._interrupt()
        if self._running:
            with suppress(asyncio.CancelledError):
                await asyncio.wait([self._running])
        self._open.exchange(await another())
        self._show_conversation(None)
        new = self._open.now
        for request in waiting:
            await self._start_or_queue(
                replace(request, session_id=new.session_id, agent_id=new.agent_id, cwd=new.cwd)
            )
