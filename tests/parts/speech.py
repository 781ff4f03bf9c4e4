"""The ``speech_models`` fixture: the real wake word and Whisper models, checked by digest.

They are kept under the user's cache folder and fetched there once, through the program's own loader.
Without them and without a source the tests are skipped with the reason; where ``CI`` is ``true`` they fail.
"""

import asyncio
import os
from pathlib import Path

import pytest

from jarvis_desktop.adapters.model_files import ModelFiles
from jarvis_desktop.adapters.vad_onnx import VadOnnx
from jarvis_desktop.adapters.wake_onnx import WakeOnnx
from jarvis_desktop.adapters.whisper import WhisperTranscriber
from jarvis_desktop.app.ears_parts import EarsParts, load_wake
from jarvis_desktop.core.items.errors import ModelFileError

# Read now: a test may point HOME elsewhere later.
CACHE = Path.home() / ".cache" / "jarvis-parts" / "speech"
WAV = Path(__file__).parents[1] / "data" / "wav"


@pytest.fixture(scope="session")
def speech_models() -> ModelFiles:
    """Verified model files."""
    models = ModelFiles(CACHE)
    try:
        CACHE.mkdir(parents=True, exist_ok=True)
        for name in models.needed:
            asyncio.run(models.fetch(name, lambda _state: None))
    except (ModelFileError, OSError) as error:
        reason = f"real speech models: {error}"
        if os.environ.get("CI") == "true":
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    return models


@pytest.fixture(scope="session")
def whisper(speech_models: ModelFiles) -> WhisperTranscriber:
    """Real speech recognition, loaded once for all tests."""
    transcriber = WhisperTranscriber(speech_models.verified("whisper-base")["model.bin"].parent)
    asyncio.run(transcriber.load())
    return transcriber


@pytest.fixture
def wake_scorer(speech_models: ModelFiles) -> WakeOnnx:
    """Real wake word scores; fresh, since it remembers what it heard."""
    scorer = load_wake(speech_models)
    assert isinstance(scorer, WakeOnnx)
    return scorer


@pytest.fixture
def real_parts(wake_scorer: WakeOnnx, whisper: WhisperTranscriber) -> EarsParts:
    """All models, real."""
    return EarsParts(wake_scorer, VadOnnx(), whisper)
