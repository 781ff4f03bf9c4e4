"""Goals as the program has them: kept, turned, and told when the person can be told."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from jarvis_desktop.adapters.goal_files import GoalFiles
from jarvis_desktop.adapters.local_zone import zone_named
from jarvis_desktop.adapters.sqlite_goals import SqliteGoals
from jarvis_desktop.adapters.sqlite_store import SqliteStore
from jarvis_desktop.app.goal_book import LiveGoals
from jarvis_desktop.app.goal_keeping import GoalKeeping, KeepingParts
from jarvis_desktop.app.live_settings import LiveSettings
from jarvis_desktop.app.options import Start, Surface
from jarvis_desktop.app.recorder import Recorder
from jarvis_desktop.app.schedule_parts import Schedules
from jarvis_desktop.app.work_folder import work_folder
from jarvis_desktop.core.items.errors import JarvisError
from jarvis_desktop.core.items.events import Event, TurnEnded, TurnStarted
from jarvis_desktop.core.items.goals import GoalAdvanced, GoalId, GoalOutcome, GoalReport, GoalRun, GoalState
from jarvis_desktop.core.items.ids import TurnId
from jarvis_desktop.core.items.slash import FocusChanged
from jarvis_desktop.core.ports import Clock, Team
from jarvis_desktop.core.turn.goal_telling import GoalTelling
from jarvis_desktop.core.turn.goal_turn import GoalParts, GoalTurns
from jarvis_desktop.core.turn.quiet_turns import QuietTurns
from jarvis_desktop.core.turn.tool_registry import AnyTool, goal_tools
from jarvis_desktop.core.turn.tool_runner import ToolRunner

log = logging.getLogger(__name__)

AFTER_A_TURN_S = 2.0
"""What waited is told so long after an answer, so that nobody takes it for a part of it."""


@dataclass(frozen=True, slots=True)
class GoalNeighbours:
    """What of the running core goals work with; what is made later is asked for when it is needed."""

    settings: LiveSettings
    store: SqliteStore
    recorder: Recorder
    surface: Surface
    team: Callable[[], Team]
    schedules: Callable[[], Schedules]
    """Whose clock turns goals, and whose turns let the person go first."""
    runner: Callable[[], ToolRunner]


class Goals:
    """All about goals."""

    def __init__(self, start: Start, clock: Clock, near: GoalNeighbours) -> None:
        texts, emit = start.texts, near.recorder.emit
        self._clock, self._near, self._texts = clock, near, texts
        self._focused = False
        self._working: set[TurnId] = set()
        """Requests of people that are being worked on."""
        self._telling_held: set[asyncio.Task[None]] = set()
        self.quiet = QuietTurns(emit, near.recorder.keep)
        self.history = SqliteGoals(near.store, clock, texts)
        self.book = LiveGoals(GoalFiles(start.home), clock, texts, emit)
        self._telling = GoalTelling(self.history, lambda _: self._takes(), texts, emit)
        self.turns = GoalTurns(
            GoalParts(
                book=self.book,
                history=self.history,
                team=near.team,
                turns=lambda: near.schedules().models,
                runner=near.runner,
                record=near.recorder,
                quiet=self.quiet,
                telling=self._telling,
                folder=self._folder,
                clock=clock,
                texts=texts,
                emit=emit,
            )
        )
        self.keeping = GoalKeeping(
            KeepingParts(
                book=self.book,
                history=self.history,
                jobs=lambda: near.schedules().jobs,
                turns=self.turns,
                zone=lambda: zone_named("").key,
                clock=clock,
                texts=texts,
            )
        )
        self.tools: tuple[AnyTool, ...] = goal_tools(self.keeping, texts, emit)

    async def run(self) -> None:
        """Tell what has waited, give each goal its job, and follow the files without end.

        Only the program that owns the home does: a single request beside it must begin no second turn.
        """
        if self._near.surface.goal:
            await self._one_turn(GoalId(self._near.surface.goal))
        if not self._owns:
            return
        await self._tell_held()
        await self.keeping.start()
        await self.book.run(self.keeping.tend)

    def on_event(self, event: Event) -> None:
        """What waits can be told when a person's turn has ended, or focus is over."""
        if not self._owns:
            return
        match event:
            case FocusChanged(on=on):
                self._focused = on
            case TurnEnded(turn_id):
                self._working.discard(turn_id)
            case TurnStarted(turn_id):
                self._working.add(turn_id)
                return
            case _:
                return
        task = asyncio.ensure_future(self._tell_later())
        self._telling_held.add(task)
        task.add_done_callback(self._telling_held.discard)

    async def close(self) -> None:
        """Nothing of it runs."""
        for task in self._telling_held:
            task.cancel()
        await asyncio.gather(*self._telling_held, self.keeping.close(), return_exceptions=True)

    @property
    def _owns(self) -> bool:
        surface = self._near.surface
        return surface.waits_for_disk and not surface.fresh_conversation

    async def _one_turn(self, goal_id: GoalId) -> None:
        try:
            if await self.turns.advance(goal_id) is not None:
                return  # it was told
            rests = GoalRun(goal_id, self._clock.now(), GoalOutcome.SKIPPED_WINDOW)
        except JarvisError as error:
            rests = GoalRun(goal_id, self._clock.now(), GoalOutcome.ERROR, why=str(error))
        await self._near.recorder.emit(GoalAdvanced(GoalReport(rests)))

    async def _folder(self) -> Path:
        """Where turns of goals work, and conversations that are begun for them."""
        settings = self._near.settings.now.agent
        return await work_folder(settings.working_directory, self._texts, self._near.recorder.emit)

    def _takes(self) -> bool:
        return not (self._focused or self._working)

    async def _tell_later(self) -> None:
        await self._clock.sleep(AFTER_A_TURN_S)
        await self._tell_held()

    async def _tell_held(self) -> None:
        """Without any model. What a person has stopped is not told any more."""
        try:
            for goal_id in await self.history.waiting():
                goal = await self.book.find(goal_id)
                if goal is not None and goal.state is not GoalState.STOPPED and self._takes():
                    await self._telling.tell_held(goal, await self._folder())
        except JarvisError as error:
            log.warning("what waits could not be told", extra={"error": type(error).__name__})
