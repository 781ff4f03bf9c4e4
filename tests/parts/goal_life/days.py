"""Days and days: what happens to the program, its machine and its person, in an order that a seed decides."""

import heapq
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random

from jarvis_desktop.core.goals.naming import goal_id
from jarvis_desktop.core.items.errors import JarvisError
from jarvis_desktop.core.items.goals import Goal, GoalCue, GoalState
from jarvis_desktop.core.items.ids import MAIN_AGENT
from jarvis_desktop.core.items.schedule import Job, JobId
from tests.parts.goal_life.life import Life, Seen
from tests.parts.goal_life.machine import Reaper, SetClock, mortal_disk
from tests.parts.goal_life.world import Source, World

BEGAN = datetime(2026, 9, 20, 5, 0, tzinfo=UTC)
"""Both changes of the clock of this autumn fall into 90 days from here."""
CRONS = ("0 9-21 * * *", "0 9-21 * * *", "0 */3 * * *", "30 8,13,19 * * *", "15 7 * * *", "30 2 * * *")
ZONES = ("Asia/Seoul", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe")
TICK_S, QUARTER_S, DAY_S = 30.0, 900.0, 86_400.0
TASKS = 4
CALM_DAYS = 3
RATES = {
    "kill": 3.0,
    "restart": 0.5,
    "off": 0.3,
    "sleep": 0.6,
    "clock set": 0.2,
    "zone": 0.1,
    "model gone": 0.2,
    "tool gone": 0.2,
    "notices gone": 0.2,
    "focus": 0.5,
    "person asks": 4.0,
    "person types": 2.0,
    "goal paused": 0.3,
    "goal stopped": 0.2,
    "goal snoozed": 0.2,
    "goal edited": 0.2,
    "goal run by hand": 0.5,
    "goal given": 0.0,
    "switched on": 2.0,
}
"""How often a day."""
CHANGES = 1.5
"""Of each source, a day."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How much of it."""

    seed: int
    days: int = 90
    goals: int = 50


def sentence(name: str) -> str:
    """What the person wants of that source."""
    return f"Tell me only when something is new in #{name}#"


@dataclass
class Days:
    """One simulation."""

    plan: Plan
    home: Path
    counts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.rng, self.clock = Random(self.plan.seed), SetClock(BEGAN)
        self.world = World(Random(self.plan.seed + 1), self.clock, source_of=named_goals(self.plan))
        self.seen = Seen()
        self._order = count()
        self._coming: list[tuple[float, int, str]] = []
        self._ends_s = self.plan.days * DAY_S

    async def run(self) -> None:
        """All the days; then some calm ones, after which nothing may be left over."""
        with self.machine():
            await self.start()
            self._foresee()
            while self.clock.lived_s < self._ends_s:
                await self._happens()
                await self.goes_on()
            await self.calms_down(CALM_DAYS * DAY_S)

    @contextmanager
    def machine(self) -> Iterator[None]:
        """The machine, whose disk and zone are its own."""
        self.home.mkdir(parents=True, exist_ok=True)
        settings = f"agent: {{working_directory: {self.home / 'work'}}}\n"
        (self.home / "settings.yaml").write_text(settings, "utf-8")
        with mortal_disk(self.home, lambda: self.life.reaper), zone_of_machine("Asia/Seoul"):
            yield

    def _foresee(self) -> None:
        """When things happen, all over the days."""
        for name, rate in RATES.items():
            for _ in range(round(rate * self.plan.days)):
                self._will(name, self.rng.uniform(0, self._ends_s))
        for number in range(self.plan.goals):
            name = f"s{number:02}"
            self.add_source(name)
            first_s = self.rng.uniform(0, min(3, self.plan.days / 2) * DAY_S)
            self._will(f"give {name}", first_s)
            for _ in range(round(CHANGES * self.plan.days)):
                self._will(f"change {name}", self.rng.uniform(first_s, self._ends_s))
        for number in range(TASKS):
            self._will(f"task {number}", self.rng.uniform(0, DAY_S))

    def add_source(self, name: str) -> None:
        """There is something to look at."""
        self.world.sources[name] = Source(name)

    def _will(self, name: str, at_s: float) -> None:
        heapq.heappush(self._coming, (at_s, next(self._order), name))

    async def _happens(self) -> None:
        while self._coming and self._coming[0][0] <= self.clock.lived_s:
            name = heapq.heappop(self._coming)[2]
            word, _, rest = name.partition(" ")
            self.counts[word if word in {"give", "change", "task"} else name] += 1
            if word == "change":
                self.world.sources[rest].change(self.rng, self.clock.now())
            elif not await self._machine(name) and not await self._person(name):
                await self._with_goals(word, rest)
            await self.reborn()

    async def _machine(self, name: str) -> bool:
        """What befalls the machine; False where it is something else."""
        rng, clock, world = self.rng, self.clock, self.world
        match name:
            case "kill":
                reaper = self.life.reaper
                reaper.dies_at = reaper.writes + rng.randrange(1, 60)
                reaper.before = rng.random() < 0.5
            case "restart" | "off":
                await self.life.close()
                clock.asleep_s(5.0 if name == "restart" else rng.uniform(600, 1.5 * DAY_S))
                await self.start()
            case "sleep":
                clock.asleep_s(rng.uniform(300, 0.5 * DAY_S))
            case "clock set":
                off_s = clock.off_s
                clock.set_s(-off_s if off_s else rng.uniform(-3 * 3600, 3 * 3600))
            case "zone":
                os.environ["TZ"] = rng.choice(ZONES)
            case "model gone":
                world.model_gone = True
                self._will("model back", clock.lived_s + rng.uniform(600, 40_000))
            case "model back":
                world.model_gone = False
            case "tool gone":
                world.tool_fails = True
                self._will("tool back", clock.lived_s + rng.uniform(600, 20_000))
            case "tool back":
                world.tool_fails = False
            case "notices gone":
                world.notices_fail = True
                self._will("notices back", clock.lived_s + rng.uniform(600, 40_000))
            case "notices back":
                world.notices_fail = False
            case _:
                return False
        return True

    async def _person(self, name: str) -> bool:
        """What the person does; False where it is something else."""
        rng, clock = self.rng, self.clock
        match name:
            case "person asks":
                await self.life.asks(rng.uniform(1, 900))
            case "person types":
                await self.life.tick(idle_s=1.0)
            case "focus":
                await self.life.focuses(on=True)
                self._will("focus over", clock.lived_s + rng.uniform(600, 20_000))
            case "focus over":
                await self.life.focuses(on=False)
            case _:
                return False
        return True

    async def _with_goals(self, word: str, rest: str) -> None:
        """What the person does with goals and tasks, by command or by hand."""
        try:
            await self.life.as_far_as_it_comes(self._order_of(word, rest))
        except JarvisError:
            self.counts["orders refused"] += 1

    async def _order_of(self, word: str, rest: str) -> None:
        keeping, rng = self.life.goals.keeping, self.rng
        if word == "give":
            await keeping.give(MAIN_AGENT, sentence(rest), rng.choice(CRONS))
            return
        if word == "task":
            job = Job(JobId(f"task{rest}"), task=f"Task {rest}", cron=rng.choice(CRONS[2:]))
            await self.life.schedules.jobs.add(job)
            return
        goals = (await keeping.look()).goals
        if not goals:
            return
        goal = rng.choice(goals)
        match rest:
            case "paused":
                await keeping.cue(goal, GoalCue.PAUSE)
            case "stopped":
                await keeping.cue(goal, GoalCue.STOP)
            case "snoozed":
                until = self.clock.now() + timedelta(hours=rng.randrange(1, 60))
                await keeping.cue(goal, GoalCue.SNOOZE, until)
            case "edited":
                plain = goal.sentence.partition(", please")[0]
                await keeping.edit(goal, f"{plain}, please {rng.randrange(1000)}")
            case "run by hand":
                keeping.begin(goal.goal_id)
            case "on":
                await self._goes_on_with(goals)

    async def _goes_on_with(self, goals: tuple[Goal, ...]) -> None:
        for goal in goals:
            if goal.state is not GoalState.ACTIVE:
                await self.life.goals.keeping.cue(goal, GoalCue.RESUME)

    async def goes_on(self) -> None:
        """Time passes until the next tick at which something may happen."""
        running = len(self.life.schedules.shelf.clockwork.running)  # type: ignore[attr-defined]  # a Scheduler
        before = len(self.seen.begun)
        await self.life.tick()
        self.counts["ticks"] += 1
        step_s = TICK_S
        idle = not running and len(self.seen.begun) == before and not self.life.busy
        if idle:
            step_s = QUARTER_S - self.clock.now().timestamp() % QUARTER_S + 1
            if self._coming:
                step_s = min(step_s, max(TICK_S, self._coming[0][0] - self.clock.lived_s))
        await self.clock.pass_s(step_s, until=lambda: self.life.reaper.dead, at_once=idle)
        await self.life.answers()
        await self.reborn()

    async def start(self, reaper: Reaper | None = None) -> None:
        """The program is started."""
        self.counts["starts"] += 1
        self.life = Life(self.home, self.world, reaper or Reaper(), self.seen)
        await self.life.begin()

    async def reborn(self) -> None:
        """Killed: somebody starts it again, at once or after a while."""
        while self.life.reaper.dead:
            self.counts["killed"] += 1
            await self.life.bury()
            self.clock.asleep_s(self.rng.choice((2.0, 2.0, 600.0, 30_000.0)))
            await self.start()

    async def calms_down(self, calm_s: float) -> None:
        """Nothing fails, nobody is busy and nothing changes any more; so long, then the program is quit."""
        world = self.world
        world.calm, world.model_gone, world.tool_fails, world.notices_fail = True, False, False, False
        self.life.reaper.dies_at = 0
        await self.life.focuses(on=False)
        self.clock.set_s(-self.clock.off_s)
        self._coming = [(self.clock.lived_s, 0, "switched on")]
        end_s = self.clock.lived_s + calm_s
        while self.clock.lived_s < end_s:
            await self._happens()
            await self.goes_on()
        await self.life.close()


@contextmanager
def zone_of_machine(name: str) -> Iterator[None]:
    """The machine is there; where it is moved to is forgotten afterwards."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = name
    try:
        yield
    finally:
        if before is None:
            del os.environ["TZ"]
        else:
            os.environ["TZ"] = before


def named_goals(plan: Plan) -> dict[str, str]:
    """Sources by the id of their goal."""
    names = [f"s{number:02}" for number in range(plan.goals)]
    return {goal_id(MAIN_AGENT, sentence(name)): name for name in names}
