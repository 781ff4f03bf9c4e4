"""Finds where speech begins, pauses and ends from voice activity scores."""

from dataclasses import dataclass
from enum import StrEnum

from jarvis_desktop.core.items.speech import ListenFor

FRAME_S = 0.032
ONSET = 0.5
RELEASE = 0.35
"""Silero falls below this 58 to 126 ms after the true end; clicks and white noise never reach ONSET."""
MIN_SPEECH_S = 0.25


class Mark(StrEnum):
    """What one more frame meant."""

    WAITING = "waiting"
    STARTED = "started"
    GOING_ON = "going_on"
    PAUSED = "paused"
    """Quiet long enough to start recognising what is there, too short to be the end."""
    RESUMED = "resumed"
    """Speech again after PAUSED: what was recognised meanwhile is void."""
    ENDED = "ended"
    CAPPED = "capped"
    """The most that is taken is reached; what is there counts."""
    TIMED_OUT = "timed_out"
    """Nobody spoke."""


FINAL = frozenset({Mark.ENDED, Mark.CAPPED, Mark.TIMED_OUT})


@dataclass(frozen=True, slots=True)
class Timing:
    """How long things may take, in seconds."""

    silence_s: float
    """Quiet that ends the speech."""
    pause_s: float = 0.2
    """Quiet after which recognition starts on trial."""
    forget_s: float = 0.4
    """Quiet after which less than ``MIN_SPEECH_S`` is forgotten: a click, or the tail of the wake word."""
    no_speech_s: float = 8.0
    cap_s: float = 15.0


def timing_for(listen_for: ListenFor, *, request_silence_s: float, answer_silence_s: float) -> Timing:
    """The timing that fits what is listened for.

    Source: pauses inside an utterance are p90 288 ms, once in 113 above 500 ms.
    """
    if listen_for is ListenFor.REQUEST:
        return Timing(request_silence_s)
    if listen_for is ListenFor.ANSWER:
        return Timing(answer_silence_s, cap_s=10.0)
    # Stop words are short; over our own echo speech never seems to end, so pieces are cut and looked at.
    return Timing(0.3, no_speech_s=float("inf"), cap_s=3.0)


class Endpointer:
    """One listening, from when it begins to its final mark."""

    def __init__(self, timing: Timing, begins_at_s: float, *, quiet_first: bool = False) -> None:
        self._timing = timing
        self._begins_at_s = begins_at_s
        self._quiet_first = quiet_first
        """Speech that was already going on when listening began is nobody's answer: wait until it is over."""
        self._voiced = False
        self._paused = False
        self.began_at_s: float | None = None
        """Start of the first speech frame; None while nobody has spoken."""
        self.last_speech_s = begins_at_s
        """End of the last speech frame."""
        self.speech_s = 0.0
        """Detected speech so far."""

    def hear(self, probability: float, ends_at_s: float) -> Mark:
        """What the frame ending at ``ends_at_s`` meant. No frame counts after a final mark."""
        self._voiced = probability >= (RELEASE if self._voiced else ONSET)
        if self._quiet_first:
            self._quiet_first = probability >= RELEASE
            voiced = False
        else:
            voiced = self._voiced
        mark = self._speech(ends_at_s) if voiced else self._quiet(ends_at_s)
        if self.began_at_s is not None and ends_at_s - self.began_at_s >= self._timing.cap_s:
            return Mark.CAPPED
        if self.began_at_s is None and ends_at_s - self._begins_at_s >= self._timing.no_speech_s:
            return Mark.TIMED_OUT
        return mark

    def _speech(self, ends_at_s: float) -> Mark:
        started = self.began_at_s is None
        if self.began_at_s is None:
            self.began_at_s = ends_at_s - FRAME_S
        self.speech_s += FRAME_S
        self.last_speech_s = ends_at_s
        resumed, self._paused = self._paused, False
        return Mark.STARTED if started else Mark.RESUMED if resumed else Mark.GOING_ON

    def _quiet(self, ends_at_s: float) -> Mark:
        if self.began_at_s is None:
            return Mark.WAITING
        quiet_s = ends_at_s - self.last_speech_s
        if self.speech_s < MIN_SPEECH_S:
            return self._forget() if quiet_s >= self._timing.forget_s else Mark.GOING_ON
        if quiet_s >= self._timing.silence_s:
            return Mark.ENDED
        if quiet_s >= self._timing.pause_s and not self._paused:
            self._paused = True
            return Mark.PAUSED
        return Mark.GOING_ON

    def _forget(self) -> Mark:
        self.began_at_s = None
        self.speech_s = 0.0
        self._paused = False
        return Mark.WAITING
