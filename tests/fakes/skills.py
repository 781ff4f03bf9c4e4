"""Skills in memory."""

from dataclasses import dataclass, field
from pathlib import Path

from jarvis_desktop.core.extensions.skills import expand
from jarvis_desktop.core.items.ids import WindowId
from jarvis_desktop.core.items.skills import Skill, SkillCall, SkillHint, SkillShow, SkillsListed
from jarvis_desktop.core.slash.registry import command_names

FOLDER = Path("/home/u/.jarvis/skills")


def skill(name: str, body: str, purpose: str = "", beside: Path | None = None) -> Skill:
    """A skill as its file would give it."""
    return Skill(name, purpose or body, body, f"skills/{name}.md", FOLDER / f"{name}.md", beside)


@dataclass
class FakeSkills:
    """Fills ``Skills``."""

    show: SkillShow = field(default_factory=SkillShow)
    looks: int = 0

    @property
    def folder(self) -> Path:
        return FOLDER

    async def look(self) -> SkillShow:
        self.looks += 1
        return self.show

    async def called(self, word: str, rest: str) -> SkillCall | None:
        found, fault = self.show.find(word), self.show.fault(word)
        if word in command_names() or (found is None and fault is None):
            return None
        return (
            SkillCall(expand(found, rest))
            if found is not None
            else SkillCall("", fault.text if fault else "")
        )

    def listed(self, window_id: WindowId | None = None) -> SkillsListed:
        return SkillsListed(tuple(SkillHint(one.name, one.purpose) for one in self.show.skills), window_id)
