"""Untrusted text as people see it."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.ui.visible_text import Care, hidden, one_line, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("cat \u202etxt.sh", "cat ⟨U+202E⟩txt.sh"),
        ("ls\u200b -l", "ls⟨U+200B⟩ -l"),
        ("echo \x1b[2J", "echo ⟨U+001B⟩[2J"),
        ("a\rb", "a⟨U+000D⟩b"),
        ("rm\u00a0-rf", "rm⟨U+00A0⟩-rf"),
        ("\u0441url x", "⟨U+0441⟩url x"),
        ("ｒｍ -rf", "⟨U+FF52⟩⟨U+FF4D⟩ -rf"),
        ("cd ∕etc", "cd ⟨U+2215⟩etc"),
        ("git ‑‑force", "git ⟨U+2011⟩⟨U+2011⟩force"),
        ("echo “hi”", "echo ⟨U+201C⟩hi⟨U+201D⟩"),
        ("r\u0336m", "r⟨U+0336⟩m"),
        ("x\u3164y", "x⟨U+3164⟩y"),
        ("tag\U000e0041", "tag⟨U+E0041⟩"),
        ("echo 안녕\tx\ny", "echo 안녕\tx\ny"),
        ("echo 日本", "echo 日本"),
    ],
)
def test_a_command_shows_everything_that_could_deceive_as_codes(text: str, shown: str) -> None:
    assert visible(text, Care.COMMAND) == shown


@pytest.mark.parametrize("text", ["⚠️ 조심", "“quoted” – dash", "a\u00a0b", "👩‍💻 코딩", "Москва"])
def test_prose_keeps_what_honest_prose_holds(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("p\u0430ypal", "p⟨U+0430⟩ypal"),
        ("x\u202ey", "x⟨U+202E⟩y"),
        ("a\ufe0f", "a⟨U+FE0F⟩"),
        ("\u200d", "⟨U+200D⟩"),
    ],
)
def test_prose_still_shows_tricks(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text(max_size=200), st.sampled_from(Care))
def test_nothing_hidden_is_left_in_source_or_command(text: str, care: Care) -> None:
    left = [char for char in visible(text, care) if hidden(char)]
    allowed = {"\ufe0f", "\u200d"} if care is Care.PROSE else set()
    assert all(
        char in allowed or (care is Care.PROSE and unicodedata.category(char) == "Zs") for char in left
    )


@given(st.text(max_size=300), st.integers(5, 60))
def test_one_line_is_one_line_and_short_enough(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert len(line) <= limit
    assert "\n" not in line


def test_one_line_shows_both_ends() -> None:
    assert one_line("first " + "x" * 200 + " last", 30).startswith("first ")
    assert one_line("first " + "x" * 200 + " last", 30).endswith(" last")
