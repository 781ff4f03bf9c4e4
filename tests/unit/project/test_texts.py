"""Texts that people see."""

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

KOREAN = Path(__file__).parents[3] / "jarvis_desktop" / "locale" / "ko"
PLACEHOLDER = re.compile(r"\{(\w*)\}")


@pytest.mark.parametrize("path", sorted(KOREAN.glob("*.po")), ids=lambda path: path.stem)
def test_a_translation_has_no_placeholder_that_its_text_lacks(path: Path) -> None:
    with path.open("rb") as file:
        catalog = read_po(file, locale="ko")
    wrong = []
    for message in catalog:
        ids = [message.id] if isinstance(message.id, str) else list(message.id)
        strings = [message.string] if isinstance(message.string, str) else list(message.string or ())
        wanted = {name for text in ids for name in PLACEHOLDER.findall(text)}
        # One left out is a choice of words; one too many would raise in front of a person.
        wrong += [
            text for text in strings if ids != [""] and not wanted.issuperset(PLACEHOLDER.findall(text))
        ]

    assert wrong == []


@pytest.mark.parametrize("path", sorted(KOREAN.glob("*.po")), ids=lambda path: path.stem)
def test_no_text_in_a_fragment_appears_twice(path: Path) -> None:
    ids = re.findall(r'^msgid "(.+)"$', path.read_text("utf-8"), re.MULTILINE)

    assert sorted({text for text in ids if ids.count(text) > 1}) == []
