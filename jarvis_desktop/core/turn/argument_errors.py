"""Words a failed argument check so that a model can mend its call."""

from collections.abc import Mapping

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from jarvis_desktop.core.items.calls import Json
from jarvis_desktop.core.ports import ToolSpec

MOST_PROBLEMS = 5
FOUND_CHARS = 80


def argument_problem(spec: ToolSpec, error: ValidationError) -> str:
    """Which arguments are wrong, what was found, what is expected."""
    problems = [_problem(one) for one in error.errors(include_url=False)[:MOST_PROBLEMS]]
    return (
        f"{spec.name} was not run, its arguments do not fit. {' '.join(problems)} "
        f"Expected: {_expected(spec.parameters)}."
    )


def _problem(one: ErrorDetails) -> str:
    where = ".".join(str(part) for part in one["loc"]) or "arguments"
    if one["type"] == "missing":
        return f'"{where}" is missing.'
    if one["type"] == "extra_forbidden":
        return f'"{where}" is not an argument of this tool.'
    return f'"{where}": found {repr(one["input"])[:FOUND_CHARS]}; {one["msg"]}.'


def _expected(parameters: Mapping[str, Json]) -> str:
    properties, required = parameters.get("properties"), parameters.get("required")
    named = properties if isinstance(properties, dict) else {}
    needed = required if isinstance(required, list) else []
    return ", ".join(_argument(name, one, needed=name in needed) for name, one in named.items()) or "none"


def _argument(name: str, schema: Json, *, needed: bool) -> str:
    kind = schema.get("type", "value") if isinstance(schema, dict) else "value"
    return f"{name} ({kind})" if needed else f"{name} ({kind}, optional)"
