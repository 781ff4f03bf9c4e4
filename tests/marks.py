"""Marks in the source of the tests, read without importing them."""

import ast
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent
DATA = TESTS / "data"


def marked(name: str) -> Iterator[tuple[str, ...]]:
    """The arguments of each ``pytest.mark.<name>(…)`` in the suite; all of them plain strings."""
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and _is_mark(node.func, name):
                yield tuple(str(ast.literal_eval(argument)) for argument in node.args)


def _is_mark(function: ast.expr, name: str) -> bool:
    match function:
        case ast.Attribute(attr=attr, value=ast.Attribute(attr="mark")):
            return attr == name
    return False
