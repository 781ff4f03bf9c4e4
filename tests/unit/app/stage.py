"""The core as the program wires it, on fakes: scripted model, memory for a disk, a bash that only notes."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from jarvis_desktop.app.bus import Bus
from jarvis_desktop.app.loop_parts import LoopParts
from jarvis_desktop.app.recorder import Recorder
from jarvis_desktop.app.turn_loop import TurnLoop
from jarvis_desktop.app.voice_parts import NoVoice
from jarvis_desktop.core.items.commands import Attach, Command, Quit, SubmitTurn, Tick, WindowCommand
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.ids import MAIN_AGENT, WindowId
from jarvis_desktop.core.items.skills import SkillShow
from jarvis_desktop.core.items.slash import AskChoices
from jarvis_desktop.core.policy.broker import Broker
from jarvis_desktop.core.ports import CallStyle, Clock, Team
from jarvis_desktop.core.ports.skills import Skills
from jarvis_desktop.core.settings import Settings
from jarvis_desktop.core.slash.parsing import Slash
from jarvis_desktop.core.turn.call_reports import CallReports
from jarvis_desktop.core.turn.engine import TurnEngine
from jarvis_desktop.core.turn.prompt import PromptBuilder
from jarvis_desktop.core.turn.tool_registry import ToolRegistry
from jarvis_desktop.core.turn.tool_runner import ToolRunner
from tests.fakes.chat_model import ScriptedModel
from tests.fakes.clock import FakeClock
from tests.fakes.reading import World
from tests.fakes.skills import FakeSkills
from tests.fakes.store import FakeStore
from tests.fakes.team import FakeTeam
from tests.fakes.texts import PlainTexts
from tests.fakes.tools import FakeBash, LookTool

WINDOW = WindowId("window")
E = TypeVar("E", bound=Event)


@dataclass
class NothingAdded:
    """Fills ``Added`` where there are skills and nothing else."""

    skills: Skills
    ready: asyncio.Event
    """Turns wait for it."""
    looks: "set[asyncio.Task[SkillShow]]" = field(default_factory=set)

    def glance(self, tick: Tick) -> None:
        """As the program does at a tick."""
        del tick
        task = asyncio.create_task(self.skills.look())
        self.looks.add(task)
        task.add_done_callback(self.looks.discard)

    async def begin_turn(self) -> None:
        await self.ready.wait()


@dataclass
class Stage:
    """What a test looks at and steers."""

    model: ScriptedModel
    store: FakeStore = field(default_factory=FakeStore)
    clock: Clock = field(default_factory=FakeClock)
    bash: FakeBash = field(default_factory=FakeBash)
    team: Team = field(default_factory=FakeTeam)
    skills: Skills = field(default_factory=FakeSkills)
    added_ready: asyncio.Event = field(default_factory=asyncio.Event)
    """What people added has been looked at; turns wait for it."""
    input_max_length: int = 1000
    folder: Path = Path("/home/u")
    slash: list[Slash | AskChoices] = field(default_factory=list)
    set_up: list[WindowCommand] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    listeners: list[Callable[[Event], None]] = field(default_factory=list)
    inbox: "asyncio.Queue[Command]" = field(default_factory=asyncio.Queue)
    bus: Bus = field(default_factory=Bus)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.added_ready.set()

    def post(self, *commands: Command) -> None:
        for command in commands:
            self.inbox.put_nowait(command)

    def seen(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    async def until(self, kind: type[E], count: int = 1) -> E:
        """The ``count``-th event of a kind, once it is there."""
        async with asyncio.timeout(5):
            while len(self.seen(kind)) < count:
                self._news.clear()
                await self._news.wait()
        return self.seen(kind)[count - 1]

    async def until_slash(self, count: int) -> None:
        """Wait until so many commands have reached their desk."""
        async with asyncio.timeout(5):
            while len(self.slash) < count:
                self._news.clear()
                await self._news.wait()

    def _take(self, event: Event) -> None:
        self.events.append(event)
        self._news.set()

    async def look(self) -> Settings:
        return Settings.model_validate({"security": {"input_max_length": self.input_max_length}})

    async def _folder(self) -> Path:
        return self.folder

    def obey(self, slash: Slash, asked: SubmitTurn) -> None:
        self.slash.append(slash)
        self._news.set()

    def suggest(self, asked: AskChoices) -> None:
        self.slash.append(asked)

    def announce(self, event: Event) -> None:
        """Tell everybody of an event that comes from elsewhere."""
        self.bus.publish(event)

    async def play(self) -> None:
        """Serve the inbox until ``Quit``."""
        bus, texts = self.bus, PlainTexts()
        for listener in (self._take, *self.listeners):
            bus.subscribe(listener)
        recorder = Recorder(self.store, bus, texts)
        broker = Broker(self.clock, recorder.emit)
        registry = ToolRegistry(lambda: (self.bash, LookTool()))
        reports = CallReports(self.clock, texts, recorder.emit)
        runner = ToolRunner(registry, broker, World().reading, reports)
        voice = NoVoice(texts, recorder.emit)
        added = NothingAdded(self.skills, self.added_ready)
        parts = LoopParts(
            turns=TurnEngine(self.model, runner, PromptBuilder(), self.clock, texts, recorder.emit),
            style=lambda _: CallStyle.NATIVE,
            team=self.team,
            questions=broker,
            begin_conversation=self.store.begin_conversation,
            reopen=self.store.reopen,
            open_stored=self.store.open,
            past=self.store.past,
            folder=self._folder,
            record=recorder,
            ears=voice,
            mouth=voice,
            clock=self.clock,
            texts=texts,
            emit=recorder.emit,
            publish=bus.publish,
            settings=self,
            slash=self,
            skills=self.skills,
            added=added,
            set_up=self.set_up.append,
            ticked=added.glance,
        )
        loop = TurnLoop(parts, await self.store.restore(MAIN_AGENT, Path("/home/u")))
        bus.subscribe(loop.on_event)
        await loop.run(self.inbox)


@asynccontextmanager
async def playing(stage: Stage) -> AsyncIterator[Stage]:
    """A stage that runs with one window open, and has ended when the block is over."""
    play = asyncio.create_task(stage.play())
    stage.post(Attach(WINDOW))
    try:
        yield stage
    finally:
        stage.post(Quit())
        async with asyncio.timeout(5):
            await play
