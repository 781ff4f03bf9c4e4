"""Voice switched on and off while the program runs."""

import asyncio
import gc
import weakref
from collections.abc import AsyncIterator

import pytest

from jarvis_desktop.app.loop_parts import Listening, Speaking
from jarvis_desktop.app.voice_parts import NoVoice
from jarvis_desktop.app.voice_switch import PARTS, SwitchedVoice
from jarvis_desktop.core.items.events import Event, TroubleCleared, VoiceStateChanged
from jarvis_desktop.core.items.setup import Trial
from jarvis_desktop.core.settings import VoiceSettings
from tests.fakes.clock import settle
from tests.fakes.texts import PlainTexts


class Voice:
    """A voice that notes what happens to it."""

    def __init__(self, settings: VoiceSettings) -> None:
        self.settings = [settings]
        self.log: list[str] = []
        self.broken = False
        self.released = asyncio.Event()
        self.released.set()

    live = True

    @property
    def ears(self) -> Listening:
        return self

    @property
    def mouth(self) -> Speaking:
        return self

    def talk_now(self) -> None:
        self.log.append("talk")

    def set_muted(self, muted: bool) -> None:  # noqa: FBT001 - it carries the value of the command SetMuted
        self.log.append(f"muted {muted}")

    def interrupt(self) -> None:
        self.log.append("interrupt")

    def cut(self) -> None:
        self.log.append("cut")

    def configure(self, settings: VoiceSettings) -> None:
        self.settings.append(settings)

    def look_for_models(self) -> None:
        self.log.append("models")

    def begin_trial(self, trial: Trial) -> str:
        return trial.value

    def end_trial(self) -> None:
        self.log.append("end")

    async def try_out(self, text: str) -> None:
        self.log.append(text)

    def on_event(self, event: Event) -> None:
        self.log.append(type(event).__name__)

    async def run(self) -> None:
        self.log.append("runs")
        if self.broken:
            raise RuntimeError("the voice broke")
        try:
            await asyncio.Event().wait()
        finally:
            self.log.append("stopped")

    async def fall_asleep(self) -> None:
        self.log.append("asleep")

    async def wake_up(self) -> None:
        self.log.append("awake")

    async def close(self) -> None:
        await self.released.wait()
        self.log.append("closed")


class Stage:
    """A switch, the voices that it opened, and what people are told."""

    def __init__(self, *, enabled: bool) -> None:
        self.voices: list[Voice] = []
        self.events: list[Event] = []
        quiet = NoVoice(PlainTexts(), self._emit)
        self.voice = SwitchedVoice(settings(enabled=enabled), self._open, quiet, self._emit)
        self._running = asyncio.create_task(self.voice.run())

    def _open(self, wanted: VoiceSettings) -> Voice:
        self.voices.append(Voice(wanted))
        return self.voices[-1]

    async def _emit(self, event: Event) -> None:
        self.events.append(event)

    async def switch(self, *, enabled: bool) -> None:
        self.voice.configure(settings(enabled=enabled))
        await settle()

    async def close(self) -> None:
        self._running.cancel()
        await asyncio.gather(self._running, return_exceptions=True)
        await self.voice.close()


def settings(*, enabled: bool, **more: object) -> VoiceSettings:
    return VoiceSettings.model_validate({"enabled": enabled, **more})


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    made = Stage(enabled=True)
    await settle()
    yield made
    await made.close()


async def test_switched_off_the_devices_are_closed_and_nobody_waits_for_ears(stage: Stage) -> None:
    await stage.switch(enabled=False)
    assert stage.voices[0].log == ["runs", "stopped", "closed"]
    assert [event.listen_for for event in stage.events if isinstance(event, VoiceStateChanged)] == ["nothing"]
    assert stage.voice.begin_trial(Trial.MICROPHONE).startswith("Voice is switched off.")
    assert not stage.voice.live
    assert {event.part for event in stage.events if isinstance(event, TroubleCleared)} == set(PARTS)


async def test_a_quit_while_a_voice_is_being_switched_off_still_closes_it(stage: Stage) -> None:
    stage.voices[0].released.clear()
    await stage.switch(enabled=False)
    quitting = asyncio.create_task(stage.close())
    await settle()
    assert not quitting.done()

    stage.voices[0].released.set()
    await quitting

    assert stage.voices[0].log == ["runs", "stopped", "closed"]


async def test_nothing_of_a_voice_that_was_switched_off_stays_in_memory(stage: Stage) -> None:
    voice = stage.voices.pop()
    voice.released.itself = voice  # type: ignore[attr-defined]  # a circle, as every voice has some
    gone = weakref.ref(voice)
    del voice
    gc.freeze()

    await stage.switch(enabled=False)

    assert gone() is None
    gc.unfreeze()


async def test_switched_on_again_it_listens_with_the_settings_of_now(stage: Stage) -> None:
    await stage.switch(enabled=False)
    await stage.switch(enabled=True)
    assert [voice.log for voice in stage.voices] == [["runs", "stopped", "closed"], ["muted False", "runs"]]
    assert stage.voice.begin_trial(Trial.MICROPHONE) == "microphone"


async def test_a_voice_that_was_off_at_the_start_opens_nothing_until_it_is_switched_on() -> None:
    stage = Stage(enabled=False)
    await settle()
    assert stage.voices == []
    await stage.switch(enabled=True)
    assert stage.voices[0].log == ["muted False", "runs"]
    await stage.close()


async def test_a_mute_outlives_the_voice(stage: Stage) -> None:
    stage.voice.set_muted(True)
    await stage.switch(enabled=False)
    await stage.switch(enabled=True)
    assert stage.voices[1].log[0] == "muted True"


async def test_other_settings_reach_the_voice_in_use(stage: Stage) -> None:
    louder = settings(enabled=True, wake_threshold=0.7)
    stage.voice.configure(louder)
    await settle()
    assert stage.voices[0].settings == [settings(enabled=True), louder]
    assert stage.voices[0].log == ["runs"]


async def test_everything_reaches_the_voice_in_use(stage: Stage) -> None:
    voice = stage.voice
    voice.ears.talk_now()
    voice.ears.interrupt()
    voice.mouth.cut()
    voice.look_for_models()
    voice.end_trial()
    await voice.try_out("hello")
    voice.on_event(VoiceStateChanged("idle", False, "nothing"))  # type: ignore[arg-type]
    await voice.fall_asleep()
    await voice.wake_up()
    assert stage.voices[0].log == [
        "runs", "talk", "interrupt", "cut", "models", "end", "hello", "VoiceStateChanged", "asleep", "awake",
    ]  # fmt: skip


async def test_a_voice_that_broke_can_be_switched_off_and_on(stage: Stage) -> None:
    await stage.switch(enabled=False)
    stage.voice._open_real = lambda wanted: _breaking(stage, wanted)
    await stage.switch(enabled=True)
    await stage.switch(enabled=False)
    assert stage.voices[1].log == ["muted False", "runs", "closed"]


def _breaking(stage: Stage, wanted: VoiceSettings) -> Voice:
    voice = stage._open(wanted)
    voice.broken = True
    return voice
