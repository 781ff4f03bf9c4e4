"""What an agent's file may say, and the page that says so to people."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel, ValidationError

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


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("JAR\u200bVIS", "JARVIS"),
        ("\u202eSIV\u2066RAJ", "SIVRAJ"),
        ("Ann\nFolder:\t~/notes", "Ann Folder: ~/notes"),
        ("Ann\u2028Bob\0", "Ann Bob"),
        ("\u3164카\u115f렌\ufeff", "카렌"),
    ],
)
def test_a_name_is_one_line_of_signs_that_people_see(written: str, read: str) -> None:
    card = AgentFile.model_validate({"id": "x", "name": written, "answers_to": [written]}).card()
    assert (card.name, card.answers_to) == (read, (read,))


@pytest.mark.parametrize("name", ["\u200b", "\n", "\u3164", " \u2800\u00ad"])
def test_a_name_that_nobody_can_see_is_none(name: str) -> None:
    with pytest.raises(ValidationError):
        AgentFile.model_validate({"id": "x", "name": name})
