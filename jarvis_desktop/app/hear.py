"""``jarvis-desktop hear``: the ears on sound files, as fast as they go, one JSON line per event."""

import json
import wave
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jarvis_desktop.app.ears_hearing import Hearing, Noticed, Woke
from jarvis_desktop.app.ears_parts import EarsParts
from jarvis_desktop.app.ears_recognise import Recogniser
from jarvis_desktop.core.items.calls import Json
from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.items.speech import SAMPLE_RATE_HZ, Language, ListenFor
from jarvis_desktop.core.settings import VoiceSettings
from jarvis_desktop.core.voice.endpointer import FINAL, Mark, timing_for
from jarvis_desktop.core.voice.wake_gate import DEAF_S, FRAME_S, GateTuning

PIECE_BYTES = int(FRAME_S * SAMPLE_RATE_HZ) * 2
LEAD_PIECES = round(DEAF_S / FRAME_S) + 2
"""Silence before each file: ears that run have been awake for long."""
TAIL_PIECES = 20
"""Silence behind each file, so that its last words find an end."""


@dataclass(frozen=True, slots=True)
class HearSettings:
    """How files are heard."""

    voice: VoiceSettings
    need_wake: bool
    """False: the whole file is requests, as after "talk now"."""


@dataclass(frozen=True, slots=True)
class FileEvent:
    """Something that was heard in a file."""

    event: str
    """``wake``, ``endpoint``, ``transcript`` or ``nothing``."""
    t: float
    """Seconds of the file."""
    more: Mapping[str, Json]


async def hear(
    files: Sequence[Path], settings: HearSettings, parts: EarsParts, out: Callable[[str], None]
) -> None:
    """Write one JSON line per event to ``out``.

    Raises:
        UserFixableError: a file cannot be read as sound, or a model is missing.
    """
    for file in files:
        async for heard in FileEars(settings, parts).heard_in(sound_of(file)):
            line = {"file": str(file), "event": heard.event, "t": round(max(0.0, heard.t), 3), **heard.more}
            out(json.dumps(line, ensure_ascii=False))


class FileEars:
    """The ears without a microphone: the same hearing and recognition, on one file."""

    def __init__(self, settings: HearSettings, parts: EarsParts) -> None:
        if parts.vad is None or parts.transcriber is None or (settings.need_wake and parts.wake is None):
            raise UserFixableError(" ".join(parts.troubles.values()))
        voice = settings.voice
        self._need_wake = settings.need_wake
        self._hearing = Hearing(
            parts.wake if settings.need_wake else None, parts.vad, GateTuning(voice.wake_threshold)
        )
        self._hearing.reset()
        languages = tuple(Language(one) for one in voice.languages)
        self._recogniser = Recogniser(parts.transcriber, languages, lambda words, _at_s: words)
        self._timing = timing_for(
            ListenFor.REQUEST,
            request_silence_s=voice.request_silence_s,
            answer_silence_s=voice.answer_silence_s,
        )

    async def heard_in(self, pcm: bytes) -> AsyncIterator[FileEvent]:
        """Everything that is heard in this sound, in order."""
        for index, piece in enumerate(pieces(pcm)):
            if not self._need_wake and index >= LEAD_PIECES and self._hearing.listening is None:
                self._hearing.listen(ListenFor.REQUEST, self._timing)
            for one in self._hearing.hear(piece):
                for heard in await self._told(one):
                    yield heard
        if self._need_wake and self._hearing.listening is not None and not self._hearing.speech_going_on:
            yield self._event("nothing", self._hearing.now_s, why="silence")

    async def _told(self, noticed: Noticed) -> list[FileEvent]:
        at_s = noticed.at_s
        if isinstance(noticed, Woke):
            self._hearing.listen(ListenFor.REQUEST, self._timing)
            return [self._event("wake", at_s, score=round(noticed.score, 3))]
        if noticed.mark not in FINAL:
            return []
        if noticed.segment is None:
            return [self._event("nothing", at_s, why="silence")]
        end = self._event("endpoint", at_s, capped=noticed.mark is Mark.CAPPED)
        heard = await self._recogniser.request(noticed.segment)
        if not heard.text:
            return [end, self._event("nothing", at_s, why="unclear")]
        return [end, self._event("transcript", at_s, text=heard.text, lang=heard.language.value)]

    def _event(self, event: str, at_s: float, **more: Json) -> FileEvent:
        return FileEvent(event, at_s - LEAD_PIECES * FRAME_S, more)


def pieces(pcm: bytes) -> Iterator[bytes]:
    """80 ms pieces with silence before and behind; the last one is filled up."""
    silence = bytes(PIECE_BYTES)
    yield from (silence for _ in range(LEAD_PIECES))
    for first in range(0, len(pcm), PIECE_BYTES):
        yield pcm[first : first + PIECE_BYTES].ljust(PIECE_BYTES, b"\0")
    yield from (silence for _ in range(TAIL_PIECES))


def sound_of(file: Path) -> bytes:
    """The file as 16 kHz mono int16, resampled when needed.

    Raises:
        UserFixableError: not readable, or not a WAV file with 16-bit samples.
    """
    from jarvis_desktop.adapters.resampler import Resampler

    try:
        with wave.open(str(file), "rb") as sound:
            rate_hz, channels, width = sound.getframerate(), sound.getnchannels(), sound.getsampwidth()
            pcm = sound.readframes(sound.getnframes())
    except (OSError, wave.Error, EOFError) as error:
        raise UserFixableError(f"{file}: cannot be read as a WAV file ({error})") from error
    if width != 2:
        raise UserFixableError(f"{file}: has {width * 8}-bit samples, 16-bit ones are needed")
    resampler = Resampler(rate_hz, channels)
    return resampler.feed(pcm) + resampler.rest()
