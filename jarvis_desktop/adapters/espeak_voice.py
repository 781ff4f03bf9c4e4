"""Speech from the program espeak-ng: both languages, no download, first sound in about 20 ms."""

import asyncio
import struct
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import suppress
from types import MappingProxyType

from jarvis_desktop.core.items.agents import NO_VOICE_WISH, VoiceWish
from jarvis_desktop.core.items.errors import MissingPartError
from jarvis_desktop.core.items.speech import Language, Sound
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.voice.spoken_phrase import language_of

PROGRAM = "espeak-ng"
VOICES: Mapping[Language, str] = MappingProxyType({Language.KOREAN: "ko", Language.ENGLISH: "en-us"})
WORDS_PER_MINUTE: Mapping[Language, int] = MappingProxyType({Language.KOREAN: 155, Language.ENGLISH: 165})
"""A little under the program's own 175, which is hard to follow on small loudspeakers."""
PITCH = 45
FIRST_PIECE_S = 0.2
"""Twice what the loudspeaker takes when it starts, so that it never runs dry on the first piece."""
LONGEST_SILENCE_S = 0.1
"""Silence kept at the end; the program adds 0.3 s, which would make the ears wait."""
GOODBYE_S = 1.0
_HEADER_BYTES = 44
_RATE_AT = 24
_READ_BYTES = 1 << 15


class EspeakVoice:
    """Fills ``Voice``."""

    def __init__(self, texts: Texts, program: str = PROGRAM) -> None:
        self._texts = texts
        self._program = program

    async def speak(
        self, text: str, language: Language, wish: VoiceWish = NO_VOICE_WISH
    ) -> AsyncGenerator[Sound, None]:
        """The sound of ``text``, in pieces. Closing the iterator ends the program.

        language: for text without letters; Hangul is always read by the Korean voice.

        Raises:
            MissingPartError: the program or its voice is not installed.
        """
        if not text.strip():
            return
        language = language_of(text, language)
        process = await self._started(language, wish)
        feeding = asyncio.ensure_future(_feed(process, text))
        try:
            async for sound in self._pieces(process, language):
                yield sound
        finally:
            await _ended(process, feeding)

    async def _started(self, language: Language, wish: VoiceWish) -> asyncio.subprocess.Process:
        pitch = PITCH if wish.pitch is None else wish.pitch
        arguments = ["--stdout", "--stdin", "-b", "1", "-v", VOICES[language]]
        arguments += ["-s", str(wish.words_per_minute or WORDS_PER_MINUTE[language]), "-p", str(pitch)]
        try:
            return await asyncio.create_subprocess_exec(
                self._program,
                *arguments,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
            )
        except OSError as error:
            raise MissingPartError(
                self._texts(
                    "The program espeak-ng was not found. Install it, on Debian and Ubuntu with: "
                    "sudo apt install espeak-ng."
                )
            ) from error

    async def _pieces(self, process: asyncio.subprocess.Process, language: Language) -> AsyncIterator[Sound]:
        assert process.stdout is not None
        try:
            header = await process.stdout.readexactly(_HEADER_BYTES)
        except asyncio.IncompleteReadError as error:
            raise MissingPartError(
                self._texts(
                    "espeak-ng gave no sound for the voice {voice}. Install it again, on Debian and Ubuntu "
                    "with: "
                    "sudo apt install --reinstall espeak-ng espeak-ng-data."
                ).format(voice=VOICES[language])
            ) from error
        (rate_hz,) = struct.unpack_from("<I", header, _RATE_AT)
        held, first = b"", True
        while chunk := await process.stdout.read(_READ_BYTES):
            held += chunk
            ready = len(_without_end_silence(held))
            if first and ready < FIRST_PIECE_S * rate_hz * 2:
                continue
            if ready:
                first = False
                yield Sound(held[:ready], rate_hz)
                held = held[ready:]
        rest = held[: len(_without_end_silence(held)) + int(LONGEST_SILENCE_S * rate_hz) * 2]
        if len(rest) >= 2:
            yield Sound(rest[: len(rest) // 2 * 2], rate_hz)


def _without_end_silence(pcm: bytes) -> bytes:
    """``pcm`` up to its last sample that is not zero; whole samples only."""
    loud = len(pcm.rstrip(b"\0"))
    return pcm[: min((loud + 1) // 2 * 2, len(pcm) // 2 * 2)]


async def _feed(process: asyncio.subprocess.Process, text: str) -> None:
    assert process.stdin is not None
    # "[[" would be read as phonemes; NUL and other controls end or confuse the input.
    plain = "".join(sign if sign.isprintable() else " " for sign in text.replace("[[", "[ ["))
    with suppress(BrokenPipeError, ConnectionResetError):  # it ended early: its output tells
        try:
            process.stdin.write(plain.encode("utf-8", "ignore"))
            await process.stdin.drain()
        finally:
            process.stdin.close()
        await process.stdin.wait_closed()


async def _ended(process: asyncio.subprocess.Process, feeding: "asyncio.Future[None]") -> None:
    """The program is over and its pipes are closed."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.kill()
    feeding.cancel()
    await asyncio.gather(feeding, return_exceptions=True)
    with suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), GOODBYE_S)
    # Output that nobody read keeps the transport open for some rounds of the loop, which may end before.
    process._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001 - asyncio offers no public way
