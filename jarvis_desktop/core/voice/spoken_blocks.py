"""Kinds of lines in a Markdown reply, told apart as early as their first signs allow."""

import re
from enum import StrEnum


class LineKind(StrEnum):
    """What a line of a reply is."""

    UNDECIDED = "undecided"
    """More of the line is needed."""
    PROSE = "prose"
    HEADING = "heading"
    ITEM = "item"
    FENCE = "fence"
    TABLE = "table"
    JSON = "json"
    RAW = "raw"
    """A stack trace or a diff, up to the next empty line."""
    INDENTED = "indented"
    RULE = "rule"
    EMPTY = "empty"


_KINDS = (
    (LineKind.FENCE, re.compile(r"\s*(?:```|~~~)")),
    (LineKind.TABLE, re.compile(r"\s*\|")),
    (LineKind.TABLE, re.compile(r"\s*:?-{2,}:?\s*\|[\s:|-]*$")),
    (LineKind.RULE, re.compile(r"\s*(?:-{3,}|\*{3,}|_{3,}|={3,})\s*$")),
    (LineKind.JSON, re.compile(r"\s*(?:\{|\[\s*[{\"\[])")),
    (LineKind.RAW, re.compile(r"Traceback \(most recent|diff --git |@@ |--- [ab]/|\+\+\+ [ab]/")),
    (LineKind.HEADING, re.compile(r"\s{0,3}#{1,6}\s")),
    (LineKind.ITEM, re.compile(r"\s*(?:[-*+•]|\d{1,2}[.)])\s")),
    (LineKind.INDENTED, re.compile(r"(?: {4}|\t)\s*\S")),
)
_MARKER = re.compile(r"^\s*(?:#{1,6}|[-*+•]|\d{1,2}[.)]|>+)\s+(?:\[[ xX]\]\s+)?")
# A beginning that can still become a marker: "``", "1", "-", "#", "Traceb".
_MAY_BECOME = re.compile(
    r"\s*(?:`{1,2}|~{1,2}|#{1,6}|[-*+•_=:]+|\d{1,2}[.)]?|\[\s*|>+|[@+]{1,2}|---? ?[ab]?)?"
)
_RAW_BEGINNINGS = ("Traceback (most recent", "diff --git ")


def kind_of(line: str, *, complete: bool) -> LineKind:
    """The kind of ``line``; ``UNDECIDED`` while it is incomplete and could be several."""
    if complete and not line.strip():
        return LineKind.EMPTY
    if not complete and _undecided(line):
        return LineKind.UNDECIDED
    return next((kind for kind, pattern in _KINDS if pattern.match(line)), LineKind.PROSE)


def without_marker(line: str) -> str:
    """The line without its heading, list or quote signs."""
    return _MARKER.sub("", line, count=1)


def _undecided(line: str) -> bool:
    if _MAY_BECOME.fullmatch(line):
        return True
    return any(beginning.startswith(line) for beginning in _RAW_BEGINNINGS)
