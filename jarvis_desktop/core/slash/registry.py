"""All slash commands: a new one is a file beside this one and a line here."""

from collections.abc import Iterable

from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.slash.agent_cmd import AgentCommand
from jarvis_desktop.core.slash.command import SlashCommand
from jarvis_desktop.core.slash.export_cmd import ExportCommand
from jarvis_desktop.core.slash.focus_cmd import FocusCommand
from jarvis_desktop.core.slash.goal_cmd import GoalCommand
from jarvis_desktop.core.slash.help_cmd import HelpCommand
from jarvis_desktop.core.slash.helping import CommandHelp
from jarvis_desktop.core.slash.history_cmd import HistoryCommand
from jarvis_desktop.core.slash.mcp_cmd import McpCommand
from jarvis_desktop.core.slash.memory_cmd import MemoryCommand
from jarvis_desktop.core.slash.model_cmd import ModelCommand
from jarvis_desktop.core.slash.mute_cmd import MuteCommand
from jarvis_desktop.core.slash.near import nearest
from jarvis_desktop.core.slash.new_cmd import NewCommand
from jarvis_desktop.core.slash.patterns_cmd import PatternsCommand
from jarvis_desktop.core.slash.plugins_cmd import PluginsCommand
from jarvis_desktop.core.slash.quit_cmd import QuitCommand
from jarvis_desktop.core.slash.rules_cmd import RulesCommand
from jarvis_desktop.core.slash.schedule_cmd import ScheduleCommand
from jarvis_desktop.core.slash.skills_cmd import SkillsCommand
from jarvis_desktop.core.slash.tools_cmd import ToolsCommand
from jarvis_desktop.core.slash.voice_cmd import VoiceCommand

COMMANDS: tuple[type[SlashCommand], ...] = (
    HelpCommand,
    AgentCommand,
    GoalCommand,
    ToolsCommand,
    SkillsCommand,
    PluginsCommand,
    McpCommand,
    MemoryCommand,
    PatternsCommand,
    RulesCommand,
    ScheduleCommand,
    ModelCommand,
    VoiceCommand,
    MuteCommand,
    FocusCommand,
    NewCommand,
    HistoryCommand,
    ExportCommand,
    QuitCommand,
)
"""In the order in which people are shown them."""


class Registry:
    """One of each command; they remember what they have listed."""

    def __init__(self) -> None:
        self._commands = {command.name: command() for command in COMMANDS}
        self._names = {name: command for command in self._commands.values() for name in command.names()}

    def find(self, word: str) -> SlashCommand | None:
        """The command of that name; ``word`` is folded, an empty one asks for help."""
        return self._names.get(word or HelpCommand.name)

    def near(self, word: str, others: Iterable[str] = ()) -> str:
        """The name that somebody probably meant, also of ``others``; empty when none is like it."""
        return nearest(word, (*others, *self._names))


def command_names() -> frozenset[str]:
    """Every name of every command; the empty one asks for help."""
    return frozenset({"", *(name for command in COMMANDS for name in command.names())})


def descriptions(texts: Texts) -> tuple[CommandHelp, ...]:
    """All commands in words, in their order."""
    return tuple(command.described(texts) for command in COMMANDS)
