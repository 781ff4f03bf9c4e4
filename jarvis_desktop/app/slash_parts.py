"""The slash commands of this start: what they can reach of the running core."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from jarvis_desktop.adapters.chat_export import ChatExports
from jarvis_desktop.adapters.machine_facts import machine_facts
from jarvis_desktop.adapters.ollama_status import full_name
from jarvis_desktop.adapters.sqlite_chats import SqliteChats
from jarvis_desktop.adapters.sqlite_memory import SqliteMemory
from jarvis_desktop.app.extension_parts import Extensions
from jarvis_desktop.app.focus_care import FocusCare
from jarvis_desktop.app.live_settings import LiveSettings, dotted
from jarvis_desktop.app.memory_desk import UNDO_S
from jarvis_desktop.app.options import MODELS_NAME, Start, Surface
from jarvis_desktop.app.plugin_desk import PluginDesk
from jarvis_desktop.app.rule_desk import RuleDesk
from jarvis_desktop.app.slash_desk import Muted, SlashDesk
from jarvis_desktop.app.thinking_parts import Thinking
from jarvis_desktop.core.items.commands import SetMuted
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.ids import AgentId
from jarvis_desktop.core.items.memory import Recall
from jarvis_desktop.core.items.memory_desk import Remembered
from jarvis_desktop.core.items.setup import Backend, ChangeSetting, ChatChoice
from jarvis_desktop.core.items.slash import OfferedTool
from jarvis_desktop.core.ports import Clock, Conversation, Emit, Texts
from jarvis_desktop.core.ports.goals import GoalShelf
from jarvis_desktop.core.ports.slash import ModelsLooked
from jarvis_desktop.core.ports.team import Team
from jarvis_desktop.core.scheduler.shelf import ScheduleShelf
from jarvis_desktop.core.settings import EVERY_TOOL, ModelSettings, Settings
from jarvis_desktop.core.slash.registry import descriptions
from jarvis_desktop.core.slash.world import World
from jarvis_desktop.core.turn.tool_runner import ToolRunner


class OpenTurns(Protocol):
    """The loop over turns, as far as commands ask it."""

    @property
    def conversation(self) -> Conversation:
        """The one that windows show."""

    @property
    def running(self) -> bool:
        """A request is being worked on in it."""


@dataclass(frozen=True, slots=True)
class SlashNeighbours:
    """What of the running core the commands work with."""

    settings: LiveSettings
    thinking: Thinking
    rules: RuleDesk
    runner: ToolRunner
    team: Team
    chats: SqliteChats
    memory: SqliteMemory
    goals: GoalShelf
    schedule: ScheduleShelf
    added: Extensions
    plugins: PluginDesk
    turns: Callable[[], OpenTurns]
    surface: Surface


@dataclass(frozen=True, slots=True)
class SlashParts:
    """The desk, and what it keeps."""

    desk: SlashDesk
    focus: FocusCare
    muted: Muted

    def on_event(self, event: Event) -> None:
        """Keep in mind what commands are asked about."""
        self.muted.on_event(event)

    async def close(self) -> None:
        """Everything that was asked for is done, and nothing is waited for."""
        await self.focus.close()
        await self.desk.close()


def open_slash(start: Start, clock: Clock, emit: Emit, near: SlashNeighbours) -> SlashParts:
    """The desk of this start."""
    texts, post = start.texts, near.surface.post
    focus, muted = FocusCare(clock, emit), Muted()
    world = World(
        texts=texts,
        clock=clock,
        emit=emit,
        commands=lambda: descriptions(texts),
        stays=near.surface.waits_for_disk,
        conversation=lambda: near.turns().conversation,
        running=lambda: near.turns().running,
        muted=lambda: muted.now,
        set_muted=lambda wanted: post(SetMuted(wanted)),
        tools=lambda agent_id: _tools(near, agent_id),
        ready=lambda: _ready(near),
        team=near.team,
        skills=near.added.skills,
        plugins=near.plugins,
        servers=near.added.servers,
        rules=near.rules,
        models=_Models(start, near),
        settings=_Settings(near.settings, texts),
        chats=near.chats,
        memory=_Memory(near.memory),
        goals=near.goals,
        schedule=near.schedule,
        focus=focus,
        exports=ChatExports(start.home, texts),
    )
    return SlashParts(SlashDesk(world, post), focus, muted)


async def _ready(near: SlashNeighbours) -> None:
    await asyncio.gather(near.added.ready(), near.plugins.ready())


def _tools(near: SlashNeighbours, agent_id: AgentId) -> Sequence[OfferedTool]:
    agent = near.team.find(agent_id)
    ask_for = {*near.settings.now.security.require_approval_for}
    return [
        OfferedTool(
            tool.name,
            tool.spec.description.partition(". ")[0],
            tool.needs_approval or bool({tool.name, EVERY_TOOL} & ask_for),
            tool.added,
        )
        for tool in (near.runner.offered(agent) if agent is not None else ())
    ]


@dataclass(frozen=True, slots=True)
class _Memory:
    """Fills ``MemoryShelf``."""

    memory: SqliteMemory

    @property
    def undo_s(self) -> int:
        """For how many seconds forgetting can be taken back."""
        return UNDO_S

    async def look(self, wanted: Recall) -> Remembered:
        """Episodes that meet every condition, and all patterns of their agent."""
        return await self.memory.look(wanted)


class _Models:
    """Fills ``ModelShelf``."""

    def __init__(self, start: Start, near: SlashNeighbours) -> None:
        self._folder, self._near = start.home / MODELS_NAME, near

    async def look(self) -> ModelsLooked:
        """What can be chosen, as the setup shows it."""
        thinking, settings = self._near.thinking, self._near.settings.now.model
        machine = await asyncio.to_thread(machine_facts, self._folder)
        choices = await thinking.choices.look(settings, machine)
        current = _wanted(choices, settings) or _answering(choices, thinking)
        return ModelsLooked(choices, current)


def _wanted(choices: Sequence[ChatChoice], settings: ModelSettings) -> ChatChoice | None:
    """The one that the settings name, if it is there."""
    named = [one for one in choices if one.present and full_name(one.name) == full_name(settings.name)]
    inside = [one for one in named if one.backend is Backend.EMBEDDED]
    served = [one for one in named if one.backend is Backend.OLLAMA]
    fits = {"auto": inside + served, "embedded": inside, "ollama": served}[settings.backend]
    return fits[0] if fits else None


def _answering(choices: Sequence[ChatChoice], thinking: Thinking) -> ChatChoice | None:
    """The one that answers in its place."""
    now = (thinking.model.backend, full_name(thinking.model.name))
    return next((one for one in choices if one.present and (one.backend, full_name(one.name)) == now), None)


class _Settings:
    """Fills ``SettingShelf``."""

    def __init__(self, live: LiveSettings, texts: Texts) -> None:
        self._live, self._texts = live, texts

    @property
    def now(self) -> Settings:
        """As last read."""
        return self._live.now

    async def set(self, name: str, value: object) -> str:
        """Write one by its dotted name; why it could not be, or empty."""
        trouble = await self._live.changed(ChangeSetting(name, value))
        if not trouble and dotted(self._live.now)[name] != value:
            text = self._texts("{name} is set by an environment variable, which wins over the file.")
            return text.format(name=name)
        return trouble
