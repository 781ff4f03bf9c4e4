"""Text as words that a full-text index can hold: two-syllable pieces of Korean, folded words of the rest.

An index of words finds 날씨 in none of 날씨가, 서울날씨 and 오늘날씨는, and one of three-letter pieces finds
no word of two syllables. So every run of Hangul, Hanja, kana and their kin becomes its overlapping pairs, and
its last character once more, and pairs that stand side by side are a phrase.
"""

import re
import unicodedata
from collections.abc import Iterator

VERSION = 1
"""Of the words that a text becomes; another one means that an index has to be made anew."""
MOST_QUERY_WORDS = 24
"""Of a longer query the first count."""

_JAMO = "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f"
_PAIRED = f"{_JAMO}\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7ff\uf900-\ufaff"
_HANGUL = re.compile("[\uac00-\ud7a3\u1100-\u11ff\u3131-\u318e]")
_RUN = re.compile(f"([{_PAIRED}]+)|([^\\W_{_PAIRED}]+)")


def one_spelling(text: str) -> str:
    """``text`` as words are compared: composed, compatible forms made plain, case folded."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def is_korean(text: str) -> bool:
    """There is Hangul in it, in whatever spelling."""
    return _HANGUL.search(text) is not None


def indexed(text: str) -> str:
    """The words of ``text`` in its order, separated by blanks: letters and digits only."""
    return " ".join(word for paired, plain in _runs(text) for word in _stored(paired, plain))


def pieces(text: str) -> frozenset[str]:
    """The pairs and words of ``text``, for comparing two texts; single characters say too little."""
    return frozenset(word for word in indexed(text).split() if len(word) > 1)


def all_of(text: str) -> str:
    """A query of FTS5 that wants every word of ``text``; empty when there is none.

    Korean is found inside longer words, other words by their beginning. Every word is quoted, so nothing
    of ``text`` is read as an operator.
    """
    return " AND ".join(_phrase(chunk) for chunk in _chunks(text))


def any_of(text: str) -> str:
    """A query of FTS5 that wants at least one piece of ``text``; empty when there is none."""
    found: dict[str, None] = {}
    for paired, plain in _runs(text):
        words = _pairs(paired) if len(paired) > 1 else [paired or plain]
        found |= dict.fromkeys(f'"{word}"' for word in words)
    return " OR ".join(list(found)[:MOST_QUERY_WORDS])


def _runs(text: str) -> Iterator[tuple[str, str]]:
    """Runs of paired characters and words of others; one of the two is empty."""
    return ((match[1] or "", match[2] or "") for match in _RUN.finditer(one_spelling(text)))


def _pairs(run: str) -> list[str]:
    return [run[place : place + 2] for place in range(len(run) - 1)]


def _stored(paired: str, plain: str) -> list[str]:
    return [*_pairs(paired), paired[-1]] if paired else [plain]


def _chunks(text: str) -> list[list[tuple[str, str]]]:
    """What stands between blanks, each as its runs; chunks without a letter or digit are left out."""
    chunks = [list(_runs(chunk)) for chunk in one_spelling(text).split()]
    return [chunk for chunk in chunks if chunk][:MOST_QUERY_WORDS]


def _phrase(chunk: list[tuple[str, str]]) -> str:
    words: list[str] = []
    for paired, plain in chunk[:-1]:
        words += _stored(paired, plain)
    paired, plain = chunk[-1]
    words += _pairs(paired) if len(paired) > 1 else [paired or plain]
    # The last piece is whole where it is a pair; one character or a word may go on in the text.
    return f'"{" ".join(words)}"' + ("" if len(paired) > 1 else "*")
