"""Remembered rules as plain values: what a line of a rule file says and where it stands."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RuleLine:
    """One rule as it stands in a file."""

    tool: str
    pattern: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule and where it stands."""

    line: RuleLine
    file: str = ""
    """As people write it, e.g. ``approvals/main.yaml``; empty for a rule that is in no file."""
    number: int = 0
    """Line in that file, from 1."""

    def __str__(self) -> str:
        place = f" ({self.file}, line {self.number})" if self.file else ""
        return f"{self.line.tool}: {self.line.pattern}{place}"
