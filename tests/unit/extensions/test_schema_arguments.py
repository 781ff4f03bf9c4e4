"""Arguments that are checked by a JSON schema."""

from typing import Any

import pytest
from pydantic import ValidationError

from jarvis_desktop.core.extensions.schema_arguments import arguments_of

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "city": {"type": "string"},
        "days": {"type": "integer", "default": 3},
        "unit": {"enum": ["C", "F"]},
        "model_dump": {"anyOf": [{"type": "number"}, {"type": "null"}]},
        "with-dash": {"type": "array", "items": {"$ref": "#/$defs/Place"}},
        "odd": {"type": ["string", "boolean"]},
        "free": {},
    },
    "required": ["city"],
    "$defs": {"Place": {"type": "object"}},
    "additionalProperties": False,
}


def checked(**given: Any) -> dict[str, Any]:
    return arguments_of(SCHEMA).model_validate(given).model_dump(mode="json")


def test_what_was_given_is_handed_on_and_nothing_else() -> None:
    assert checked(city="Seoul") == {"city": "Seoul"}
    whole = {
        "city": "Seoul",
        "days": 2,
        "unit": "F",
        "model_dump": 1.5,
        "with-dash": [{"a": [1]}],
        "odd": True,
        "free": {"x": None},
    }
    assert checked(**whole) == whole


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ({}, "missing"),
        ({"city": ["Seoul"]}, "string_type"),
        ({"city": "x", "days": "many"}, "int_parsing"),
        ({"city": "x", "unit": "K"}, "literal_error"),
        ({"city": "x", "town": "y"}, "extra_forbidden"),
        ({"city": "x", "with-dash": ["y"]}, "dict_type"),
    ],
)
def test_what_does_not_fit_is_named(given: dict[str, Any], kind: str) -> None:
    with pytest.raises(ValidationError) as caught:
        checked(**given)
    assert kind in {one["type"] for one in caught.value.errors()}


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"properties": None, "required": "city"},
        {"properties": {"a": True, "b": {"$ref": "#/nowhere"}, "c": {"enum": []}, "d": {"type": "set"}}},
        {"properties": {"a": {"$ref": "#/properties/a"}}},
    ],
)
def test_a_schema_that_makes_no_sense_lets_values_pass(schema: dict[str, Any]) -> None:
    names = schema.get("properties") or {}
    given = {name: [1] for name in names}
    assert arguments_of(schema).model_validate(given).model_dump(mode="json") == given


def test_a_schema_that_is_open_passes_other_names_on() -> None:
    made = arguments_of({"properties": {"a": {"type": "integer"}}, "additionalProperties": True})
    assert made.model_validate({"a": 1, "b": 2}).model_dump(mode="json") == {"a": 1, "b": 2}
