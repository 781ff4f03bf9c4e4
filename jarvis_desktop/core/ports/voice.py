"""Ears and mouth."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from jarvis_desktop.core.items.agents import NO_VOICE_WISH, VoiceWish
from jarvis_desktop.core.items.speech import Language, Recognition, Sound


class WakeScorer(Protocol):
    """Scores 80 ms frames for the wake word."""

    frame_samples: int
    """1280 at 16 kHz."""

    def score(self, pcm: bytes) -> float:
        """Score 0 to 1 of the frame that ends now. ``pcm``: exactly ``frame_samples`` samples."""

    def reset(self) -> None:
        """Forget everything heard."""


class SpeechScorer(Protocol):
    """Voice activity detection on 32 ms frames."""

    frame_samples: int
    """512 at 16 kHz."""

    def score(self, pcm: bytes) -> float:
        """Probability 0 to 1 that this frame is speech."""

    def reset(self) -> None:
        """Forget everything heard."""


@dataclass(frozen=True, slots=True)
class Captured:
    """One piece of microphone sound."""

    sound: Sound
    """80 ms at 16 kHz mono."""
    at_s: float
    """``Clock.monotonic_s`` when its last sample arrived."""
    after_gap: bool = False
    """The device was opened (again) right before this piece: nothing joins it to the one before."""


class Microphone(Protocol):
    """Sound from a person; takes care by itself of devices that come and go."""

    def chunks(self) -> AsyncIterator[Captured]:
        """Every piece while not muted, without end. Opening and all trouble happen in here."""

    @property
    def live(self) -> bool:
        """Sound is arriving."""

    def set_muted(self, *, muted: bool) -> None:
        """Really close the device, so that the system's recording sign goes out; or open it again."""

    async def close(self) -> None:
        """Close the device and end ``chunks``."""


class Transcriber(Protocol):
    """Speech to text. Blocking work happens off the event loop."""

    async def transcribe(
        self,
        sound: Sound,
        languages: Sequence[Language],
        *,
        hint: Language | None = None,
        bias: str | None = None,
    ) -> Recognition:
        """What was said.

        sound: 16 kHz mono, up to 30 s; 10 s or less take the short window.
        languages: only these are considered.
        hint: taken as the language where detection on so short a clip is unsafe.
        bias: hotwords for a biased recognition; never used for the plain one.
        """


class Voice(Protocol):
    """Text to speech."""

    def speak(self, text: str, language: Language, wish: VoiceWish = NO_VOICE_WISH) -> AsyncIterator[Sound]:
        """The sound of ``text``, in pieces, first one as early as possible.

        wish: how whoever speaks wants to sound, as far as this voice can.

        Raises:
            MissingPartError: the program or voice is not there.
        """


class Loudspeaker(Protocol):
    """Plays sound that we own, so that it can be cut at once."""

    async def play(self, sound: Sound) -> None:
        """Returns when the last sample has really been played.

        Raises:
            AudioUnavailableError: no device; noticed within 3 s.
        """

    def cut(self) -> None:
        """Silence now; ``play`` returns."""

    @property
    def playing(self) -> bool:
        """Sound is still leaving the device, drain included."""
