"""What an agent's file may say, and the page that says so to people."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel

from jarvis_desktop.core.agents.schema import AgentFile

PAGE = Path(__file__).parents[3] / "docs" / "agents.md"


def lines(part: type[BaseModel], before: str = "") -> Iterator[tuple[str, str]]:
    """Every line by its whole name, with what it says."""
    for name, field in part.model_fields.items():
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            yield from lines(inner, f"{name}.")
        else:
            yield f"{before}{name}", field.description or ""


@pytest.mark.parametrize(("name", "text"), list(lines(AgentFile)))
def test_the_page_has_every_line_of_an_agents_file(name: str, text: str) -> None:
    assert f"| `{name}` | {text} |" in PAGE.read_text("utf-8")


def test_a_file_need_say_no_more_than_a_name() -> None:
    card = AgentFile.model_validate({"id": "x", "name": "X"}).card()
    assert (card.tools, card.boundaries.ask, card.boundaries.never, card.top_level) == (
        None,
        frozenset(),
        frozenset(),
        True,
    )


def test_the_name_itself_is_answered_to() -> None:
    card = AgentFile.model_validate({"id": "x", "name": "X", "answers_to": ["Y", "X"]}).card()
    assert card.answers_to == ("X", "Y")
