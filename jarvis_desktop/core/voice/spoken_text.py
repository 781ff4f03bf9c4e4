"""Heard text in one spelling, so that lists of words can be compared with it."""

import re
import unicodedata

_APOSTROPHES = dict.fromkeys(map(ord, "\u2018\u2019\u201b\u02bc\u02b9\u2032\u00b4\u0060\ua78c\uff07"), "'")
_FULLWIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
# A recogniser or a keyboard may part "don't" in any of these ways.
_PARTED_NOT = re.compile(
    r"\b(do|did|does|is|was|wo|ca|should|could|would|must|are|have|has|had|need)\s?n\s?'?\s?t\b"
)
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")


def normalised(heard: str) -> str:
    """``heard`` in NFC and lower case, straight apostrophes, no full-width or invisible characters.

    Not NFKC: that would turn the typed answers ㅇㅇ and ㄴㄴ into other letters.
    """
    text = unicodedata.normalize("NFC", heard).translate(_FULLWIDTH).translate(_APOSTROPHES).casefold()
    text = "".join(sign for sign in text if unicodedata.category(sign) not in {"Cf", "Cc"} or sign in "\n\t")
    return _PARTED_NOT.sub(r"\1n't", " ".join(text.split()))


def words_of(text: str) -> list[str]:
    """The words of a normalised text; an apostrophe inside belongs to its word."""
    return _WORD.findall(text)


def word_set(table: str) -> frozenset[str]:
    """The words of a table, parted by blanks."""
    return frozenset(table.split())


def has_hangul(text: str) -> bool:
    """Some letter of it is Korean."""
    return any("가" <= sign <= "힣" or "ㄱ" <= sign <= "ㆎ" or "ᄀ" <= sign <= "ᇿ" for sign in text)
