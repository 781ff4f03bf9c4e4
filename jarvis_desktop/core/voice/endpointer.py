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
    LULL = "lull"
    """Quiet long enough to act on a refusal; a yes waits for ENDED, since it may be taken back."""
    RESUMED = "resumed"
    """Speech again after PAUSED or LULL: what was recognised meanwhile is void."""
    ENDED = "ended"
    CAPPED = "capped"
    """The most that is taken is reached; what is there counts."""
    TIMED_OUT = "timed_out"
    """Nobody spoke."""


YES_HELD_S = 2.0
"""So long after its speech a yes can be taken back by going on: "yes", 1.7 s, "actually no"."""
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
    lull_s: float | None = None
    """Quiet that is told before the speech has ended; None: it is not told."""


def timing_for(listen_for: ListenFor, *, request_silence_s: float, answer_silence_s: float) -> Timing:
    """The timing that fits what is listened for.

    Source: pauses inside an utterance are p90 288 ms, once in 113 above 500 ms.
    """
    if listen_for is ListenFor.REQUEST:
        return Timing(request_silence_s)
    if listen_for is ListenFor.ANSWER:
        held_s = max(YES_HELD_S, answer_silence_s)
        return Timing(held_s, cap_s=10.0, lull_s=answer_silence_s)
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
        self._lulled = False
        self.later_began_at_s: float | None = None
        """Start of what was said after the first LULL."""
        self.later_speech_s = 0.0
        """Detected speech since then."""
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
        too_long = self.began_at_s is not None and ends_at_s - self.began_at_s >= self._timing.cap_s
        if too_long and not self._lulled and mark is not Mark.ENDED:
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
        if self._lulled and self.later_began_at_s is None:
            self.later_began_at_s = ends_at_s - FRAME_S
        if self.later_began_at_s is not None:
            self.later_speech_s += FRAME_S
        self._lulled = False
        resumed, self._paused = self._paused, False
        return Mark.STARTED if started else Mark.RESUMED if resumed else Mark.GOING_ON

    def _quiet(self, ends_at_s: float) -> Mark:
        if self.began_at_s is None:
            return Mark.WAITING
        quiet_s = ends_at_s - self.last_speech_s
        if self.speech_s < MIN_SPEECH_S:
            return self._forget() if quiet_s >= self._timing.forget_s else Mark.GOING_ON
        lull_s = self._timing.lull_s
        if lull_s is not None and quiet_s >= lull_s and not self._lulled:
            self._paused = self._lulled = True
            return Mark.LULL
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
