"""What agents are offered of a server's list."""

import json
from collections.abc import Mapping

import pytest

from jarvis_desktop.core.extensions.mcp_offer import (
    LONGEST_PURPOSE,
    MOST_TOOLS,
    Described,
    LeftOut,
    called,
    definition_of,
    fitting,
    offer,
)
from jarvis_desktop.core.extensions.mcp_tool import server_tool
from jarvis_desktop.core.items.calls import Json
from tests.fakes.servers import OBJECT, FakeServers, described


@pytest.mark.parametrize(
    ("server", "tool", "name"),
    [
        ("time", "convert_time", "time_convert_time"),
        ("box", "bash", "box_bash"),
        ("box", "files/read.all", "box_files_read_all"),
        ("box", "읽기", ""),
        ("box", "__", ""),
        ("box", "x" * 61, ""),
        ("box", "\u202ebash", "box_bash"),
    ],
)
def test_a_name_has_the_servers_name_before_it(server: str, tool: str, name: str) -> None:
    assert called(server, tool) == name


def test_names_that_come_to_the_same_are_offered_once_and_the_other_is_named() -> None:
    found = offer("box", "id", [Described("a.b", "one", OBJECT), Described("a/b", "two", OBJECT)])
    assert [one.description for one in found.tools] == ["one"]
    assert found.left_out == (("a/b", LeftOut.TAKEN),)


def test_a_server_with_a_thousand_tools_brings_so_many_and_no_more() -> None:
    found = offer("box", "id", [Described(f"t{number}", "x", OBJECT) for number in range(1000)])
    assert len(found.tools) == MOST_TOOLS
    assert {why for _, why in found.left_out} == {LeftOut.TOO_MANY}


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string"},
        {"type": "object", "properties": {"a\nb": {}}},
        {
            "type": "object",
            "properties": {f"argument_number_{number}": {"type": "string"} for number in range(200)},
        },
    ],
)
def test_a_tool_whose_arguments_cannot_be_offered_is_left_out(schema: Mapping[str, Json]) -> None:
    found = offer("box", "id", [Described("a", "x", schema), Described("\n", "x", OBJECT)])
    assert found.left_out == (("a", LeftOut.SCHEMA), ("", LeftOut.NAME))


def test_descriptions_are_one_line_without_what_cannot_be_seen_and_cut() -> None:
    text = "Reads\n\n\u200bmail\x1b[31m. " + "a" * 5000
    tool = described(description=text)
    assert tool.description.startswith("Reads mail. aaa")
    assert len(tool.description) == LONGEST_PURPOSE


def test_a_schema_keeps_its_structure_and_loses_what_no_grammar_takes() -> None:
    theirs: dict[str, Json] = {
        "type": "object",
        "title": "Args",
        "$defs": {
            "Place": {"type": "object", "properties": {"city": {"type": "string"}}},
            "Loop": {"$ref": "#/$defs/Loop"},
        },
        "properties": {
            "place": {"$ref": "#/$defs/Place"},
            "loop": {"$ref": "#/$defs/Loop"},
            "gone": {"$ref": "#/$defs/None"},
            "odd": {"type": "tuple", "enum": [], "anyOf": [], "default": {"a": 1}},
            "kind": {"type": ["string", "null"], "enum": ["a", "b"], "description": " ", "pattern": "(a+)+$"},
            "list": {"type": "array", "items": {"type": "integer", "minimum": 1}},
            "either": {"oneOf": [{"type": "string"}, 5]},
            "plain": True,
        },
        "required": ["place", 5, "nowhere"],
        "additionalProperties": False,
    }
    assert described(schema=theirs).schema == {
        "type": "object",
        "properties": {
            "place": {"type": "object", "properties": {"city": {"type": "string"}}},
            "loop": {},
            "gone": {},
            "odd": {},
            "kind": {"type": ["string", "null"], "enum": ["a", "b"]},
            "list": {"type": "array", "items": {"type": "integer", "minimum": 1}},
            "either": {"anyOf": [{"type": "string"}, {}]},
            "plain": {},
        },
        "required": ["place"],
        "additionalProperties": False,
    }


def test_whatever_a_server_says_in_the_list_is_part_of_the_definition() -> None:
    one = Described("echo", "x" * 5000, OBJECT)
    base = definition_of("box", "id", one)
    others = {
        definition_of("bix", "id", one),
        definition_of("box", "other", one),
        definition_of("box", "id", Described("echo2", "x" * 5000, OBJECT)),
        definition_of("box", "id", Described("echo", "x" * 4999 + "y", OBJECT)),
        definition_of("box", "id", Described("echo", "x" * 5000, {**OBJECT, "title": "y"})),
    }
    assert len(others | {base}) == 6


def test_only_what_fits_the_model_is_offered() -> None:
    tools = offer("box", "id", [Described(f"t{number}", "x" * 100, OBJECT) for number in range(3)]).tools
    one = len(tools[0].name) + len(tools[0].description) + len(json.dumps(tools[0].schema))
    assert fitting(tools, 2 * one) == (tools[:2], tools[2:])
    assert fitting(tools, 10 * one) == (tools, ())


def test_the_model_reads_whose_words_they_are() -> None:
    spec = server_tool(described(), FakeServers()).spec
    assert spec.description == 'Tool "echo" of the MCP server "box". It says of itself: Says it again.'
    assert (
        server_tool(described(description=""), FakeServers()).spec.description
        == 'Tool "echo" of the MCP server "box".'
    )
