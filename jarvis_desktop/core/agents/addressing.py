"""Whether a request calls an agent by name: "KAREN, …", "카렌아 …", "hey Karen, …", and nothing else."""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from jarvis_desktop.core.items.agents import AgentCard

_HANGUL_FIRST, _HANGUL_LAST = "가", "힣"
_FINALS = 28
"""Syllables with the same beginning stand in blocks of 28, one for each final consonant and one for none."""
_ONSET_OF_FINAL = {1: 0, 4: 2, 7: 3, 8: 5, 16: 6, 17: 7, 19: 9}
"""ㄱㄴㄷㄹㅁㅂㅅ as finals and as onsets: before 아 the final is said as the onset of the next syllable."""
_SYLLABLES_OF_ONSET = 588
_CALLS = re.compile(r"(?:hey|hi|hello|ok|okay|헤이|하이|저기|야)(?:\s*[,!]\s*|\s+)", re.IGNORECASE)
"""What may stand before a name that is called."""
_LOUD_CALLS = re.compile(r"(?:hey|ok|okay|헤이)\b", re.IGNORECASE)
"""After these a name is called whatever follows."""
_END = re.compile(r"\s*(?:[,，、]+|[:;!?？！.。…~,]+(?=\s|$)|$)")
"""What ends a name that is called. A hyphen, an apostrophe or a point inside a word goes on with it."""
_POLITE = re.compile(r"\s?(?:씨|님)")


def addressed(text: str, agents: Sequence[AgentCard]) -> AgentCard | None:
    """Which of ``agents`` the request begins by calling; None when it calls nobody.

    A name that is only spoken about calls nobody: "Karen's file", "카렌의 파일", "Karen is here".
    """
    said = unicodedata.normalize("NFC", text).strip()
    call = _CALLS.match(said)
    loud = call is not None and _LOUD_CALLS.match(said) is not None
    for begin in (call.end(), 0) if call else (0,):
        for card, name in _names(agents):
            if _is_called(said[begin:], name, loud=loud and begin > 0):
                return card
    return None


def _names(agents: Sequence[AgentCard]) -> Iterator[tuple[AgentCard, str]]:
    """Longer names first: "Karen Kim" is not "Karen"."""
    named = [(card, name) for card in agents for name in {card.name, *card.answers_to}]
    yield from sorted(named, key=lambda pair: (-len(pair[1]), pair[1]))


def _is_called(said: str, name: str, *, loud: bool) -> bool:
    """``said`` begins by calling ``name``."""
    name = unicodedata.normalize("NFC", name)
    for form in (*_vocatives(name), name):
        if not said.casefold().startswith(form.casefold()):
            continue
        rest = said[len(form) :]
        polite = _POLITE.match(rest)
        if _END.match(rest) or (polite and _END.match(rest[polite.end() :])):
            return True
        if (loud or form != name) and rest[:1].isspace():
            return True
    return False


def _vocatives(name: str) -> Iterator[str]:
    """The name as Koreans call it: 카렌아, as it sounds 카레나, 자비스야; Latin ones with either."""
    last = name[-1:]
    if not _HANGUL_FIRST <= last <= _HANGUL_LAST:
        if last.isascii() and last.isalpha():
            yield from (f"{name}아", f"{name}야")
        return
    final = (ord(last) - ord(_HANGUL_FIRST)) % _FINALS
    if not final:
        yield f"{name}야"
        return
    yield f"{name}아"
    onset = _ONSET_OF_FINAL.get(final)
    if onset is not None:
        joined = ord(_HANGUL_FIRST) + onset * _SYLLABLES_OF_ONSET
        yield f"{name[:-1]}{chr(ord(last) - final)}{chr(joined)}"
