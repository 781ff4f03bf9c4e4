"""Speech to text with Whisper on the CPU: a short window, the person's languages only, one attempt."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from jarvis_desktop.adapters.files_names import name_for_libraries
from jarvis_desktop.adapters.onnx_session import switch_off_telemetry
from jarvis_desktop.core.items.errors import ModelFileError
from jarvis_desktop.core.items.speech import SAMPLE_RATE_HZ, Language, Recognition, Sound

SHORT_WINDOW_FRAMES = 1000
"""10 s. Whisper pads to 30 s by habit, and the encoder's time is the window's. 5 to 7 s make it loop."""
FULL_WINDOW_FRAMES = 3000
MAX_NEW_TOKENS = 96
SHORT_CLIP_S = 1.5
SURE_OF_LANGUAGE = 0.9
"""On a short clip only this much certainty outweighs the hint."""
CPU_THREADS = 2


class WhisperTranscriber:
    """Fills ``Transcriber``: all work happens on one thread of its own, one recognition at a time.

    The parts of faster-whisper are called directly instead of its ``transcribe``: the window can be
    chosen without patching the library, temperature fallback cannot turn one clip into six attempts, and
    one encoder pass serves language choice, plain and biased recognition of the same sound.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="whisper")
        self._model: Any = None
        self._encoded: tuple[Sound, Any] | None = None

    async def load(self) -> None:
        """Load the model, so that the first recognition does not wait for it.

        Raises:
            ModelFileError: a file is absent or broken.
        """
        await asyncio.get_running_loop().run_in_executor(self._thread, self._load)

    def close(self) -> None:
        """Give the thread back; running work ends by itself."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def transcribe(
        self,
        sound: Sound,
        languages: Sequence[Language],
        *,
        hint: Language | None = None,
        bias: str | None = None,
    ) -> Recognition:
        """What was said; see ``Transcriber``. A cancelled call that has not begun never runs."""
        return await asyncio.get_running_loop().run_in_executor(
            self._thread, self._transcribe, sound, tuple(languages), hint, bias
        )

    def _load(self) -> None:
        if self._model is not None:
            return
        if not self._folder.is_dir():  # faster-whisper would take the name for one to download
            raise ModelFileError(f"speech recognition: no folder {self._folder.name} with a model")
        switch_off_telemetry()  # its own voice detection would import onnxruntime
        try:
            from faster_whisper import WhisperModel  # heavy: 0.3 s and 60 MB
        except ImportError as error:
            raise ModelFileError("speech recognition: the package faster-whisper is not installed") from error
        try:
            with name_for_libraries(self._folder) as name:
                self._model = WhisperModel(name, device="cpu", compute_type="int8", cpu_threads=CPU_THREADS)
        except (RuntimeError, ValueError, OSError) as error:
            raise ModelFileError(f"speech recognition: {self._folder.name} cannot be loaded") from error

    def _transcribe(
        self, sound: Sound, languages: tuple[Language, ...], hint: Language | None, bias: str | None
    ) -> Recognition:
        self._load()
        encoded = self._encode(sound)
        language = self._language(encoded, sound, languages, hint)
        return self._recognise(encoded, language, bias)

    def _encode(self, sound: Sound) -> Any:
        """The encoder's output; kept for the next call on the very same sound."""
        if self._encoded is not None and self._encoded[0] is sound:
            return self._encoded[1]
        audio = np.frombuffer(sound.pcm, np.int16).astype(np.float32) / 32768
        features = self._model.feature_extractor(audio[: 30 * SAMPLE_RATE_HZ])[:, :-1]
        frames = features.shape[1]
        window = SHORT_WINDOW_FRAMES if frames <= SHORT_WINDOW_FRAMES else FULL_WINDOW_FRAMES
        padded = np.pad(features[:, :window], ((0, 0), (0, max(0, window - frames))))
        encoded = self._model.encode(padded)
        self._encoded = (sound, encoded)
        return encoded

    def _language(
        self, encoded: Any, sound: Sound, languages: tuple[Language, ...], hint: Language | None
    ) -> Language:
        """The likeliest of ``languages``; free detection takes short Korean for Japanese or Chinese."""
        if len(languages) == 1:
            return languages[0]
        odds = {token[2:-2]: odd for token, odd in self._model.model.detect_language(encoded)[0]}
        likeliest = max(languages, key=lambda one: odds.get(one.value, 0.0))
        if hint is None or hint not in languages or sound.seconds >= SHORT_CLIP_S:
            return likeliest
        share = odds.get(likeliest.value, 0.0) / (sum(odds.get(one.value, 0.0) for one in languages) or 1.0)
        return likeliest if share >= SURE_OF_LANGUAGE else hint

    def _recognise(self, encoded: Any, language: Language, bias: str | None) -> Recognition:
        from faster_whisper.tokenizer import Tokenizer
        from faster_whisper.transcribe import get_suppressed_tokens

        tokenizer = Tokenizer(
            self._model.hf_tokenizer,
            self._model.model.is_multilingual,
            task="transcribe",
            language=language.value,
        )
        prompt = self._model.get_prompt(tokenizer, [], without_timestamps=True, hotwords=bias)
        result = self._model.model.generate(
            encoded,
            [prompt],
            beam_size=5,
            max_length=min(len(prompt) + MAX_NEW_TOKENS, self._model.max_length),
            return_scores=True,
            return_no_speech_prob=True,
            suppress_blank=True,
            suppress_tokens=get_suppressed_tokens(tokenizer, [-1]),
        )[0]
        tokens = result.sequences_ids[0]
        return Recognition(
            text=tokenizer.decode(tokens).strip(),
            language=language,
            avg_logprob=result.scores[0] * len(tokens) / (len(tokens) + 1),
            no_speech=result.no_speech_prob,
        )
