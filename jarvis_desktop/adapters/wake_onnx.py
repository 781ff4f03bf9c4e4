"""Wake word scores from openWakeWord's models, streamed with numpy and onnxruntime alone."""

from collections import deque
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from jarvis_desktop.adapters.onnx_session import open_session

FRAME_SAMPLES = 1280
QUIET_RMS = 32.0
"""-60 dBFS: words that are quieter are not understood either (``loudness.FAINT_DBFS``)."""
REST_FRAMES = 26
"""The model looks back 25 frames: 16 embeddings 80 ms apart, each over 0.76 s; one more for its own seam."""
_MEL_ROWS = 76
_Floats: TypeAlias = NDArray[np.float32]


class WakeOnnx:
    """Fills ``WakeScorer``: mel spectrogram, shared embedding, one head per wake word.

    The history begins as silence, not as random noise as in openWakeWord: every run scores the same.
    About 1.5 ms per 80 ms frame. In a quiet room it rests, which costs nothing: frames are kept, and caught
    up on when one is loud. Each frame whose look back holds any sound so gets the score that it always had.
    """

    frame_samples = FRAME_SAMPLES

    def __init__(self, melspectrogram: Path, embedding: Path, head: Path) -> None:
        self._mel_session = open_session(melspectrogram)
        self._embedding_session = open_session(embedding)
        self._head_session = open_session(head)
        entry = self._head_session.get_inputs()[0]
        self._head_input: str = entry.name
        self._window: int = entry.shape[1]
        self._overlap: _Floats = np.zeros(480, np.float32)
        self._mels: _Floats = np.ones((_MEL_ROWS, 32), np.float32)
        self._features: _Floats = np.zeros((self._window, 96), np.float32)
        self._silence = self._silent_history()
        self._quiet: deque[NDArray[np.int16]] = deque(maxlen=REST_FRAMES)
        self._resting = False
        self.reset()

    def reset(self) -> None:
        """Forget everything heard: the window holds silence."""
        self._overlap, self._mels, self._features = (part.copy() for part in self._silence)
        self._quiet.clear()
        self._resting = False

    @property
    def resting(self) -> bool:
        """Nothing that the model looks at is loud enough to be a word."""
        return self._resting

    def score(self, pcm: bytes) -> float:
        """Score 0 to 1 of the frame that ends now; 0 while resting."""
        samples = np.frombuffer(pcm, np.int16)
        if _is_quiet(samples):
            self._resting = self._resting or len(self._quiet) == REST_FRAMES
            self._quiet.append(samples)
            if self._resting:
                return 0.0
        else:
            if self._resting:
                self._catch_up()
            self._quiet.clear()
        self._hear(samples)
        self._embed()
        return float(_first(self._head_session.run(None, {self._head_input: self._features[None]})))

    def _catch_up(self) -> None:
        """The history is what it would be without the rest."""
        self._resting = False
        for age, samples in zip(range(len(self._quiet), 0, -1), self._quiet, strict=True):
            self._hear(samples)
            if age < self._window:  # older embeddings would leave the window with the next frame
                self._embed()

    def _hear(self, samples: NDArray[np.int16]) -> None:
        sound = np.concatenate([self._overlap, samples.astype(np.float32)])
        self._overlap = sound[-480:]
        # openWakeWord's own scaling of the mel model's output.
        mels = np.squeeze(self._mel_session.run(None, {"input": sound[None]})[0]) / 10 + 2
        self._mels = np.vstack([self._mels, mels])[-_MEL_ROWS:]

    def _embed(self) -> None:
        embedding = self._embedding_session.run(None, {"input_1": self._mels[None, :, :, None]})[0]
        self._features = np.vstack([self._features, embedding.reshape(1, 96)])[-self._window :]

    def _silent_history(self) -> tuple[_Floats, _Floats, _Floats]:
        silence = np.zeros(FRAME_SAMPLES, np.int16)
        for _ in range(self._window + 10):
            self._hear(silence)
            self._embed()
        return self._overlap, self._mels, self._features


def _is_quiet(samples: NDArray[np.int16]) -> bool:
    loud = samples.astype(np.float32)
    return float(np.dot(loud, loud)) < QUIET_RMS**2 * len(samples)


def _first(outputs: list[Any]) -> Any:
    return outputs[0].ravel()[0]
