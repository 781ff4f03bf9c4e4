"""Loading the ears' parts."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from jarvis_desktop.adapters.onnx_session import limit_library_threads
from jarvis_desktop.app.ears_parts import load_parts
from jarvis_desktop.core.items.errors import ModelFileError
from jarvis_desktop.core.items.events import Part
from tests.fakes.texts import PlainTexts


class NoModels:
    """Fills ``ModelFolder``: nothing was fetched yet."""

    def verified(self, name: str) -> dict[str, Path]:
        raise ModelFileError(f"{name} is not there")


async def test_each_missing_model_is_one_sentence_with_what_to_do_and_the_rest_is_loaded() -> None:
    parts = await load_parts(NoModels(), PlainTexts())
    assert (parts.wake, parts.transcriber) == (None, None)
    assert parts.vad is not None
    assert parts.troubles == {
        Part.WAKE_WORD: "The wake word cannot be heard: wake is not there. "
        "Fetch its model in the setup window; until then, use Talk now.",
        Part.TRANSCRIBER: "Speech cannot be understood: whisper-base is not there. "
        "Fetch the model in the setup window; until then, please type.",
    }


@pytest.mark.voice_bug("memory_cpu", "300 % CPU -> 8 %")
def test_number_libraries_get_two_threads_unless_the_person_says_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    environment = {"OMP_NUM_THREADS": "1"}
    monkeypatch.setattr(os, "environ", environment)
    limit_library_threads()
    assert (environment["OPENBLAS_NUM_THREADS"], environment["OMP_NUM_THREADS"]) == ("2", "1")


@pytest.mark.voice_bug("memory_cpu", "300 % CPU -> 8 %")
def test_importing_the_ears_imports_no_heavy_library() -> None:
    code = (
        "import sys, jarvis_desktop.app.ears, jarvis_desktop.app.hear, jarvis_desktop.app.ears_parts\n"
        "print(sorted({'numpy', 'onnxruntime', 'sounddevice', 'faster_whisper', 'soxr'} & set(sys.modules)))"
    )
    heavy = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert heavy.stdout.strip() == "[]"
