"""What slash commands reach, in memory."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from jarvis_desktop.core.goals.life import after
from jarvis_desktop.core.goals.naming import goal_id
from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.extensions import Extension
from jarvis_desktop.core.items.goals import Goal, GoalCue, GoalId, GoalProblem, GoalRun, GoalsRead
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId, SessionId
from jarvis_desktop.core.items.memory import Episode, Recall, TaskPattern
from jarvis_desktop.core.items.memory_desk import Remembered
from jarvis_desktop.core.items.rule_facts import HeldRule
from jarvis_desktop.core.items.rules import Rule
from jarvis_desktop.core.items.setup import ChatChoice
from jarvis_desktop.core.items.slash import OfferedTool, StoredConversation, StoredTurn
from jarvis_desktop.core.ports import Clock, Conversation, Texts
from jarvis_desktop.core.ports.slash import ModelsLooked
from jarvis_desktop.core.ports.team import Team
from jarvis_desktop.core.settings import Settings
from jarvis_desktop.core.slash.registry import descriptions
from jarvis_desktop.core.slash.world import World
from tests.fakes.clock import START, FakeClock
from tests.fakes.schedule import FakeSchedule
from tests.fakes.skills import FakeSkills
from tests.fakes.team import FakeTeam
from tests.fakes.texts import PlainTexts

HERE = Conversation(SessionId("here"), MAIN_AGENT, Path("/home/u/Jarvis"))


class FakeRules:
    """Fills ``RuleShelf``."""

    def __init__(self, *rules: Rule) -> None:
        self.rules = list(rules)
        self.undos: dict[str, Rule] = {}

    async def held(self) -> tuple[HeldRule, ...]:
        return tuple(HeldRule(rule) for rule in self.rules)

    async def forget(self, rule: Rule) -> str:
        self.rules.remove(rule)
        undo_id = f"undo-{len(self.undos)}"
        self.undos[undo_id] = rule
        return undo_id

    async def put_back(self, undo_id: str) -> Rule:
        self.rules.append(self.undos[undo_id])
        return self.undos[undo_id]


@dataclass
class FakeModels:
    """Fills ``ModelShelf``."""

    choices: tuple[ChatChoice, ...] = ()
    current: ChatChoice | None = None

    async def look(self) -> ModelsLooked:
        return ModelsLooked(self.choices, self.current)


@dataclass
class FakeSettings:
    """Fills ``SettingShelf``."""

    now: Settings = field(default_factory=lambda: Settings.model_validate({}))
    trouble: str = ""
    changed: list[tuple[str, object]] = field(default_factory=list)

    async def set(self, name: str, value: object) -> str:
        if not self.trouble:
            self.changed.append((name, value))
            section, _, setting = name.partition(".")
            part = getattr(self.now, section).model_copy(update={setting: value})
            self.now = self.now.model_copy(update={section: part})
        return self.trouble


@dataclass
class FakeChats:
    """Fills ``StoredChats``."""

    stored: tuple[StoredConversation, ...] = ()
    turns: tuple[StoredTurn, ...] = ()
    asked: list[tuple[str, int]] = field(default_factory=list)

    async def conversations(self, words: str, limit: int) -> tuple[StoredConversation, ...]:
        self.asked.append((words, limit))
        return self.stored[:limit]

    async def turns_of(self, session_id: SessionId) -> tuple[StoredTurn, ...]:
        return self.turns if session_id == HERE.session_id else ()


@dataclass
class FakeMemory:
    """Fills ``MemoryShelf``."""

    episodes: tuple[Episode, ...] = ()
    patterns: tuple[TaskPattern, ...] = ()
    asked: list[Recall] = field(default_factory=list)
    undo_s: int = 10

    async def look(self, wanted: Recall) -> Remembered:
        self.asked.append(wanted)
        return Remembered(self.episodes[: wanted.limit], self.patterns, len(self.episodes), (), ())


@dataclass
class FakeGoals:
    """Fills ``GoalShelf``."""

    goals: tuple[Goal, ...] = ()
    problems: tuple[GoalProblem, ...] = ()
    rows: tuple[GoalRun, ...] = ()
    begun: list[GoalId] = field(default_factory=list)
    looks_now: bool = True
    seen: dict[GoalId, list[str]] = field(default_factory=dict)
    unheard: dict[GoalId, dict[str, str]] = field(default_factory=dict)

    async def look(self) -> GoalsRead:
        return GoalsRead(self.goals, self.problems)

    async def give(self, agent_id: AgentId, sentence: str, cron: str = "") -> tuple[Goal, bool]:
        known = [one for one in self.goals if one.goal_id == goal_id(agent_id, sentence)]
        goal = Goal(goal_id(agent_id, sentence), agent_id, sentence, "Asia/Seoul", START)
        goal = replace(goal, cron=cron) if cron else goal
        if not known:
            self.goals += (goal,)
        return (known or [goal])[0], not known

    async def cue(self, goal: Goal, cue: GoalCue, until: datetime | None = None) -> Goal:
        return self._put(after(goal, cue, until))

    async def edit(self, goal: Goal, sentence: str) -> Goal:
        return self._put(replace(goal, sentence=sentence))

    async def runs(self, goal: Goal, limit: int) -> tuple[GoalRun, ...]:
        return tuple(one for one in self.rows if one.goal_id == goal.goal_id)[:limit]

    async def mute(self, goal: Goal, key: str, *, on: bool) -> None:
        if key not in self.seen.get(goal.goal_id, ()):
            raise UserFixableError(f"This goal has told nothing by the key {key}.")
        unheard = self.unheard.setdefault(goal.goal_id, {})
        if on:
            unheard[key] = ""
        else:
            unheard.pop(key, None)

    async def keys(self, goal: Goal) -> Sequence[str]:
        return self.seen.get(goal.goal_id, ())

    async def muted(self, goal: Goal) -> Mapping[str, str]:
        return self.unheard.get(goal.goal_id, {})

    def begin(self, goal_id: GoalId) -> None:
        self.begun.append(goal_id)

    def _put(self, goal: Goal) -> Goal:
        self.goals = tuple(goal if one.goal_id == goal.goal_id else one for one in self.goals)
        return goal


@dataclass
class FakeFocus:
    """Fills ``FocusMode``."""

    on: bool = False
    until: datetime | None = None

    async def begin(self, until: datetime | None) -> None:
        self.on, self.until = True, until

    async def end(self) -> None:
        self.on, self.until = False, None


@dataclass
class FakeExports:
    """Fills ``Exports``."""

    written: dict[Path, str] = field(default_factory=dict)

    async def write(self, path: Path, text: str) -> None:
        if path in self.written:
            raise UserFixableError(f"{path} is there already")
        self.written[path] = text

    async def free(self, path: Path) -> Path:
        return path


@dataclass
class FakePluginShelf:
    """Fills ``PluginShelf``."""

    there: Sequence[Extension] = ()
    folder: Path = Path("/home/u/.jarvis/plugins")

    async def look(self) -> Sequence[Extension]:
        return self.there


@dataclass
class FakeServerList:
    """Fills ``ServerList``."""

    there: Sequence[Extension] = ()

    async def look(self) -> Sequence[Extension]:
        return self.there


@dataclass
class Fakes:
    """Everything a command may touch, and what it did to it."""

    rules: FakeRules = field(default_factory=FakeRules)
    models: FakeModels = field(default_factory=FakeModels)
    settings: FakeSettings = field(default_factory=FakeSettings)
    chats: FakeChats = field(default_factory=FakeChats)
    memory: FakeMemory = field(default_factory=FakeMemory)
    goals: FakeGoals = field(default_factory=FakeGoals)
    focus: FakeFocus = field(default_factory=FakeFocus)
    exports: FakeExports = field(default_factory=FakeExports)
    schedule: FakeSchedule = field(default_factory=FakeSchedule)
    skills: FakeSkills = field(default_factory=FakeSkills)
    plugins: FakePluginShelf = field(default_factory=FakePluginShelf)
    servers: FakeServerList = field(default_factory=FakeServerList)
    team: Team = field(default_factory=FakeTeam)
    tools: Sequence[OfferedTool] = ()
    muted: bool = False
    running: bool = False
    waits: int = 0
    """How often a command waited for what people added."""
    events: list[Event] = field(default_factory=list)
    clock: Clock = field(default_factory=FakeClock)

    def _tools(self, agent_id: AgentId) -> Sequence[OfferedTool]:
        return self.tools if agent_id == HERE.agent_id else ()

    async def _ready(self) -> None:
        self.waits += 1

    async def _emit(self, event: Event) -> None:
        self.events.append(event)

    def _set_muted(self, muted: bool) -> None:  # noqa: FBT001 - as the command SetMuted has it
        self.muted = muted

    def world(self, texts: Texts | None = None, *, stays: bool = True) -> World:
        """What a command is handed."""
        words = texts or PlainTexts()
        return World(
            texts=words,
            clock=self.clock,
            emit=self._emit,
            commands=lambda: descriptions(words),
            stays=stays,
            conversation=lambda: HERE,
            running=lambda: self.running,
            muted=lambda: self.muted,
            set_muted=self._set_muted,
            tools=self._tools,
            ready=self._ready,
            team=self.team,
            skills=self.skills,
            plugins=self.plugins,
            servers=self.servers,
            rules=self.rules,
            models=self.models,
            settings=self.settings,
            chats=self.chats,
            memory=self.memory,
            goals=self.goals,
            schedule=self.schedule.shelf,
            focus=self.focus,
            exports=self.exports,
        )


def switched(settings: Settings, **voice: object) -> Settings:
    """Settings with another voice section."""
    return settings.model_copy(update={"voice": settings.voice.model_copy(update=voice)})
