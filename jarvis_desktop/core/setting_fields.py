"""What the declarations say about each setting, as plain values: for windows and pages that show them all."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from annotated_types import Ge, Le
from pydantic.fields import FieldInfo

from jarvis_desktop.core.settings import Settings
from jarvis_desktop.core.settings_section import Section


class ValueKind(StrEnum):
    """How a setting's value is written."""

    SWITCH = "switch"
    CHOICE = "choice"
    CHOICES = "choices"
    """Some of a closed list, in its order."""
    WHOLE = "whole"
    NUMBER = "number"
    TEXT = "text"
    SECRET = "secret"  # noqa: S105 - the name of a kind
    """A text that nobody is shown again."""
    LINES = "lines"
    """A list of texts."""
    FOLDER = "folder"


class Unit(StrEnum):
    """The unit that a setting's name ends in."""

    SECONDS = "_s"
    MINUTES = "_minutes"
    DAYS = "_days"
    TOKENS = "_tokens"
    KILOBYTES = "_kb"
    CHARACTERS = "_length"


@dataclass(frozen=True, slots=True)
class SettingField:
    """One declared setting."""

    name: str
    """Dotted: ``voice.speak``."""
    kind: ValueKind
    title: str
    """English, as is ``what``; both are in the catalogue."""
    what: str
    default: object
    """Plain: bool, int, float, str, or a tuple of str."""
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    unit: Unit | None = None


@dataclass(frozen=True, slots=True)
class SettingSection:
    """One declared section."""

    name: str
    title: str
    """English, a sentence; it is in the catalogue."""
    fields: tuple[SettingField, ...]


@cache
def sections() -> tuple[SettingSection, ...]:
    """Every section with every field, in the order of the declarations."""
    return tuple(
        SettingSection(
            name,
            (section.__doc__ or "").strip(),
            tuple(_field(f"{name}.{key}", info) for key, info in section.model_fields.items()),
        )
        for name, section in ((name, _class_of(field)) for name, field in Settings.model_fields.items())
    )


def all_fields() -> tuple[SettingField, ...]:
    """Every field of every section."""
    return tuple(field for section in sections() for field in section.fields)


def plain(value: object) -> object:
    """``value`` as a window shows it and a file holds it."""
    return str(value) if isinstance(value, Path) else value


def _class_of(field: FieldInfo) -> type[Section]:
    section = field.annotation
    assert isinstance(section, type)
    assert issubclass(section, Section)
    return section


def _field(name: str, info: FieldInfo) -> SettingField:
    kind, choices = _kind(info)
    return SettingField(
        name=name,
        kind=kind,
        title=info.title or name,
        what=info.description or "",
        default=plain(info.default),
        choices=choices,
        least=next((_number(one.ge) for one in info.metadata if isinstance(one, Ge)), None),
        most=next((_number(one.le) for one in info.metadata if isinstance(one, Le)), None),
        unit=next((unit for unit in Unit if name.endswith(unit)), None),
    )


def _number(bound: Any) -> float:
    return bound if isinstance(bound, int) else float(bound)


def _kind(info: FieldInfo) -> tuple[ValueKind, tuple[str, ...]]:
    annotation = info.annotation
    if get_origin(annotation) is Literal:
        return ValueKind.CHOICE, get_args(annotation)
    if get_origin(annotation) is tuple:
        inner = get_args(annotation)[0]
        closed = get_origin(inner) is Literal
        return (ValueKind.CHOICES, get_args(inner)) if closed else (ValueKind.LINES, ())
    if annotation is str:
        return (ValueKind.TEXT if info.repr else ValueKind.SECRET), ()
    kinds = {
        bool: ValueKind.SWITCH,
        int: ValueKind.WHOLE,
        float: ValueKind.NUMBER,
        Path: ValueKind.FOLDER,
    }
    assert annotation in kinds
    return kinds[annotation], ()
