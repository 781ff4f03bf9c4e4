"""What people write for the hotkey, and what is said about what cannot be one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.core.items.hotkey import ALONE, KEYS, Hotkey, HotkeyTextError, Modifier, parse_hotkey


@pytest.mark.parametrize("text", ["Ctrl+Alt+J", " ctrl + alt + j ", "ALT+Control+j"])
def test_case_order_and_spaces_do_not_matter(text: str) -> None:
    assert parse_hotkey(text) == Hotkey(frozenset({Modifier.CTRL, Modifier.ALT}), "J")


@pytest.mark.parametrize("text", ["", "  "])
def test_an_empty_text_is_no_hotkey_and_no_fault(text: str) -> None:
    assert parse_hotkey(text) is None


@pytest.mark.parametrize(
    ("text", "fault", "word"),
    [
        ("Ctrl+Alt", "no_key", "Ctrl+Alt"),
        ("Ctrl+A+B", "two_keys", "Ctrl+A+B"),
        ("Ctrl+ㅈ", "unknown", "ㅈ"),
        ("Ctrl++", "unknown", ""),
        ("J", "bare", "J"),
        ("Shift+Space", "bare", "Shift+Space"),
    ],
)
def test_what_cannot_be_a_hotkey_says_which_fault_it_has(text: str, fault: str, word: str) -> None:
    with pytest.raises(HotkeyTextError) as caught:
        parse_hotkey(text)
    assert (caught.value.fault.value, caught.value.word) == (fault, word)


@given(held=st.sets(st.sampled_from(list(Modifier))), key=st.sampled_from(KEYS))
def test_what_is_written_back_means_the_same(held: set[Modifier], key: str) -> None:
    wanted = Hotkey(frozenset(held), key)
    if held - {Modifier.SHIFT} or key in ALONE:
        assert parse_hotkey(str(wanted)) == wanted
