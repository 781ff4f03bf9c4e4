"""Untrusted text made safe to look at: what cannot be seen, or looks like something else, becomes a code.

A right-to-left override can make ``rm -rf ~`` read like a harmless file name, and a Cyrillic
letter can make a program's name read like another's. Every front end shows model output, commands
and paths through this module.
"""

import re
import unicodedata
from enum import StrEnum

_UNUSUAL = re.compile("[^\x20-\x7e\n\t가-힣]")
_WORD = re.compile(r"\w+")
_LATIN = re.compile("[A-Za-z]")

_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"})
# Letters and marks by category that draw nothing or next to nothing.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0") | {
    chr(code) for code in (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
}
# Signs that read like an ASCII sign with a meaning to a shell, without being one under NFKC.
_LOOKALIKE_SIGNS = frozenset("‐‑‒–—―−⁃˗∕⁄╱⧸∖⧵‘’‚‛“”„‟′″ˈ´ǃ∶ː׃ꓸ·∙ǀ∣│❘⼁〳〵∼˜‹›❮❯")
_LOOKALIKE_SCRIPTS = ("CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU", "MATHEMATICAL")


def code(char: str) -> str:
    """The character's number in brackets that no shell and no source file uses: ``⟨U+202E⟩``."""
    return f"⟨U+{ord(char):04X}⟩"


def hidden(char: str) -> bool:
    """Nobody can see this character, or it moves others about."""
    return char not in "\n\t " and (char in _BLANK or unicodedata.category(char) in _HIDDEN_CATEGORIES)


def _foreign(char: str) -> bool:
    return unicodedata.name(char, "").startswith(_LOOKALIKE_SCRIPTS)


def lookalike(char: str) -> bool:
    """It reads like an ASCII sign or letter and is none."""
    if char.isascii():
        return False
    folded = unicodedata.normalize("NFKC", char)
    return folded.isascii() or char in _LOOKALIKE_SIGNS or _foreign(char)


class Care(StrEnum):
    """How much of a text a person must be able to trust at sight."""

    PROSE = "prose"
    """An answer: spaces of all kinds and coloured emoji stay."""
    SOURCE = "source"
    """A diff: nothing invisible, no look-alike letter inside a Latin word."""
    COMMAND = "command"
    """A command or a path: besides, nothing that looks like ASCII and is not."""


def visible(text: str, care: Care = Care.PROSE) -> str:
    """``text`` with everything that could deceive as codes; line breaks and tabs stay."""
    if _UNUSUAL.search(text) is None:
        return text

    def shown(match: re.Match[str]) -> str:
        char = match.group()
        before = match.string[match.start() - 1 : match.start()]
        deceives = hidden(char) and not (care is Care.PROSE and _harmless(char, before))
        return code(char) if deceives or (care is Care.COMMAND and _disguised(char)) else char

    if care is not Care.COMMAND:
        text = _WORD.sub(_mixed_word, text)
    return _UNUSUAL.sub(shown, text)


def _disguised(char: str) -> bool:
    return lookalike(char) or unicodedata.category(char) in ("Mn", "Me")


def _harmless(char: str, before: str) -> bool:
    # An emoji's own joints: the colour selector and the joiner count only right behind a symbol.
    joint = char in "\ufe0f\u200d" and before != "" and unicodedata.category(before) in ("So", "Sk", "Mn")
    return joint or unicodedata.category(char) == "Zs"


def _mixed_word(match: re.Match[str]) -> str:
    word = match.group()
    if word.isascii() or _LATIN.search(word) is None:
        return word
    return "".join(code(char) if not char.isascii() and _foreign(char) else char for char in word)


def one_line(text: str, limit: int) -> str:
    """``visible`` text on one line, at most ``limit`` characters; both ends show."""
    flat = " ".join(visible(text, Care.COMMAND).split())
    if len(flat) <= limit:
        return flat
    head = (limit - 1) * 2 // 3
    return f"{flat[:head]}…{flat[-(limit - 1 - head) :]}"
