"""A transcriber that knows what each sound says."""

import asyncio
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from jarvis_desktop.app.ears_recognise import COUNTER_BIAS
from jarvis_desktop.core.items.speech import Language, Recognition, Sound
from tests.fakes.scorers import SPEECH_SAMPLE


@dataclass(frozen=True, slots=True)
class Heard:
    """One call."""

    sound: Sound
    languages: tuple[Language, ...]
    hint: Language | None
    bias: str | None


class SoundTranscriber:
    """Fills ``Transcriber``. ``teach`` gives the sample value that stands for a text."""

    def __init__(self) -> None:
        self.calls: list[Heard] = []
        self._plain: dict[int, Recognition] = {}
        self._biased: dict[int, str] = {}
        self._countered: dict[int, str] = {}
        self.gate = asyncio.Event()
        """Cleared: recognitions wait."""
        self.gate.set()
        self.lost_beside_others: set[int] = set()
        """Sample values of speech that is only recognised where it stands alone."""
        self.error: Exception | None = None

    def teach(
        self, text: str, *, biased: str | None = None, countered: str | None = None, avg_logprob: float = -0.3
    ) -> int:
        """The sample value of speech that is recognised as ``text``; as the others with hotwords."""
        value = SPEECH_SAMPLE + 1 + len(self._plain)
        language = Language.KOREAN if any(ord(sign) > 0x1000 for sign in text) else Language.ENGLISH
        self._plain[value] = Recognition(text, language, avg_logprob, 0.05)
        self._biased[value] = text if biased is None else biased
        self._countered[value] = text if countered is None else countered
        return value

    async def transcribe(
        self,
        sound: Sound,
        languages: Sequence[Language],
        *,
        hint: Language | None = None,
        bias: str | None = None,
    ) -> Recognition:
        self.calls.append(Heard(sound, tuple(languages), hint, bias))
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        said = {one for one in array("h", sound.pcm) if one in self._plain}
        said = said - self.lost_beside_others or said
        known = [self._plain[one] for one in sorted(said)]
        if not known:
            return Recognition("", Language.ENGLISH, -2.0, 0.9)
        texts = {one: self._plain[one].text for one in said}
        if bias is not None:
            texts = self._countered if bias in COUNTER_BIAS.values() else self._biased
        text = " ".join(texts[one] for one in sorted(said))
        return Recognition(text, known[0].language, known[0].avg_logprob, known[0].no_speech)
