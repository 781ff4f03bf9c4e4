"""One setting written into ``settings.yaml``: comments and order stay, and there is always a whole file."""

import os
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import YAMLError
from ruamel.yaml.util import load_yaml_guess_indent

from jarvis_desktop.adapters.files_write import write_whole
from jarvis_desktop.adapters.plain_file import bytes_of
from jarvis_desktop.adapters.secret_variables import whole_environment
from jarvis_desktop.adapters.settings_file import FILE_NAME, variable_of
from jarvis_desktop.adapters.settings_problem import Found, SettingsProblem, wrong_value
from jarvis_desktop.adapters.yaml_text import MOST_BYTES, YamlTextError, read_yaml_text
from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.settings import Settings

WIDTH = 10_000
"""No line that a person wrote is folded."""


def write_setting(
    home: Path, name: str, value: object, texts: Texts, environ: Mapping[str, str] | None = None
) -> None:
    """``name``, e.g. ``voice.speak``, is ``value`` in the file. Blocks; the disk is waited for.

    Raises:
        UserFixableError: there is no such setting, the value is not allowed, a variable wins over the file,
            or the file cannot be read or written; it is as it was.
    """
    section, _, field = name.partition(".")
    plain = _plain(value)
    require_allowed(name, plain, texts)
    variable = variable_of((section, field), whole_environment() if environ is None else environ)
    if variable is not None:
        raise UserFixableError(
            texts("{variable} is set and wins over the file. Remove it and start Jarvis again.").format(
                variable=variable
            )
        )
    _rewrite(home / FILE_NAME, section, {field: plain}, texts)


def rewrite_section(home: Path, section: str, fields: Mapping[str, object], texts: Texts) -> None:
    """The names of ``fields`` have these values below ``section``, whatever they are; None takes one away.

    Raises:
        UserFixableError: the file cannot be read or written; it is as it was.
    """
    plain = {name: None if value is None else _plain(value) for name, value in fields.items()}
    _rewrite(home / FILE_NAME, section, plain, texts)


def _rewrite(path: Path, section: str, fields: Mapping[str, Any], texts: Texts) -> None:
    try:
        old = bytes_of(path, MOST_BYTES) if os.path.lexists(path) else b""
        write_whole(path, _changed(old, section, fields, texts))
    except OSError as error:
        raise UserFixableError(
            texts("{file} cannot be written: {reason}. Make it writable, then try again.").format(
                file=path, reason=error.strerror or type(error).__name__
            )
        ) from error


def require_allowed(name: str, value: object, texts: Texts) -> None:
    """There is such a setting, and ``value`` can be its value.

    Raises:
        UserFixableError: it cannot, in the words of the declaration.
    """
    section, _, field = name.partition(".")
    kind = Settings.model_fields.get(section)
    if kind is None or field not in getattr(kind.annotation, "model_fields", {}):
        raise UserFixableError(texts("there is no setting called {name}.").format(name=name))
    try:
        Settings.model_validate({section: {field: value}})
    except ValidationError as error:
        detail = error.errors(include_url=False)[0]
        problem = SettingsProblem.of_value(Found(value, FILE_NAME), name, detail)
        raise UserFixableError(wrong_value(problem, texts)) from error


def _changed(old: bytes, section: str, fields: Mapping[str, Any], texts: Texts) -> bytes:
    """The file's new content.

    Raises:
        UserFixableError: it cannot be read, or holds something else where the section belongs.
    """
    try:
        text = old.decode("utf-8-sig")
        before = read_yaml_text(text)
    except (YamlTextError, UnicodeError) as error:
        place = texts("{file}, line {line}").format(file=FILE_NAME, line=getattr(error, "line", None) or 1)
        reason = str(error) if isinstance(error, YamlTextError) else "UTF-8"
        raise UserFixableError(
            texts("{place}: the file cannot be read ({reason}). Mend it, then try again.").format(
                place=place, reason=reason
            )
        ) from error
    held = before.get(section, (None, None))[0]
    if held is not None and not isinstance(held, dict):
        raise UserFixableError(
            texts(
                "{file}: {name} is {found}, but settings are expected under it. Mend it, then try again."
            ).format(file=FILE_NAME, name=section, found=held)
        )
    new = _with(text, section, fields, is_empty=not before)
    return new.replace("\n", "\r\n").encode() if "\r\n" in text else new.encode()


def _with(text: str, section: str, fields: Mapping[str, Any], *, is_empty: bool) -> str:
    text = text.replace("\r\n", "\n")
    if is_empty:
        # ruamel keeps no comments where there is no value: what stands there stays, ours comes after it.
        head = text.removesuffix("---\n").removesuffix("{}\n")
        gap = "" if not head or head.endswith("\n") else "\n"
        return head + gap + _dumped(CommentedMap({section: CommentedMap(fields)}), 2, 2, 0)
    _, indent, offset = load_yaml_guess_indent(text)
    root = _round_trip().load(text)
    if root.get(section) is None:
        root[section] = CommentedMap()
    for field, value in fields.items():
        if value is None:
            root[section].pop(field, None)
        else:
            root[section][field] = value
    if not root[section]:
        del root[section]
    # The guess knows only what is there: a file without lists tells nothing about their dashes.
    return _dumped(root, indent or 2, (offset or 0) + 2, offset or 0)


def _dumped(root: Any, mapping: int, sequence: int, offset: int) -> str:
    yaml = _round_trip()
    yaml.indent(mapping=mapping, sequence=sequence, offset=offset)
    out = StringIO()
    try:
        yaml.dump(root, out)
    except YAMLError as error:
        raise UserFixableError(f"{FILE_NAME}: {type(error).__name__}") from error
    return out.getvalue()


def _round_trip() -> YAML:
    yaml = YAML(typ="rt")
    yaml.preserve_quotes = True
    yaml.width = WIDTH
    yaml.allow_unicode = True
    return yaml


def _plain(value: object) -> Any:
    """``value`` as YAML holds it."""
    if isinstance(value, Mapping):
        return CommentedMap({str(name): _plain(one) for name, one in value.items()})
    if isinstance(value, tuple | list):
        items = CommentedSeq(map(_plain, value))
        items.fa.set_flow_style()
        return items
    if isinstance(value, bool | int | float) or value is None:
        return value
    return str(value)
