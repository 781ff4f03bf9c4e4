"""Agents that ask each other, on fakes: each turn has a script of its own, found by its request."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.commands import AnswerQuestion
from jarvis_desktop.core.items.decisions import Answer, AnsweredBy, Question
from jarvis_desktop.core.items.events import Event, QuestionAsked
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId, TurnId, WindowId
from jarvis_desktop.core.items.turn import Message, Role, TurnRequest
from jarvis_desktop.core.policy.broker import Broker
from jarvis_desktop.core.ports import CallStyle, ChatModel, ChatPiece, ChatRequest
from jarvis_desktop.core.turn.call_reports import CallReports
from jarvis_desktop.core.turn.delegation import Delegation, DelegationParts
from jarvis_desktop.core.turn.delegation_telling import DelegationTelling
from jarvis_desktop.core.turn.engine import TurnEngine
from jarvis_desktop.core.turn.prompt import PromptBuilder
from jarvis_desktop.core.turn.tool_registry import AnyTool, ToolRegistry, errand_tools
from jarvis_desktop.core.turn.tool_runner import ToolRunner
from jarvis_desktop.core.turn.turn_notes import TurnNotes, TurnOutcome
from tests.fakes.chat_model import ScriptedModel, ScriptStep
from tests.fakes.clock import FakeClock
from tests.fakes.reading import World
from tests.fakes.team import FakeTeam
from tests.fakes.texts import PlainTexts
from tests.unit.policy.asking import REQUEST

WINDOW = WindowId("w")
E = TypeVar("E")
JARVIS = AgentCard(MAIN_AGENT, "JARVIS", ("JARVIS", "자비스"))
KAREN = AgentCard(AgentId("karen"), "KAREN", ("KAREN", "카렌"), purpose="Housing.")
EDITH = AgentCard(AgentId("edith"), "EDITH", ("EDITH",))
MOLE = AgentCard(AgentId("mole"), "MOLE", ("MOLE",), top_level=False)
ASK = "ask around"
"""What the person asks JARVIS for."""


class Scripts:
    """Fills ``ChatModel``: a turn's answers are found by how its request begins."""

    name = "scripts"
    context_tokens = 8192

    def __init__(self, scripts: dict[str, list[Sequence[ScriptStep]]]) -> None:
        self.models = {begins: ScriptedModel(*answers) for begins, answers in scripts.items()}

    def stream(self, request: ChatRequest) -> AsyncIterator[ChatPiece]:
        asked = next(one.text for one in reversed(request.messages) if one.role is Role.USER)
        return next(model for begins, model in self.models.items() if asked.startswith(begins)).stream(
            request
        )

    async def warm_up(self, prefix: ChatRequest | None = None) -> None:
        del prefix

    async def close(self) -> None:
        self.models.clear()

    def requests(self, begins: str) -> list[ChatRequest]:
        """What the turn with that request sent."""
        return self.models[begins].requests


class Kept:
    """Fills ``DelegateRecord``."""

    def __init__(self) -> None:
        self.begun: list[TurnRequest] = []
        self.messages: dict[TurnId, tuple[Message, ...]] = {}

    async def begin_turn(self, request: TurnRequest) -> None:
        self.begun.append(request)

    async def keep_messages(self, turn_id: TurnId, messages: Sequence[Message]) -> None:
        self.messages[turn_id] = tuple(messages)


@dataclass
class Agency:
    """JARVIS, those it may ask, and a person who answers by looking at the question."""

    scripts: dict[str, list[Sequence[ScriptStep]]]
    tools: list[AnyTool] = field(default_factory=list)
    answer: Callable[[Question], Answer | None] = lambda _: Answer.ALLOW
    """None leaves the question open."""
    cards: tuple[AgentCard, ...] = (JARVIS, KAREN, EDITH, MOLE)
    world: World = field(default_factory=World)
    called: CallStyle = CallStyle.NATIVE
    real_model: ChatModel | None = None
    """Answers in place of the scripts."""

    def __post_init__(self) -> None:
        self.clock, self.events, self.kept = FakeClock(), list[Event](), Kept()
        self.team, self.model = FakeTeam(*self.cards), Scripts(self.scripts)
        self.asking = asyncio.Event()
        """Set when a question is open that nobody answers."""
        self.broker = Broker(self.clock, self.emit)
        self._tasks: set[asyncio.Task[object]] = set()
        texts = PlainTexts()
        telling = DelegationTelling(self.emit, self.clock, texts)
        self.delegation = Delegation(
            DelegationParts(
                self.team,
                lambda: self,
                self.kept,
                telling,
                self.clock,
                texts,
            )
        )
        self.registry = ToolRegistry(lambda: self.tools, errands=errand_tools(self.team, self.delegation))
        reports = CallReports(self.clock, texts, telling.emit)
        self.runner = ToolRunner(self.registry, self.broker, self.world.reading, reports)
        self.engine = TurnEngine(
            self.real_model or self.model, self.runner, PromptBuilder(), self.clock, texts, telling.emit
        )

    async def run(
        self, request: TurnRequest, past: Sequence[Message], style: CallStyle, notes: TurnNotes
    ) -> TurnOutcome:
        return await self.engine.run(request, past, style, notes)

    def style(self, card: AgentCard) -> CallStyle:
        return self.called

    async def emit(self, event: Event) -> None:
        self.events.append(event)
        if isinstance(event, QuestionAsked):
            task = asyncio.create_task(self._react(event.question))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _react(self, question: Question) -> None:
        answer = self.answer(question)
        if answer is None:
            self.asking.set()
            return
        command = AnswerQuestion(question.question_id, question.digest, answer, AnsweredBy.WINDOW, WINDOW)
        await self.broker.answer(command)

    async def turn(
        self, past: Sequence[Message] = (), notes: TurnNotes | None = None, **changes: object
    ) -> TurnOutcome:
        """The person asks JARVIS."""
        await self.broker.attach(WINDOW)
        request = replace(REQUEST, card=self.cards[0], **{"text": ASK, **changes})  # type: ignore[arg-type] # fields
        return await self.engine.run(request, past, self.called, notes)

    def offered(self, begins: str) -> list[str]:
        """The tools that a turn was offered at its beginning."""
        return [spec.name for spec in self.model.requests(begins)[0].tools]

    def seen(self, kind: type[E]) -> list[E]:
        """Events of one kind."""
        return [event for event in self.events if isinstance(event, kind)]
