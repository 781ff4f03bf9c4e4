"""Both READMEs lead to the same place, and what they name exists."""

import re
from pathlib import Path

import pytest
from typer.main import get_command

from jarvis_desktop.app.cli_commands import app

ROOT = Path(__file__).parents[3]
READMES = ("README.md", "README.ko.md")


def commands(name: str) -> list[str]:
    """Lines of code blocks, and commands in tables and sentences."""
    text = (ROOT / name).read_text("utf-8")
    blocks = re.findall(r"^    (\S.*)$", text, re.MULTILINE)
    return [*blocks, *re.findall(r"`(\./run[^`]*)`", text)]


def test_both_languages_name_the_same_commands() -> None:
    english, korean = (set(commands(name)) for name in READMES)
    assert {one for one in english if one.startswith(("./run", "ollama"))} == {
        one for one in korean if one.startswith(("./run", "ollama"))
    }


def test_every_command_exists() -> None:
    known = get_command(app).commands  # type: ignore[attr-defined]  # a group, since it has commands
    named = {words[1] for words in map(str.split, commands(READMES[0])) if words[0] == "./run" and words[1:]}
    assert named <= set(known)


@pytest.mark.parametrize("name", READMES)
def test_every_link_leads_to_a_file(name: str) -> None:
    links = re.findall(r"\]\(([^)]+)\)", (ROOT / name).read_text("utf-8"))
    assert links
    assert [link for link in links if "://" not in link and not (ROOT / link).exists()] == []
