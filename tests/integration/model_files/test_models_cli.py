"""``jarvis-desktop models``: what is there, fetched in a terminal, checked, removed."""

import io
import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.adapters.model_files import ModelFiles
from jarvis_desktop.adapters.model_manifest import read_manifest
from jarvis_desktop.adapters.model_sources import Source
from jarvis_desktop.adapters.model_words import MANIFEST_TEXTS
from jarvis_desktop.app.cli_commands import run_command
from jarvis_desktop.app.fetch_models import fetch_all
from jarvis_desktop.core.items.errors import ModelFileError
from jarvis_desktop.core.items.speech import Language
from tests.fakes.texts import PlainTexts
from tests.integration.model_files.shop import (
    BIG,
    PATIENT,
    WAIT_S,
    WHOLE,
    Fault,
    Shop,
    in_place,
    manifest,
    model_files,
    open_shop,
    place,
    plan,
)


@pytest.fixture
def shop() -> Iterator[Shop]:
    with open_shop() as shop:
        yield shop


@pytest.fixture
def models(shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModelFiles:
    """The tiny model, as the commands see it."""
    monkeypatch.setenv("JARVIS_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "120")
    sources = plan(Source.OFFICIAL, limits=PATIENT)
    files = model_files(tmp_path / "models", manifest(official=shop.address), sources)
    for module in ("models_cmd", "models_fetch_cmd"):
        monkeypatch.setattr(f"jarvis_desktop.app.{module}.opened", lambda: (files, PlainTexts()))
    return files


def test_the_list_says_purpose_size_licence_and_whether_it_is_there(
    models: ModelFiles, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["models", "list"]) == 0
    shown = capsys.readouterr().out
    for told in ("tiny", "missing", "2.1 MB", "tests", "none", "official address", str(models.folder)):
        assert told in shown


def test_the_list_as_json_has_one_model_a_line(
    models: ModelFiles, capsys: pytest.CaptureFixture[str]
) -> None:
    place(models.folder, {"config.json": WHOLE["config.json"]})
    assert run_command(["models", "list", "--json"]) == 0
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == [
        {
            "name": "tiny",
            "kind": "recogniser",
            "purpose": "tests",
            "languages": ["en"],
            "size_bytes": len(BIG) + 6,
            "licence": "none",
            "notice": "",
            "presence": "partial",
            "needed": True,
            "untested": False,
            "sources": ["official address"],
        }
    ]


@pytest.mark.parametrize("wanted", [["tiny"], ["--all-needed"]])
def test_fetch_brings_what_is_named_or_needed(
    wanted: list[str], models: ModelFiles, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["models", "fetch", *wanted]) == 0
    assert in_place(models.folder) == WHOLE
    assert "tiny is there, and checked." in capsys.readouterr().err
    assert run_command(["models", "fetch", *wanted]) == 0
    assert "tiny is there already." in capsys.readouterr().err


@pytest.mark.usefixtures("models")
def test_fetch_without_a_name_is_wrong_usage_and_an_unknown_name_is_said() -> None:
    assert run_command(["models", "fetch"]) == 2
    with pytest.raises(ModelFileError, match='"nope"; the manifest knows tiny'):
        run_command(["models", "fetch", "nope"])


def test_a_source_that_fails_is_said_and_gives_1(
    models: ModelFiles, shop: Shop, capsys: pytest.CaptureFixture[str]
) -> None:
    shop.files.clear()
    assert run_command(["models", "fetch", "tiny"]) == 1
    assert "answer 404" in " ".join(capsys.readouterr().err.split())
    assert in_place(models.folder) == {}


def test_control_c_pauses_and_says_how_to_go_on(
    models: ModelFiles, shop: Shop, capsys: pytest.CaptureFixture[str]
) -> None:
    shop.faults["model.bin"] = [Fault(step=16 << 10, etag='"1"')]

    def press() -> None:
        while not models.unfinished():  # something of it is on the disk
            shop.permits.release()
            if shop.closing.wait(0.02):
                return
        os.kill(os.getpid(), signal.SIGINT)

    # A suite in the background of a shell inherits that Ctrl+C is ignored; people type it at a terminal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        pressing = threading.Thread(target=press)
        pressing.start()
        assert run_command(["models", "fetch", "tiny"]) == 130
    finally:
        signal.signal(signal.SIGINT, before)
    pressing.join(WAIT_S)
    said = " ".join(capsys.readouterr().err.split())
    assert "what has come is kept. Go on: " in said
    assert said.endswith("jarvis-desktop models fetch tiny")
    assert run_command(["models", "fetch", "tiny"]) == 0
    asked_for = int(shop.seen[1].range.removeprefix("bytes=").removesuffix("-"))
    assert 0 < asked_for <= shop.sent


def test_verify_says_which_file_is_wrong_and_gives_1(
    models: ModelFiles, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["models", "verify"]) == 0
    assert capsys.readouterr().out == "No model is there yet.\n"
    place(models.folder, WHOLE)
    assert run_command(["models", "verify"]) == 0
    assert capsys.readouterr().out == "tiny/model.bin: is right\ntiny/config.json: is right\n"
    place(models.folder, {"model.bin": BIG[:-1] + b"x"})
    assert run_command(["models", "verify", "tiny", "--json"]) == 1
    wrong, right = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert (wrong["file"], wrong["good"], right["good"]) == ("model.bin", False, True)
    assert "model.bin.wrong" in in_place(models.folder)


def answers(text: str) -> Callable[[], io.StringIO]:
    """Standard input of a person at a terminal who types this."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    return lambda: Terminal(text)


@pytest.mark.parametrize(("typed", "gone"), [("y\n", True), ("n\n", False), ("", False)])
def test_remove_says_what_stops_working_and_asks(
    typed: str,
    *,
    gone: bool,
    models: ModelFiles,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place(models.folder, WHOLE)
    monkeypatch.setattr(sys, "stdin", answers(typed)())
    assert run_command(["models", "remove", "tiny"]) == (0 if gone else 1)
    assert "does not understand speech; typing goes on working" in capsys.readouterr().out
    assert in_place(models.folder) == ({} if gone else WHOLE)


def test_remove_asks_nobody_without_a_terminal_and_yes_is_for_scripts(
    models: ModelFiles, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    place(models.folder, WHOLE)
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    assert run_command(["models", "remove", "tiny"]) == 1
    assert run_command(["models", "remove", "tiny", "--yes"]) == 0
    assert in_place(models.folder) == {}
    assert run_command(["models", "remove", "tiny"]) == 0
    assert capsys.readouterr().out.endswith("tiny is not there.\n")


async def test_what_run_fetches_is_only_what_is_needed(models: ModelFiles, shop: Shop) -> None:
    assert await fetch_all(models, PlainTexts()) == 0
    assert in_place(models.folder) == WHOLE
    shop.files.clear()
    (models.folder / "tiny" / "model.bin").unlink()
    assert await fetch_all(models, PlainTexts()) == 1


def test_every_text_of_the_manifest_has_its_korean() -> None:
    entries = read_manifest().models.values()
    texts = {entry.purpose for entry in entries} | {entry.notice for entry in entries if entry.notice}
    korean = Catalog(Language.KOREAN)
    assert texts == MANIFEST_TEXTS
    assert [text for text in texts if korean(text) == text] == []
