"""From a stretch of speech to words that count, and to an answer that two recognitions agree on."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from jarvis_desktop.app.ears_hearing import Segment
from jarvis_desktop.core.items.speech import Language, Recognition
from jarvis_desktop.core.ports import Transcriber
from jarvis_desktop.core.voice.endpointer import MIN_SPEECH_S
from jarvis_desktop.core.voice.heard_text import normal, without_wake_phrase, words_of
from jarvis_desktop.core.voice.spoken_answer import (
    ANSWER_BIAS,
    PERMITTING,
    SpokenAnswer,
    SpokenLabel,
    classify,
)

COUNTER_BIAS: Mapping[Language, str] = MappingProxyType(
    {Language.ENGLISH: "Danny. Goat head. Elbow it. Go to bed."}
)
"""Hotwords that sound like a yes and are none: a real yes is heard in spite of them.

Of three voices saying "goat head" two were recognised as "Go ahead." plain as well as biased. Against this
bias all three become "Goat head.", while 17 of 18 recordings of a yes stay a yes. No such pair is known
in Korean.
"""


YES_LOGPROB: Mapping[Language, float] = MappingProxyType({Language.ENGLISH: -0.7, Language.KOREAN: -0.9})
BIASED_YES_LOGPROB = -0.5
"""A yes must be recognised more surely than other words; Korean is recognised less surely in all.

In noise "cancel that" became "and do that" at -0.71 plain and -0.55 biased, while the bias
lifts a real yes: from -0.66 to -0.19 (experiments/reply_audio.py).
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
    label: SpokenLabel
    """Meaningless without words."""


class Recogniser:
    """Recognises segments; every text it returns passed the gates of ``heard_text``."""

    def __init__(
        self,
        transcriber: Transcriber,
        languages: tuple[Language, ...],
        strip_echo: Callable[[str, float], str],
        meaning: Callable[[str], Awaitable[SpokenAnswer]] | None = None,
    ) -> None:
        self._transcriber = transcriber
        self.languages = languages
        self._strip_echo = strip_echo
        self._meaning = meaning or _by_keywords
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
        denies; the plain one is asked first, and the others can only take a yes back, or make an ALWAYS
        an ALLOW.
        """
        reply = await self._whole(segment)
        if segment.later is None or reply.label is SpokenLabel.DENY:
            return reply
        return await self._with_later(reply, segment.later)

    async def _with_later(self, reply: SpokenReply, later: Segment) -> SpokenReply:
        """What was said after a lull may take a yes back: alone it is heard more clearly than in the whole.

        ``later`` need not be long for that, and where nobody can tell what it says, the whole is no yes.
        """
        recognition = await self._recognise(later)
        words = words_of(recognition, max(later.speech_s, MIN_SPEECH_S))
        heard = self._answer_words(words, later, recognition)
        label = classify(heard.text).label
        if heard.text and label is SpokenLabel.DENY:
            return SpokenReply(reply.words if reply.words.text else heard, label)
        unsure = later.speech_s >= MIN_SPEECH_S and label not in PERMITTING
        if unsure and reply.label in PERMITTING:
            return SpokenReply(reply.words, SpokenLabel.UNCLEAR)
        return reply

    async def _whole(self, segment: Segment) -> SpokenReply:
        recognition = await self._recognise(segment)
        plain = self._answer_words(words_of(recognition, segment.speech_s), segment, recognition)
        label = (await self._meaning(plain.text)).label if plain.text else SpokenLabel.UNCLEAR
        label = _sure(label, recognition, YES_LOGPROB[recognition.language])
        for bias in (ANSWER_BIAS[plain.language], COUNTER_BIAS.get(plain.language)):
            if label in PERMITTING and bias is not None:
                label = _both(label, await self._repeated(segment, plain, label, bias))
        return SpokenReply(plain, label)

    async def _repeated(
        self, segment: Segment, plain: HeardWords, label: SpokenLabel, bias: str
    ) -> SpokenLabel:
        """What a biased recognition makes of it; the very words of the plain one mean the same."""
        recognition = await self._recognise(segment, bias=bias, language=plain.language)
        words = words_of(recognition, segment.speech_s, bias)
        text = self._answer_words(words, segment, recognition).text
        if normal(text) != normal(plain.text):
            label = classify(text).label if text else SpokenLabel.UNCLEAR
        return _sure(label, recognition, BIASED_YES_LOGPROB)

    async def _recognise(
        self, segment: Segment, *, bias: str | None = None, language: Language | None = None
    ) -> Recognition:
        languages = self.languages if language is None else (language,)
        return await self._transcriber.transcribe(segment.sound, languages, hint=self.hint, bias=bias)

    def _answer_words(self, text: str, segment: Segment, recognition: Recognition) -> HeardWords:
        """Without our own voice; an answer that uses the question's words ("allow it always") stays whole."""
        left = self._without_echo(text, segment, recognition)
        if left.text and classify(text).label in PERMITTING:
            return HeardWords(text, recognition.language)
        return left

    def _without_echo(self, text: str, segment: Segment, recognition: Recognition) -> HeardWords:
        left = self._strip_echo(text, segment.ended_at_s) if text else ""
        return HeardWords(left, recognition.language, echo=bool(text and not left))


def _sure(label: SpokenLabel, recognition: Recognition, least_logprob: float) -> SpokenLabel:
    """``label``, but no yes of a recognition that is not sure enough."""
    unsure = label in PERMITTING and recognition.avg_logprob < least_logprob
    return SpokenLabel.UNCLEAR if unsure else label


def _both(one: SpokenLabel, other: SpokenLabel) -> SpokenLabel:
    """What two recognitions of the same sound come to; ``one`` permits."""
    if other not in PERMITTING:
        return other
    return SpokenLabel.ALWAYS if one is other is SpokenLabel.ALWAYS else SpokenLabel.ALLOW


async def _by_keywords(text: str) -> SpokenAnswer:
    return classify(text)
