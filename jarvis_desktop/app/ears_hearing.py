"""From sound to marks: ring buffer, wake word and endpointing, the same for microphone and files."""

from dataclasses import dataclass
from typing import TypeAlias

from jarvis_desktop.core.items.speech import SAMPLE_RATE_HZ, ListenFor, Sound
from jarvis_desktop.core.ports import SpeechScorer, WakeScorer
from jarvis_desktop.core.voice.endpointer import FINAL, FRAME_S, Endpointer, Mark, Timing
from jarvis_desktop.core.voice.wake_gate import GateTuning, WakeGate

RING_S = 20.0
"""Longer than the longest request and its pre-roll, so that nothing in it is ever lost."""
WAKE_PREROLL_S = 0.2
"""A request's sound begins this long before the wake decision: no first word is lost, and of the wake phrase
only its tail is in it (with the whole phrase Korean decoding turned to garbage: CER 0.35 instead of 0.02)."""
ONSET_PREROLL_S = 0.3
TAIL_S = 0.3
"""Quiet that is kept after the last speech."""
WARM_S = 1.0
"""Speech detection first hears this much of the past when listening begins, so that it is warm."""
_BYTES_PER_S = SAMPLE_RATE_HZ * 2


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of speech, ready to be recognised."""

    sound: Sound
    listen_for: ListenFor
    speech_s: float
    ended_at_s: float
    """Stream time at which its last speech ended."""
    later: "Segment | None" = None
    """What of it was said after a lull, alone: it may take back what came before."""


@dataclass(frozen=True, slots=True)
class Woke:
    """The wake word was recognised."""

    score: float
    at_s: float


@dataclass(frozen=True, slots=True)
class Marked:
    """Endpointing came to a mark that matters."""

    mark: Mark
    listen_for: ListenFor
    at_s: float
    segment: Segment | None
    """None where nobody spoke."""


Noticed: TypeAlias = Woke | Marked
_TOLD = FINAL | {Mark.PAUSED, Mark.LULL, Mark.RESUMED}


class Hearing:
    """Keeps the last seconds of sound and says what happens in them. Times are seconds of the stream."""

    def __init__(self, wake: WakeScorer | None, vad: SpeechScorer | None, tuning: GateTuning) -> None:
        self._wake = wake
        self._vad = vad
        self._gate = WakeGate(tuning)
        self._ring = bytearray()
        self._unscored = bytearray()
        """Sound that does not fill a VAD frame yet."""
        self._endpointer: Endpointer | None = None
        self._sound_from_s = 0.0
        self._begins_at_s = 0.0
        self._scored_to_s = 0.0
        self.now_s = 0.0
        self.listening: ListenFor | None = None
        """What the endpointer is waiting for; None: only the wake word counts."""

    @property
    def can_wake(self) -> bool:
        """The wake word would be heard."""
        return self._wake is not None

    @property
    def can_endpoint(self) -> bool:
        """Voice activity detection is there."""
        return self._vad is not None

    @property
    def speech_going_on(self) -> bool:
        """Somebody has begun to speak in what is being listened to."""
        return self._endpointer is not None and self._endpointer.began_at_s is not None

    def equip(self, wake: WakeScorer | None, vad: SpeechScorer | None) -> None:
        """Use these models from now on; their first scores do not count."""
        self._wake, self._vad = wake, vad
        self.reset()

    def tune(self, tuning: GateTuning) -> None:
        """The wake word counts by ``tuning`` from now on."""
        self._gate.tune(tuning)

    def reset(self) -> None:
        """There is a gap in the sound: what was heard before it belongs to nothing after it."""
        for scorer in (self._wake, self._vad):
            if scorer is not None:
                scorer.reset()
        self._gate.reset()
        self._ring.clear()
        self._unscored.clear()
        self.stop()

    def listen(self, listen_for: ListenFor, timing: Timing, *, delay_s: float = 0.0) -> None:
        """Listen for one stretch of speech, beginning ``delay_s`` from now."""
        self.listening = listen_for
        self._begins_at_s = self.now_s + delay_s
        preroll_s = WAKE_PREROLL_S if listen_for is ListenFor.REQUEST else 0.0
        self._sound_from_s = max(0.0, self._begins_at_s - preroll_s)
        self._endpointer = Endpointer(timing, self._begins_at_s, quiet_first=listen_for is ListenFor.ANSWER)
        if self._vad is not None and self.now_s - self._scored_to_s > FRAME_S:
            self._warm(self._vad)

    def stop(self) -> None:
        """Only the wake word counts from now on."""
        self.listening = None
        self._endpointer = None

    def cut_off(self) -> Segment | None:
        """What has been said so far, if anything; listening ends."""
        segment = self._segment() if self.speech_going_on else None
        self.stop()
        return segment

    def hear(self, pcm: bytes) -> list[Noticed]:
        """What 80 ms more sound brought. The wake word is scored in every state, so it never goes stale."""
        self.now_s += len(pcm) / _BYTES_PER_S
        self._ring += pcm
        del self._ring[: max(0, len(self._ring) - int(RING_S * _BYTES_PER_S))]
        noticed: list[Noticed] = list(self._endpoint(pcm))
        if self._wake is not None:
            score = self._wake.score(pcm)
            if self._gate.hear(score):
                noticed.append(Woke(score, self.now_s))
        return noticed

    def _warm(self, vad: SpeechScorer) -> None:
        """Speech detection knows what was heard just now. In between it rests: it takes 1 % of a core."""
        vad.reset()
        self._unscored.clear()
        size = vad.frame_samples * 2
        frames = min(len(self._ring), int(WARM_S * _BYTES_PER_S)) // size
        for back in range(frames, 0, -1):
            first = len(self._ring) - back * size
            vad.score(bytes(self._ring[first : first + size]))
        self._scored_to_s = self.now_s

    def _endpoint(self, pcm: bytes) -> list[Marked]:
        if self._vad is None or self._endpointer is None:
            return []
        self._unscored += pcm
        size = self._vad.frame_samples * 2
        marks: list[Marked] = []
        while len(self._unscored) >= size:
            probability = self._vad.score(bytes(self._unscored[:size]))
            del self._unscored[:size]
            at_s = self.now_s - len(self._unscored) / _BYTES_PER_S
            self._scored_to_s = at_s
            marks += self._mark(probability, at_s)
        return marks

    def _mark(self, probability: float, at_s: float) -> list[Marked]:
        if self._endpointer is None or self.listening is None or at_s - FRAME_S < self._begins_at_s - 1e-6:
            return []
        mark = self._endpointer.hear(probability, at_s)
        if mark not in _TOLD:
            return []
        told = Marked(mark, self.listening, at_s, self._segment() if self.speech_going_on else None)
        if mark in FINAL:
            self.stop()
        return [told]

    def _segment(self) -> Segment | None:
        endpointer, listen_for = self._endpointer, self.listening
        if endpointer is None or listen_for is None or endpointer.began_at_s is None:
            return None
        ended_at_s, later = endpointer.last_speech_s, None
        if endpointer.later_began_at_s is not None:
            sound = self._said(endpointer.later_began_at_s, ended_at_s)
            later = Segment(sound, listen_for, endpointer.later_speech_s, ended_at_s)
        sound = self._said(endpointer.began_at_s, ended_at_s)
        return Segment(sound, listen_for, endpointer.speech_s, ended_at_s, later)

    def _said(self, began_at_s: float, ended_at_s: float) -> Sound:
        """That speech with a little of what is around it."""
        ring_from_s = self.now_s - len(self._ring) / _BYTES_PER_S
        from_s = max(self._sound_from_s, began_at_s - ONSET_PREROLL_S, ring_from_s)
        to_s = min(self.now_s, ended_at_s + TAIL_S)
        first, last = (round((at_s - ring_from_s) * SAMPLE_RATE_HZ) * 2 for at_s in (from_s, to_s))
        return Sound(bytes(self._ring[first:last]))
