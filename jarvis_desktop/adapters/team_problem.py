"""What is wrong in an agent's file, and the sentence that says so."""

from dataclasses import dataclass
from enum import StrEnum

from jarvis_desktop.adapters.settings_problem import SettingsProblem, placed, wrong_value
from jarvis_desktop.core.ports import Texts


class TeamTrouble(StrEnum):
    """What is wrong."""

    UNREADABLE = "unreadable"
    UNKNOWN_LINE = "unknown_line"
    NOT_LINES = "not_lines"
    MISSING = "missing"
    WRONG_VALUE = "wrong_value"
    BAD_ID = "bad_id"
    MAIN_BELOW = "main_below"
    """The main agent is one that nobody talks with."""
    NO_TOOL = "no_tool"
    """A slip of the pen: there is one with nearly that name."""
    NO_TOOL_NOW = "no_tool_now"
    ID_TAKEN = "id_taken"
    NAME_TAKEN = "name_taken"


_HARMLESS = (TeamTrouble.NO_TOOL_NOW, TeamTrouble.NAME_TAKEN)


class Instead(StrEnum):
    """What counts in place of a file that is broken."""

    ITSELF = "itself"
    """Nothing is: the rest of the file counts."""
    LAST_GOOD = "last_good"
    SHIPPED = "shipped"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class TeamProblem:
    """One thing that is wrong."""

    file: str
    """As people write it, e.g. ``team/karen.yaml``."""
    line: int | None
    trouble: TeamTrouble
    path: str = ""
    """The line's name, with the names of what is around it."""
    found: str = ""
    meant: str = ""
    """The word that was probably meant; empty when none is near."""
    value: SettingsProblem | None = None
    """Set for a wrong value."""
    instead: Instead = Instead.ITSELF

    @property
    def breaks(self) -> bool:
        """Because of it the file does not count."""
        return self.trouble not in _HARMLESS


def team_sentence(problem: TeamProblem, texts: Texts) -> str:
    """Where, what was found, what was probably meant, and what counts until it is mended."""
    return placed(problem.file, problem.line, team_words(problem, texts), texts)


def team_words(problem: TeamProblem, texts: Texts) -> str:
    """The same without the place."""
    parts = [_what(problem, texts)]
    if problem.meant:
        parts.append(texts("Did you mean {name}?").format(name=problem.meant))
    parts.append(_until(problem, texts))
    return " ".join(part for part in parts if part)


def _what(problem: TeamProblem, texts: Texts) -> str:
    if problem.value is not None:
        return wrong_value(problem.value, texts)
    wording = {
        TeamTrouble.UNREADABLE: texts("the file cannot be read ({found})."),
        TeamTrouble.UNKNOWN_LINE: texts("an agent's file has no line called {path}."),
        TeamTrouble.NOT_LINES: texts("{path} is {found}, but lines are expected under it."),
        TeamTrouble.MISSING: texts("the line {path} is missing."),
        TeamTrouble.BAD_ID: texts(
            "{found} cannot be an id: small letters, digits, - and _ are allowed, 32 at most."
        ),
        TeamTrouble.MAIN_BELOW: texts("top_level is false, but main is the agent that you always talk with."),
        TeamTrouble.NO_TOOL: texts("no tool is called “{found}”."),
        TeamTrouble.NO_TOOL_NOW: texts(
            "no tool is called “{found}” now. The word counts as soon as there is one."
        ),
        TeamTrouble.ID_TAKEN: texts("another file has the id {found} already."),
        TeamTrouble.NAME_TAKEN: texts("another agent answers to “{found}” already, and goes on doing so."),
        TeamTrouble.WRONG_VALUE: "",
    }[problem.trouble]
    return wording.format(path=problem.path, found=problem.found)


def _until(problem: TeamProblem, texts: Texts) -> str:
    return {
        Instead.ITSELF: "",
        Instead.LAST_GOOD: texts("Until it is mended, the agent stays as it was."),
        Instead.SHIPPED: texts("Until it is mended, the one that comes with Jarvis is used."),
        Instead.NOTHING: texts("Until it is mended, this agent is left out."),
    }[problem.instead]
