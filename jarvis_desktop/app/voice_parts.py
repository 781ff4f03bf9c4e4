"""Ears and mouth of this start, or quiet stand-ins where voice is off."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from jarvis_desktop.app.options import Start
from jarvis_desktop.app.turn_loop import Listening, Speaking
from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.items.events import (
    Event,
    HeardNothing,
    NothingHeard,
    Part,
    TroubleNoted,
    VoiceState,
    VoiceStateChanged,
)
from jarvis_desktop.core.items.speech import ListenFor
from jarvis_desktop.core.ports import Clock, Emit, Texts


class VoiceParts(Protocol):
    """What the core is given for listening and speaking."""

    @property
    def ears(self) -> Listening:
        """Commands for the ears go here."""

    @property
    def mouth(self) -> Speaking:
        """Commands for the mouth go here."""

    def on_event(self, event: Event) -> None:
        """Ears and mouth react to what happens."""

    async def run(self) -> None:
        """Load the models, then listen and speak without end."""

    async def close(self) -> None:
        """Devices and programs are released."""


def open_voice(start: Start, clock: Clock, post: Callable[[Command], None], emit: Emit) -> VoiceParts:
    """The voice of this start. Nothing heavy happens before ``run``."""
    if not start.voice:
        return NoVoice(start.texts, emit)
    # Sound and model libraries are imported for a start with voice only; numpy reads its limits once.
    from jarvis_desktop.adapters.onnx_session import limit_library_threads

    limit_library_threads()
    from jarvis_desktop.app.voice_real import RealVoice

    return RealVoice(start, clock, post, emit)


@dataclass(slots=True)
class NoVoice:
    """Voice is off: nothing is heard or said, and whoever asks is told."""

    texts: Texts
    emit: Emit
    _telling: "asyncio.Task[None] | None" = None

    @property
    def ears(self) -> Listening:
        """Itself."""
        return self

    @property
    def mouth(self) -> Speaking:
        """Itself."""
        return self

    def talk_now(self) -> None:
        """Says why nobody listens."""
        self._telling = asyncio.create_task(self._tell())

    async def _tell(self) -> None:
        text = self.texts("Voice is switched off. Set voice.enabled to true in settings.yaml to talk.")
        await self.emit(TroubleNoted(Part.MICROPHONE, text))
        await self.emit(NothingHeard(HeardNothing.CANCELLED, ListenFor.REQUEST))

    def set_muted(self, muted: bool) -> None:  # noqa: FBT001 - it carries the value of the command SetMuted
        """Nothing is open that could be closed."""

    def interrupt(self) -> None:
        """Nothing is being heard."""

    def cut(self) -> None:
        """Nothing is being said."""

    def on_event(self, event: Event) -> None:
        """Nobody reacts."""

    async def run(self) -> None:
        """Says that nobody listens, so that nobody waits for it."""
        await self.emit(VoiceStateChanged(VoiceState.IDLE, muted=False, listen_for=ListenFor.NOTHING))

    async def close(self) -> None:
        """Nothing is open."""
