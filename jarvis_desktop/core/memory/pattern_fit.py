"""Which taught patterns fit a request, in whatever language either is; always the same for the same."""

from collections.abc import Sequence

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
    said, have = _words(request), pieces(request)
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


def _score(pattern: TaskPattern, said: Sequence[str], have: frozenset[str]) -> float:
    """How well it fits; 0 where it does not. A keyword counts more the more characters it has."""
    hits = sum(1 + min(len(word), 10) / 10 for word in pattern.keywords if _said(_words(word), said))
    own = pieces(f"{pattern.name} {pattern.when}")
    shared = len(own & have) / len(own) if own else 0.0
    if not hits and (len(own) < FEWEST_PIECES or shared < ALIKE):
        return 0.0
    return hits + shared


def _words(text: str) -> list[str]:
    spelt = one_spelling(text)
    return "".join(char if char.isalnum() else " " for char in spelt).split()


def _said(keyword: Sequence[str], said: Sequence[str]) -> bool:
    """Every word of the keyword is in the request."""
    return bool(keyword) and all(any(_within(word, other) for other in said) for word in keyword)


def _within(word: str, other: str) -> bool:
    if word == other:
        return True
    if not word.isascii():  # Korean words carry what they mean anywhere: 서울날씨, 날씨를
        return len(word) > 1 and word in other
    return len(word) >= SHORT_WORD and other.startswith(word)
