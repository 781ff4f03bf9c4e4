"""What ears and mouth offer together, and a quiet stand-in where voice is off."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from jarvis_desktop.app.loop_parts import Listening, Speaking
from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.items.events import (
    Event,
    HeardNothing,
    NothingHeard,
    Part,
    TroubleNoted,
    VoiceState,
    VoiceStateChanged,
)
from jarvis_desktop.core.items.setup import Trial
from jarvis_desktop.core.items.speech import ListenFor
from jarvis_desktop.core.ports import ChatModel, Clock, Emit, Texts
from jarvis_desktop.core.settings import VoiceSettings


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

    def configure(self, settings: VoiceSettings) -> None:
        """These settings count from now on; returns at once."""

    def look_for_models(self) -> None:
        """Models may have come: whatever is missing is looked for once more."""

    @property
    def live(self) -> bool:
        """Sound is arriving from a microphone."""

    def begin_trial(self, trial: Trial) -> str:
        """Only show what the microphone hears; why not, when that cannot be."""

    def end_trial(self) -> None:
        """Listen as ever."""

    async def try_out(self, text: str) -> None:
        """A chime and ``text`` are heard.

        Raises:
            UserFixableError: not now.
            MissingPartError: no voice or no loudspeaker.
        """

    async def run(self) -> None:
        """Load the models, then listen and speak without end."""

    async def fall_asleep(self) -> None:
        """Silent, and no device open: the machine is about to sleep."""

    async def wake_up(self) -> None:
        """Devices are opened anew: the machine is awake again."""

    async def close(self) -> None:
        """Devices and programs are released."""


@dataclass(frozen=True, slots=True)
class VoiceWiring:
    """What a voice is connected to."""

    clock: Clock
    post: Callable[[Command], None]
    emit: Emit
    model: ChatModel | None = None
    """Asked what a spoken answer means that keywords do not explain."""


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

    def _why(self) -> str:
        return self.texts("Voice is switched off. Switch it on in the setup window to talk.")

    async def _tell(self) -> None:
        await self.emit(TroubleNoted(Part.MICROPHONE, self._why()))
        await self.emit(NothingHeard(HeardNothing.CANCELLED, ListenFor.REQUEST))

    def set_muted(self, muted: bool) -> None:  # noqa: FBT001 - it carries the value of the command SetMuted
        """Nothing is open that could be closed."""

    def interrupt(self) -> None:
        """Nothing is being heard."""

    def cut(self) -> None:
        """Nothing is being said."""

    def configure(self, settings: VoiceSettings) -> None:
        """Nothing is open that could change."""

    def look_for_models(self) -> None:
        """Nobody uses them."""

    @property
    def live(self) -> bool:
        """Never."""
        return False

    def begin_trial(self, trial: Trial) -> str:
        """Why nothing can be tried."""
        del trial
        return self._why()

    def end_trial(self) -> None:
        """None runs."""

    async def try_out(self, text: str) -> None:
        """Says why nothing is heard.

        Raises:
            UserFixableError: always.
        """
        del text
        raise UserFixableError(self._why())

    def on_event(self, event: Event) -> None:
        """Nobody reacts."""

    async def run(self) -> None:
        """Says that nobody listens, so that nobody waits for it."""
        await self.emit(VoiceStateChanged(VoiceState.IDLE, muted=False, listen_for=ListenFor.NOTHING))

    async def fall_asleep(self) -> None:
        """Nothing is open."""

    async def wake_up(self) -> None:
        """Nothing is opened."""

    async def close(self) -> None:
        """Nothing is open."""
