"""Notices a microphone that delivers nothing but digital silence."""

HINT_AFTER_S = 3.0
GATED_AFTER_S = 0.5


class SilenceWatch:
    """Exact zeros mean a mute switch or a missing permission, unless the device is known to gate noise.

    Real microphones always hiss. Noise-removing ones and virtual ones deliver zeros between words: once that
    was seen, zeros say nothing any more.
    """

    def __init__(self) -> None:
        self._zeros_s = 0.0
        self._gated = False
        self.hint = False
        """Tell the person."""

    def hear(self, pcm: bytes, seconds: float) -> bool:
        """Whether ``hint`` has just changed."""
        before = self.hint
        if pcm.count(0) == len(pcm):
            self._zeros_s += seconds
            self.hint = self.hint or (self._zeros_s >= HINT_AFTER_S and not self._gated)
        else:
            self._gated = self._gated or self._zeros_s >= GATED_AFTER_S
            self._zeros_s = 0.0
            self.hint = False
        return self.hint != before
