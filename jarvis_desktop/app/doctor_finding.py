"""What a check of the doctor takes and returns."""

import shlex
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

from jarvis_desktop.adapters.desktop_entry import own_command
from jarvis_desktop.app.doctor_packages import Packages, packages_here
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.settings import Settings


@dataclass(frozen=True, slots=True)
class Patient:
    """What is examined."""

    home: Path
    """Need not exist: the doctor changes nothing."""
    settings: Settings
    texts: Texts
    packages: Packages = field(default_factory=packages_here)


class Severity(StrEnum):
    """How much a finding matters."""

    OK = "ok"
    INFO = "info"
    """Worth knowing; Jarvis does its work all the same."""
    PROBLEM = "problem"
    """Something of Jarvis does not work until it is mended."""


@dataclass(frozen=True, slots=True)
class Mend:
    """What ``doctor --fix`` can do about a finding: needs no root, asks nothing, deletes nothing."""

    says: str
    """Said before it is done. Findings with the same sentence are mended together, once."""
    work: Callable[[], Awaitable[None]]
    """May raise ``JarvisError`` or ``OSError``: it is as it was then."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One part and its state."""

    name: str
    """The same in every language; for scripts."""
    title: str
    """For people."""
    found: bool
    version: str = ""
    """Version, device or place; whatever tells one from another."""
    todo: str = ""
    """One sentence; empty when nothing is to be done."""
    command: str = ""
    """The exact command that does it here; empty where there is none that is safe to copy."""
    optional: bool = False
    """Jarvis does its work without it; ``todo`` is advice then."""
    mend: Mend | None = None

    @property
    def severity(self) -> Severity:
        """How much it matters."""
        if self.todo and not self.optional:
            return Severity.PROBLEM
        return Severity.INFO if self.todo or not self.found else Severity.OK

    @property
    def mark(self) -> str:
        """A sign that can be told apart without colour."""
        return {Severity.OK: "✓", Severity.INFO: "–", Severity.PROBLEM: "✗"}[self.severity]

    def as_json(self) -> dict[str, object]:
        """The finding for scripts. Names are added here, never changed."""
        return {
            "name": self.name,
            "title": self.title,
            "found": self.found,
            "version": self.version,
            "severity": self.severity.value,
            "what_to_do": self.todo,
            "fix_command": self.command,
        }


def fix_command() -> str:
    """The command line of ``doctor --fix``, as it can be copied."""
    return shlex.join((*own_command(), "doctor", "--fix"))


Check: TypeAlias = Callable[[Patient], Awaitable[Sequence[Finding]]]
