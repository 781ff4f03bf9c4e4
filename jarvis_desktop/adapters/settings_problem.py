"""What was wrong with one setting, and the sentence that says so."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from types import MappingProxyType

from pydantic_core import ErrorDetails

from jarvis_desktop.core.ports import Texts

LONGEST_SHOWN = 60


class ProblemKind(StrEnum):
    """What is wrong; the values are pydantic's names of errors where it has one."""

    UNREADABLE = "unreadable"
    NOT_A_SECTION = "not_a_section"
    UNKNOWN = "extra_forbidden"
    TOO_MUCH = "less_than_equal"
    TOO_LITTLE = "greater_than_equal"
    TOO_FEW = "too_short"
    NOT_ONE_OF = "literal_error"
    NOT_YES_OR_NO = "bool_parsing"
    NOT_WHOLE = "int_parsing"
    NOT_A_NUMBER = "float_parsing"
    NOT_TEXT = "string_type"
    NOT_A_LIST = "tuple_type"
    EMPTY = "string_too_short"
    TOO_LONG = "string_too_long"
    NOT_NAMED = "dict_type"
    """Values with names are expected."""
    NEITHER_NOR = "server_neither"
    BOTH = "server_both"
    NO_ADDRESS = "server_address"
    NOT_FOR = "server_not_for"
    ODD_NAME = "server_name"
    NOT_HOURS = "quiet_hours"
    """Two times of day are expected."""
    OTHER = "other"


# Names under which pydantic reports the same thing once more.
ALIASES: Mapping[str, ProblemKind] = MappingProxyType(
    {
        "bool_type": ProblemKind.NOT_YES_OR_NO,
        "int_type": ProblemKind.NOT_WHOLE,
        "int_from_float": ProblemKind.NOT_WHOLE,
        "float_type": ProblemKind.NOT_A_NUMBER,
        "path_type": ProblemKind.NOT_TEXT,
    }
)


class Fallback(StrEnum):
    """Where the value comes from that counts instead."""

    DEFAULT = "default"
    STRICTEST = "strictest"
    FILE = "file"
    """The variable is wrong, the file says something usable."""
    KEPT = "kept"
    """What held until now; the file was broken while the program ran."""
    LEFT_OUT = "left_out"
    """Nothing: the MCP server that it is about is left out."""


@dataclass(frozen=True, slots=True)
class SettingsProblem:
    """One setting that could not be used."""

    place: str
    """The file's name, or the variable's."""
    line: int | None
    path: str
    """``section.field``; only the section, or empty, where the trouble is there."""
    kind: ProblemKind
    found: str = ""
    allowed: str = ""
    """The bound, the choices, or the name that was probably meant."""
    using: str = ""
    fallback: Fallback = Fallback.DEFAULT

    @staticmethod
    def of_value(found: "Found", path: str, detail: ErrorDetails) -> "SettingsProblem":
        """The problem behind pydantic's error about one value; what counts instead is still open."""
        kind = _kind(detail["type"])
        context = detail.get("ctx", {})
        bound = next(
            (
                context[name]
                for name in ("le", "ge", "min_length", "max_length", "expected")
                if name in context
            ),
            "",
        )
        allowed = detail["msg"] if kind is ProblemKind.OTHER else shown(bound)
        return SettingsProblem(found.place, found.line, path, kind, shown(found.value), allowed)

    def hides(self, section: str) -> bool:
        """Because of it nobody knows all that was meant to be said about ``section``."""
        if self.kind is ProblemKind.UNREADABLE or self.allowed == section:
            return True
        named = self.path.split(".")[0] == section
        return named and self.kind in (ProblemKind.UNKNOWN, ProblemKind.NOT_A_SECTION)


@dataclass(frozen=True, slots=True)
class Found:
    """A value and where it was written."""

    value: object
    place: str
    """The file's name, or the variable's."""
    line: int | None = None


def _kind(name: str) -> ProblemKind:
    if name in ALIASES:
        return ALIASES[name]
    return ProblemKind(name) if name in set(ProblemKind) else ProblemKind.OTHER


def shown(value: object) -> str:
    """``value`` as people write it in the file."""
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (tuple, list)):
        text = "[" + ", ".join(map(shown, value)) + "]"
    elif isinstance(value, float):
        text = f"{value:g}"
    else:
        text = str(value) if str(value) else '""'
    return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "…"


def closest(name: str, names: Iterable[str]) -> str:
    """The one of ``names`` that was probably meant; empty when none is close."""
    return next(iter(get_close_matches(name, list(names), n=1)), "")


def sentence(problem: SettingsProblem, texts: Texts) -> str:
    """Where, what was found, what is allowed, and what counts now."""
    return placed(problem.place, problem.line, what_counts(problem, texts), texts)


def placed(file: str, line: int | None, what: str, texts: Texts) -> str:
    """``what``, behind the place where it was found."""
    place = file if line is None else texts("{file}, line {line}").format(file=file, line=line)
    # YAML can name half a character ("\\ud800"), which no screen, database or pipe takes.
    return f"{place}: {what}".encode("utf-8", "backslashreplace").decode()


def what_counts(problem: SettingsProblem, texts: Texts) -> str:
    """What was found, what is allowed, and what counts instead."""
    if problem.kind is ProblemKind.UNREADABLE and problem.fallback is Fallback.KEPT:
        return texts(
            "the file cannot be read ({reason}). What held before goes on, and the strictest for security."
        ).format(reason=problem.found)
    if problem.kind is ProblemKind.UNREADABLE:
        return texts(
            "the file cannot be read ({reason}). Using the defaults, and the strictest for security."
        ).format(reason=problem.found)
    if problem.kind is ProblemKind.NOT_A_SECTION:
        return texts("{name} is {found}, but settings are expected under it. Leaving it out.").format(
            name=problem.path, found=problem.found
        )
    if problem.kind is ProblemKind.UNKNOWN and problem.fallback is not Fallback.LEFT_OUT:
        return _unknown(problem, texts)
    return f"{wrong_value(problem, texts)} {_using(problem, texts)}"


def wrong_value(problem: SettingsProblem, texts: Texts) -> str:
    """What a setting was to be, and what is allowed."""
    if problem.kind is ProblemKind.UNKNOWN:
        return _unknown(problem, texts)
    if problem.kind in _OF_A_SERVER:
        return _OF_A_SERVER[problem.kind](problem, texts)
    found = texts("{name} is {found}").format(name=problem.path, found=problem.found)
    return f"{found}, {ALLOWED[problem.kind](problem, texts)}."


def _using(problem: SettingsProblem, texts: Texts) -> str:
    match problem.fallback:
        case Fallback.DEFAULT:
            return texts("Using the default, {value}.").format(value=problem.using)
        case Fallback.STRICTEST:
            return texts("Using the strictest value, {value}, until it is mended.").format(
                value=problem.using
            )
        case Fallback.FILE:
            return texts("Using {value} from the file.").format(value=problem.using)
        case Fallback.KEPT:
            return texts("Using {value} as before.").format(value=problem.using)
        case Fallback.LEFT_OUT:
            return texts("This server is left out until it is mended.")


def _unknown(problem: SettingsProblem, texts: Texts) -> str:
    unknown = texts("there is no setting called {name}.").format(name=problem.path)
    if not problem.allowed:
        return unknown
    return f"{unknown} " + texts("Did you mean {name}?").format(name=problem.allowed)


def _unit(path: str, texts: Texts) -> str:
    """The unit that a setting's name ends in, in brackets."""
    endings = {"_s": texts("seconds"), "_minutes": texts("minutes"), "_tokens": texts("tokens")}
    return next((f" ({unit})" for ending, unit in endings.items() if path.endswith(ending)), "")


def _most(problem: SettingsProblem, texts: Texts) -> str:
    return texts("the most allowed is {most}").format(most=problem.allowed + _unit(problem.path, texts))


def _least(problem: SettingsProblem, texts: Texts) -> str:
    return texts("the least allowed is {least}").format(least=problem.allowed + _unit(problem.path, texts))


ALLOWED: Mapping[ProblemKind, Callable[[SettingsProblem, Texts], str]] = MappingProxyType(
    {
        ProblemKind.TOO_MUCH: _most,
        ProblemKind.TOO_LITTLE: _least,
        ProblemKind.TOO_FEW: lambda problem, texts: texts("at least {least} must be named").format(
            least=problem.allowed
        ),
        ProblemKind.NOT_ONE_OF: lambda problem, texts: texts("allowed are {choices}").format(
            choices=problem.allowed
        ),
        ProblemKind.NOT_YES_OR_NO: lambda _, texts: texts("allowed are true and false"),
        ProblemKind.NOT_WHOLE: lambda _, texts: texts("a whole number is expected"),
        ProblemKind.NOT_A_NUMBER: lambda _, texts: texts("a number is expected"),
        ProblemKind.NOT_TEXT: lambda _, texts: texts("a text is expected"),
        ProblemKind.NOT_A_LIST: lambda _, texts: texts("a list is expected"),
        ProblemKind.EMPTY: lambda _, texts: texts("it must not be empty"),
        ProblemKind.TOO_LONG: lambda problem, texts: texts("at most {most} characters are allowed").format(
            most=problem.allowed
        ),
        ProblemKind.NOT_NAMED: lambda _, texts: texts("names with values are expected under it"),
        ProblemKind.NOT_HOURS: lambda _, texts: texts("two times are expected, e.g. 22:00-07:00"),
        ProblemKind.OTHER: lambda problem, _: problem.allowed,
    }
)
_OF_A_SERVER: Mapping[ProblemKind, Callable[[SettingsProblem, Texts], str]] = MappingProxyType(
    {
        ProblemKind.NEITHER_NOR: lambda problem, texts: texts(
            "{name} has neither command nor url: say which program it is, or at which address it runs."
        ).format(name=problem.path),
        ProblemKind.BOTH: lambda problem, texts: texts(
            "{name} has command and url: a server is a program or an address, not both."
        ).format(name=problem.path),
        ProblemKind.NO_ADDRESS: lambda problem, texts: texts(
            "{name} is no address that begins with http:// or https://."
        ).format(name=problem.path),
        ProblemKind.NOT_FOR: lambda problem, texts: texts(
            "{name} means nothing for a server with {what}."
        ).format(name=problem.path, what=problem.allowed),
        ProblemKind.ODD_NAME: lambda problem, texts: texts(
            "{name} cannot be a server's name: at most 32 letters, digits, _ and - are allowed, "
            "with a letter or digit at both ends."
        ).format(name=problem.path),
    }
)
"""Whole sentences."""
