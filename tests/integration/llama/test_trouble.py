"""What people are told when the model inside Jarvis cannot answer."""

import hashlib
import signal
from pathlib import Path

import pytest

from jarvis_desktop.adapters import llama_engine
from jarvis_desktop.adapters.llama_model import EmbeddedModel, LlamaParts
from jarvis_desktop.adapters.llama_trouble import LlamaTroubles
from jarvis_desktop.adapters.model_files import ModelFiles
from jarvis_desktop.adapters.model_manifest import Manifest
from jarvis_desktop.core.items.errors import ModelTrouble
from jarvis_desktop.core.settings import ModelSettings
from tests.fakes.texts import PlainTexts
from tests.integration.llama.asking import SMALL, asking, model_of, trouble

NO_MODEL = b"GGUF, but not really" * 100


def files_of(folder: Path, content: bytes | None, digest: str = "") -> ModelFiles:
    """A models folder whose one starter has ``content``."""
    entry = {
        "purpose": "Talks.",
        "languages": ["en"],
        "licence": "none",
        "folder": SMALL,
        "kind": "chat",
        "files": [
            {
                "name": "small.gguf",
                "size": len(NO_MODEL),
                "sha256": digest or hashlib.sha256(NO_MODEL).hexdigest(),
                "official": "https://example.invalid/small.gguf",
            }
        ],
    }
    if content is not None:
        (folder / SMALL).mkdir()
        (folder / SMALL / "small.gguf").write_bytes(content)
    return ModelFiles(folder, Manifest.model_validate({"models": {SMALL: entry}}))


async def told(model: EmbeddedModel) -> tuple[ModelTrouble, str]:
    """Kind and text of the trouble; the status says the same."""
    try:
        error = await trouble(model, asking("Say hello."))
    finally:
        await model.close()
    return error.kind, str(error)


async def test_a_missing_package_is_said_with_how_to_install_it(
    models_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(llama_engine, "PACKAGE", "no_such_package_here")
    model = model_of(files_of(models_folder, NO_MODEL))

    kind, text = await told(model)

    assert kind is ModelTrouble.NO_SERVER
    assert '-m pip install "jarvis-desktop[embedded]"' in text
    assert str((await model.status()).trouble) == text


async def test_a_missing_file_is_said_with_how_to_fetch_it(models_folder: Path) -> None:
    kind, text = await told(model_of(files_of(models_folder, None)))

    assert kind is ModelTrouble.NO_MODEL
    assert f"jarvis-desktop models fetch {SMALL}" in text


async def test_weights_with_another_digest_are_never_loaded(models_folder: Path) -> None:
    model = model_of(files_of(models_folder, NO_MODEL, digest="0" * 64))

    kind, _ = await told(model)

    assert (kind, model.engine.process_id) == (ModelTrouble.NO_MODEL, None)


async def test_too_little_memory_is_said_before_anything_is_loaded(models_folder: Path) -> None:
    parts = LlamaParts(files_of(models_folder, NO_MODEL), PlainTexts(), free_memory=lambda: 100_000_000)
    model = EmbeddedModel(SMALL, ModelSettings.model_validate({}), parts)

    kind, text = await told(model)

    assert (kind, model.engine.process_id) == (ModelTrouble.SERVER_ERROR, None)
    assert "it needs 0.4 GB, 0.1 GB are free" in text


@pytest.mark.real_engine
async def test_weights_that_the_engine_cannot_read_are_said(models_folder: Path) -> None:
    kind, text = await told(model_of(files_of(models_folder, NO_MODEL)))

    assert kind is ModelTrouble.SERVER_ERROR
    assert f'could not load the model "{SMALL}"' in text


async def test_a_warm_up_that_cannot_be_is_no_error(models_folder: Path) -> None:
    model = model_of(files_of(models_folder, None))
    await model.warm_up()
    await model.warm_up(asking("Say hello."))
    await model.close()


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (-signal.SIGILL, "newer processor"),
        (-signal.SIGKILL, "memory ran out"),
        (-signal.SIGSEGV, "broke off"),
        (None, "broke off"),
    ],
)
def test_each_kind_of_end_has_its_sentence(status: int | None, words: str) -> None:
    assert words in str(LlamaTroubles(SMALL, PlainTexts()).died(status))
