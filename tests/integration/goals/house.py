"""A house with goals: real files, a real database and the real road of tool calls; the model has a script."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from zoneinfo import ZoneInfo

from jarvis_desktop.adapters.goal_files import GoalFiles
from jarvis_desktop.adapters.sqlite_goal_costs import SqliteGoalCosts
from jarvis_desktop.adapters.sqlite_goals import SqliteGoals
from jarvis_desktop.adapters.sqlite_store import SqliteStore
from jarvis_desktop.app.bus import Bus
from jarvis_desktop.app.goal_book import LiveGoals
from jarvis_desktop.app.quiet_turns import QuietTelling
from jarvis_desktop.app.recorder import Recorder
from jarvis_desktop.core.goal_settings import GoalSettings
from jarvis_desktop.core.goals.naming import goal_id
from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.goal_notices import GoalNews
from jarvis_desktop.core.items.goals import Goal, GoalReport
from jarvis_desktop.core.items.ids import MAIN_AGENT
from jarvis_desktop.core.items.turn import Message, TurnRequest
from jarvis_desktop.core.policy.broker import Broker
from jarvis_desktop.core.ports import CallStyle
from jarvis_desktop.core.tool import ToolOutput
from jarvis_desktop.core.turn.call_reports import CallReports
from jarvis_desktop.core.turn.engine import TurnEngine
from jarvis_desktop.core.turn.goal_budgets import BudgetParts, GoalBudgets
from jarvis_desktop.core.turn.goal_telling import GoalTelling, TellingParts
from jarvis_desktop.core.turn.goal_turn import GoalParts, GoalTurns
from jarvis_desktop.core.turn.prompt import PromptBuilder
from jarvis_desktop.core.turn.tool_registry import AnyTool, ToolRegistry
from jarvis_desktop.core.turn.tool_runner import ToolRunner
from jarvis_desktop.core.turn.turn_notes import TurnNotes, TurnOutcome
from tests.fakes.chat_model import ScriptedModel, ScriptStep, calls, says
from tests.fakes.clock import START, FakeClock, settle
from tests.fakes.reading import World
from tests.fakes.team import FakeTeam
from tests.fakes.texts import PlainTexts
from tests.fakes.tools import LookTool

SENTENCE = "추천하는 공고만 알려줘"
GOAL = Goal(goal_id(MAIN_AGENT, SENTENCE), MAIN_AGENT, SENTENCE, "Asia/Seoul", START)
NEWS = "항목: [n1] 마곡 행복주택"
LOOKS = calls("look", path="lh.or.kr")


def answer(*items: str, record: str = "확인했다", done: str = "아니요") -> tuple[ScriptStep, ...]:
    """The agent's answer in the form."""
    lines = [
        "머리: 새 공고가 있어요.",
        *(f"항목: {one}" for one in items),
        f"기록: {record}",
        f"완료: {done}",
    ]
    return says("\n".join(lines))


@dataclass
class FakeOutside:
    """Fills ``Outside``."""

    takes: bool = False
    """Somebody is told: a notification is shown, or another device takes it."""
    told: list[tuple[GoalNews, ...]] = field(default_factory=list)

    async def tell(self, news: tuple[GoalNews, ...]) -> bool:
        self.told.append(news)
        return self.takes


@dataclass
class House:
    """Everything that a goal's turn is made of."""

    home: Path
    store: SqliteStore
    clock: FakeClock
    tools: list[AnyTool] = field(default_factory=list)
    coming: list[AnyTool] = field(default_factory=list)
    cards: tuple[AgentCard, ...] = (AgentCard(MAIN_AGENT, "JARVIS"),)

    def __post_init__(self) -> None:
        self.texts, self.bus = PlainTexts(), Bus()
        self.events: list[Event] = []
        self.bus.subscribe(self.events.append)
        self.look = LookTool(NEWS)
        self.tools = [self.look, *self.tools]
        self.recorder = Recorder(self.store, self.bus, self.texts)
        self.quiet = QuietTelling(self.recorder.emit, self.recorder)
        self.history = SqliteGoals(self.store, self.clock, self.texts)
        self.files = GoalFiles(self.home)
        self.book = LiveGoals(self.files, self.clock, self.texts, self.recorder.emit)
        self.world, self.team = World(), FakeTeam(*self.cards)
        self.broker = Broker(self.clock, self.quiet.emit)
        self.registry = ToolRegistry(lambda: self.tools)
        reports = CallReports(self.clock, self.texts, self.quiet.emit)
        self.runner = ToolRunner(self.registry, self.broker, self.world.reading, reports)
        self.requests: list[TurnRequest] = []
        self.model = ScriptedModel()
        self.busy = self.is_quiet = self.aloud = False
        self.outside = FakeOutside()
        self.limits, self.zone = GoalSettings(), ZoneInfo("UTC")  # type: ignore[call-arg]  # defaults
        self.costs = SqliteGoalCosts(self.store, self.clock)
        self.budgets = GoalBudgets(
            BudgetParts(
                self.costs, self.history, lambda: self.limits, lambda: self.zone, self.clock, self.texts
            )
        )
        self.turns = self.fresh_turns()

    def fresh_turns(self) -> GoalTurns:
        """What turns goals after a start."""
        telling = self.telling = GoalTelling(
            TellingParts(
                history=self.history,
                takes=lambda _: not self.busy,
                is_quiet=lambda: self.is_quiet,
                find=self.book.find,
                aloud=lambda: self.aloud,
                outside=self.outside,
                texts=self.texts,
                emit=self.recorder.emit,
            )
        )
        return GoalTurns(
            GoalParts(
                book=self.book,
                history=self.history,
                team=lambda: self.team,
                turns=lambda: self,
                runner=lambda: self.runner,
                ready=self.ready,
                record=self.recorder,
                quiet=lambda: self.quiet,
                telling=telling,
                budgets=self.budgets,
                patience=self.clock.sleep,
                folder=self.folder,
                clock=self.clock,
                texts=self.texts,
                emit=self.recorder.emit,
            )
        )

    async def ready(self) -> None:
        """Tools that were on their way are there."""
        self.tools.extend(self.coming)
        self.coming.clear()

    async def folder(self) -> Path:
        return self.home

    async def run(
        self, request: TurnRequest, past: Sequence[Message], style: CallStyle, notes: TurnNotes
    ) -> TurnOutcome:
        self.requests.append(request)
        engine = TurnEngine(self.model, self.runner, PromptBuilder(), self.clock, self.texts, self.quiet.emit)
        return await engine.run(request, past, style, notes)

    def style(self, card: AgentCard) -> CallStyle:
        del card
        return CallStyle.NATIVE

    def finds(self, text: str, status: ResultStatus = ResultStatus.OK) -> None:
        """From now on the tool says that."""
        self.look.output = ToolOutput(text, status)

    async def advance(
        self, *answers: Sequence[ScriptStep], goal: Goal = GOAL, by_hand: bool = False
    ) -> GoalReport:
        """One turn in which the model has these answers, and must use them all."""
        self.model = ScriptedModel(*answers)
        report = await self.turns.advance(goal.goal_id, by_hand=by_hand)
        assert report is not None
        await settle()
        assert len(self.model.requests) == len(answers), "the script was not used up"
        return report

    @property
    def goal(self) -> Goal:
        """As its file says."""
        found = self.files.find(GOAL.goal_id)
        assert found is not None
        return found

    @property
    def said(self) -> list[str]:
        """What the last turn's request was, and the messages that its model read."""
        return [message.text for message in self.model.requests[-1].messages]
