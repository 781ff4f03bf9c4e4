"""The name that somebody probably meant."""

import difflib
import unicodedata
from collections.abc import Iterable

from jarvis_desktop.core.slash.parsing import folded

LIKE_ENOUGH = 0.6


def nearest(word: str, names: Iterable[str]) -> str:
    """The name that is most like ``word``; empty when none is like it."""
    known = {_letters(name): name for name in names}
    wanted = _letters(word)
    begins = [name for name in known if wanted and name.startswith(wanted)]
    close = begins or difflib.get_close_matches(wanted, known, n=1, cutoff=LIKE_ENOUGH)
    return known[close[0]] if close else ""


def _letters(word: str) -> str:
    """Single letters, also of Korean syllables: one wrong vowel is no other word."""
    return unicodedata.normalize("NFD", folded(word))
