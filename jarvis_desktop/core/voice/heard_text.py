"""What of a recognition counts as words of a person: gates, repairs and the wake phrase taken off."""

import re
import unicodedata

from jarvis_desktop.core.items.speech import Recognition
from jarvis_desktop.core.voice.endpointer import MIN_SPEECH_S

MIN_AVG_LOGPROB = -1.0
"""Real speech stays above, noise is at -1.2 to -2.8."""
MAX_NO_SPEECH = 0.4
"""Real speech stays below 0.38, noise is at 0.41 to 0.88."""
BIAS_ECHO_S = 0.3
"""A single bias word from less speech than this is more likely the bias than a person."""
SHAKY_AVG_LOGPROB = -0.5

_BRACKETED = re.compile(r"\[[^\]]*\]|\([^)]*\)|<[^>]*>|\*[^*]*\*|[♪♫]+")
_WAKE_NAME = r"(?:jarvis|jervis|javis|자비스|사비스|쟈비스|자비서)"
_WAKE_PHRASE = re.compile(
    rf"^\W*(?:(?:hey|hi|he|hay|a|ok|okay|헤이|하이|에이|해이)\W*)?(?:'?s\W+)?{_WAKE_NAME}(?:야|아)?(?!\w)\W*",
    re.IGNORECASE,
)
_CALLED_BY_NAME = re.compile(rf"^\W*{_WAKE_NAME}야(?!\w)", re.IGNORECASE)
"""Nobody wakes us so: it calls the main agent while another one is talked with."""
_WAKE_ANYWHERE = re.compile(_WAKE_NAME, re.IGNORECASE)

# Backstops only: such lists are never complete, so the gates above must do without them (tested).
_CREDITS = (
    "시청해주셔서 감사합니다",
    "시청해 주셔서 감사합니다",
    "구독과 좋아요",
    "좋아요와 구독",
    "한글자막 by",
    "mbc 뉴스",
    "thanks for watching",
    "thank you for watching",
    "subtitles by",
    "please subscribe",
    "amara org",
)
_FILLERS = frozenset(
    {
        "you",
        "so",
        "uh",
        "um",
        "ah",
        "oh",
        "hmm",
        "bye",
        "thank you",
        "감사합니다",
        "고마워요",
        "어",
        "음",
        "아",
    }
)


def normal(text: str) -> str:
    """Lower-case words with single blanks, composed, without punctuation."""
    composed = unicodedata.normalize("NFC", text).casefold()
    return " ".join(re.sub(r"[^\w\s]", " ", composed).split())


def without_wake_phrase(text: str) -> str:
    """The text after a leading "hey jarvis"; empty when that was all. "자비스야, …" stays."""
    left = _WAKE_PHRASE.sub("", text).strip()
    return text if left and _CALLED_BY_NAME.match(text) else left


def says_wake_phrase(text: str) -> bool:
    """Whether reading this aloud would say our own name."""
    return _WAKE_ANYWHERE.search(text) is not None


def is_loop(text: str) -> bool:
    """Whether the recogniser got stuck: the same words over and over, or one letter without end."""
    words = normal(text).split()
    if any(re.search(r"(.{1,3})\1{5,}", word) for word in words):
        return True
    return any(
        _repeats(words, size) >= (6 if size == 1 else 3) for size in range(1, min(8, len(words) // 2) + 1)
    )


def _repeats(words: list[str], size: int) -> int:
    """The longest run of the same ``size`` words one after the other."""
    best = 1
    for offset in range(size):
        run = 1
        for at in range(offset + size, len(words) - size + 1, size):
            run = run + 1 if words[at : at + size] == words[at - size : at] else 1
            best = max(best, run)
    return best


def is_bias(text: str, bias: str, speech_s: float) -> bool:
    """Whether the text is the bias itself coming back instead of what was said."""
    said = normal(text)
    phrases = {normal(phrase) for phrase in re.split(r"[,.;\n]", bias)} - {""}
    if said == normal(bias) and len(phrases) > 1:
        return True
    if said in phrases:
        return speech_s < BIAS_ECHO_S
    return sum(1 for phrase in phrases if f" {phrase} " in f" {said} ") >= 4


def words_of(recognition: Recognition, speech_s: float, bias: str | None = None) -> str:
    """The words that count; empty when nobody can be trusted to have said them.

    speech_s: seconds of speech that voice activity detection found in the sound.
    bias: the hotwords of a biased recognition.
    """
    if (
        speech_s < MIN_SPEECH_S
        or recognition.avg_logprob < MIN_AVG_LOGPROB
        or recognition.no_speech > MAX_NO_SPEECH
    ):
        return ""
    text = " ".join(_BRACKETED.sub(" ", recognition.text).split())
    bare = normal(text)
    if not bare or is_loop(text) or (bias and is_bias(text, bias, speech_s)):
        return ""
    return "" if _is_invented(bare, recognition.avg_logprob) else text


def _is_invented(bare: str, avg_logprob: float) -> bool:
    """Whether it is what recognisers are known to make of nothing."""
    if len(bare) < 40 and any(normal(line) in bare for line in _CREDITS):
        return True
    return bare in _FILLERS and avg_logprob < SHAKY_AVG_LOGPROB
