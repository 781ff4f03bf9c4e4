"""From a stretch of speech to words that count, and to an answer that two recognitions agree on."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from jarvis_desktop.app.ears_hearing import Segment
from jarvis_desktop.core.items.decisions import Answer
from jarvis_desktop.core.items.speech import Language, Recognition
from jarvis_desktop.core.ports import Transcriber
from jarvis_desktop.core.voice.heard_text import without_wake_phrase, words_of
from jarvis_desktop.core.voice.spoken_answer import ANSWER_BIAS, SpokenLabel, classify

COUNTER_BIAS: Mapping[Language, str] = MappingProxyType(
    {Language.ENGLISH: "Danny. Goat head. Elbow it. Go to bed."}
)
"""Hotwords that sound like a yes and are none: a real yes is heard in spite of them.

Of three voices saying "goat head" two were recognised as "Go ahead." plain as well as biased. Against this
bias all three become "Goat head.", while 17 of 18 recordings of a yes stay a yes. No such pair is known
in Korean.
"""


@dataclass(frozen=True, slots=True)
class HeardWords:
    """Words that passed the gates."""

    text: str
    """Empty when nobody said anything that counts."""
    language: Language
    echo: bool = False
    """There were words, and all of them were our own."""


@dataclass(frozen=True, slots=True)
class SpokenReply:
    """What a person said to a question, and what that comes to."""

    words: HeardWords
    answer: Answer
    """DENY whenever it is not clearly a yes; meaningless without words."""


class Recogniser:
    """Recognises segments; every text it returns passed the gates of ``heard_text``."""

    def __init__(
        self,
        transcriber: Transcriber,
        languages: tuple[Language, ...],
        strip_echo: Callable[[str, float], str],
    ) -> None:
        self._transcriber = transcriber
        self.languages = languages
        self._strip_echo = strip_echo
        self.hint: Language | None = None
        """Language of the last request: what a very short clip is taken for."""

    async def request(self, segment: Segment) -> HeardWords:
        """The request without the wake phrase."""
        recognition = await self._recognise(segment)
        text = without_wake_phrase(words_of(recognition, segment.speech_s))
        return self._without_echo(text, segment, recognition)

    async def piece(self, segment: Segment) -> HeardWords:
        """The words as they are."""
        recognition = await self._recognise(segment)
        return self._without_echo(words_of(recognition, segment.speech_s), segment, recognition)

    async def answer(self, segment: Segment) -> SpokenReply:
        """A plain recognition decides; a yes must be repeated by a biased and a counter-biased one.

        With bias alone "goat head" became "go ahead" and key clicks became 응 실행해. A refusal in any
        denies: the plain one is asked first, and the others can only take a yes back.
        """
        plain = await self.piece(segment)
        if not permits(plain.text):
            return SpokenReply(plain, Answer.DENY)
        for bias in (ANSWER_BIAS[plain.language], COUNTER_BIAS.get(plain.language)):
            if bias is not None and not await self._still_permits(segment, plain.language, bias):
                return SpokenReply(plain, Answer.DENY)
        return SpokenReply(plain, Answer.ALLOW)

    async def _still_permits(self, segment: Segment, language: Language, bias: str) -> bool:
        recognition = await self._recognise(segment, bias=bias, language=language)
        words = words_of(recognition, segment.speech_s, bias)
        return permits(self._without_echo(words, segment, recognition).text)

    async def _recognise(
        self, segment: Segment, *, bias: str | None = None, language: Language | None = None
    ) -> Recognition:
        languages = self.languages if language is None else (language,)
        return await self._transcriber.transcribe(segment.sound, languages, hint=self.hint, bias=bias)

    def _without_echo(self, text: str, segment: Segment, recognition: Recognition) -> HeardWords:
        left = self._strip_echo(text, segment.ended_at_s) if text else ""
        return HeardWords(left, recognition.language, echo=bool(text and not left))


def permits(text: str) -> bool:
    """A clear yes. "Always" permits this one time: it is not yet saved by voice."""
    return bool(text) and classify(text).label in (SpokenLabel.ALLOW, SpokenLabel.ALWAYS)
