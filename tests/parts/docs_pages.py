"""What a page of ``docs/`` has people do: files to write, commands to run, commands that it only names."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
FILES = frozenset({"json", "markdown", "python", "yaml"})
COMMANDS = frozenset({"sh"})
OUTPUTS = frozenset({"text"})
_FENCE = re.compile(r"(```+)\s*(\S*)")
_HOME_PATH = re.compile(r"`(~/[^`\s]+)`")
_FIRST_LINE = re.compile(r"(?:#|//|<!--)\s*(~/\S+?)\s*(?:-->)?\s*\Z")
_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_PLACEHOLDER = re.compile(r"[A-Z][A-Z_.]+\Z|\[.*|….*")


class Does(Enum):
    """What a block is for."""

    FILE = auto()
    RUN = auto()
    SHOW = auto()
    """What something looks like."""


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block."""

    page: str
    line: int
    does: Does
    text: str
    path: str = ""
    """Of a file: where it goes, from ``~/``."""

    @property
    def place(self) -> str:
        """Where it stands."""
        return f"docs/{self.page}, line {self.line}"


class UnknownBlockError(Exception):
    """Nobody knows what people should do with a block."""


def blocks_of(page: str) -> Iterator[Block]:
    """Every fenced block, in order.

    A file's place is named by its first line, a comment, or else as the last such path before the block.

    Raises:
        UnknownBlockError: a block of another kind, or a file without a place.
    """
    lines = (DOCS / page).read_text("utf-8").split("\n")
    number = 0
    named = ""
    while number < len(lines):
        fence = _FENCE.match(lines[number])
        if fence is None:
            # A heading begins something else.
            before = "" if lines[number].startswith("#") else named
            named = [before, *_HOME_PATH.findall(lines[number])][-1]
            number += 1
            continue
        end = lines.index(fence[1], number + 1)
        yield _block(page, number + 1, fence[2], lines[number + 1 : end], named)
        named, number = "", end + 1


def _block(page: str, line: int, kind: str, text: list[str], named: str) -> Block:
    content = "\n".join((*text, ""))
    if kind in COMMANDS:
        return Block(page, line, Does.RUN, content)
    if kind in OUTPUTS:
        return Block(page, line, Does.SHOW, content)
    first = _FIRST_LINE.match(text[0]) if text else None
    path = first[1] if first else named
    if kind not in FILES or not path:
        raise UnknownBlockError(f"docs/{page}, line {line}: {kind or 'a block without a kind'} {path}")
    # Front matter has to begin on the first line, and JSON knows no comments.
    drop = first is not None and kind in ("json", "markdown")
    return Block(page, line, Does.FILE, "\n".join((*text[int(drop) :], "")), path)


def spans_of(page: str) -> Iterator[str]:
    """Every piece of code in running text."""
    text = re.sub(r"^(```+).*?^\1$", "", (DOCS / page).read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    for found in _SPAN.finditer(text):
        yield " ".join(found[2].split())


def programs_in(page: str) -> Iterator[tuple[str, ...]]:
    """The subcommands of ``jarvis-desktop`` that running text names, without what stands for something."""
    for span in spans_of(page):
        first, *words = span.split()
        if first in ("jarvis-desktop", "./run") and words:
            yield tuple(word for word in words if not _PLACEHOLDER.match(word) and not word.startswith("-"))


def slashes_in(page: str) -> Iterator[str]:
    """The names behind a slash that running text has people type."""
    for span in spans_of(page):
        if re.match(r"/[^\W\d_][\w-]*(\s|\Z)", span):
            yield span[1:].split()[0]


def links_in(page: str) -> Iterator[Path]:
    """Files to which a page leads."""
    for target in re.findall(r"\]\(([^)#\s]+)", (DOCS / page).read_text("utf-8")):
        if "://" not in target:
            yield (DOCS / target).resolve()
