"""Decides which wake scores are a wake: deaf start, patience, refractory time, release before re-arming."""

import math
from dataclasses import dataclass

FRAME_S = 0.08
DEAF_S = 1.28
"""Scores this long after construction or reset mean nothing: the scorer's window still holds its own
start-up history (16 frames), and no threshold helps against that."""


@dataclass(frozen=True, slots=True)
class GateTuning:
    """When a score counts."""

    threshold: float = 0.5
    patience_frames: int = 2
    """Frames in a row that must reach the threshold, unless one is ``sure``."""
    sure_ratio: float = 0.6
    """A single frame counts from this part of the way between threshold and 1: two voices of 22 pass only
    one frame at some alignments (0.96), while "I told Jarvis" reaches 0.76 in one."""
    refractory_s: float = 2.0
    """After a wake nothing wakes for this long: one phrase covers many 80 ms windows."""
    release_ratio: float = 0.6
    """The score must fall below this part of the threshold before the gate is armed again."""


class WakeGate:
    """One wake per spoken phrase. Fed with every frame in every state, so that it never goes stale."""

    def __init__(self, tuning: GateTuning) -> None:
        self._tuning = tuning
        self._deaf = 0
        self._refractory = 0
        self._above = 0
        self._armed = True
        self.reset()

    def reset(self) -> None:
        """The scorer was rebuilt or reset; its next scores are not to be trusted."""
        self._deaf = round(DEAF_S / FRAME_S)
        self._refractory = 0
        self._above = 0
        self._armed = True

    def tune(self, tuning: GateTuning) -> None:
        """Scores count by ``tuning`` from now on; what was heard so far is not forgotten."""
        self._tuning = tuning

    @property
    def deaf(self) -> bool:
        """Scores do not count yet."""
        return self._deaf > 0

    def hear(self, score: float) -> bool:
        """Whether the wake word was recognised with this frame; true once per phrase."""
        if self._deaf > 0:
            self._deaf -= 1
            return False
        self._refractory = max(0, self._refractory - 1)
        self._above = self._above + 1 if score >= self._tuning.threshold else 0
        if score < self._tuning.threshold * self._tuning.release_ratio:
            self._armed = True
        if not self._armed or self._refractory or not self._convinced(score):
            return False
        self._armed = False
        self._refractory = math.ceil(self._tuning.refractory_s / FRAME_S)
        return True

    def _convinced(self, score: float) -> bool:
        sure = self._tuning.threshold + self._tuning.sure_ratio * (1 - self._tuning.threshold)
        return score >= sure or self._above >= self._tuning.patience_frames
