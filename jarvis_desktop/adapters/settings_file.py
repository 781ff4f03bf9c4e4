"""Settings from ``settings.yaml`` and the environment, and what was wrong with them.

Every value stands in a layer: the file, above it the environment. A bad value is taken
away and the layer below shows; a bad security value falls to the strictest one instead.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from jarvis_desktop.adapters.secret_variables import whole_environment
from jarvis_desktop.adapters.settings_problem import (
    Fallback,
    Found,
    ProblemKind,
    SettingsProblem,
    closest,
    shown,
)
from jarvis_desktop.core.server_settings import SERVERS
from jarvis_desktop.core.settings import STRICTEST, Settings
from jarvis_desktop.core.settings_section import Section

FILE_NAME = "settings.yaml"
PREFIX = "JARVIS_"
SECURITY = "security"
Key: TypeAlias = tuple[str, str]
"""Section and field."""


Layers: TypeAlias = dict[Key, list[Found]]
"""The last one of each list counts."""


def load_settings(
    home: Path, environ: Mapping[str, str] | None = None, last: Settings | None = None
) -> tuple[Settings, tuple[SettingsProblem, ...]]:
    """The settings in force, and one problem for each value that could not be used. Never raises.

    environ: the environment of this process where none is given.
    last: what held until now; it stays where a value cannot be read, except for security.
    """
    problems: list[SettingsProblem] = []
    environ = whole_environment() if environ is None else environ
    path = home / FILE_NAME
    written = [*_from_file(path, problems), *_from_environment(environ)]
    if _takes_servers(written):
        from jarvis_desktop.adapters.mcp_settings import read_servers

        problems += read_servers(path).told
    return _in_force(written, problems, last)


def read_text(text: str, last: Settings) -> tuple[Settings, tuple[SettingsProblem, ...]]:
    """What would be in force if this was the file's text, and its problems. Variables are left out."""
    from jarvis_desktop.adapters.yaml_text import read_yaml_text

    problems: list[SettingsProblem] = []
    written = [*_from_tree(lambda: read_yaml_text(text), FILE_NAME, problems)]
    if _takes_servers(written):
        from jarvis_desktop.adapters.mcp_settings import servers_in

        problems += servers_in(text, FILE_NAME).told
    return _in_force(written, problems, last)


def _takes_servers(written: list[tuple[Key, Found]]) -> bool:
    """There are MCP servers in the file, which are no part of the tree of settings; they are left aside."""
    others = [(key, found) for key, found in written if (key[0], found.place) != (SERVERS, FILE_NAME)]
    named = len(others) < len(written)
    written[:] = others
    return named


def _in_force(
    written: Iterable[tuple[Key, Found]], problems: list[SettingsProblem], last: Settings | None
) -> tuple[Settings, tuple[SettingsProblem, ...]]:
    layers: Layers = {}
    for key, found in written:
        if _known(key, found, problems):
            layers.setdefault(key, []).append(found)
    if any(problem.hides(SECURITY) for problem in problems):
        # What was meant about security is unknown, so the strictest holds where nothing else is said.
        for key, value in STRICTEST.items():
            layers.setdefault(key, [Found(value, FILE_NAME)])
    if last is not None:
        problems = [_kept(problem, last, layers) for problem in problems]
    return _validated(layers, problems, last), tuple(problems)


def _kept(problem: SettingsProblem, last: Settings, layers: Layers) -> SettingsProblem:
    """What a damaged file or section said is unknown, so that what held before goes on holding."""
    if problem.kind not in (ProblemKind.UNREADABLE, ProblemKind.NOT_A_SECTION):
        return problem
    for name in Settings.model_fields:
        section = getattr(last, name)
        for field in type(section).model_fields if problem.path in ("", name) else ():
            if (name, field) not in STRICTEST:
                layers.setdefault((name, field), [Found(getattr(section, field), FILE_NAME)])
    return replace(problem, fallback=Fallback.KEPT)


def _validated(layers: Layers, problems: list[SettingsProblem], last: Settings | None) -> Settings:
    # Each round takes at least one value away, so the loop ends.
    while True:
        try:
            return Settings.model_validate(_tree(layers))
        except ValidationError as error:
            for key, detail in _first_of_each_key(error):
                problem = SettingsProblem.of_value(layers[key].pop(), ".".join(key), detail)
                value, fallback = _instead(key, layers, last)
                problems.append(replace(problem, using=shown(value), fallback=fallback))


def _instead(key: Key, layers: Layers, last: Settings | None) -> tuple[object, Fallback]:
    """What counts now that the value above is gone; ``layers`` holds it afterwards."""
    if key in STRICTEST:
        layers[key] = [Found(STRICTEST[key], FILE_NAME)]
        return STRICTEST[key], Fallback.STRICTEST
    if layers[key]:
        return layers[key][-1].value, Fallback.FILE
    if last is not None:
        value = getattr(getattr(last, key[0]), key[1])
        layers[key] = [Found(value, FILE_NAME)]
        return value, Fallback.KEPT
    del layers[key]
    return _default(key), Fallback.DEFAULT


def _tree(layers: Layers) -> dict[str, dict[str, object]]:
    tree: dict[str, dict[str, object]] = {}
    for (section, field), found in layers.items():
        tree.setdefault(section, {})[field] = found[-1].value
    return tree


def _first_of_each_key(error: ValidationError) -> Iterator[tuple[Key, ErrorDetails]]:
    seen: set[Key] = set()
    for detail in error.errors(include_url=False):
        key = (str(detail["loc"][0]), str(detail["loc"][1]))
        if key not in seen:
            seen.add(key)
            yield key, detail


def _section(name: str) -> type[Section] | None:
    field = Settings.model_fields.get(name)
    kind = field.annotation if field else None
    return kind if isinstance(kind, type) and issubclass(kind, Section) else None


def _default(key: Key) -> object:
    """The default of a setting; None where there is no such setting."""
    section = _section(key[0])
    field = section.model_fields.get(key[1]) if section else None
    return field.default if field else None


def _known(key: Key, found: Found, problems: list[SettingsProblem]) -> bool:
    section = _section(key[0])
    names = section.model_fields if section else (*Settings.model_fields, SERVERS)
    if section and key[1] in names:
        return True
    path = ".".join(key) if section else key[0]
    suggestion = closest(key[1] if section else key[0], names) if key[0] != SERVERS else ""
    problems.append(SettingsProblem(found.place, found.line, path, ProblemKind.UNKNOWN, allowed=suggestion))
    return False


def _from_file(path: Path, problems: list[SettingsProblem]) -> Iterator[tuple[Key, Found]]:
    if not os.path.lexists(path):
        return
    # Loaded only where there is a file to read: 60 ms of pure Python.
    from jarvis_desktop.adapters.yaml_text import read_yaml

    yield from _from_tree(lambda: read_yaml(path), path.name, problems)


def _from_tree(
    read: Callable[[], Mapping[str, tuple[Any, int | None]]], name: str, problems: list[SettingsProblem]
) -> Iterator[tuple[Key, Found]]:
    from jarvis_desktop.adapters.yaml_text import YamlTextError

    try:
        tree = read()
    except YamlTextError as error:
        kind = ProblemKind.UNREADABLE
        problems.append(SettingsProblem(name, error.line, "", kind, found=str(error)))
        return
    for section, (fields, line) in tree.items():
        if isinstance(fields, dict):
            yield from (((section, field), Found(value, name, at)) for field, (value, at) in fields.items())
        elif fields is not None:
            kind = ProblemKind.NOT_A_SECTION
            problems.append(SettingsProblem(name, line, section, kind, found=str(fields)))


def _from_environment(environ: Mapping[str, str]) -> Iterator[tuple[Key, Found]]:
    for name, text in sorted(environ.items()):
        section, middle, field = name.removeprefix(PREFIX).lower().partition("__")
        if not name.startswith(PREFIX) or not middle:
            continue
        key = (section, field)
        yield key, Found(_parsed(key, text), name)


def variable_of(key: Key, environ: Mapping[str, str]) -> str | None:
    """The variable that says what ``key`` is; None when there is none."""
    wanted = "__".join(key)
    for name in environ:
        if name.startswith(PREFIX) and name.removeprefix(PREFIX).lower() == wanted:
            return name
    return None


def _parsed(key: Key, text: str) -> object:
    """A list from JSON or from words between commas, where the setting is a list; else the text."""
    if not isinstance(_default(key), tuple):
        return text
    if text.lstrip().startswith("["):
        try:
            parsed: Any = json.loads(text)
        except ValueError:
            return text
        return parsed
    return [word.strip() for word in text.split(",") if word.strip()]
