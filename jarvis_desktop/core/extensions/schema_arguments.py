"""Arguments of tools whose parameters are known as JSON schema only, checked as those of ours are."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import ConfigDict, Field, SerializerFunctionWrapHandler, create_model, model_serializer

from jarvis_desktop.core.items.calls import Json
from jarvis_desktop.core.tool import ToolArguments

DEEPEST = 8
"""Below that a schema is taken to allow anything."""
MOST_WORDS = 200
"""Of an ``enum``; a longer one is left to the tool itself."""
_PLAIN: Mapping[str, Any] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "null": None,
    "object": dict[str, Any],
}


class SchemaArguments(ToolArguments):
    """Base of what ``arguments_of`` makes. What was not given stays absent: the tool has its own defaults."""

    model_config = ConfigDict(serialize_by_alias=True)

    @model_serializer(mode="wrap")
    def _given(self, inner: SerializerFunctionWrapHandler) -> dict[str, Any]:
        given = {type(self).model_fields[name].alias for name in self.model_fields_set & _fields(self)}
        given |= (self.model_extra or {}).keys()
        return {name: value for name, value in inner(self).items() if name in given}


class OpenArguments(SchemaArguments):
    """Other names than those of the schema are passed on."""

    model_config = ConfigDict(extra="allow")


def arguments_of(schema: Mapping[str, Json]) -> type[ToolArguments]:
    """Checks names, presence and types. What it cannot read it lets pass: the tool looks, too."""
    properties, required = schema.get("properties"), schema.get("required")
    named = properties if isinstance(properties, dict) else {}
    needed = required if isinstance(required, list) else []
    fields: dict[str, Any] = {}
    for at, (name, inner) in enumerate(named.items()):
        # A parameter may be called as pydantic calls its own methods, or with a dash.
        default = ... if name in needed else None
        fields[f"p{at}"] = (_type(inner, schema, 0), Field(default, alias=str(name)))
    closed = schema.get("additionalProperties", False) is False
    made: type[ToolArguments] = create_model(
        "Arguments", __base__=SchemaArguments if closed else OpenArguments, **fields
    )
    return made


def _fields(arguments: SchemaArguments) -> frozenset[str]:
    return frozenset(type(arguments).model_fields)


def _type(schema: Json, whole: Mapping[str, Json], depth: int) -> Any:
    """The type of a value; made at run time, so its own type is nothing to go by."""
    if depth > DEEPEST or not isinstance(schema, dict):
        return Any
    reference = schema.get("$ref")
    if isinstance(reference, str):
        return _type(_referred(reference, whole), whole, depth + 1)
    words = schema.get("enum", [schema["const"]] if "const" in schema else None)
    if isinstance(words, list):
        return _one_of(words)
    kinds = schema.get("anyOf") or schema.get("oneOf")
    if not isinstance(kinds, list):
        kind = schema.get("type")
        kinds = [{**schema, "type": one} for one in kind] if isinstance(kind, list) else None
    if kinds:
        return _union([_type(one, whole, depth + 1) for one in kinds])
    if schema.get("type") == "array":
        return list[_type(schema.get("items"), whole, depth + 1)]  # type: ignore[misc]  # made at run time
    return _PLAIN.get(str(schema.get("type")), Any)


def _one_of(words: list[Json]) -> Any:
    plain = 0 < len(words) <= MOST_WORDS and all(isinstance(one, str | int | bool) for one in words)
    return Literal[tuple(words)] if plain else Any


def _union(types: list[Any]) -> Any:
    found = types[0]
    for one in types[1:]:
        if Any in (found, one):
            return Any
        found = found | one
    return found


def _referred(reference: str, whole: Mapping[str, Json]) -> Json:
    """What ``#/$defs/Name`` stands for; None where it leads nowhere."""
    found: Json = whole
    for part in reference.removeprefix("#/").split("/"):
        found = found.get(part) if isinstance(found, dict) else None
    return found
