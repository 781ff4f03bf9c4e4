"""Which taught patterns fit a request, in whatever language either is; always the same for the same."""

from collections.abc import Sequence
from functools import lru_cache

from jarvis_desktop.core.items.memory import MOST_PATTERN_CHARS, MOST_PATTERNS, TaskPattern
from jarvis_desktop.core.memory.words import one_spelling, pieces

ALIKE = 0.5
"""Share of the pieces of a pattern's own description that a request without a keyword must have."""
FEWEST_PIECES = 3
"""A description of fewer pieces says too little to fit by itself."""
SHORT_WORD = 4
"""A word that is shorter fits whole; a longer one also fits the beginning of a word: plan, planning."""
HEADING = (
    "[How this person wants such tasks done; they taught it themselves. Follow it where it fits the request.]"
)
END = "[End of what the person taught. The request:]"


def fitting(request: str, patterns: Sequence[TaskPattern]) -> tuple[TaskPattern, ...]:
    """At most ``MOST_PATTERNS`` whose contents have ``MOST_PATTERN_CHARS`` together, the best first."""
    said, have = f" {' '.join(_words(request))} ", pieces(request)
    scored = [(score, one) for one in patterns if (score := _score(one, said, have)) > 0]
    scored.sort(key=lambda pair: (-pair[0], -pair[1].taught_at.timestamp(), pair[1].number))
    chosen: list[TaskPattern] = []
    room = MOST_PATTERN_CHARS
    for _, one in scored:
        if len(chosen) < MOST_PATTERNS and len(one.content) <= room:
            chosen.append(one)
            room -= len(one.content)
    return tuple(chosen)


def as_prompt(patterns: Sequence[TaskPattern]) -> str:
    """What stands before the request; empty without a pattern."""
    if not patterns:
        return ""
    return "\n".join([HEADING, *(f"- {one.name}: {one.content}" for one in patterns), END])


def _score(pattern: TaskPattern, said: str, have: frozenset[str]) -> float:
    """How well it fits; 0 where it does not. A keyword counts more the more characters it has."""
    hits = sum(weight for words, weight in _keys(pattern.keywords) if _said(words, said))
    own = _pieces(f"{pattern.name} {pattern.when}")
    shared = len(own & have) / len(own) if own else 0.0
    if not hits and (len(own) < FEWEST_PIECES or shared < ALIKE):
        return 0.0
    return hits + shared


# Patterns stay the same from turn to turn; there are a few hundred at most.
@lru_cache(maxsize=512)
def _pieces(text: str) -> frozenset[str]:
    return pieces(text)


@lru_cache(maxsize=512)
def _keys(keywords: tuple[str, ...]) -> tuple[tuple[list[str], float], ...]:
    """The words of each keyword, and what it counts."""
    return tuple((_words(word), 1 + min(len(word), 10) / 10) for word in keywords)


def _words(text: str) -> list[str]:
    spelt = one_spelling(text)
    return "".join(char if char.isalnum() else " " for char in spelt).split()


def _said(keyword: Sequence[str], said: str) -> bool:
    """Every word of the keyword is in the request, whose words stand between single blanks."""
    return bool(keyword) and all(_within(word, said) for word in keyword)


def _within(word: str, said: str) -> bool:
    if not word.isascii() and len(word) > 1:  # Korean words carry what they mean anywhere: 서울날씨, 날씨를
        return word in said
    return (f" {word}" if len(word) >= SHORT_WORD else f" {word} ") in said
