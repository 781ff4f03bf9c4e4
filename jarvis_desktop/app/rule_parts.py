"""The rules' desk on this machine, and who of the desks does what a window asks for."""

from collections.abc import Callable
from pathlib import Path

from jarvis_desktop.adapters.rule_files import RuleFiles
from jarvis_desktop.adapters.sqlite_audit_pages import AuditPages
from jarvis_desktop.app.live_settings import LiveSettings
from jarvis_desktop.app.options import DATABASE_NAME, Start
from jarvis_desktop.app.rule_desk import RuleDesk, RuleDeskParts
from jarvis_desktop.core.items.agenda import AgendaCommand
from jarvis_desktop.core.items.commands import WindowCommand
from jarvis_desktop.core.items.extensions import ExtensionCommand, ExtensionOrder
from jarvis_desktop.core.items.goal_notices import GoalCommand, GoalOrder
from jarvis_desktop.core.items.memory_desk import MemoryCommand, MemoryOrder
from jarvis_desktop.core.items.rule_desk import RuleCommand, RuleOrder, TextCommand, TextOrder
from jarvis_desktop.core.items.schedule import AgendaOrder, ScheduleCommand, ScheduleOrder
from jarvis_desktop.core.items.settings_desk import FILE as SETTINGS_FILE
from jarvis_desktop.core.items.settings_desk import SettingsCommand, SettingsOrder
from jarvis_desktop.core.items.setup import SetupCommand
from jarvis_desktop.core.items.team_desk import FOLDER as TEAM_FOLDER
from jarvis_desktop.core.items.team_desk import TeamDeskCommand, TeamOrder
from jarvis_desktop.core.policy.facts import Reading
from jarvis_desktop.core.ports import Clock, Emit
from jarvis_desktop.core.tool_text import absolute


def open_rules(start: Start, clock: Clock, emit: Emit, reading: Reading, live: LiveSettings) -> RuleDesk:
    """The desk of this start; ``reading`` is the one that calls are decided by."""
    return RuleDesk(
        RuleDeskParts(
            files=RuleFiles(start.home),
            pages=AuditPages(start.home / DATABASE_NAME, start.texts),
            reading=reading,
            folder=lambda: absolute(str(live.now.agent.working_directory), Path.home()),
            clock=clock,
            texts=start.texts,
            emit=emit,
        )
    )


def shared_out(  # noqa: PLR0913, PLR0917, C901 - one for each desk
    set_up: Callable[[SetupCommand], None],
    rules: Callable[[RuleCommand], None],
    memory: Callable[[MemoryCommand], None],
    settings: Callable[[SettingsCommand | TextCommand], None],
    extensions: Callable[[ExtensionCommand], None],
    team: Callable[[TeamDeskCommand | TextCommand], None],
    agenda: Callable[[AgendaCommand], None],
    goals: Callable[[GoalCommand], None],
    schedule: Callable[[ScheduleCommand], None],
) -> Callable[[WindowCommand], None]:
    """Hands each command to the desk that it is meant for."""

    def behind(command: AgendaCommand | ScheduleCommand | GoalCommand) -> None:
        if isinstance(command, AgendaOrder):
            agenda(command)
        elif isinstance(command, ScheduleOrder):
            schedule(command)
        else:
            goals(command)

    def obey(command: WindowCommand) -> None:
        if isinstance(command, SettingsOrder) or (
            # The window's editor is the same for rules and settings.
            isinstance(command, TextOrder) and command.file == SETTINGS_FILE
        ):
            settings(command)
        elif isinstance(command, TeamOrder) or (
            isinstance(command, TextOrder) and command.file.startswith(f"{TEAM_FOLDER}/")
        ):
            team(command)
        elif isinstance(command, RuleOrder):
            rules(command)
        elif isinstance(command, MemoryOrder):
            memory(command)
        elif isinstance(command, ExtensionOrder):
            extensions(command)
        elif isinstance(command, AgendaOrder | ScheduleOrder | GoalOrder):
            behind(command)
        else:
            set_up(command)

    return obey
