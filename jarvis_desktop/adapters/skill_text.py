"""One skill's file read: the skill, or what keeps it from being one."""

import errno
from dataclasses import dataclass, replace
from pathlib import Path

from jarvis_desktop.adapters.plain_file import bytes_of
from jarvis_desktop.adapters.skill_problem import SkillProblem, SkillTrouble
from jarvis_desktop.adapters.yaml_text import Lined, YamlTextError, read_yaml_text
from jarvis_desktop.core.extensions.skills import (
    FrontMatterError,
    SkillText,
    parted,
    purpose_of,
)
from jarvis_desktop.core.items.skills import Skill
from jarvis_desktop.core.slash.parsing import called_by

MOST_BYTES = 256_000
"""Far more than any request may hold."""


@dataclass(frozen=True, slots=True)
class _Front:
    """What counts of the front matter."""

    name: str = ""
    name_line: int | None = None
    description: str = ""


def read_skill(path: Path, file: str, stem: str) -> Skill | SkillProblem:
    """What the file at ``path`` is. Never raises.

    file: its name as people write it.
    stem: what the skill is called where the file does not say it.
    """
    fine = SkillProblem(stem, path, file, SkillTrouble.UNREADABLE)
    try:
        # utf-8-sig: Windows editors put a byte order mark in front.
        content = bytes_of(path, MOST_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        return replace(fine, trouble=SkillTrouble.NOT_UTF8, line=line)
    except OSError as error:
        if error.errno == errno.EFBIG:
            return replace(fine, trouble=SkillTrouble.TOO_BIG, limit=f"{MOST_BYTES // 1000} kB")
        return replace(fine, found=error.strerror or type(error).__name__)
    try:
        parts = parted(content)
    except FrontMatterError:
        return replace(fine, trouble=SkillTrouble.FRONT_OPEN, line=1)
    front = _front(parts, fine)
    return front if isinstance(front, SkillProblem) else _skill(front, parts.body, fine)


def _front(parts: SkillText, fine: SkillProblem) -> _Front | SkillProblem:
    try:
        values = read_yaml_text(parts.front or "")
    except YamlTextError as error:
        # One more line: the --- above it.
        line = error.line + 1 if error.line is not None else None
        return replace(fine, trouble=SkillTrouble.FRONT_BROKEN, line=line, found=str(error))
    name, description = values.get("name", (None, None)), values.get("description", (None, None))
    for said, value in (("name", name), ("description", description)):
        if not isinstance(value[0], str | None):
            return replace(fine, trouble=SkillTrouble.NO_WORD, line=_line(value), found=said)
    return _Front((name[0] or "").strip(), _line(name), description[0] or "")


def _line(value: Lined) -> int | None:
    return value[1] + 1 if value[1] is not None else None


def _skill(front: _Front, body: str, fine: SkillProblem) -> Skill | SkillProblem:
    said = front.name or fine.name
    word = called_by(said)
    if word is None:
        return replace(fine, trouble=SkillTrouble.BAD_NAME, line=front.name_line, found=said)
    if not body:
        return replace(fine, name=word, trouble=SkillTrouble.EMPTY)
    return Skill(word, purpose_of(front.description, body), body, fine.file, fine.path)
