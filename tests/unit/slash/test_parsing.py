"""Which lines are commands, and which go to the model."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.core.slash.parsing import Request, Slash, kept, read
from jarvis_desktop.core.turn.input_check import taken


@pytest.mark.parametrize(
    ("line", "word", "rest"),
    [
        ("/help", "help", ""),
        ("/HELP me", "help", "me"),
        ("／help", "help", ""),
        ("／ＨＥＬＰ", "help", ""),
        ("/도움말", "도움말", ""),
        (unicodedata.normalize("NFD", "/도움말"), "도움말", ""),
        ("/rules   revoke  3 ", "rules", "revoke  3"),
        ("/export\t/tmp/a.md", "export", "/tmp/a.md"),
        ("/new\nmore", "new", "more"),
        ("/hlep", "hlep", ""),
        ("/새-대화", "새-대화", ""),
        ("/?", "?", ""),
        ("/", "", ""),
    ],
)
def test_a_slash_and_a_word_are_a_command_in_any_case_width_and_spelling(
    line: str, word: str, rest: str
) -> None:
    assert read(line) == Slash(word, rest, taken(line))


@pytest.mark.parametrize(
    "line",
    [
        "/etc/hosts what is it?",
        "/etc 에 뭐가 있어?",
        "/tmp",
        "/usr/bin",
        "/readme.md 읽어 줘",
        "/10 of it",
        "/ what is in the root folder?",
        "/help!",
        "/-x",
        "what does /help do?",
        "hello",
        "// a comment",
    ],
)
def test_paths_numbers_and_sentences_go_to_the_model_as_they_are(line: str) -> None:
    assert read(line) == Request(line)


@pytest.mark.parametrize("line", ["//help", "／/help", "／／help"])
def test_a_second_slash_sends_the_rest_as_text(line: str) -> None:
    assert read(line) == Request(line[1:])


@pytest.mark.parametrize("line", [" /help", "\t/help", "\u3000/help", "\n／help"])
def test_a_blank_before_the_slash_sends_it_as_text_however_it_was_typed(line: str) -> None:
    assert read(line) == Request(line.strip())
    assert read(kept(line)) == Request(line.strip())


def test_only_the_blank_before_a_slash_is_kept() -> None:
    assert [kept(line) for line in ("  hello ", "/help ", " ", "", " /x ")] == [
        "hello",
        "/help",
        "",
        "",
        " /x",
    ]


@given(st.text())
def test_whatever_is_typed_is_either_kept_whole_or_a_command(line: str) -> None:
    found = read(line)
    if isinstance(found, Slash):
        assert found.typed == taken(line)
    else:
        assert found.text in (taken(line), taken(line)[1:])
