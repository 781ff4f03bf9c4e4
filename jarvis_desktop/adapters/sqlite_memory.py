"""Episodes and taught patterns in ``jarvis.db``: written by its one writer, read beside it."""

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

from jarvis_desktop.adapters import sqlite_episodes as episodes
from jarvis_desktop.adapters import sqlite_forget as forget
from jarvis_desktop.adapters import sqlite_patterns as patterns
from jarvis_desktop.adapters.sqlite_audit import READ_WAIT_S
from jarvis_desktop.adapters.sqlite_file import trouble_sentence
from jarvis_desktop.adapters.sqlite_recall import counted, recalled
from jarvis_desktop.adapters.sqlite_store import SqliteStore
from jarvis_desktop.core.items.errors import StorageError
from jarvis_desktop.core.items.goals import GoalId
from jarvis_desktop.core.items.ids import AgentId, TurnId
from jarvis_desktop.core.items.memory import Episode, PatternName, Recall, SessionKind, TaskPattern
from jarvis_desktop.core.items.memory_desk import Remembered
from jarvis_desktop.core.items.turn import Situation, TurnRequest
from jarvis_desktop.core.memory.pattern_fit import fitting
from jarvis_desktop.core.memory.words import VERSION
from jarvis_desktop.core.ports import Clock, Texts

log = logging.getLogger(__name__)

SCRUB_TRIES = 20
"""Each waits five seconds for whoever still reads."""
_INDEX = "index"
PAST_TURNS, PAST_S = 20, 0.2
"""How many older turns become episodes at once, and the pause between two times."""
T = TypeVar("T")


class SqliteMemory:
    """Fills ``Memory``; the desk of the memory page works with the rest."""

    def __init__(
        self,
        store: SqliteStore,
        path: Path,
        clock: Clock,
        texts: Texts,
        enabled: Callable[[], bool] = lambda: True,
    ) -> None:
        """enabled: asked every time."""
        self._store, self._path, self._clock, self._texts = store, path, clock, texts
        self._enabled = enabled

    # --- for turns ----------------------------------------------------------------------------

    async def remember(self, request: TurnRequest) -> None:
        """The turn that has ended, with its messages stored, is an episode."""
        if self._enabled():
            turn_id, agent_id, kind = request.turn_id, request.agent_id, _kind(request)
            await self._store.commit(
                lambda connection: episodes.remember_turn(connection, turn_id, agent_id, kind)
            )

    async def remember_interrupted(self, turn_ids: Sequence[TurnId]) -> None:
        """The turns that a kill had cut off are episodes too."""
        if self._enabled() and turn_ids:

            def work(connection: sqlite3.Connection) -> None:
                for turn_id in turn_ids:
                    episodes.remember_turn(connection, turn_id)

            await self._store.commit(work)

    async def remember_past(self) -> None:
        """The turns from before there were episodes are some; a few at a time, so that nobody waits long."""
        while self._enabled() and await self._store.commit(_some_more):
            await self._clock.sleep(PAST_S)

    async def recall(self, wanted: Recall) -> tuple[Episode, ...]:
        """Episodes that meet every condition; none while memory is off."""
        if not self._enabled():
            return ()
        now = self._clock.now()
        return await self._read(lambda connection: recalled(connection, wanted, now))

    async def teach(self, pattern: TaskPattern) -> TaskPattern:
        """The pattern, as it is kept: in place of one that its agent has by the same name."""
        return await self._store.commit(lambda connection: patterns.add_pattern(connection, pattern))

    async def fitting(self, request: TurnRequest) -> tuple[TaskPattern, ...]:
        """The patterns of the request's agent that stand before this turn. Never raises."""
        if not self._enabled():
            return ()
        try:
            found = await self._read(lambda connection: patterns.patterns(connection, request.agent_id))
        except StorageError as error:
            log.warning("patterns cannot be read", extra={"error": type(error).__name__})
            return ()
        return fitting(request.text, found)

    async def used(self, turn_id: TurnId, used: Sequence[PatternName]) -> None:
        """These patterns stood before that turn."""
        now = self._clock.now()
        await self._store.commit(lambda connection: patterns.add_uses(connection, turn_id, used, now))

    # --- for the person -----------------------------------------------------------------------

    async def look(self, wanted: Recall) -> Remembered:
        """A page of episodes, and every pattern of the agent; also while memory is off."""
        now = self._clock.now()

        def work(connection: sqlite3.Connection) -> Remembered:
            agents = connection.execute(
                "SELECT agent FROM episodes UNION SELECT agent FROM patterns ORDER BY agent"
            ).fetchall()
            tools = connection.execute("SELECT DISTINCT tool FROM episode_tools ORDER BY tool").fetchall()
            return Remembered(
                recalled(connection, wanted, now),
                patterns.patterns(connection, wanted.agent_id),
                counted(connection, wanted.agent_id),
                tuple(AgentId(row[0]) for row in agents),
                tuple(str(row[0]) for row in tools),
            )

        return await self._read(work)

    async def change_episode(self, number: int, request: str, reply: str) -> Episode | None:
        """The episode as a person words it now; None when there is none. The conversation stays as it was."""
        return await self._store.commit(
            lambda connection: episodes.change_episode(connection, number, request, reply)
        )

    async def change_pattern(self, pattern: TaskPattern) -> TaskPattern | None:
        """The pattern as a person words it now; None when there is none."""
        return await self._store.commit(lambda connection: patterns.change_pattern(connection, pattern))

    # --- forgetting ---------------------------------------------------------------------------

    async def let_go(self, table: str, number: int, *, on: bool = True, alone: bool = False) -> bool:
        """The row of ``episodes`` or ``patterns`` counts no more, or again; False when there is none.

        alone: of a pattern, the turn in which it was taught stays.
        """

        def work(connection: sqlite3.Connection) -> bool:
            if alone:
                patterns.part_from_turn(connection, number)
            return forget.set_leaving(connection, table, number, on=on)

        return await self._store.commit(work)

    async def erase_leaving(self, only: tuple[str, int] | None = None) -> tuple[TurnId, ...] | None:
        """What was let go is in no table any more; the turns that went, or None when nothing was to go.

        Its bytes are gone when ``scrub`` has returned, as after every erasing.

        only: the table and number of one row; without it everything that was let go.
        """
        now = self._clock.now()

        def work(connection: sqlite3.Connection) -> tuple[TurnId, ...] | None:
            going = forget.leaving(connection, only)
            forget.erase_patterns(connection, going.patterns, now)
            gone = forget.erase_turns(connection, going.turns, now)
            return gone if going.turns or going.patterns else None

        return await self._store.commit(work)

    async def erase_older(self, days: int) -> tuple[TurnId, ...] | None:
        """Turns that are older than ``days`` are in no table any more; None when there are none, or for 0."""
        now = self._clock.now()
        if not days:
            return None
        oldest = now - timedelta(days=days)

        def work(connection: sqlite3.Connection) -> tuple[TurnId, ...]:
            return forget.erase_turns(connection, forget.turns_before(connection, oldest), now)

        return await self._store.commit(work) or None

    async def erase_everything(
        self, agent_id: AgentId | None, goals: Sequence[GoalId] = ()
    ) -> tuple[TurnId, ...]:
        """All turns, episodes and patterns of one agent, or of all, are in no table any more; the turns.

        goals: of that agent; what they found and told goes with it.
        """
        now = self._clock.now()
        return await self._store.commit(
            lambda connection: forget.erase_everything(connection, agent_id, now, goals)
        )

    async def scrub(self) -> None:
        """No byte of what was forgotten is in any file of the database.

        Raises:
            StorageError: it may still be there.
        """

        def work(connection: sqlite3.Connection) -> bool:
            oldest = forget.scrub_wanted(connection)
            return oldest is None or forget.scrub(connection, self._path, oldest)

        for _ in range(SCRUB_TRIES):
            if await self._store.alone(work):
                return
            await self._clock.sleep(1)
        raise StorageError(
            self._texts(
                "{file} is being read by another program, so bytes of what was forgotten may still be there. "
                "It is tried again at the next start."
            ).format(file=self._path)
        )

    async def index_anew(self) -> None:
        """The index is as this version makes it; done only when another one made it."""

        def work(connection: sqlite3.Connection) -> None:
            row = connection.execute("SELECT value FROM memory_state WHERE name = ?", (_INDEX,)).fetchone()
            if row is not None and row[0] == str(VERSION):
                return
            episodes.index_anew(connection)
            connection.execute("INSERT OR REPLACE INTO memory_state VALUES (?, ?)", (_INDEX, str(VERSION)))

        await self._store.commit(work)

    async def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """What ``work`` finds of one moment, by a connection of its own: no write waits for it.

        Raises:
            StorageError: the database cannot be read; the text says what to do.
        """

        def found() -> T:
            address = f"{self._path.absolute().as_uri()}?mode=ro"
            with closing(sqlite3.connect(address, uri=True, timeout=READ_WAIT_S)) as connection:
                # One snapshot: what is written between two of its questions belongs to the next look.
                connection.execute("BEGIN")
                return work(connection)

        try:
            return await asyncio.to_thread(found)
        except sqlite3.Error as error:
            raise StorageError(trouble_sentence(error, self._path, self._texts)) from error


def _some_more(connection: sqlite3.Connection) -> bool:
    return episodes.remember_past(connection, PAST_TURNS)


def _kind(request: TurnRequest) -> SessionKind:
    if request.errand is not None:
        return SessionKind.DELEGATION
    kinds = {Situation.GOAL: SessionKind.GOAL, Situation.SCHEDULE: SessionKind.SCHEDULE}
    return kinds.get(request.situation, SessionKind.CONVERSATION)
