"""Skills as text: front matter, body, and what a typed line makes of them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from jarvis_desktop.core.items.skills import Skill
from jarvis_desktop.core.tool_text import readable

MOST_OF_A_PURPOSE = 200
_FENCE = re.compile(r"-{3}[ \t]*\Z")
_MARK = re.compile(r"\\?\$(ARGUMENTS\b|[1-9](?!\d))")
_WORD = re.compile(r""""([^"]*)"|'([^']*)'|(\S+)""")
_HEADING = re.compile(r"[#>*\-\s]*")


@dataclass(frozen=True, slots=True)
class SkillText:
    """The two parts of a skill's file."""

    front: str | None
    """YAML between the two lines of ``---``; None where there is none."""
    body: str
    """Without blank ends."""


class FrontMatterError(ValueError):
    """The front matter begins and never ends."""


def parted(text: str) -> SkillText:
    """``text`` in its two parts; any kind of line end.

    Raises:
        FrontMatterError: a first line ``---`` has no second one.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if not _FENCE.match(lines[0]):
        return SkillText(None, "\n".join(lines).strip())
    end = next((number for number, line in enumerate(lines[1:], 1) if _FENCE.match(line)), None)
    if end is None:
        raise FrontMatterError
    return SkillText("\n".join(lines[1:end]), "\n".join(lines[end + 1 :]).strip())


def purpose_of(described: str, body: str) -> str:
    """One line that says what a skill is for: its description, or else how its text begins."""
    flat = " ".join(described.split())
    if not flat:
        lines = (_HEADING.sub("", line, count=1).strip() for line in body.split("\n"))
        flat = next((" ".join(line.split()) for line in lines if line), "")
    return flat if len(flat) <= MOST_OF_A_PURPOSE else flat[: MOST_OF_A_PURPOSE - 1] + "…"


def expand(skill: Skill, rest: str) -> str:
    r"""The request that ``/name rest`` is.

    ``$ARGUMENTS`` becomes all that was typed behind the name, ``$1`` to ``$9`` its words; quotes hold words
    together, and a word that was not typed is empty. ``\$1`` stays ``$1``. A text without any of these is
    followed by what was typed.
    """
    words = _words(rest)
    used = False

    def filled(found: re.Match[str]) -> str:
        nonlocal used
        if found[0].startswith("\\"):
            return found[0][1:]
        used = True
        if found[1] == "ARGUMENTS":
            return rest
        number = int(found[1])
        return words[number - 1] if number <= len(words) else ""

    # One pass: what was typed is never looked into for marks of its own.
    text = _MARK.sub(filled, skill.body).strip()
    parts = [text] if used or not rest else [text, rest]
    if skill.beside is not None:
        parts.append(f"[files of this skill lie in {readable(skill.beside)}]")
    return "\n\n".join(part for part in parts if part)


def _words(rest: str) -> Sequence[str]:
    return ["".join(found) for found in _WORD.findall(rest)]
