"""Values of the voice path: languages, sound, what was recognised."""

from dataclasses import dataclass
from enum import StrEnum

SAMPLE_RATE_HZ = 16_000
"""Rate of all sound inside the core: mono, little-endian int16."""


class Language(StrEnum):
    """A language that people speak with us and read from us."""

    KOREAN = "ko"
    ENGLISH = "en"


class ListenFor(StrEnum):
    """What the ears are waiting for; decides endpointing and what may be done with it."""

    WAKE_WORD = "wake_word"
    REQUEST = "request"
    ANSWER = "answer"
    STOP = "stop"
    """We are speaking: only the wake word and stop or refusal words count."""
    NOTHING = "nothing"
    """Muted."""


@dataclass(frozen=True, slots=True)
class Sound:
    """A piece of sound."""

    pcm: bytes
    """Little-endian int16, mono."""
    rate_hz: int = SAMPLE_RATE_HZ

    @property
    def seconds(self) -> float:
        """Length in seconds."""
        return len(self.pcm) / 2 / self.rate_hz


@dataclass(frozen=True, slots=True)
class Recognition:
    """What a recogniser made of one stretch of sound."""

    text: str
    """Empty when nothing was recognised."""
    language: Language
    avg_logprob: float
    """Mean log-probability of the tokens; about -0.1 to -1.0 on speech, below -1.2 on noise."""
    no_speech: float
    """Probability that there was no speech, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """A recognised stretch of speech that passed the confidence gate."""

    text: str
    language: Language
    speech_s: float
    """Seconds of detected speech in it."""
    recognitions: tuple[Recognition, ...] = ()
    """All recognitions of it: plain first, then biased when one was made."""
