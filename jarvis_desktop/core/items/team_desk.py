"""What the settings window asks about agents' files and about folders, and what it is told."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.rule_facts import TextProblem

FOLDER = "team"


class Folder(StrEnum):
    """Folders that pages lead to, by their place in the home folder."""

    HOME = "."
    RULES = "approvals"
    TEAM = FOLDER
    TOOLS = "tools"
    SKILLS = "skills"
    PLUGINS = "plugins"
    GOALS = "goals"
    SCHEDULES = "schedules"


@dataclass(frozen=True, slots=True)
class AgentFact:
    """One agent's file."""

    file: str
    """As people write it: ``team/karen.yaml``."""
    card: AgentCard | None
    """What counts of it; None when it is broken and never gave anything."""
    own: bool
    """It is the person's; the others come with the app."""
    problems: tuple[TextProblem, ...] = ()
    digest: str = ""
    """Of a file of the person's own; empty when it cannot be read."""


# --- events ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TeamLooked:
    """Every agent's file that counts or should: the answer to ``LookAtTeam``, and told after a change."""

    agents: tuple[AgentFact, ...]


@dataclass(frozen=True, slots=True)
class AgentCopied:
    """A file that came with the app is the person's own now."""

    file: str


@dataclass(frozen=True, slots=True)
class FolderReady:
    """The folder is there and can be opened."""

    folder: Folder
    path: str


@dataclass(frozen=True, slots=True)
class TeamWishRefused:
    """Something about agents' files or a folder was not done."""

    reason: str
    """In the app's language: what happened, where, what to do."""


TeamDeskEvent: TypeAlias = TeamLooked | AgentCopied | FolderReady | TeamWishRefused

# --- commands --------------------------------------------------------------------------------


class TeamOrder:
    """What every command to the agents' desk is."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class LookAtTeam(TeamOrder):
    """Tell every agent's file by ``TeamLooked``."""


@dataclass(frozen=True, slots=True)
class CopyAgent(TeamOrder):
    """Make a copy of a file that came with the app in the person's folder, where it can be changed."""

    file: str


@dataclass(frozen=True, slots=True)
class PrepareFolder(TeamOrder):
    """Make sure that a folder is there, and tell by ``FolderReady``."""

    folder: Folder


TeamDeskCommand: TypeAlias = LookAtTeam | CopyAgent | PrepareFolder
