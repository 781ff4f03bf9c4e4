"""One start of the program: the app's own goals and schedules, and what they say."""

import asyncio
from collections import Counter
from collections.abc import Awaitable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.adapters.settings_file import load_settings
from jarvis_desktop.app.agent_models import AgentModelParts
from jarvis_desktop.app.bus import Bus
from jarvis_desktop.app.goal_parts import GoalNeighbours, Goals
from jarvis_desktop.app.live_settings import LiveSettings
from jarvis_desktop.app.options import DATABASE_NAME, Start, Surface
from jarvis_desktop.app.recorder import Recorder
from jarvis_desktop.app.schedule_parts import ScheduleNeighbours, Schedules, Workers
from jarvis_desktop.core.items.commands import Tick
from jarvis_desktop.core.items.events import Event, TurnEnded, TurnStarted
from jarvis_desktop.core.items.goal_notices import GoalNotice, NoticeFate, SettleNotice
from jarvis_desktop.core.items.goals import GoalAdvanced, GoalSpoke
from jarvis_desktop.core.items.ids import MAIN_AGENT, TurnId, fresh_id
from jarvis_desktop.core.items.schedule import JobRan, RunResult
from jarvis_desktop.core.items.slash import FocusChanged
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Origin, TurnEnd, TurnRequest
from jarvis_desktop.core.policy.broker import Broker
from jarvis_desktop.core.ports import CallStyle, ChatModel
from jarvis_desktop.core.turn.audit_trail import AuditTrail
from jarvis_desktop.core.turn.call_reports import CallReports
from jarvis_desktop.core.turn.engine import TurnEngine
from jarvis_desktop.core.turn.prompt import PromptBuilder
from jarvis_desktop.core.turn.tool_registry import ToolRegistry
from jarvis_desktop.core.turn.tool_runner import ToolRunner
from tests.fakes.reading import World as Decisions
from tests.fakes.team import FakeTeam
from tests.parts.goal_life.machine import KilledError, OneThreadLoop, Reaper, SetClock, open_mortal, settle
from tests.parts.goal_life.world import FlakyModel, Mark, SourceTool, World, marks_in

MOST_CANCELS = 20
IDLE_S = 600.0
"""Nobody has touched anything for so long."""


@dataclass
class Begun:
    """Work on one due time of one job."""

    times: int = 0
    may_come_again: bool = True
    """The last time it failed and said so, or was cut off before it could have changed anything."""


@dataclass
class Seen:
    """What outlives every start: what was begun, and what was said."""

    begun: dict[tuple[str, datetime], Begun] = field(default_factory=dict)
    twice: list[str] = field(default_factory=list)
    """Runs that must not have been."""
    running: int = 0
    most_running: int = 0
    outcomes: dict[str, int] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    """Texts of conversations, as windows were told."""
    notified: Counter[Mark] = field(default_factory=Counter)
    """What notifications showed."""


class CountedRunner:
    """Fills ``GoalRunner``; no goal and instant may come to it twice, unless the first time failed."""

    def __init__(self, goals: Goals, seen: Seen, reaper: Reaper) -> None:
        self._goals, self._seen, self._reaper = goals, seen, reaper

    async def run(self, goal_id: str, due_at: datetime) -> RunResult:
        """See ``GoalRunner``."""
        self._reaper.alive()
        seen = self._seen
        begun = seen.begun.setdefault((goal_id, due_at), Begun())
        if not begun.may_come_again:
            seen.twice.append(f"{goal_id} at {due_at.isoformat()}")
        begun.times, begun.may_come_again = begun.times + 1, False
        seen.running += 1
        seen.most_running = max(seen.most_running, seen.running)
        try:
            result = await self._goals.turns.run(goal_id, due_at)
        finally:
            seen.running -= 1
        begun.may_come_again = result.again
        return result


class Life:
    """One start of the program."""

    def __init__(self, home: Path, world: World, reaper: Reaper, seen: Seen) -> None:
        self.home, self.world, self.reaper, self.seen = home, world, reaper, seen
        self.clock: SetClock = world.clock
        self._working: list[tuple[TurnRequest, float]] = []
        texts = Catalog(Language.ENGLISH)
        settings, problems = load_settings(home)
        assert problems == ()
        start = Start(home, settings, texts, voice=False)
        self._start = start
        self.store = open_mortal(home / DATABASE_NAME, self.clock, texts, reaper)
        bus = Bus()
        surface = Surface(lambda event: None, lambda command: None, shows_notices=True)
        self.bus, self.recorder = bus, Recorder(self.store, bus, texts)
        live, team = LiveSettings(start, self.recorder.emit), FakeTeam()
        around = (live, self.store, self.recorder, surface)
        self.goals = Goals(
            start,
            self.clock,
            GoalNeighbours(*around, lambda: team, lambda: self.schedules, lambda: self.runner),
        )
        self.schedules = Schedules(start, self.clock, ScheduleNeighbours(*around))
        self.runner = self._runner(start)
        self.schedules.attach(Workers(team, self._models(start), self.runner.only_reads, self._counted()))
        bus.subscribe(self._on_event)
        bus.subscribe(self.goals.on_event)
        bus.subscribe(self.schedules.on_event)
        self._tasks: list[asyncio.Future[None]] = []

    def _counted(self) -> CountedRunner:
        return CountedRunner(self.goals, self.seen, self.reaper)

    def _runner(self, start: Start) -> ToolRunner:
        emit = self.schedules.telling.emit
        registry = ToolRegistry(lambda: [SourceTool(self.world, self.reaper), *self.goals.tools])
        reports = CallReports(self.clock, start.texts, emit)
        trail = AuditTrail(self.store, self.clock)
        return ToolRunner(registry, Broker(self.clock, emit), Decisions().reading, reports, trail=trail)

    def _models(self, start: Start) -> AgentModelParts:
        emit = self.schedules.telling.emit

        def engine(model: ChatModel) -> TurnEngine:
            return TurnEngine(model, self.runner, PromptBuilder(), self.clock, start.texts, emit)

        def none(_: object) -> Any:
            raise AssertionError("no agent here names a model")

        model = FlakyModel(self.world, self.reaper, lambda: None)
        return AgentModelParts(model, lambda: CallStyle.NATIVE, lambda _: None, none, engine, start.texts)

    async def begin(self) -> None:
        """It runs, as far as it comes."""
        folder = self._start.settings.agent.working_directory
        await self.as_far_as_it_comes(self._restored(folder))
        if not self.reaper.dead:
            runs = (self.goals.run(), self.schedules.run())
            self._tasks = [asyncio.ensure_future(self.as_far_as_it_comes(one)) for one in runs]
            await settle()

    async def _restored(self, folder: Path) -> None:
        await self.store.restore(MAIN_AGENT, folder)

    async def as_far_as_it_comes(self, work: Awaitable[None]) -> None:
        """Done, or killed in the middle."""
        try:
            await work
        except KilledError:
            assert self.reaper.dead

    @property
    def busy(self) -> bool:
        """Somebody waits for an answer."""
        return bool(self._working)

    async def tick(self, idle_s: float = IDLE_S) -> None:
        """The front end's timer."""
        if not self.reaper.dead:
            self.schedules.ticked(Tick(self.clock.now(), idle_s))
            await settle()

    async def asks(self, took_s: float) -> None:
        """The person asks something, and is answered after so long."""
        now, folder = self.clock.now(), self._start.settings.agent.working_directory
        await self.as_far_as_it_comes(self._ask(folder, now, took_s))

    async def _ask(self, folder: Path, now: datetime, took_s: float) -> None:
        talk = (await self.store.reopen(MAIN_AGENT, folder)).conversation
        turn_id = TurnId(fresh_id())
        request = TurnRequest(
            *(turn_id, talk.session_id, MAIN_AGENT, "What is new?", Origin.TYPED, Language.ENGLISH),
            *(folder, now),
        )
        await self.recorder.begin_turn(request)
        await self.recorder.emit(TurnStarted(turn_id, talk.session_id, request.text, Origin.TYPED, now))
        self._working.append((request, self.clock.monotonic_s() + took_s))

    async def answers(self) -> None:
        """What the person asked is answered, where its time has come."""
        for one in [one for one in self._working if one[1] <= self.clock.monotonic_s()]:
            self._working.remove(one)
            ended = TurnEnded(one[0].turn_id, one[0].session_id, TurnEnd.ANSWERED, "Nothing much.")
            await self.as_far_as_it_comes(self.recorder.emit(ended))

    async def focuses(self, *, on: bool) -> None:
        """Focus mode."""
        await self.as_far_as_it_comes(self.recorder.emit(FocusChanged(on=on)))

    async def close(self) -> None:
        """Quit: everything ends in order, if nobody kills it meanwhile."""
        await self.as_far_as_it_comes(self.schedules.close())
        await self.as_far_as_it_comes(self.goals.close())
        if not self.reaper.dead:
            for name in self.world.sources:
                self.world.lived_through(name)
        self.reaper.dead = True
        await self.bury()

    async def bury(self) -> None:
        """Nothing of this start moves any more; it wrote nothing since it died."""
        assert self.reaper.dead
        here, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert isinstance(loop, OneThreadLoop)
        for _ in range(MOST_CANCELS):
            for task in asyncio.all_tasks() - {here}:
                task.cancel()
            await loop.settle()
        assert asyncio.all_tasks() == {here}, "somebody goes on after the end"
        self.store.drop()
        self.clock.forget_sleepers()
        self.seen.running = 0

    def _notified(self, notice: GoalNotice) -> None:
        """The front end shows it, or cannot, or never says what came of it."""
        world = self.world
        fate = NoticeFate.LOST if world.notices_fail else NoticeFate.SHOWN
        if world.fails(0.05):
            world.counts["notices unanswered"] += 1
            return
        if fate is NoticeFate.SHOWN:
            lines = (one.line for news in notice.news for one in news.items)
            self.seen.notified.update(mark for line in lines for mark in marks_in(line))
        world.counts[f"notices {fate}"] += 1
        self.goals.obey(SettleNotice(notice.notice_id, fate))

    def _on_event(self, event: Event) -> None:
        if self.reaper.dead:
            return
        match event:
            case GoalAdvanced(report):
                self.seen.outcomes[report.run.outcome] = self.seen.outcomes.get(report.run.outcome, 0) + 1
                self.world.ended(report.run.goal_id)
            case GoalSpoke(text=text):
                self.seen.said.append(text)
            case GoalNotice():
                self._notified(event)
            case JobRan(run=run):
                name = f"job {run.end}"
                self.seen.outcomes[name] = self.seen.outcomes.get(name, 0) + 1
            case _:
                pass
