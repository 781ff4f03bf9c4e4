"""Our own voice in what was heard is taken out again, by comparing texts.

It is the second guard: the first is that only refusals count while we speak (decision 18).
Texts are compared letter by letter (Hangul by its parts), because a recogniser that hears us
through a room writes something similar, not the same.
"""

import unicodedata
from collections import deque
from dataclasses import dataclass

from jarvis_desktop.core.voice.spoken_answer import is_refusal, is_stop
from jarvis_desktop.core.voice.spoken_text import has_hangul, normalised, words_of

WINDOW_S = 12.0
"""So long after we fell silent a sentence of ours can still come back out of a recogniser."""
TAIL_S = 1.0
"""So long after we fell silent one or two heard words may be our last ones; later they are an answer."""
MOST_ERRORS = 0.34
"""Letters that may differ, as a share; whisper base writes our Korean voice with about a quarter wrong."""
_SHORTEST_ECHO = 6
"""Letters; a shorter beginning that agrees is chance."""
_MOST_OWN = 900
_MOST_HEARD = 400


@dataclass(slots=True)
class _Said:
    text: str
    at_s: float
    question: bool
    silent_at_s: float | None = None


class EchoGuard:
    """Remembers what we said and strips it from what is heard. Times are monotonic seconds."""

    def __init__(self, window_s: float = WINDOW_S) -> None:
        self._window_s = window_s
        self._said: deque[_Said] = deque(maxlen=24)
        self._self_like = 0

    @property
    def self_like_turns(self) -> int:
        """How many times in a row nothing but our own voice was heard."""
        return self._self_like

    def said(self, text: str, at_s: float, *, question: bool = False) -> None:
        """``text`` begins to leave the loudspeaker.

        question: it teaches the words of an answer, so that these alone are an echo while it plays.
        """
        self._said.append(_Said(text, at_s, question))

    def fell_silent(self, at_s: float) -> None:
        """Nothing of ours is playing any more."""
        for said in self._said:
            if said.silent_at_s is None:
                said.silent_at_s = at_s

    def strip(self, heard: str, at_s: float) -> str:
        """What is left of ``heard`` without our own voice; empty when all of it was ours.

        A bare order to stop or a bare refusal stays, although a sentence of ours holds the word: who
        says "stop" into our speech means it. Only while a question is read are the words that it
        teaches ours.
        """
        left = self._stripped(heard, at_s)
        if heard.strip():
            self._self_like = 0 if left else self._self_like + 1
        return left

    def _stripped(self, heard: str, at_s: float) -> str:
        words = heard.split()
        own = self._recent(at_s)
        if not words or not own:
            return heard
        if self._is_order(heard, words) and not self._taught(heard, at_s):
            return heard
        if len(words) <= 2 and not self._sounding(at_s):
            return heard
        end = _echo_words(words, _letters(" ".join(own))[-_MOST_OWN:])
        rest = words[end:]
        if end and not _worth_keeping(rest):
            return _order_at_an_end(words, own)
        return " ".join(rest)

    def _recent(self, at_s: float) -> list[str]:
        return [
            said.text
            for said in self._said
            if said.silent_at_s is None or at_s - said.silent_at_s <= self._window_s
        ]

    def _sounding(self, at_s: float) -> bool:
        """We speak, or did a moment ago."""
        return any(said.silent_at_s is None or at_s - said.silent_at_s <= TAIL_S for said in self._said)

    def _taught(self, heard: str, at_s: float) -> bool:
        letters = _letters(heard)
        return any(
            said.question
            and (said.silent_at_s is None or at_s - said.silent_at_s <= TAIL_S / 2)
            and letters in _letters(said.text)
            for said in self._said
        )

    @staticmethod
    def _is_order(heard: str, words: list[str]) -> bool:
        return is_stop(heard) or (len(words) <= 2 and is_refusal(heard))


def _letters(text: str) -> str:
    """Letters and digits alone, Hangul in its parts."""
    return unicodedata.normalize("NFD", "".join(words_of(normalised(text))))


def _worth_keeping(rest: list[str]) -> bool:
    """Enough words for a person's sentence, or an order."""
    text = " ".join(rest)
    if len(rest) >= 3 or (len(rest) == 2 and has_hangul(text)):
        return True
    return bool(rest) and (is_stop(text) or is_refusal(text))


def _order_at_an_end(words: list[str], own: list[str]) -> str:
    """The first or last heard word when it refuses and we said no such word: it was spoken into our voice."""
    ours = [word for text in own for word in words_of(normalised(text))]
    for word in (words[0], words[-1]):
        if is_refusal(word) and not any(_same_word(said, normalised(word)) for said in ours):
            return word
    return ""


def _same_word(said: str, heard: str) -> bool:
    """Korean words carry their particles: 거부라고 holds 거부."""
    heard = "".join(words_of(heard))
    return said.startswith(heard) if has_hangul(heard) else said == heard


def _echo_words(words: list[str], own: str) -> int:
    """How many of the first ``words`` are an echo of a stretch of ``own``."""
    lengths, heard = [], ""
    for word in words:
        heard += _letters(word)
        lengths.append(len(heard))
    errors = _prefix_errors(heard[:_MOST_HEARD], own)
    best, best_gain = 0, 0.0
    for count, length in enumerate(lengths, start=1):
        if length > _MOST_HEARD or errors[length] > MOST_ERRORS * length:
            continue
        # A word of the person costs more errors than letters that happen to agree can win back.
        gain = length - 2.2 * errors[length]
        if gain >= best_gain and (length >= _SHORTEST_ECHO or length == lengths[-1]):
            best, best_gain = count, gain
    return best


def _prefix_errors(heard: str, own: str) -> list[int]:
    """For each beginning of ``heard``: edits between it and the stretch of ``own`` most like it."""
    row = [0] * (len(own) + 1)
    least = [0]
    for length, letter in enumerate(heard, start=1):
        above, row = row, [length]
        for place, other in enumerate(own, start=1):
            same = above[place - 1] + (letter != other)
            row.append(min(same, above[place] + 1, row[-1] + 1))
        least.append(min(row))
    return least
