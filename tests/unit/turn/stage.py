"""A whole turn on fakes: scripted model, fake tools, a person who answers as told."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from jarvis_desktop.adapters.catalog import LOCALE_DIR, Catalog
from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.calls import Json, ToolCall, ToolResult
from jarvis_desktop.core.items.commands import AnswerQuestion
from jarvis_desktop.core.items.decisions import Answer, AnsweredBy
from jarvis_desktop.core.items.events import ActivityNoted, Event, QuestionAsked, ToolFinished
from jarvis_desktop.core.items.ids import CallId, WindowId
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Message, TurnRequest
from jarvis_desktop.core.policy.broker import APPROVAL_TIMEOUT_S, Broker
from jarvis_desktop.core.ports import AuditLog, CallStyle, ChatModel, NoHooks, Plugins, Texts, TurnHooks
from jarvis_desktop.core.turn.audit_trail import AuditTrail
from jarvis_desktop.core.turn.call_reports import CallReports
from jarvis_desktop.core.turn.engine import TurnEngine
from jarvis_desktop.core.turn.plugin_hooks import PluginHooks
from jarvis_desktop.core.turn.prompt import PromptBuilder
from jarvis_desktop.core.turn.tool_registry import AnyTool, ToolRegistry
from jarvis_desktop.core.turn.tool_runner import ToolRunner
from jarvis_desktop.core.turn.turn_notes import TurnNotes, TurnOutcome
from tests.fakes.clock import FakeClock
from tests.fakes.reading import World
from tests.fakes.texts import PlainTexts
from tests.unit.policy.asking import REQUEST

WINDOW = WindowId("w")
E = TypeVar("E")


@dataclass
class Stage:
    """What a test hands in; everything else is made here."""

    tools: list[AnyTool] = field(default_factory=list)
    answers: list[Answer | None] = field(default_factory=list)
    """What the person answers, question by question; None lets the time run out."""
    by: AnsweredBy = AnsweredBy.WINDOW
    attended: bool = True
    hooks: TurnHooks = field(default_factory=NoHooks)
    plugins: Plugins | None = None
    """With it the hooks are theirs."""
    card: AgentCard | None = None
    """The agent whose turn it is."""
    texts: Texts = field(default_factory=PlainTexts)
    world: World = field(default_factory=World)
    audit: AuditLog | None = None

    def __post_init__(self) -> None:
        self.clock = FakeClock()
        self.events: list[Event] = []
        self.asking = asyncio.Event()
        """Set when a question is open that nobody is told to answer."""
        if self.plugins is not None:
            self.hooks = PluginHooks(self.plugins, self.clock, self.texts, self.emit)
        self.broker = Broker(self.clock, self.emit)
        self._tasks: set[asyncio.Task[None]] = set()
        self.runner = ToolRunner(
            ToolRegistry(lambda: self.tools),
            self.broker,
            self.world.reading,
            CallReports(self.clock, self.texts, self.emit),
            self.hooks,
            None if self.audit is None else AuditTrail(self.audit, self.clock),
        )

    async def emit(self, event: Event) -> None:
        self.events.append(event)
        if isinstance(event, QuestionAsked):
            task = asyncio.create_task(self.react(event))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def react(self, event: QuestionAsked) -> None:
        """The person does what the next answer says."""
        question = event.question
        if not self.answers:
            self.asking.set()
        elif (kind := self.answers.pop(0)) is None:
            await self.clock.advance(APPROVAL_TIMEOUT_S)
        else:
            command = AnswerQuestion(question.question_id, question.digest, kind, self.by, WINDOW)
            await self.broker.answer(command)

    async def run_call(self, name: str, /, request: TurnRequest = REQUEST, **arguments: Json) -> ToolResult:
        """One call through the runner."""
        await self._attend()
        request = replace(request, card=request.card or self.card)
        return await self.runner.run(ToolCall(CallId("c1"), name, arguments), request)

    async def turn(
        self,
        model: ChatModel,
        past: Sequence[Message] = (),
        style: CallStyle = CallStyle.NATIVE,
        notes: TurnNotes | None = None,
        request: TurnRequest = REQUEST,
    ) -> TurnOutcome:
        """One turn through the engine."""
        await self._attend()
        prompt = PromptBuilder()
        engine = TurnEngine(model, self.runner, prompt, self.clock, self.texts, self.emit)
        engine.plug_in(self.hooks)
        request = replace(request, language=self.texts.language, card=request.card or self.card)
        return await engine.run(request, past, style, notes)

    async def _attend(self) -> None:
        if self.attended:
            await self.broker.attach(WINDOW)

    def seen(self, kind: type[E]) -> list[E]:
        """Events of one kind."""
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def activity(self) -> list[str]:
        return [event.text for event in self.seen(ActivityNoted)]

    @property
    def results(self) -> list[str]:
        return [event.result.text for event in self.seen(ToolFinished)]


def korean(folder: Path, area: str = "turn") -> Texts:
    """The real Korean texts, compiled into ``folder``."""
    with (LOCALE_DIR / "ko" / f"{area}.po").open("rb") as source:
        catalog = read_po(source, locale="ko")
    target = folder / "ko" / "LC_MESSAGES" / "jarvis.mo"
    target.parent.mkdir(parents=True)
    with target.open("wb") as compiled:
        write_mo(compiled, catalog)
    return Catalog(Language.KOREAN, folder)
