"""The libraries behind the ears report to nobody."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from jarvis_desktop.adapters.model_files import ModelFiles

pytestmark = pytest.mark.real_speech

ROOT = Path(__file__).parents[3]
LOADS_ALL_EARS = """
import asyncio, sys
from pathlib import Path
from jarvis_desktop.adapters.model_files import ModelFiles
from jarvis_desktop.adapters.vad_onnx import VadOnnx
from jarvis_desktop.adapters.whisper import WhisperTranscriber
from jarvis_desktop.app.ears_parts import load_wake
models = ModelFiles(Path(sys.argv[1]))
load_wake(models), VadOnnx()
asyncio.run(WhisperTranscriber(models.verified("whisper-base")["model.bin"].parent).load())
print("loaded")
"""


@pytest.fixture
def strace() -> str:
    """Where it is. Without it skipped with the reason; where ``CI`` is ``true`` that is a failure."""
    found = shutil.which("strace")
    if found is None:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)("not installed: strace")
    return str(found)


def test_loading_the_ears_leaves_no_trace_and_calls_nobody(
    speech_models: ModelFiles, strace: str, tmp_path: Path
) -> None:
    home, trace = tmp_path / "home", tmp_path / "trace"
    home.mkdir()
    # Few variables: on a build machine, known by its variables, onnxruntime is silent of itself.
    done = subprocess.run(
        [
            *(strace, "-f", "-qq", "-e", "trace=connect", "-e", "signal=none", "-o", trace),
            *(sys.executable, "-c", LOADS_ALL_EARS, speech_models.folder),
        ],
        env={"HOME": str(home), "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        cwd=home,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )

    assert (done.returncode, done.stdout) == (0, "loaded\n"), done.stderr
    assert list(home.rglob("*")) == []
    assert [line for line in trace.read_text().splitlines() if "AF_INET" in line] == []
