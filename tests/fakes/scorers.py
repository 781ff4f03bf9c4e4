"""Scorers that read their scores out of the sound itself: the first sample says what a frame is."""

from array import array

WAKE_SAMPLE = 30_000
SPEECH_SAMPLE = 300
"""Samples from here up to the wake sample are speech; which speech, the exact value says."""


def first_sample(pcm: bytes) -> int:
    return array("h", pcm[:2])[0]


class SoundWake:
    """Fills ``WakeScorer``: 0.99 on frames of ``WAKE_SAMPLE``, else nothing."""

    frame_samples = 1280

    def __init__(self) -> None:
        self.frames = 0
        self.resets = 0

    def score(self, pcm: bytes) -> float:
        assert len(pcm) == 2 * self.frame_samples
        self.frames += 1
        return 0.99 if first_sample(pcm) == WAKE_SAMPLE else 0.01

    def reset(self) -> None:
        self.resets += 1


class SoundVad:
    """Fills ``SpeechScorer``: speech wherever the sample is loud."""

    frame_samples = 512

    def score(self, pcm: bytes) -> float:
        assert len(pcm) == 2 * self.frame_samples
        return 0.95 if first_sample(pcm) >= SPEECH_SAMPLE else 0.02

    def reset(self) -> None:
        return


class BrokenWake(SoundWake):
    """A wake scorer that raises for a while."""

    def __init__(self, faults: int) -> None:
        super().__init__()
        self.faults = faults

    def score(self, pcm: bytes) -> float:
        if self.faults:
            self.faults -= 1
            raise RuntimeError("the model is broken")
        return super().score(pcm)
