"""YAML that people write, with the line of each value: YAML 1.2, duplicate names refused."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from jarvis_desktop.adapters.plain_file import bytes_of

MOST_BYTES = 256_000
"""Far more than anybody writes by hand; the pure Python that reads it needs seconds for so much."""
MOST_VALUES, DEEPEST = 200_000, 100
"""Of a whole file, aliases followed. No text of ``MOST_BYTES`` says so many values itself, but ten short
lines of aliases mean a thousand million, and one alias inside its own anchor has no end."""
_UNREADABLE = (YAMLError, ValueError, OverflowError, RecursionError, LookupError, TypeError, AttributeError)
"""ValueError: 2026-99-99 looks like a date to ruamel; OverflowError: so does the first day of the calendar in
a zone of the east; RecursionError: a thousand brackets; the last three are
what ruamel stumbles over: ``!!int`` without a number, a list as a name, an alias inside its own anchor."""
Lined: TypeAlias = tuple[Any, int | None]
"""A value and its line, counted from 1; a mapping's values are ``Lined`` again, one level down."""

Place: TypeAlias = tuple[str | int, ...]
"""Where a value stands: names of mappings and numbers in lists, from the top."""


@dataclass(frozen=True, slots=True)
class YamlTree:
    """A mapping as plain values, and on which line each of them stands, however deep."""

    values: dict[str, Any]
    lines: Mapping[Place, int]
    """Counted from 1."""

    def line(self, place: Place) -> int | None:
        """The line of the value there, or of the nearest one around it."""
        for length in range(len(place), 0, -1):
            if place[:length] in self.lines:
                return self.lines[place[:length]]
        return None


class YamlTextError(Exception):
    """The file is not YAML, not UTF-8 or not a mapping; ``line`` where it is known."""

    def __init__(self, text: str, line: int | None = None) -> None:
        super().__init__(text)
        self.line = line


def read_yaml(path: Path) -> dict[str, Lined]:
    """The mapping in a file: each value with its line, and the values of the mappings in it likewise.

    Raises:
        YamlTextError: it cannot be read.
    """
    return read_yaml_text(_text_of(path))


def read_tree(path: Path) -> YamlTree:
    """The mapping in a file with the line of everything in it.

    Raises:
        YamlTextError: it cannot be read.
    """
    return tree_of(_text_of(path))


def tree_of(text: str) -> YamlTree:
    """The mapping in a text with the line of everything in it.

    Raises:
        YamlTextError: it cannot be read.
    """
    root = _root(text)
    return YamlTree({} if root is None else _plain(root), dict(_places(root, ())))


def _text_of(path: Path) -> str:
    try:
        # utf-8-sig: Windows editors put a byte order mark in front.
        return bytes_of(path, MOST_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise YamlTextError("not UTF-8") from error
    except OSError as error:
        raise YamlTextError(error.strerror or type(error).__name__) from error


def read_yaml_text(text: str) -> dict[str, Lined]:
    """The mapping in a text, as ``read_yaml`` gives it.

    Raises:
        YamlTextError: it cannot be read.
    """
    root = _root(text)
    if root is None:
        return {}
    return {
        str(name): (_lined(value) if isinstance(value, CommentedMap) else _plain(value), _line(root, name))
        for name, value in root.items()
    }


def _root(text: str) -> CommentedMap | None:
    """What ruamel makes of a text; None when nothing is written there."""
    try:
        root = YAML(typ="rt").load(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise YamlTextError(str(error.problem or error.context), mark.line + 1 if mark else None) from error
    except _UNREADABLE as error:
        raise YamlTextError(type(error).__name__) from error
    if root is not None and not isinstance(root, CommentedMap):
        raise YamlTextError("name: value", 1)
    _bounded(root)
    return root


def _bounded(root: object) -> None:
    """What reads the values after this comes to an end.

    Raises:
        YamlTextError: aliases make far more of the file than anybody wrote, or it goes on for ever.
    """
    waiting, seen = [(root, 0)], 0
    while waiting:
        value, depth = waiting.pop()
        seen += 1
        if seen > MOST_VALUES or depth > DEEPEST:
            raise YamlTextError("&, *")
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        waiting += [(one, depth + 1) for one in inner]


def _places(value: object, place: Place) -> Iterator[tuple[Place, int]]:
    """Every place inside ``value`` with its line."""
    if isinstance(value, CommentedMap):
        for name, inner in value.items():
            line = _line(value, name)
            if line is not None:
                yield (*place, str(name)), line
            yield from _places(inner, (*place, str(name)))
    elif isinstance(value, CommentedSeq):
        for number, inner in enumerate(value):
            line = _line(value, number)
            if line is not None:
                yield (*place, number), line
            yield from _places(inner, (*place, number))


def _lined(mapping: CommentedMap) -> dict[str, Lined]:
    return {str(name): (_plain(value), _line(mapping, name)) for name, value in mapping.items()}


def _line(mapping: CommentedMap | CommentedSeq, name: object) -> int | None:
    # Names that come in through a merge key (<<) have no place of their own.
    place = (mapping.lc.data or {}).get(name)
    return place[0] + 1 if place else None


def _plain(value: Any) -> Any:
    """The value without ruamel's own classes, which pydantic would show in messages."""
    if isinstance(value, dict):
        return {str(name): _plain(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    if isinstance(value, bool):
        return value
    for plain in (str, int, float):
        if isinstance(value, plain):
            return plain(value)
    return value
