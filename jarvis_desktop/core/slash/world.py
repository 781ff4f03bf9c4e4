"""What slash commands can reach of the running program."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from jarvis_desktop.core.items.ids import AgentId
from jarvis_desktop.core.items.slash import OfferedTool
from jarvis_desktop.core.ports import Clock, Conversation, Emit, Texts
from jarvis_desktop.core.ports.goals import GoalShelf
from jarvis_desktop.core.ports.skills import SkillShelf
from jarvis_desktop.core.ports.slash import (
    Exports,
    FocusMode,
    MemoryShelf,
    ModelShelf,
    PluginShelf,
    RuleShelf,
    ServerList,
    StoredChats,
)
from jarvis_desktop.core.ports.team import Team
from jarvis_desktop.core.scheduler.shelf import ScheduleShelf
from jarvis_desktop.core.settings import Settings
from jarvis_desktop.core.slash.helping import CommandHelp


class SettingShelf(Protocol):
    """The settings in force."""

    @property
    def now(self) -> Settings:
        """As last read."""

    async def set(self, name: str, value: object) -> str:
        """Write one by its dotted name; why it could not be, or empty."""


@dataclass(frozen=True, slots=True)
class World:
    """Handed to every command; holds no state of its own."""

    texts: Texts
    clock: Clock
    emit: Emit
    commands: Callable[[], Sequence[CommandHelp]]
    """All of them, in the app's language."""
    stays: bool
    """The program goes on after this command; False for a single request of the command line."""
    conversation: Callable[[], Conversation]
    """The one that is open."""
    running: Callable[[], bool]
    """A request is being worked on."""
    muted: Callable[[], bool]
    set_muted: Callable[[bool], None]
    tools: Callable[[AgentId], Sequence[OfferedTool]]
    """What an agent may use now, in a conversation."""
    ready: Callable[[], Awaitable[None]]
    """What people added and enabled has begun, or is not waited for any longer."""
    team: Team
    skills: SkillShelf
    plugins: PluginShelf
    servers: ServerList
    rules: RuleShelf
    models: ModelShelf
    settings: SettingShelf
    chats: StoredChats
    memory: MemoryShelf
    goals: GoalShelf
    schedule: ScheduleShelf
    focus: FocusMode
    exports: Exports
