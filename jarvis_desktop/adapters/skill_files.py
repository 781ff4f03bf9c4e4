"""The skills' files in ``~/.jarvis/skills``: ``name.md`` and ``name/SKILL.md``."""

import errno
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from jarvis_desktop.adapters.skill_problem import SkillProblem, SkillTrouble
from jarvis_desktop.adapters.skill_text import read_skill
from jarvis_desktop.core.items.skills import Skill
from jarvis_desktop.core.slash.parsing import called_by
from jarvis_desktop.core.tool_text import readable

FOLDER = "skills"
TEXT_FILE = "skill.md"
"""In any case of letters."""
_ENDING = ".md"
_MEANT = frozenset(
    {".markdown", ".mdown", ".mdx", ".rst", ".skill", ".text", ".txt", ".yaml", ".yml", ".zip"}
)
"""Endings of files that somebody takes for skills. Others are what editors leave behind."""
_Stamp: TypeAlias = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class SkillsRead:
    """All skills that can be called, by name, and what is wrong with the files."""

    skills: tuple[Skill, ...]
    problems: tuple[SkillProblem, ...]


class SkillFiles:
    """Looks at every file each time it is asked; reads those that changed. One thread at a time."""

    def __init__(self, home: Path, commands: Collection[str]) -> None:
        """commands: names that Jarvis keeps for itself."""
        self._own = home / FOLDER
        self._commands = commands
        self._known: dict[Path, tuple[_Stamp, Skill | SkillProblem]] = {}

    @property
    def folder(self) -> Path:
        """Where the files lie; it need not be there."""
        return self._own

    def look(self, most: int) -> SkillsRead:
        """As the files say now. Never raises.

        most: characters that a request may have.
        """
        try:
            entries = sorted(self._own.iterdir())
        except FileNotFoundError:
            entries = []  # no such folder, as on most machines
        except OSError as error:
            found = error.strerror or type(error).__name__
            problem = SkillProblem(FOLDER, self._own, FOLDER, SkillTrouble.NO_FOLDER, found=found)
            return SkillsRead((), (problem,))
        read = [one for entry in entries for one in self._entry(entry)]
        for path in self._known.keys() - {one.path for one in read}:
            del self._known[path]
        return self._joined(read, most)

    def _entry(self, entry: Path) -> Iterator[Skill | SkillProblem]:
        """What one entry of the folder is; nothing for what is none of ours."""
        if entry.name.startswith(".") or entry.name.endswith("~"):
            return
        ending = entry.suffix.casefold()
        stem = readable(entry.stem if ending == _ENDING else entry.name)
        odd = SkillProblem(stem, entry, f"{FOLDER}/{readable(entry.name)}", SkillTrouble.LEADS_OUT)
        if not self._inside(entry):
            if entry.is_symlink():
                yield odd
        elif entry.is_dir():
            yield self._own_folder(entry, odd)
        elif ending == _ENDING:
            yield self._read(entry, odd.file, stem)
        elif ending in _MEANT:
            yield replace(odd, name=odd.file, trouble=SkillTrouble.WRONG_ENDING)

    def _own_folder(self, folder: Path, odd: SkillProblem) -> Skill | SkillProblem:
        try:
            inside = sorted(folder.iterdir())
        except OSError as error:
            found = error.strerror or type(error).__name__
            return replace(odd, trouble=SkillTrouble.UNREADABLE, found=found)
        path = next((one for one in inside if one.name.casefold() == TEXT_FILE), None)
        if path is None:
            return replace(odd, trouble=SkillTrouble.NO_TEXT)
        file = f"{odd.file}/{readable(path.name)}"
        if not self._inside(path):
            return replace(odd, path=path, file=file)
        read = self._read(path, file, readable(folder.name))
        beside = any(one != path and not one.name.startswith(".") for one in inside)
        return replace(read, beside=folder) if isinstance(read, Skill) and beside else read

    def _inside(self, path: Path) -> bool:
        """What ``path`` leads to is there, and in the skills' folder."""
        try:
            return path.resolve(strict=True).is_relative_to(self._own.resolve())
        except (OSError, RuntimeError):
            return False  # it went between two looks, or leads nowhere or in a circle

    def _read(self, path: Path, file: str, stem: str) -> Skill | SkillProblem:
        try:
            state = path.stat()
        except OSError as error:
            found = error.strerror or errno.errorcode.get(error.errno or 0, "")
            return SkillProblem(stem, path, file, SkillTrouble.UNREADABLE, found=found)
        stamp = (state.st_mtime_ns, state.st_size, state.st_ino, state.st_ctime_ns)
        known = self._known.get(path)
        if known is None or known[0] != stamp:
            known = self._known[path] = stamp, read_skill(path, file, stem)
        return known[1]

    def _joined(self, read: Sequence[Skill | SkillProblem], most: int) -> SkillsRead:
        skills: dict[str, Skill] = {}
        problems = []
        for one in read:
            wrong = one if isinstance(one, SkillProblem) else self._wrong(one, skills.get(one.name), most)
            if wrong is not None:
                problems.append(wrong)
            elif isinstance(one, Skill):
                skills[one.name] = one
        return SkillsRead(
            tuple(skills[name] for name in sorted(skills)), tuple(_each_named(problems, skills))
        )

    def _wrong(self, skill: Skill, taken: Skill | None, most: int) -> SkillProblem | None:
        wrong = SkillProblem(skill.name, skill.path, skill.file, SkillTrouble.TAKEN, found=skill.name)
        if skill.name in self._commands:
            return replace(wrong, trouble=SkillTrouble.COMMAND_NAME)
        if taken is not None:
            return replace(wrong, limit=taken.file)
        if len(skill.body) > most:
            length, limit = f"{len(skill.body):,}", f"{most:,}"
            return replace(wrong, trouble=SkillTrouble.TOO_LONG, found=length, limit=limit)
        return None


def _each_named(problems: Sequence[SkillProblem], skills: Collection[str]) -> Iterator[SkillProblem]:
    """Each problem under a name of its own: where a skill or another problem has it, the file's."""
    taken = set(skills)
    for problem in problems:
        name = called_by(problem.name) or problem.name
        name = problem.file if name in taken else name
        taken.add(name)
        yield replace(problem, name=name)
