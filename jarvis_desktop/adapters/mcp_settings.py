"""The MCP servers in ``settings.yaml``, each read by itself: a mistake in one leaves the others alone."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from jarvis_desktop.adapters.settings_problem import (
    Fallback,
    Found,
    ProblemKind,
    SettingsProblem,
    closest,
    shown,
)
from jarvis_desktop.adapters.yaml_text import Place, YamlTextError, YamlTree, read_tree, tree_of
from jarvis_desktop.core.server_settings import NOT_FOR, SERVER_NAME, SERVERS, ServerSettings

SECRET = frozenset({"env", "headers", "url", "args"})
"""Values that no message quotes."""


@dataclass(frozen=True, slots=True)
class ServersRead:
    """What the file says about servers."""

    servers: Mapping[str, ServerSettings] = field(default_factory=dict)
    problems: Mapping[str, tuple[SettingsProblem, ...]] = field(default_factory=dict)
    """By the server's name, each with at least one; empty where the whole section is wrong."""
    unreadable: bool = False
    """The file could not be read at all, which the other settings tell."""

    @property
    def told(self) -> tuple[SettingsProblem, ...]:
        """All of them."""
        return tuple(one for each in self.problems.values() for one in each)


def read_servers(path: Path) -> ServersRead:
    """The servers in a settings file. Never raises."""
    try:
        return _read(read_tree(path), path.name) if path.exists() else ServersRead()
    except (YamlTextError, OSError):
        return ServersRead(unreadable=True)


def stamp_of(path: Path) -> object:
    """Another value as soon as the file is another one; None where there is none."""
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_mtime_ns, state.st_size, state.st_ino, state.st_ctime_ns


def servers_in(text: str, file: str) -> ServersRead:
    """The servers in the text of a settings file. Never raises."""
    try:
        return _read(tree_of(text), file)
    except YamlTextError:
        return ServersRead(unreadable=True)


def server_problems(name: str, written: object) -> tuple[SettingsProblem, ...]:
    """What is wrong with a server that is in no file yet."""
    return _server(name, written, YamlTree({}, {}), "")[1]


def _read(tree: YamlTree, file: str) -> ServersRead:
    written = tree.values.get(SERVERS)
    if written is None:
        return ServersRead()
    if not isinstance(written, dict):
        kind = ProblemKind.NOT_A_SECTION
        problem = SettingsProblem(file, tree.line((SERVERS,)), SERVERS, kind, shown(written))
        return ServersRead(problems={"": (problem,)})
    servers: dict[str, ServerSettings] = {}
    problems: dict[str, tuple[SettingsProblem, ...]] = {}
    for name, one in written.items():
        server, wrong = _server(name, one, tree, file)
        if server is not None:
            servers[name] = server
        else:
            problems[name] = wrong
    return ServersRead(servers, problems)


def _server(
    name: str, written: object, tree: YamlTree, file: str
) -> tuple[ServerSettings | None, tuple[SettingsProblem, ...]]:
    place: Place = (SERVERS, name)
    path, line = f"{SERVERS}.{name}", tree.line(place)
    if not SERVER_NAME.fullmatch(name):
        return None, (_left_out(file, line, path[:100], ProblemKind.ODD_NAME),)
    if not isinstance(written, dict):
        return None, (_left_out(file, line, path, ProblemKind.NEITHER_NOR),)
    try:
        return ServerSettings.model_validate(written), ()
    except ValidationError as error:
        return None, tuple(_problems(error, name, tree, file))


def _problems(error: ValidationError, name: str, tree: YamlTree, file: str) -> Iterator[SettingsProblem]:
    for detail in error.errors(include_url=False):
        place = (SERVERS, name, *detail["loc"])
        path, line = ".".join(map(str, place)), tree.line(place)
        if detail["type"] == ProblemKind.UNKNOWN:
            meant = closest(str(detail["loc"][-1]), ServerSettings.model_fields)
            yield _left_out(
                file, line, path, ProblemKind.UNKNOWN, allowed=f"{SERVERS}.{name}.{meant}" if meant else ""
            )
        elif detail["type"] == NOT_FOR:
            context: Mapping[str, Any] = detail.get("ctx", {})
            at = (SERVERS, name, context["name"])
            yield _left_out(file, tree.line(at), ".".join(at), ProblemKind.NOT_FOR, allowed=context["what"])
        else:
            yield _of_value(detail, path, line, file)


def _of_value(detail: ErrorDetails, path: str, line: int | None, file: str) -> SettingsProblem:
    hidden = bool(SECRET & {str(part) for part in detail["loc"][:1]})
    # A server as a whole, or a value that may be a secret: its kind says enough.
    value = type(detail["input"]).__name__ if hidden or not detail["loc"] else detail["input"]
    found = SettingsProblem.of_value(Found(value, file, line), path, detail)
    return _left_out(file, line, path, found.kind, found=found.found, allowed=found.allowed)


def _left_out(
    file: str, line: int | None, path: str, kind: ProblemKind, *, found: str = "", allowed: str = ""
) -> SettingsProblem:
    return SettingsProblem(file, line, path, kind, found, allowed, fallback=Fallback.LEFT_OUT)
