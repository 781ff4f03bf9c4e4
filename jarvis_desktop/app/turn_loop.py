"""Commands in, one turn at a time: the loop never waits on a turn, so answers get through."""

import asyncio
import logging
from collections import deque
from contextlib import suppress
from dataclasses import replace

from jarvis_desktop.app.conversations import Conversations
from jarvis_desktop.app.core_thread import Inbox
from jarvis_desktop.app.loop_parts import LoopParts
from jarvis_desktop.app.loop_words import broken_text, gone_text
from jarvis_desktop.app.stored_talks import begun_talk
from jarvis_desktop.app.turn_requests import request_in, started
from jarvis_desktop.app.uninterrupted import uninterrupted
from jarvis_desktop.core.agents.addressing import addressed
from jarvis_desktop.core.items.agents import AgentCard
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
    SwitchAgent,
    TalkNow,
    Tick,
)
from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.items.events import (
    ActivityKind,
    ActivityNoted,
    AgentsListed,
    Event,
    RequestRefused,
    TurnEnded,
    TurnQueued,
)
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId, SessionId, TurnId, WindowId
from jarvis_desktop.core.items.slash import AskChoices, OpenStored
from jarvis_desktop.core.items.turn import Origin, TurnEnd, TurnRequest
from jarvis_desktop.core.ports import Conversation, Restored
from jarvis_desktop.core.slash.parsing import Request, Slash, read
from jarvis_desktop.core.turn.input_check import refusal, taken
from jarvis_desktop.core.turn.turn_notes import TurnNotes

log = logging.getLogger(__name__)


class TurnLoop:
    """Reads the inbox; runs turns one after another in a task of their own."""

    def __init__(self, parts: LoopParts, restored: Restored) -> None:
        self._parts = parts
        self._open = Conversations(restored)
        self._waiting: deque[TurnRequest] = deque()
        self._running: asyncio.Task[None] | None = None
        self._running_in: SessionId | None = None
        """The conversation of the running turn."""
        self._inbox: Inbox | None = None

    async def run(self, inbox: Inbox) -> None:
        """Serve commands until ``Quit``; a running turn is interrupted then."""
        self._inbox = inbox
        while True:
            command = await inbox.get()
            if isinstance(command, Quit):
                break
            await self._obey(command)
        await self.quiet()

    @property
    def conversation(self) -> Conversation:
        """The one that windows show."""
        return self._open.now

    @property
    def running(self) -> bool:
        """A request is being worked on in the conversation that windows show."""
        return self._running_in == self._open.now.session_id

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
            case SwitchAgent(agent_id):
                await self._switch(agent_id)
            case Attach(window_id):
                parts.publish(AgentsListed(self._top_level(), window_id))
                parts.publish(parts.skills.listed(window_id))
                self._show_conversation(window_id)
                await parts.questions.attach(window_id)
            case Detach(window_id):
                parts.questions.detach(window_id)
            case NewConversation():
                await self._exchange()
            case OpenStored(session_id):
                await self._open_stored(session_id)
            case AskChoices():
                parts.slash.suggest(command)
            case Tick():
                await parts.settings.look()
                await parts.team.look()
                parts.ticked(command)
            case Quit():
                pass
            case _:
                parts.set_up(command)

    def _interrupt(self) -> None:
        self._parts.mouth.cut()
        self._parts.ears.interrupt()
        if self._running:
            self._running.cancel()
            self._parts.questions.withdraw()

    async def _submit(self, command: SubmitTurn) -> None:
        # Nobody says a slash: what sounds like a command is a request.
        spoken = command.origin is Origin.SPOKEN
        line = Request(command.text) if spoken else read(command.text)
        text = taken(line.typed if isinstance(line, Slash) else line.text)
        if not text:
            return
        limit = (await self._parts.settings.look()).security.input_max_length
        if reason := refusal(text, limit, self._parts.texts):
            await self._refuse(command, reason)
            return
        if isinstance(line, Slash):
            await self._submit_slash(line, command)
            return
        await self._parts.team.look()
        called = addressed(text, self._top_level())
        if called is not None:
            await self._switch(called.agent_id)
        await self._start_or_queue(request_in(self._open.now, text, command.origin, self._parts))

    async def _submit_slash(self, line: Slash, command: SubmitTurn) -> None:
        # Who waits for an errand's answer waits for a command's: a skill has a turn to wait for.
        skill = await self._parts.skills.called(line.word, line.rest) if not command.errand else None
        if skill is None:
            self._parts.slash.obey(line, command)
        elif skill.trouble:
            await self._refuse(command, skill.trouble)
        else:
            request = request_in(self._open.now, skill.text, command.origin, self._parts)
            await self._start_or_queue(replace(request, typed=line.typed))

    async def _refuse(self, command: SubmitTurn, reason: str) -> None:
        await self._complain(reason)
        await self._parts.emit(RequestRefused(command.text.strip(), reason, command.errand))

    async def _complain(self, text: str) -> None:
        await self._parts.emit(ActivityNoted(ActivityKind.TROUBLE, text, self._parts.clock.now()))

    def _top_level(self) -> tuple[AgentCard, ...]:
        return tuple(card for card in self._parts.team.agents() if card.top_level)

    async def _start_or_queue(self, request: TurnRequest) -> None:
        if self._running:
            # On disk before it is shown as waiting; the running turn may end meanwhile.
            await self._parts.record.queue_turn(request)
        if self._running:
            self._waiting.append(request)
            ahead = len(self._waiting)
            await self._parts.emit(TurnQueued(request.shown, request.origin, ahead, request.session_id))
        else:
            self._start(request)

    def _start(self, request: TurnRequest) -> None:
        request = replace(request, asked_at=self._parts.clock.now())
        self._running_in = request.session_id
        self._running = asyncio.create_task(self._turn(request))
        self._running.add_done_callback(self._turn_over)

    def _turn_over(self, task: "asyncio.Task[None]") -> None:
        self._running = self._running_in = None
        if not task.cancelled() and task.exception():
            log.error("a turn could not be kept", exc_info=task.exception())
        if self._waiting:
            self._start(self._waiting.popleft())

    async def _turn(self, request: TurnRequest) -> None:
        parts, session_id = self._parts, request.session_id
        card = await uninterrupted(self._begun(request))
        if card is None:
            return
        request, notes = replace(request, card=card), TurnNotes()
        try:
            await parts.turns.run(request, self._open.past(session_id), parts.style(card), notes)
        except Exception as error:  # rim: the loop. A bug in a turn ends that turn, not the program.
            log.error("a turn broke", exc_info=error)
            await self._fail(request, broken_text(parts.texts))
        finally:
            self._open.remember(session_id, notes.messages)
            await asyncio.shield(parts.record.keep_messages(request.turn_id, notes.messages))

    async def _begun(self, request: TurnRequest) -> AgentCard | None:
        """Its agent as the files say now, once the turn is on disk and told; None when there is none."""
        parts = self._parts
        await parts.team.look()
        card = parts.team.find(request.agent_id)
        await parts.record.begin_turn(replace(request, card=card))
        await parts.emit(started(replace(request, card=card)))
        if card is None:
            await self._fail(request, gone_text(request.agent_id, parts.texts))
        else:
            await parts.added.begin_turn()  # it may take seconds: the request is safe and seen by now
        return card

    async def _fail(self, request: TurnRequest, text: str) -> None:
        await self._parts.emit(TurnEnded(request.turn_id, request.session_id, TurnEnd.FAILED, text))

    def on_event(self, event: Event) -> None:
        """Keep what is shown for windows that open later; leave an agent that is there no more."""
        self._open.note(event, self._parts.clock.now())
        if isinstance(event, AgentsListed) and event.window_id is None and self._inbox is not None:
            shown = self._open.now.agent_id
            if shown not in {card.agent_id for card in event.agents}:
                self._inbox.put_nowait(SwitchAgent(MAIN_AGENT))

    def _show_conversation(self, window_id: WindowId | None) -> None:
        self._parts.publish(self._open.opened(self._waiting, window_id))

    async def _switch(self, agent_id: AgentId) -> None:
        """Windows show this agent's conversation; what runs or waits in the one that is left goes on."""
        if agent_id == self._open.now.agent_id:
            return
        if agent_id not in {card.agent_id for card in self._top_level()}:
            text = self._parts.texts("There is no agent called {agent} to talk with.")
            await self._complain(text.format(agent=agent_id))
            return
        if not self._open.show(agent_id):
            self._open.exchange(await self._parts.reopen(agent_id, await self._parts.folder()))
        self._show_conversation(None)

    async def _open_stored(self, session_id: SessionId) -> None:
        """Windows show this conversation; what runs in the one of its agent that is left stops."""
        if self._open.shows(session_id):
            self._show_conversation(None)
            return
        try:
            stored = await self._parts.open_stored(session_id)
        except UserFixableError as error:
            await self._complain(str(error))
            return
        if not self._open.show(stored.conversation.agent_id):
            self._open.exchange(stored)  # what another agent was asked neither stops nor moves to this one
            self._show_conversation(None)
            return
        await self._exchange(stored)

    async def quiet(self) -> None:
        """No turn runs or waits any more; what waited is dropped."""
        self._waiting.clear()
        self._interrupt()
        if self._running:
            await asyncio.wait([self._running])

    async def forget(self, turn_ids: frozenset[TurnId] | None) -> None:
        """Neither windows nor models know these turns any more; None for all. What runs does to its end."""
        self._open.forget(turn_ids)
        self._show_conversation(None)
        await self._open.read_anew(
            self._parts.past, lambda session_id: self._running if session_id == self._running_in else None
        )

    async def _exchange(self, stored: Restored | None = None) -> None:
        """Windows show that conversation, or a new one; what runs in the one that is left stops."""
        left = self._open.now.session_id
        # What waits was asked for: it goes along, and must not begin in the conversation that is left.
        waiting = tuple(request for request in self._waiting if request.session_id == left)
        self._waiting = deque(request for request in self._waiting if request.session_id != left)
        if self._running_in == left:
            self._interrupt()
            if self._running:
                with suppress(asyncio.CancelledError):
                    await asyncio.wait([self._running])
        self._open.exchange(stored or await begun_talk(self._parts, self._open.now.agent_id))
        self._show_conversation(None)
        new = self._open.now
        for request in waiting:
            await self._start_or_queue(
                replace(request, session_id=new.session_id, agent_id=new.agent_id, cwd=new.cwd)
            )
