"""What keeps a file from being a skill, and the sentence that says so."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from jarvis_desktop.adapters.settings_problem import placed
from jarvis_desktop.core.ports import Texts


class SkillTrouble(StrEnum):
    """What is wrong."""

    UNREADABLE = "unreadable"
    NO_FOLDER = "no_folder"
    """What should be the skills' folder is something else, or cannot be looked into."""
    TOO_BIG = "too_big"
    NOT_UTF8 = "not_utf8"
    FRONT_OPEN = "front_open"
    FRONT_BROKEN = "front_broken"
    NO_WORD = "no_word"
    """``name`` or ``description`` is a number, a list …"""
    EMPTY = "empty"
    TOO_LONG = "too_long"
    BAD_NAME = "bad_name"
    COMMAND_NAME = "command_name"
    TAKEN = "taken"
    LEADS_OUT = "leads_out"
    NO_TEXT = "no_text"
    """A folder without a SKILL.md."""
    WRONG_ENDING = "wrong_ending"


@dataclass(frozen=True, slots=True)
class SkillProblem:
    """One thing that is wrong."""

    name: str
    """What the skill would be called."""
    path: Path
    file: str
    """As people write it, e.g. ``skills/name.md``."""
    trouble: SkillTrouble
    line: int | None = None
    found: str = ""
    limit: str = ""
    """The most that is allowed, or the file that is in the way."""


def skill_sentence(problem: SkillProblem, texts: Texts) -> str:
    """Where, what was found, and what to do."""
    wording = {
        SkillTrouble.UNREADABLE: texts("the file cannot be read ({found})."),
        SkillTrouble.NO_FOLDER: texts("the skills' folder cannot be looked into ({found})."),
        SkillTrouble.TOO_BIG: texts("the file is larger than {limit}. A skill is a short text: shorten it."),
        SkillTrouble.NOT_UTF8: texts("this is not UTF-8 text. Save the file as UTF-8."),
        SkillTrouble.FRONT_OPEN: texts(
            "the front matter begins with --- and never ends. Put a line with --- behind it."
        ),
        SkillTrouble.FRONT_BROKEN: texts("the front matter is no YAML ({found}). Mend it or leave it out."),
        SkillTrouble.NO_WORD: texts("“{found}” is no text. Put it into quotes."),
        SkillTrouble.EMPTY: texts("there is no text in it. Write what is to be asked."),
        SkillTrouble.TOO_LONG: texts(
            "its text has {found} characters; the longest request has {limit}. Shorten it, or raise "
            "security.input_max_length in settings.yaml."
        ),
        SkillTrouble.BAD_NAME: texts(
            "“{found}” cannot be typed behind a slash. A name begins with a letter, has letters, digits, - "
            "and _ only, and is no top folder such as etc or home: rename it."
        ),
        SkillTrouble.COMMAND_NAME: texts(
            "/{found} is a command of Jarvis, which goes first. Give the skill another name."
        ),
        SkillTrouble.TAKEN: texts("the name /{found} belongs to {limit} already. Rename one of them."),
        SkillTrouble.LEADS_OUT: texts(
            "this is a link that leads out of the skills' folder, or nowhere. Put the file itself here."
        ),
        SkillTrouble.NO_TEXT: texts(
            "there is no SKILL.md in this folder. Put one there, or take the folder away."
        ),
        SkillTrouble.WRONG_ENDING: texts(
            "this is no skill: its file ends in .md, or is called SKILL.md in a folder of its own."
        ),
    }[problem.trouble]
    said = wording.format(found=problem.found, limit=problem.limit)
    return placed(problem.file, problem.line, said, texts)
