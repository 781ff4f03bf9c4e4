"""Texts in a call's arguments that are to be looked at, also where a stand-in names them otherwise."""

from collections.abc import Iterator, Mapping

from jarvis_desktop.core.items.calls import Json
from jarvis_desktop.core.policy.rules import SHELL_TOOL

READING_TOOLS = frozenset({"read_file", "grep"})
"""What they find goes to the model as text."""
MOST_PATH_CHARACTERS = 4096
DEEPEST = 8


def commands_in(tool: str, arguments: Mapping[str, Json]) -> tuple[str, ...]:
    """What a shell would run: the danger list holds for every tool that carries a command (T-177).

    tool: as rules call it, so that one in the shell's place is the shell, whatever its argument is called.
    """
    command = arguments.get("command")
    if isinstance(command, str):
        return (command,)
    texts = [*texts_in(dict(arguments))] if tool == SHELL_TOOL else []
    whole = (" ".join(texts),) if len(texts) > 1 else ()  # its words may come one by one
    return tuple(dict.fromkeys((*texts, *whole)))


def read_paths_in(tool: str, arguments: Mapping[str, Json], *, stands_in: bool) -> tuple[str, ...]:
    """Paths that a reading tool is pointed at.

    stands_in: it is none of ours, and may call its argument anything.
    """
    path = arguments.get("path")
    if tool not in READING_TOOLS:
        return ()
    if isinstance(path, str):
        return (path,)
    return tuple(dict.fromkeys(paths_in(dict(arguments)))) if stands_in else ()


def paths_in(value: Json) -> Iterator[str]:
    """Every text in the arguments that could be a path."""
    for text in texts_in(value):
        if len(text) < MOST_PATH_CHARACTERS and "\n" not in text and "\0" not in text:
            yield text


def texts_in(value: Json, depth: int = 0) -> Iterator[str]:
    """Every text in the arguments that is not empty."""
    if isinstance(value, str):
        if value:
            yield value
    elif depth < DEEPEST:
        inner = (
            value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
        )
        for one in inner:
            yield from texts_in(one, depth + 1)
