"""What the ears are made of, and how it is loaded: a part that is missing is one sentence, not an end."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Protocol, TypeVar

from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.items.errors import MissingPartError
from jarvis_desktop.core.items.events import Part
from jarvis_desktop.core.items.setup import Trial
from jarvis_desktop.core.ports import ChatModel, Clock, Emit, SpeechScorer, Texts, Transcriber, WakeScorer

T = TypeVar("T")


PARTS_OF_TRIAL: Mapping[Trial, tuple[Part, ...]] = MappingProxyType(
    {
        Trial.MICROPHONE: (),
        Trial.WAKE_WORD: (Part.WAKE_WORD,),
        Trial.LOUDSPEAKER: (),
    }
)
"""A trial cannot go on while one of its parts is in trouble, or the microphone delivers nothing at all.

One that delivers silence is in trouble too; its trial goes on, to show how it is put right.
"""


class OwnVoice(Protocol):
    """Knows what our own voice said; ``EchoGuard`` fills it."""

    def strip(self, heard: str, at_s: float) -> str:
        """``heard`` without our own words; empty when all were ours. ``at_s``: monotonic, when it ended."""


@dataclass(frozen=True, slots=True)
class EarsWiring:
    """What the ears are connected to."""

    clock: Clock
    texts: Texts
    guard: OwnVoice
    post: Callable[[Command], None]
    emit: Emit
    model: ChatModel | None = None
    """Asked what an answer means that keywords do not explain; without it such an answer is unclear."""


@dataclass(frozen=True, slots=True)
class EarsParts:
    """The models. Any may be missing; the ears do what the others allow."""

    wake: WakeScorer | None = None
    vad: SpeechScorer | None = None
    transcriber: Transcriber | None = None
    troubles: dict[Part, str] = field(default_factory=dict)
    """One sentence for each part that is missing: what, and what to do."""


class ModelFolder(Protocol):
    """Model files on disk; ``ModelFiles`` fills it."""

    def verified(self, name: str) -> dict[str, Path]:
        """The files of a model by name, each checked against its digest.

        Raises:
            ModelFileError: one is absent or is not the file that the manifest names.
        """


async def load_parts(models: ModelFolder, texts: Texts, have: EarsParts | None = None) -> EarsParts:
    """Everything that is there, loaded off the loop. Adapters are imported here, since they are heavy.

    have: what is loaded already, and stays.
    """
    from jarvis_desktop.adapters.onnx_session import limit_library_threads

    limit_library_threads()
    have = have or EarsParts()
    troubles: dict[Part, str] = {}

    async def attempt(had: T | None, part: Part, load: Callable[[], Awaitable[T]], sentence: str) -> T | None:
        if had is not None:
            return had
        try:
            return await load()
        except MissingPartError as error:
            troubles[part] = sentence.format(why=error)
            return None

    wake = await attempt(
        have.wake,
        Part.WAKE_WORD,
        lambda: asyncio.to_thread(load_wake, models),
        texts(
            "The wake word cannot be heard: {why}. "
            "Fetch its model in the setup window; until then, use Talk now."
        ),
    )
    vad = await attempt(
        have.vad,
        Part.VAD,
        lambda: asyncio.to_thread(load_vad),
        texts("Speech cannot be noticed: {why}. Install Jarvis again to mend it; until then, please type."),
    )
    transcriber = await attempt(
        have.transcriber,
        Part.TRANSCRIBER,
        lambda: load_transcriber(models),
        texts(
            "Speech cannot be understood: {why}. "
            "Fetch the model in the setup window; until then, please type."
        ),
    )
    return EarsParts(wake, vad, transcriber, troubles)


def load_wake(models: ModelFolder) -> WakeScorer:
    """The wake word scorer.

    Raises:
        ModelFileError: a file is missing or wrong.
    """
    from jarvis_desktop.adapters.wake_onnx import WakeOnnx

    files = models.verified("wake")
    return WakeOnnx(
        files["melspectrogram.onnx"], files["embedding_model.onnx"], files["hey_jarvis_v0.1.onnx"]
    )


def load_vad() -> SpeechScorer:
    """Voice activity detection.

    Raises:
        ModelFileError: its file is not installed.
    """
    from jarvis_desktop.adapters.vad_onnx import VadOnnx

    return VadOnnx()


async def load_transcriber(models: ModelFolder) -> Transcriber:
    """Speech recognition, loaded.

    Raises:
        ModelFileError: a file is missing or wrong.
    """
    from jarvis_desktop.adapters.whisper import WhisperTranscriber

    files = await asyncio.to_thread(models.verified, "whisper-base")
    transcriber = WhisperTranscriber(files["model.bin"].parent)
    await transcriber.load()
    return transcriber
