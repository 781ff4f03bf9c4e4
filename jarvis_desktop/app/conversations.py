"""The open conversations, one per agent: where each works, what was shown of it, what the model remembers."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime

from jarvis_desktop.app.shown_lines import lines_of
from jarvis_desktop.core.items.events import ConversationOpened, Event, StoredLine, TurnStarted
from jarvis_desktop.core.items.goals import GoalSpoke
from jarvis_desktop.core.items.ids import AgentId, SessionId, TurnId, WindowId
from jarvis_desktop.core.items.memory_desk import PatternsUsed
from jarvis_desktop.core.items.slash import SlashAnswered
from jarvis_desktop.core.items.turn import Message, Role, TurnRequest
from jarvis_desktop.core.ports import Conversation, Restored


class _Talk:
    """One conversation."""

    def __init__(self, restored: Restored) -> None:
        self.now, self.past = restored.conversation, restored.messages
        self.lines = list(restored.lines)

    def add(self, line: StoredLine) -> None:
        """Behind what belongs to the same turn: a command may have been answered while a turn went on."""
        places = range(len(self.lines), 0, -1)
        same = (index for index in places if self.lines[index - 1].turn_id == line.turn_id)
        self.lines.insert(next(same, len(self.lines)), line)


class Conversations:
    """Each agent has one; windows show exactly one of them at any time."""

    def __init__(self, restored: Restored) -> None:
        self._talks: dict[AgentId, _Talk] = {}
        self._session_of: dict[TurnId, SessionId] = {}
        self.exchange(restored)

    def exchange(self, restored: Restored) -> None:
        """From now on it is its agent's conversation, and windows show it."""
        self._shown = restored.conversation.agent_id
        self._talks[self._shown] = _Talk(restored)

    def show(self, agent_id: AgentId) -> bool:
        """Windows show this agent's conversation from now on; False when it is not open."""
        if agent_id not in self._talks:
            return False
        self._shown = agent_id
        return True

    def shows(self, session_id: SessionId) -> bool:
        """Windows show that conversation from now on; False when it is not open."""
        talk = self._of_session(session_id)
        return talk is not None and self.show(talk.now.agent_id)

    @property
    def now(self) -> Conversation:
        """The one that windows show."""
        return self._talks[self._shown].now

    def past(self, session_id: SessionId) -> tuple[Message, ...]:
        """For the model: complete turns of that conversation, oldest first."""
        talk = self._of_session(session_id)
        return talk.past if talk is not None else ()

    def forget(self, turn_ids: frozenset[TurnId] | None) -> None:
        """Windows that open later are not shown these turns; None: none that are over."""
        for talk in self._talks.values():
            talk.lines = [line for line in talk.lines if not (turn_ids is None or line.turn_id in turn_ids)]

    async def read_anew(
        self,
        stored: Callable[[SessionId], Awaitable[tuple[Message, ...]]],
        work_in: Callable[[SessionId], "asyncio.Task[None] | None"],
    ) -> None:
        """The model reads of every open conversation what is stored of it, and nothing else.

        work_in: the turn that runs in one. It is waited for: it adds what it said to what it finds here.
        """
        for talk in tuple(self._talks.values()):
            session_id = talk.now.session_id
            while True:
                if (running := work_in(session_id)) is not None:
                    await asyncio.wait([running])
                before = talk.past
                found = await stored(session_id)
                if work_in(session_id) is None and talk.past is before:
                    talk.past = found
                    break

    def remember(self, session_id: SessionId, messages: Sequence[Message]) -> None:
        """The model may read these again."""
        talk = self._of_session(session_id)
        if talk is not None:
            talk.past += tuple(messages)

    def note(self, event: Event, now: datetime) -> None:
        """Keep what is shown, for windows that open later."""
        if isinstance(event, TurnStarted | SlashAnswered | GoalSpoke):
            self._session_of[event.turn_id] = event.session_id
        if isinstance(event, GoalSpoke):
            said = (Message(Role.USER, event.sentence), Message(Role.ASSISTANT, event.text))
            self.remember(event.session_id, said)
        if isinstance(event, PatternsUsed) and event.turn_id not in self._session_of:
            return  # of an agent that another one asked: windows show its answer, not its ways
        for line in lines_of(event, now):
            session_id = self._session_of.get(line.turn_id, self.now.session_id)
            talk = self._of_session(session_id)
            if talk is not None:
                talk.add(line)

    def opened(
        self, waiting: Iterable[TurnRequest] = (), window_id: WindowId | None = None
    ) -> ConversationOpened:
        """What windows are told; only the one when it came later than the others.

        waiting: every request that waits, of whatever conversation.
        """
        talk = self._talks[self._shown]
        session_id = talk.now.session_id
        own = tuple(request.shown for request in waiting if request.session_id == session_id)
        return ConversationOpened(session_id, self._shown, tuple(talk.lines), window_id, own)

    def _of_session(self, session_id: SessionId) -> _Talk | None:
        return next((talk for talk in self._talks.values() if talk.now.session_id == session_id), None)
