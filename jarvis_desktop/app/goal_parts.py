"""Goals as the program has them: kept, turned, and told when the person can be told."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path

from jarvis_desktop.adapters.apprise_push import ApprisePush
from jarvis_desktop.adapters.goal_files import GoalFiles
from jarvis_desktop.adapters.local_zone import zone_named
from jarvis_desktop.adapters.sqlite_goal_costs import SqliteGoalCosts
from jarvis_desktop.adapters.sqlite_goals import SqliteGoals
from jarvis_desktop.adapters.sqlite_store import SqliteStore
from jarvis_desktop.app.goal_book import LiveGoals
from jarvis_desktop.app.goal_keeping import GoalKeeping, KeepingParts
from jarvis_desktop.app.goal_outside import GoalOutside
from jarvis_desktop.app.goal_push import GoalPush
from jarvis_desktop.app.goal_suggestions import GoalSuggestions
from jarvis_desktop.app.live_settings import LiveSettings
from jarvis_desktop.app.options import Start, Surface
from jarvis_desktop.app.recorder import Recorder
from jarvis_desktop.app.schedule_parts import Schedules
from jarvis_desktop.app.work_folder import work_folder
from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.commands import SwitchAgent
from jarvis_desktop.core.items.errors import JarvisError
from jarvis_desktop.core.items.events import ActivityKind, ActivityNoted, Event, TurnEnded, TurnStarted
from jarvis_desktop.core.items.goal_notices import GoalCommand, MuteItem, OpenNews, SettleNotice
from jarvis_desktop.core.items.goals import (
    GOAL_TOOL,
    GoalAdvanced,
    GoalId,
    GoalOutcome,
    GoalReport,
    GoalRun,
    GoalState,
)
from jarvis_desktop.core.items.ids import AgentId, TurnId
from jarvis_desktop.core.items.slash import FocusChanged, OpenStored
from jarvis_desktop.core.ports import Clock, Team
from jarvis_desktop.core.quiet_hours import is_quiet
from jarvis_desktop.core.turn.goal_budgets import BudgetParts, GoalBudgets
from jarvis_desktop.core.turn.goal_telling import GoalTelling, TellingParts
from jarvis_desktop.core.turn.goal_turn import GoalParts, GoalTurns
from jarvis_desktop.core.turn.tool_registry import AnyTool, goal_tools
from jarvis_desktop.core.turn.tool_runner import ToolRunner

log = logging.getLogger(__name__)

LOOK_AGAIN_S = 30.0
"""How often the wall clock is asked whether quiet hours are over."""
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
        self._tasks: set[asyncio.Task[None]] = set()
        self.history = SqliteGoals(near.store, clock, texts)
        self.book = LiveGoals(GoalFiles(start.home), clock, texts, emit)
        push = GoalPush(ApprisePush(), lambda: near.settings.now.notify.push_to, clock, texts, emit)
        self._outside = GoalOutside(emit, clock, push.tell, windowed=near.surface.shows_notices)
        self._telling = GoalTelling(
            TellingParts(
                history=self.history,
                takes=self._takes,
                is_quiet=self._is_quiet,
                find=self.book.find,
                aloud=lambda: near.settings.now.notify.read_aloud and not near.schedules().person.busy,
                outside=self._outside,
                texts=texts,
                emit=emit,
            )
        )
        costs = SqliteGoalCosts(near.store, clock)
        self.turns = GoalTurns(
            GoalParts(
                book=self.book,
                history=self.history,
                team=near.team,
                turns=lambda: near.schedules().models,
                runner=near.runner,
                ready=lambda: near.schedules().ready(),
                record=near.recorder,
                quiet=lambda: near.schedules().telling,
                telling=self._telling,
                budgets=GoalBudgets(
                    BudgetParts(
                        costs=costs,
                        history=self.history,
                        settings=lambda: near.settings.now.goal,
                        zone=lambda: zone_named(""),
                        clock=clock,
                        texts=texts,
                    )
                ),
                patience=self._patience,
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
                costs=costs,
                jobs=lambda: near.schedules().jobs,
                turns=self.turns,
                zone=lambda: zone_named("").key,
                clock=clock,
                texts=texts,
                stays=near.surface.waits_for_disk,
            )
        )
        self.tools: tuple[AnyTool, ...] = goal_tools(self.keeping, texts, emit)
        self._suggestions = GoalSuggestions(self._can_keep, self.book.find, emit)

    async def run(self) -> None:
        """Tell what has waited, give each goal its job, and follow the files without end.

        Only the program that owns the home does: a single request beside it must begin no second turn.
        """
        if self._near.surface.goal:
            await self._one_turn(GoalId(self._near.surface.goal))
        if not self._owns:
            return
        await self._tell_held()
        self._begin(self._bundle_after_quiet_hours())
        await self.keeping.start()
        await self.book.run(self.keeping.tend)

    async def look(self) -> None:
        """At each tick: what changed in the files counts, also where no watching tells of it."""
        await self.book.tick()
        await self.keeping.tend()

    def on_event(self, event: Event) -> None:
        """What waits can be told when a person's turn has ended, or focus is over."""
        if not self._owns:
            return
        self._suggestions.on_event(event)
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
        self._begin(self._tell_later())

    def obey(self, command: GoalCommand) -> None:
        """What a person or the front end did with what was told; returns at once."""
        match command:
            case SettleNotice():
                self._outside.settle(command)
            case OpenNews():
                self._begin(self._open(command))
            case MuteItem():
                self._begin(self._mute(command))

    async def close(self) -> None:
        """Nothing of it runs."""
        for task in self._tasks:
            task.cancel()
        closing = (self.keeping.close(), self._suggestions.close())
        await asyncio.gather(*self._tasks, *closing, return_exceptions=True)

    def _can_keep(self, card: AgentCard) -> bool:
        return any(tool.name == GOAL_TOOL for tool in self._near.runner().offered(card))

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

    async def _patience(self, seconds: float) -> None:
        await self._near.schedules().person.patience(seconds)

    async def _folder(self) -> Path:
        """Where turns of goals work, and conversations that are begun for them."""
        settings = self._near.settings.now.agent
        return await work_folder(settings.working_directory, self._texts, self._near.recorder.emit)

    def _takes(self, asked: bool) -> bool:  # noqa: FBT001 - it fills a callable
        return not self._working and (asked or not self._focused)

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _open(self, order: OpenNews) -> None:
        """What is stored is opened only where nothing runs, since that would be stopped by it."""
        if order.session_id is not None and not self._working:
            self._near.surface.post(OpenStored(order.session_id))
        else:
            self._near.surface.post(SwitchAgent(order.agent_id))
        if not self._working:
            await self._tell_held(order.agent_id)

    async def _mute(self, order: MuteItem) -> None:
        texts = self._texts
        try:
            goal = await self.book.find(order.goal_id)
            if goal is None:
                return
            await self.keeping.mute(goal, order.key, on=order.on)
        except JarvisError as error:
            await self._note(str(error))
            return
        text = texts("💭 {key} of “{goal}” is told no more. /goal unmute {part} {key} takes that back.")
        back = texts("💭 {key} of “{goal}” is told again.")
        line = text if order.on else back
        await self._note(line.format(key=order.key, goal=goal.sentence, part=goal.goal_id))

    async def _note(self, line: str) -> None:
        await self._near.recorder.emit(ActivityNoted(ActivityKind.TURN, line, self._clock.now()))

    def _is_quiet(self) -> bool:
        return is_quiet(self._clock.now(), self._near.settings.now.notify.quiet_hours)

    async def _bundle_after_quiet_hours(self) -> None:
        """By the wall clock: a machine that slept through their end tells soon after it woke up."""
        quiet = self._is_quiet()
        while True:
            await self._clock.sleep(LOOK_AGAIN_S)
            before, quiet = quiet, self._is_quiet()
            if before and not quiet:
                await self._tell_held()

    async def _tell_later(self) -> None:
        await self._clock.sleep(AFTER_A_TURN_S)
        await self._tell_held()

    async def _tell_held(self, agent_id: AgentId | None = None) -> None:
        """Without any model. What a person has stopped is not told any more.

        agent_id: whose conversation a person has just called for; None: nobody waits for it.
        """
        try:
            found = [await self.book.find(goal_id) for goal_id in await self.history.waiting()]
            goals = [
                one
                for one in found
                if one is not None and one.state is not GoalState.STOPPED and agent_id in (None, one.agent_id)
            ]
            if goals:
                await self._telling.tell_held(goals, await self._folder(), asked=agent_id is not None)
        except JarvisError as error:
            log.warning("what waits could not be told", extra={"error": type(error).__name__})
