"""What of a server's tools agents are offered: cleaned, bounded, under names of our own."""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from jarvis_desktop.core.items.calls import Json
from jarvis_desktop.core.ports.servers import ServerTool
from jarvis_desktop.core.web_text import readable_page

MOST_TOOLS = 64
"""Of one server."""
LONGEST_NAME = 64
"""What chat models' interfaces take."""
LONGEST_PURPOSE = 400
LONGEST_REMARK = 160
"""Of one argument."""
LONGEST_SCHEMA = 4000
"""Characters as JSON, cleaned: a small model has 8,192 tokens for everything."""
DEEPEST = 6
MOST_CHOICES = 64
_KEPT = ("const", "default", "format", "minimum", "maximum", "minItems", "maxItems", "additionalProperties")
_KINDS = frozenset({"string", "integer", "number", "boolean", "array", "object", "null"})
_PLAIN = (str, int, float, bool)
_NAME = re.compile(r"[^\s\x00-\x1f\x7f]{1,64}")
_LETTERS = re.compile(r"[^a-zA-Z0-9_-]+")


class LeftOut(StrEnum):
    """Why a tool is not offered."""

    TOO_MANY = "too-many"
    NAME = "name"
    """Nothing of its name can be written by a model, or it is too long."""
    TAKEN = "taken"
    """Another tool has the name already."""
    NO_ROOM = "no-room"
    """The model's context is too small for all of them."""
    SCHEMA = "schema"
    """Its arguments are too many, or described in a way that cannot be read."""


@dataclass(frozen=True, slots=True)
class Described:
    """One tool, as a server describes it."""

    name: str
    description: str
    schema: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Offer:
    """What a server brings."""

    tools: tuple[ServerTool, ...] = ()
    left_out: tuple[tuple[str, LeftOut], ...] = ()
    """Names, cleaned and cut, with why."""


def offer(server: str, identity: str, described: Iterable[Described]) -> Offer:
    """What agents get of a server's list.

    identity: digest of the server's own definition: another program or address makes other tools of the same.
    """
    tools: dict[str, ServerTool] = {}
    left_out: list[tuple[str, LeftOut]] = []
    for one in described:
        found = _tool(server, identity, one, tools.keys(), full=len(tools) >= MOST_TOOLS)
        if isinstance(found, LeftOut):
            left_out.append((cleaned(one.name, 60), found))
        else:
            tools[found.name] = found
    return Offer(tuple(tools.values()), tuple(left_out))


def called(server: str, tool: str) -> str:
    """The name under which agents call a tool; empty when none can be made."""
    theirs = _LETTERS.sub("_", tool).strip("_-")
    name = f"{_LETTERS.sub('_', server)}_{theirs}"
    return name if theirs and len(name) <= LONGEST_NAME else ""


def cleaned(text: str, most: int) -> str:
    """``text`` of strangers on one line, without what cannot be seen, no longer than ``most``."""
    flat = " ".join(readable_page(text[: most * 4]).split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"


def definition_of(server: str, identity: str, one: Described) -> str:
    """Digest of all that decides what a call of the tool means."""
    whole = [server, identity, one.name, one.description, one.schema]
    canonical = json.dumps(whole, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


def fitting(
    tools: Sequence[ServerTool], most_chars: int
) -> tuple[tuple[ServerTool, ...], tuple[ServerTool, ...]]:
    """The first ones whose descriptions fit together, and the others."""
    left = most_chars
    kept: list[ServerTool] = []
    for one in tools:
        left -= one.weight
        if left < 0:
            return tuple(kept), tuple(tools[len(kept) :])
        kept.append(one)
    return tuple(kept), ()


def _tool(
    server: str, identity: str, one: Described, taken: Iterable[str], *, full: bool
) -> ServerTool | LeftOut:
    if full:
        return LeftOut.TOO_MANY
    name = called(server, one.name)
    if not name:
        return LeftOut.NAME
    if name in set(taken):
        return LeftOut.TAKEN
    schema = _schema(one.schema)
    if schema is None:
        return LeftOut.SCHEMA
    purpose = cleaned(one.description, LONGEST_PURPOSE)
    return ServerTool(server, one.name, name, purpose, schema, definition_of(server, identity, one))


def _schema(theirs: Mapping[str, Json]) -> dict[str, Json] | None:
    """The arguments in our words: structure and short remarks; None when they are no object or too many."""
    if theirs.get("type", "object") != "object":
        return None
    defined = theirs.get("$defs", theirs.get("definitions"))
    kept = _part(theirs, defined if isinstance(defined, dict) else {}, DEEPEST)
    kept.setdefault("type", "object")
    properties = kept.setdefault("properties", {})
    assert isinstance(properties, dict)  # ``_part`` makes no other
    if not all(_NAME.fullmatch(name) for name in properties):
        return None
    return kept if len(json.dumps(kept, ensure_ascii=False)) <= LONGEST_SCHEMA else None


def _part(theirs: Mapping[str, Json], defined: Mapping[str, Json], depth: int) -> dict[str, Json]:
    """One level of a schema, its references put in their places."""
    named = theirs.get("$ref")
    if isinstance(named, str):
        found = defined.get(named.rpartition("/")[2])
        return _part(found, defined, depth - 1) if isinstance(found, dict) and depth else {}
    kept: dict[str, Json] = {
        name: _short(theirs[name]) for name in _KEPT if isinstance(theirs.get(name), _PLAIN)
    }
    if (kind := _kind(theirs.get("type"))) is not None:
        kept["type"] = kind
    choices = theirs.get("enum")
    if isinstance(choices, list) and 0 < len(choices) <= MOST_CHOICES:
        kept["enum"] = [_short(one) for one in choices if isinstance(one, _PLAIN)]
    if isinstance(remark := theirs.get("description"), str) and remark.strip():
        kept["description"] = cleaned(remark, LONGEST_REMARK)
    if depth:
        kept |= _inner(theirs, lambda one: _part(one, defined, depth - 1))
    return kept


def _kind(theirs: Json) -> Json:
    """One of JSON's kinds, or several; None for anything else, which no model's grammar could take."""
    if isinstance(theirs, list) and theirs and all(isinstance(one, str) and one in _KINDS for one in theirs):
        return list(theirs)
    return theirs if isinstance(theirs, str) and theirs in _KINDS else None


def _inner(theirs: Mapping[str, Json], part: Callable[[Mapping[str, Json]], Json]) -> dict[str, Json]:
    kept: dict[str, Json] = {}
    if isinstance(properties := theirs.get("properties"), dict):
        kept["properties"] = {
            str(name): part(one) if isinstance(one, dict) else {} for name, one in properties.items()
        }
        if isinstance(required := theirs.get("required"), list):
            kept["required"] = [one for one in required if isinstance(one, str) and one in properties]
    if isinstance(items := theirs.get("items"), dict):
        kept["items"] = part(items)
    choices = theirs.get("anyOf", theirs.get("oneOf"))
    if isinstance(choices, list) and 0 < len(choices) <= MOST_CHOICES:
        kept["anyOf"] = [part(one) if isinstance(one, dict) else {} for one in choices]
    return kept


def _short(value: Json) -> Json:
    """A plain value of a schema; texts in it are strangers' too."""
    return cleaned(value, LONGEST_REMARK) if isinstance(value, str) else value
