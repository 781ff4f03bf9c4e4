"""A tool call that the model asked for, and what came of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TypeAlias

from jarvis_desktop.core.items.ids import CallId

# Not recursive on purpose: mypy and pydantic both read it, and depth is checked where text becomes data.
Json: TypeAlias = object
"""A JSON value as ``json.loads`` returns it."""

NO_ARGUMENTS: Mapping[str, Json] = MappingProxyType({})

_MAIN_ARGUMENTS = ("command", "pattern", "path")
"""What a call is about, the most telling first; of other tools it is their first text."""


class ResultStatus(StrEnum):
    """How a call ended."""

    OK = "ok"
    ERROR = "error"
    """The tool, its arguments or a guard refused it; the model reads why and may go on."""
    DENIED = "denied"
    """A person refused, or nobody could be asked."""
    TIMED_OUT = "timed_out"
    """Nobody answered the question in time."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call, exactly as it will be checked, shown and run."""

    call_id: CallId
    name: str
    # A factory, although the value is one and frozen: Python 3.11 takes mappingproxy for mutable.
    arguments: Mapping[str, Json] = field(default_factory=lambda: NO_ARGUMENTS)

    @property
    def in_short(self) -> str:
        """Name and main argument, on one line of words: for lists, never for a decision."""
        known = (self.arguments[name] for name in _MAIN_ARGUMENTS if name in self.arguments)
        said = (value for value in self.arguments.values() if isinstance(value, str))
        main = next(known, next(said, ""))
        return f"{self.name} {main}".rstrip()


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What one call came to."""

    call_id: CallId
    name: str
    text: str
    """What the model reads."""
    status: ResultStatus = ResultStatus.OK
    final: bool = False
    """The text is the answer, verbatim, if every result of the step says so."""

    @property
    def refused(self) -> bool:
        """A person said no, or did not answer."""
        return self.status in (ResultStatus.DENIED, ResultStatus.TIMED_OUT)
