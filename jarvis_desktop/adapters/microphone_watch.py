"""Notices a microphone that delivers nothing but digital silence, and one that was plugged in again."""

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


class CardWatch:
    """Says when a capture should be opened anew, by the sound cards that the kernel knows.

    Looking for devices any other way would cost sound, and another loudspeaker must not.
    """

    def __init__(self, cards: str) -> None:
        self._before = cards
        self._left = False

    def gives_way(self, device: str, *, wished: bool, cards: str) -> bool:
        """Whether a better device than this one may be there, with these cards now."""
        if not wished:
            return cards != self._before
        # PortAudio's "USB PnP Audio: - (hw:1,0)" is the kernel's "USB PnP Audio". When it is pulled out, a
        # sound server moves the capture to another device without a word, and never back.
        card = device.partition(":")[0]
        if card not in self._before:
            return False
        came_back = self._left and card in cards
        self._left = self._left or card not in cards
        return came_back
