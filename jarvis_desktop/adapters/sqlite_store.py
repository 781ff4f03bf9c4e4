"""Conversations and audit log in ``~/.jarvis/jarvis.db``: one writer thread, committed before it returns."""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from jarvis_desktop.adapters import sqlite_audit as audit
from jarvis_desktop.adapters import sqlite_delegates as delegates
from jarvis_desktop.adapters import sqlite_rows as rows
from jarvis_desktop.adapters.sqlite_chats import add_command
from jarvis_desktop.adapters.sqlite_file import open_database, trouble_sentence
from jarvis_desktop.adapters.sqlite_schema import transaction
from jarvis_desktop.adapters.sqlite_shown import shown_lines
from jarvis_desktop.core.items.audit import AuditEntry, AuditResult
from jarvis_desktop.core.items.errors import InvariantError, StorageError
from jarvis_desktop.core.items.events import ActivityKind, ActivityNoted
from jarvis_desktop.core.items.ids import AgentId, AuditId, SessionId, TurnId
from jarvis_desktop.core.items.slash import SlashAnswered
from jarvis_desktop.core.items.turn import Message, TurnEnd, TurnRequest
from jarvis_desktop.core.ports import Clock, Conversation, InterruptedTurn, Restored, Texts

TOLD_CHARS = 80
"""As much of a request as names it in an activity line."""

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]


@dataclass(frozen=True, slots=True)
class OpenedStore:
    """An open store and what happened on opening."""

    store: "SqliteStore"
    set_aside: Path | None
    """The damaged database that was replaced by an empty one."""


async def open_store(path: Path, clock: Clock, texts: Texts) -> OpenedStore:
    """The store in the file at ``path``, made when absent; its folder must exist.

    Raises:
        StorageError: it cannot be opened; the text says what to do.
    """
    writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="database")
    try:
        connection, set_aside = await _on(writer, lambda: open_database(path, clock.now(), texts))
    except BaseException:
        writer.shutdown(wait=False)
        raise
    return OpenedStore(SqliteStore(connection, writer, path, clock, texts), set_aside)


def _last_or_new(
    connection: sqlite3.Connection,
    agent_id: AgentId,
    cwd: Path,
    now: datetime,
    interrupted: tuple[InterruptedTurn, ...] = (),
) -> Restored:
    conversation = rows.last_conversation(connection, agent_id)
    if conversation is None:
        conversation = rows.new_conversation(connection, agent_id, cwd, now)
    session_id = conversation.session_id
    lines = shown_lines(connection, session_id)
    return Restored(conversation, lines, rows.model_messages(connection, session_id), interrupted)


def _in_short(turn: InterruptedTurn) -> str:
    return turn.text if len(turn.text) <= TOLD_CHARS else turn.text[: TOLD_CHARS - 1] + "…"


async def _on(writer: ThreadPoolExecutor, work: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(writer, work)


class SqliteStore:
    """Fills ``ConversationStore`` and ``AuditLog``. Made by ``open_store``; work runs on one thread."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        writer: ThreadPoolExecutor,
        path: Path,
        clock: Clock,
        texts: Texts,
    ) -> None:
        self._connection = connection
        self._writer = writer
        self._path = path
        self._clock = clock
        self._texts = texts

    async def restore(self, agent_id: AgentId, cwd: Path) -> Restored:
        """The last conversation of this agent, or a new one; turns that ran or waited are now interrupted."""
        now = self._clock.now()

        def work(connection: sqlite3.Connection) -> Restored:
            interrupted = rows.cut_running_turns(connection, now)
            waited = rows.cut_waiting_turns(connection, now)
            # In the same transaction: a kill right here must not lose the telling.
            for turn in interrupted:
                rows.add_activity(connection, self._told_of(turn, now))
            for turn in waited:
                rows.add_activity(connection, self._told_of_waiting(turn, now))
            return _last_or_new(connection, agent_id, cwd, now, interrupted + waited)

        return await self.commit(work)

    async def reopen(self, agent_id: AgentId, cwd: Path) -> Restored:
        """As ``restore``, in the middle of a run: turns that run or wait are left alone."""
        now = self._clock.now()
        return await self.commit(lambda connection: _last_or_new(connection, agent_id, cwd, now))

    def _told_of(self, turn: InterruptedTurn, now: datetime) -> ActivityNoted:
        text = self._texts(
            'Jarvis ended unexpectedly while it worked on "{request}". What was shown until then is kept; '
            "ask again to go on."
        ).format(request=_in_short(turn))
        return ActivityNoted(ActivityKind.TROUBLE, text, now, turn.turn_id)

    def _told_of_waiting(self, turn: InterruptedTurn, now: datetime) -> ActivityNoted:
        text = self._texts('"{request}" was still waiting when Jarvis ended; ask again to have it done.')
        return ActivityNoted(ActivityKind.TROUBLE, text.format(request=_in_short(turn)), now, turn.turn_id)

    async def past(self, session_id: SessionId) -> tuple[Message, ...]:
        """For the model: the complete turns of a conversation, oldest first."""
        return await self.commit(lambda connection: rows.model_messages(connection, session_id))

    async def begin_conversation(self, agent_id: AgentId, cwd: Path) -> Conversation:
        """A new, empty conversation."""
        now = self._clock.now()
        return await self.commit(lambda connection: rows.new_conversation(connection, agent_id, cwd, now))

    async def begin_aside(self, agent_id: AgentId, cwd: Path) -> Conversation:
        """A new one that ``restore`` never opens again."""
        now, kind = self._clock.now(), rows.ConversationKind.ASIDE
        return await self.commit(
            lambda connection: rows.new_conversation(connection, agent_id, cwd, now, kind)
        )

    async def queue_turn(self, request: TurnRequest) -> None:
        """The request waits for its turn, in the conversation that it names now."""
        await self.commit(lambda connection: rows.add_waiting(connection, request))

    async def begin_turn(self, request: TurnRequest) -> None:
        """The request is on disk."""
        await self.commit(lambda connection: delegates.begin_turn(connection, request))

    async def set_reply(self, turn_id: TurnId, text: str) -> None:
        """The answer so far is on disk."""
        now = self._clock.now()
        await self.commit(lambda connection: rows.set_reply(connection, turn_id, text, now))

    async def add_messages(self, turn_id: TurnId, messages: Sequence[Message]) -> None:
        """Messages of this turn for later prompts: calls, results, answer."""
        await self.commit(lambda connection: rows.add_messages(connection, turn_id, messages))

    async def end_turn(self, turn_id: TurnId, end: TurnEnd, text: str) -> None:
        """The turn is over."""
        now = self._clock.now()
        await self.commit(lambda connection: rows.end_turn(connection, turn_id, end, text, now))

    async def add_command(self, answered: SlashAnswered) -> None:
        """A slash command with its answer is on disk; it is no turn that a model reads of."""
        language = self._texts.language
        await self.commit(lambda connection: add_command(connection, answered, language))

    async def add_activity(self, line: ActivityNoted) -> None:
        """One more activity line."""
        await self.commit(lambda connection: rows.add_activity(connection, line))

    async def recent_activity(self, limit: int) -> tuple[ActivityNoted, ...]:
        """The newest lines, oldest first."""
        return await self.commit(lambda connection: rows.recent_activity(connection, limit))

    async def add(self, entry: AuditEntry) -> None:
        """The decision is on disk."""
        await self.commit(lambda connection: audit.add_entry(connection, entry))

    async def add_result(self, entry_id: AuditId, result: AuditResult) -> None:
        """How the call of that entry ended is on disk."""
        await self.commit(lambda connection: audit.add_result(connection, entry_id, result))

    async def entries(self, since: datetime | None = None) -> tuple[AuditEntry, ...]:
        """Every audit entry from ``since`` on, oldest first."""
        return await self.commit(lambda connection: audit.entries(connection, since))

    async def close(self) -> None:
        """Everything handed in before is on disk, and the file is closed."""
        await _on(self._writer, self._connection.close)
        self._writer.shutdown()

    async def commit(self, work: Work[T]) -> T:
        """What ``work`` returns, after its changes are committed.

        Raises:
            StorageError: nothing of it was stored.
        """

        def committed() -> T:
            with transaction(self._connection) as connection:
                return work(connection)

        return await self._told(committed)

    async def alone(self, work: Work[T]) -> T:
        """What ``work`` returns; it runs between the others and outside a transaction.

        Raises:
            StorageError: it broke off.
        """
        return await self._told(lambda: work(self._connection))

    async def _told(self, work: Callable[[], T]) -> T:
        try:
            return await _on(self._writer, work)
        except sqlite3.IntegrityError as error:
            raise InvariantError("a row was stored twice or without its parent") from error
        except sqlite3.Error as error:
            raise StorageError(trouble_sentence(error, self._path, self._texts)) from error
