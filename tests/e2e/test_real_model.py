"""Everything real: microphone, models of speech, and a Qwen model on an Ollama server."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.e2e.acts import DIALOG, DIALOG_KO, WAV, read_out
from tests.e2e.conftest import Stage
from tests.e2e.desk import Desk
from tests.e2e.sound import Room
from tests.parts.ollama import RealOllama
from tests.parts.program import Home, fresh_home

pytestmark = [
    pytest.mark.real_screen,
    pytest.mark.real_audio,
    pytest.mark.real_speech,
    pytest.mark.real_ollama,
    pytest.mark.timeout(400),
]

THINKS_S = 180.0
"""A cold prompt takes the larger model 40 s on two busy cores."""


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """A folder to work in whose name a small model can copy."""
    folder = Path(tempfile.mkdtemp(prefix="jarvis-", dir=tempfile.gettempdir()))
    yield folder
    shutil.rmtree(folder)


@pytest.mark.parametrize(
    ("language", "model", "yes", "dialog", "word"),
    [
        pytest.param("en", "qwen15-schema", "reply_en/00__flite_rms", DIALOG, "hello", id="en"),
        # The smaller one answers Korean requests with words, and lists the folder instead of writing.
        pytest.param("ko", "qwen15-schema", "reply_ko/04__mix2_1.05", DIALOG_KO, "안녕", id="ko"),
    ],
)
def test_a_real_model_does_what_was_asked_aloud_after_a_spoken_yes(
    stages: Callable[[Stage], Stage],
    tmp_path: Path,
    short_folder: Path,
    desk: Desk,
    room: Room,
    models: Path,
    real_ollama: RealOllama,
    language: str,
    model: str,
    yes: str,
    dialog: str,
    word: str,
) -> None:
    settings = {
        "JARVIS_MODEL__HOST": real_ollama.host,
        "JARVIS_MODEL__NAME": real_ollama.model(model),
        "JARVIS_MODEL__CALLS": "schema",
        "JARVIS_MODEL__TEMPERATURE": "0",
        "JARVIS_MODEL__CONTEXT_TOKENS": "4096",
        "JARVIS_UI__LANGUAGE": language,
    }
    home = fresh_home(tmp_path, models, settings)
    stage = stages(Stage(Home(home.folder, short_folder, home.env), desk, room, None))
    program = stage.start()
    program.listens()
    began_s = room.speak(WAV / f"e2e_requests/{language}_write_hello.wav")
    program.await_(lambda: desk.windows(dialog), "the model calls a tool", THINKS_S)
    read_out(stage, began_s)
    assert list(short_folder.iterdir()) == []
    room.speak(WAV / f"{yes}.wav")
    written = program.await_(
        lambda: [f for f in short_folder.rglob("*") if f.is_file() and f.suffix != ".tmp"], "it is written"
    )
    # How such small models go on from here is no promise of ours.
    assert word in written[0].read_text("utf-8").lower()
    assert stage.home.faults == ()
