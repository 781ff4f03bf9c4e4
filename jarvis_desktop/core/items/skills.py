"""Skills: texts that people keep, and that ``/name`` becomes."""

from dataclasses import dataclass
from pathlib import Path

from jarvis_desktop.core.items.ids import WindowId


@dataclass(frozen=True, slots=True)
class Skill:
    """One skill that can be called."""

    name: str
    """What stands behind the slash, as names are compared."""
    purpose: str
    """One line: its description, or else how its text begins."""
    body: str
    """Without the front matter and blank ends; never empty."""
    file: str
    """As people write it, e.g. ``skills/name.md``."""
    path: Path
    beside: Path | None = None
    """The skill's own folder, where other files lie beside its text."""


@dataclass(frozen=True, slots=True)
class SkillFault:
    """A file that is no skill, or a skill that can never be called by its name."""

    name: str
    """What it would be called; of no other fault and no skill."""
    file: str
    path: Path
    text: str
    """In the app's language: where, what was found, what to do."""


@dataclass(frozen=True, slots=True)
class SkillShow:
    """Everything that lies in the skills' folder."""

    skills: tuple[Skill, ...] = ()
    """By name."""
    faults: tuple[SkillFault, ...] = ()

    def find(self, word: str) -> Skill | None:
        """The skill of that name; ``word`` is folded."""
        return next((one for one in self.skills if one.name == word), None)

    def fault(self, word: str) -> SkillFault | None:
        """Why there is no skill of that name, where a file was meant to be one."""
        return next((one for one in self.faults if one.name == word), None)


@dataclass(frozen=True, slots=True)
class SkillCall:
    """What a typed ``/name …`` came to."""

    text: str
    """The request; empty where it could not be made."""
    trouble: str = ""
    """In the app's language: why not, and what to do."""


@dataclass(frozen=True, slots=True)
class SkillHint:
    """A skill as the input line offers it."""

    name: str
    purpose: str


@dataclass(frozen=True, slots=True)
class SkillsListed:
    """These skills can be called now."""

    skills: tuple[SkillHint, ...]
    window_id: WindowId | None = None
    """Only for this window when set: it was attached later than the others."""
