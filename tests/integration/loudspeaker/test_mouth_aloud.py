"""The whole way from the text of an answer to sound in the room, and back to silence."""

import asyncio
import os
import shutil
import time

import pytest

from jarvis_desktop.adapters.chimes import load_chimes
from jarvis_desktop.adapters.espeak_voice import EspeakVoice
from jarvis_desktop.adapters.loudspeaker import PortAudioLoudspeaker
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.app.mouth import Mouth
from jarvis_desktop.app.mouth_speaker import MouthParts
from jarvis_desktop.core.items.events import (
    Event,
    ReplyDelta,
    SpeakingEnded,
    SpeakingStarted,
    TurnEnded,
    TurnStarted,
)
from jarvis_desktop.core.items.ids import SessionId, TurnId
from jarvis_desktop.core.items.turn import Origin, TurnEnd
from jarvis_desktop.core.settings import VoiceSettings
from jarvis_desktop.core.voice.echo_guard import EchoGuard
from tests.fakes.texts import PlainTexts
from tests.integration.loudspeaker.sound_server import Recording, until_heard

pytestmark = [
    pytest.mark.real_audio,
    pytest.mark.skipif(
        not shutil.which("espeak-ng") and not os.environ.get("CI"),
        reason="needs espeak-ng: sudo apt install espeak-ng",
    ),
]

TURN, SESSION = TurnId("turn"), SessionId("session")


class Room:
    """A mouth in a room; events with the time at which they came."""

    def __init__(self, loudspeaker: PortAudioLoudspeaker) -> None:
        self.events: list[tuple[float, Event]] = []
        self.changed = asyncio.Event()
        texts, clock = PlainTexts(), SystemClock()
        parts = MouthParts(EspeakVoice(texts), loudspeaker, clock, texts, EchoGuard(), load_chimes())
        self.mouth = Mouth(parts, self._emit, VoiceSettings.model_validate({}))

    async def _emit(self, event: Event) -> None:
        self.events.append((time.monotonic(), event))
        self.changed.set()

    async def until(self, kind: type[Event]) -> float:
        async with asyncio.timeout(10):
            while not any(isinstance(event, kind) for _, event in self.events):
                self.changed.clear()
                await self.changed.wait()
        return next(at_s for at_s, event in self.events if isinstance(event, kind))


async def test_an_answer_is_heard_early_told_truly_and_cut_at_once(
    loudspeaker: PortAudioLoudspeaker, recording: Recording
) -> None:
    room = Room(loudspeaker)
    running = asyncio.create_task(room.mouth.run())
    await room.mouth.say("Ready.")  # opens the device, as the chime does before an answer
    await until_heard(recording, time.monotonic() + 0.5)
    recording.chunks.clear()
    room.events.clear()
    room.mouth.on_event(TurnStarted(TURN, SESSION, "request", Origin.SPOKEN, SystemClock().now()))
    asked_s = time.monotonic()
    room.mouth.on_event(ReplyDelta(TURN, "This is a sentence that takes its time to be read. And one more. "))
    started_s = await room.until(SpeakingStarted)
    await until_heard(recording, started_s + 0.4)
    first_s, _ = recording.loud_span_s()
    assert first_s - asked_s < 0.5
    assert abs(started_s - first_s) < 0.25
    cut_s = time.monotonic()
    room.mouth.cut()
    ended_s = await room.until(SpeakingEnded)
    assert room.events[-1][1] == SpeakingEnded(cut=True)
    await until_heard(recording, cut_s + 0.4)
    _, last_s = recording.loud_span_s()
    # Shown by pytest -s.
    print(f"heard after {first_s - asked_s:.3f} s, told {started_s - first_s:+.3f} s later")
    print(f"silent {last_s - cut_s:.3f} s after the cut")
    assert last_s - cut_s < 0.15
    assert ended_s - cut_s < 0.3
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_sentences_follow_each_other_and_the_end_is_told_when_it_is_silent(
    loudspeaker: PortAudioLoudspeaker, recording: Recording
) -> None:
    room = Room(loudspeaker)
    running = asyncio.create_task(room.mouth.run())
    room.mouth.on_event(TurnStarted(TURN, SESSION, "request", Origin.SPOKEN, SystemClock().now()))
    room.mouth.on_event(ReplyDelta(TURN, "안녕하세요. Hello there. "))
    room.mouth.on_event(TurnEnded(TURN, SESSION, TurnEnd.ANSWERED, "안녕하세요. Hello there."))
    ended_s = await room.until(SpeakingEnded)
    assert [type(event) for _, event in room.events] == [SpeakingStarted, SpeakingStarted, SpeakingEnded]
    await until_heard(recording, ended_s + 0.3)
    _, last_s = recording.loud_span_s()
    assert -0.03 < ended_s - last_s < 0.35
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
