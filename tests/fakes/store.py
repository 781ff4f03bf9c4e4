"""Conversations in memory."""

from collections.abc import Sequence
from itertools import count
from pathlib import Path

from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.items.events import ActivityNoted, StoredLine
from jarvis_desktop.core.items.ids import AgentId, SessionId, TurnId
from jarvis_desktop.core.items.slash import SlashAnswered
from jarvis_desktop.core.items.turn import Message, Role, TurnEnd, TurnRequest
from jarvis_desktop.core.ports import Conversation, InterruptedTurn, Restored


class FakeStore:
    """Fills ``ConversationStore``; a new instance over the same ``FakeStore.turns`` is a restart."""

    def __init__(self) -> None:
        self.conversation: Conversation | None = None
        """The one that was begun last."""
        self.last: dict[AgentId, Conversation] = {}
        self.turns: dict[TurnId, TurnRequest] = {}
        self.waiting: dict[TurnId, TurnRequest] = {}
        self.replies: dict[TurnId, str] = {}
        self.ends: dict[TurnId, TurnEnd] = {}
        self.messages: list[tuple[TurnId, Message]] = []
        self.commands: list[SlashAnswered] = []
        self.activity: list[ActivityNoted] = []
        self._numbers = count(1)

    async def restore(self, agent_id: AgentId, cwd: Path) -> Restored:
        conversation = self.last.get(agent_id) or await self.begin_conversation(agent_id, cwd)
        self.turns.update(self.waiting)
        self.waiting.clear()
        open_turns = [turn for turn in self._own(conversation) if turn.turn_id not in self.ends]
        for turn in open_turns:
            self.ends[turn.turn_id] = TurnEnd.INTERRUPTED
        return self._restored(conversation, open_turns)

    async def reopen(self, agent_id: AgentId, cwd: Path) -> Restored:
        return self._restored(self.last.get(agent_id) or await self.begin_conversation(agent_id, cwd), [])

    async def open(self, session_id: SessionId) -> Restored:
        """Fills what opens a stored conversation: any that a turn was begun in, or the last begun."""
        if self.conversation is not None and self.conversation.session_id == session_id:
            return self._restored(self.conversation, [])
        asked = [turn for turn in self.turns.values() if turn.session_id == session_id]
        if not asked:
            raise UserFixableError("It is not there any more.")
        return self._restored(Conversation(session_id, asked[0].agent_id, asked[0].cwd), [])

    def _restored(self, conversation: Conversation, open_turns: Sequence[TurnRequest]) -> Restored:
        return Restored(
            conversation,
            tuple(line for turn in self._own(conversation) for line in self._lines(turn, open_turns)),
            tuple(message for turn_id, message in self.messages if self._is_own(turn_id, conversation)),
            tuple(InterruptedTurn(turn.turn_id, turn.text, turn.asked_at) for turn in open_turns),
        )

    async def begin_conversation(self, agent_id: AgentId, cwd: Path) -> Conversation:
        self.conversation = Conversation(SessionId(f"session-{next(self._numbers)}"), agent_id, cwd)
        self.last[agent_id] = self.conversation
        return self.conversation

    async def past(self, session_id: SessionId) -> tuple[Message, ...]:
        own = {turn.turn_id for turn in self.turns.values() if turn.session_id == session_id}
        return tuple(message for turn_id, message in self.messages if turn_id in own)

    async def queue_turn(self, request: TurnRequest) -> None:
        self.waiting[request.turn_id] = request

    async def begin_turn(self, request: TurnRequest) -> None:
        self.waiting.pop(request.turn_id, None)
        self.turns[request.turn_id] = request

    async def set_reply(self, turn_id: TurnId, text: str) -> None:
        self.replies[turn_id] = text

    async def add_messages(self, turn_id: TurnId, messages: Sequence[Message]) -> None:
        self.messages.extend((turn_id, message) for message in messages)

    async def end_turn(self, turn_id: TurnId, end: TurnEnd, text: str) -> None:
        self.ends[turn_id], self.replies[turn_id] = end, text

    async def add_command(self, answered: SlashAnswered) -> None:
        self.commands.append(answered)

    async def add_activity(self, line: ActivityNoted) -> None:
        self.activity.append(line)

    async def recent_activity(self, limit: int) -> tuple[ActivityNoted, ...]:
        return tuple(self.activity[-limit:])

    def _own(self, conversation: Conversation) -> list[TurnRequest]:
        return [turn for turn in self.turns.values() if turn.session_id == conversation.session_id]

    def _is_own(self, turn_id: TurnId, conversation: Conversation) -> bool:
        return any(turn.turn_id == turn_id for turn in self._own(conversation))

    def _lines(self, turn: TurnRequest, open_turns: Sequence[TurnRequest]) -> list[StoredLine]:
        asked = StoredLine(Role.USER, turn.text, turn.asked_at, turn.turn_id, True)
        reply = self.replies.get(turn.turn_id)
        if not reply:
            return [asked]
        complete = turn not in open_turns
        return [asked, StoredLine(Role.ASSISTANT, reply, turn.asked_at, turn.turn_id, complete)]
