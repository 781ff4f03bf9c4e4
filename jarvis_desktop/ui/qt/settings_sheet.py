"""A file that was opened in the settings window's editor."""

from dataclasses import dataclass

from jarvis_desktop.core.items.team_desk import FOLDER as TEAM_FOLDER
from jarvis_desktop.core.items.team_desk import Folder

SHARED_FILE = "approvals.yaml"


@dataclass(slots=True)
class Sheet:
    """What was read of it, and what a person made of that."""

    base: str
    digest: str
    text: str

    @property
    def edited(self) -> bool:
        """Something in it is not in the file."""
        return self.text != self.base


def is_agent(file: str) -> bool:
    """It is the file of an agent."""
    return file.startswith(f"{TEAM_FOLDER}/")


def line_of(name: str, text: str) -> int:
    """The line that begins with ``name``, from 1; the first one when none does."""
    lines = text.split("\n")
    return next((number for number, line in enumerate(lines, 1) if line.startswith(f"{name}:")), 1)


def folder_of(file: str) -> Folder:
    """The folder that a file lies in."""
    return next((one for one in (Folder.RULES, Folder.TEAM) if file.startswith(f"{one.value}/")), Folder.HOME)
