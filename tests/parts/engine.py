"""The ``starters`` fixture: real weights for the model inside Jarvis, where ``ModelFiles`` finds them."""

from pathlib import Path

import pytest

from jarvis_desktop.adapters.llama_engine import installed
from jarvis_desktop.adapters.model_files import ModelFiles
from tests.parts.ollama import CACHE, absent, locked, weights_file

FOLDER = CACHE / "starters"
"""Kept, so that the digests of 0.5 and 1.1 GB are taken once."""
WEIGHTS = {
    "qwen2.5-coder-0.5b": "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
    "qwen2.5-coder-1.5b": "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
}


def starter_files(*names: str) -> ModelFiles:
    """A models folder with the weights of these starters."""
    if not installed():
        absent("the engine is not installed (requirements/dev.txt)")
    for name in names:
        with locked("models"):
            weights = weights_file(WEIGHTS[name])
            place = FOLDER / name / weights.name
            place.parent.mkdir(parents=True, exist_ok=True)
            if not place.exists():
                place.unlink(missing_ok=True)
                place.symlink_to(weights)
    return ModelFiles(FOLDER)


@pytest.fixture(scope="session")
def starters() -> ModelFiles:
    """The smaller starter."""
    return starter_files("qwen2.5-coder-0.5b")


@pytest.fixture
def models_folder(tmp_path: Path) -> Path:
    """An empty models folder."""
    folder = tmp_path / "models"
    folder.mkdir()
    return folder
