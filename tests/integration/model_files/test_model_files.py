"""Model files on disk: found without a network, believed after a look at their digest, verified, removed."""

import json
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from jarvis_desktop.adapters.model_files import ModelFiles, Presence, Verdict
from jarvis_desktop.adapters.model_manifest import ModelKind, read_manifest
from jarvis_desktop.adapters.model_notes import CHECKED, sha256_of
from jarvis_desktop.adapters.model_sources import Source, SourcePlan
from jarvis_desktop.core.items.errors import ModelFileError
from jarvis_desktop.core.items.fetching import FetchKind, FetchStage, FetchState
from jarvis_desktop.core.items.setup import FileChoice
from jarvis_desktop.core.ports import Texts
from tests.fakes.texts import PlainTexts
from tests.integration.model_files.shop import (
    BIG,
    SMALL,
    WHOLE,
    Diary,
    in_place,
    manifest,
    model_files,
    notes,
    place,
    plan,
)

NO_SOURCE = plan()


@contextmanager
def no_network(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[object]]:
    """Every attempt to connect is kept and refused."""
    tried: list[object] = []

    def refuse(_self: socket.socket, address: object) -> None:
        tried.append(address)
        raise OSError("no network in this test")

    with monkeypatch.context() as patch:
        patch.setattr(socket.socket, "connect", refuse)
        patch.setattr(socket.socket, "connect_ex", refuse)
        yield tried


def test_the_manifest_of_the_project_is_readable_and_complete() -> None:
    models = read_manifest().models
    assert {name for name, model in models.items() if model.needed} == {"wake", "whisper-base"}
    assert models["whisper-base"].size == 147_882_941
    assert all(model.licence and model.languages for model in models.values())
    assert all(file.members for model in models.values() if model.packages for file in model.files)
    assert {name for name, model in models.items() if model.kind is ModelKind.CHAT} == {
        "qwen2.5-coder-1.5b",
        "qwen2.5-coder-0.5b",
    }


def test_what_could_not_be_fetched_is_marked_untested() -> None:
    models = read_manifest().models
    assert {name for name, model in models.items() if model.untested} == {
        "whisper-small",
        "whisper-turbo",
        "sensevoice",
        "supertonic-3",
    }


@pytest.mark.voice_bug("model_download", "Cached model stalls 173 s at start")
@pytest.mark.voice_bug("model_download", "Offline fails though model cached")
async def test_files_that_are_there_need_no_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place(tmp_path, WHOLE)
    models = model_files(tmp_path, manifest(), SourcePlan())
    with no_network(monkeypatch) as tried:
        assert set(models.verified("tiny")) == {"model.bin", "config.json"}
        await models.fetch("tiny", Diary())
    assert tried == []


@pytest.mark.voice_bug("model_download", "Corrupt/partial cache")
@pytest.mark.voice_bug("model_download", "Model check only looks whether file exists")
@pytest.mark.parametrize("content", [b"", BIG[: len(BIG) // 2], BIG[:-1] + b"x", BIG + b"x"])
def test_a_file_that_is_not_the_named_one_is_refused_by_name(content: bytes, tmp_path: Path) -> None:
    place(tmp_path, {**WHOLE, "model.bin": content})
    models = model_files(tmp_path, manifest(), NO_SOURCE)
    with pytest.raises(ModelFileError, match=r"tiny/model\.bin"):
        models.verified("tiny")
    assert [file.name for file in models.missing("tiny")] == ["model.bin"]


def test_an_absent_file_and_an_unknown_model_are_named(tmp_path: Path) -> None:
    models = model_files(tmp_path, manifest(), NO_SOURCE)
    with pytest.raises(ModelFileError, match=r"tiny/model\.bin is not there"):
        models.verified("tiny")
    with pytest.raises(ModelFileError, match='"huge"; the manifest knows tiny'):
        models.verified("huge")


def test_a_second_start_does_not_hash_again_but_a_changed_file_is_hashed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place(tmp_path, WHOLE)
    hashed: list[str] = []

    def counting(path: Path, texts: Texts) -> str:
        hashed.append(path.name)
        return sha256_of(path, texts)

    monkeypatch.setattr("jarvis_desktop.adapters.model_notes.sha256_of", counting)
    for _ in range(3):
        model_files(tmp_path, manifest(), NO_SOURCE).verified("tiny")
    assert hashed == ["model.bin", "config.json"]
    changed = tmp_path / "tiny" / "model.bin"
    changed.write_bytes(BIG[:-1] + b"x")
    os.utime(changed, ns=(1, 1))
    with pytest.raises(ModelFileError):
        model_files(tmp_path, manifest(), NO_SOURCE).verified("tiny")
    assert hashed[2:] == ["model.bin"]


@pytest.mark.parametrize("kept", [b"", b"{", b"[1]", b'{"tiny/model.bin": 3}'])
def test_a_broken_note_of_digests_only_costs_time(kept: bytes, tmp_path: Path) -> None:
    place(tmp_path, WHOLE)
    (tmp_path / CHECKED).write_bytes(kept)
    model_files(tmp_path, manifest(), NO_SOURCE).verified("tiny")
    assert set(notes(tmp_path)) >= {"tiny/model.bin", "tiny/config.json"}


@pytest.mark.voice_bug("model_download", "Corrupt/partial cache")
def test_verify_finds_one_wrong_byte_although_the_notes_say_all_is_well(tmp_path: Path) -> None:
    place(tmp_path, WHOLE)
    models = model_files(tmp_path, manifest(), NO_SOURCE)
    models.verified("tiny")
    path = tmp_path / "tiny" / "model.bin"
    stat = path.stat()
    with path.open("r+b") as file:
        file.seek(1_000_000)
        file.write(b"\xff")
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    moved = "is not the file that the manifest names; it is now called model.bin.wrong"
    assert models.verify("tiny") == (
        Verdict("tiny", "model.bin", good=False, trouble=moved),
        Verdict("tiny", "config.json", good=True),
    )
    assert in_place(tmp_path).keys() == {"model.bin.wrong", "config.json"}
    assert [file.name for file in models.missing("tiny")] == ["model.bin"]


async def test_a_removed_model_is_gone_with_what_had_come_of_it(tmp_path: Path) -> None:
    place(tmp_path, WHOLE)
    begun = tmp_path / ".fetching" / "tiny" / "0.part"
    begun.parent.mkdir(parents=True)
    begun.write_bytes(b"half")
    models = model_files(tmp_path, manifest(), NO_SOURCE)
    await models.remove("tiny")
    assert models.presence("tiny") is Presence.MISSING
    assert not begun.exists()
    await models.remove("tiny")  # nothing is there: nothing happens


async def test_a_model_that_a_person_put_elsewhere_by_a_link_is_removed_without_what_lies_beside_it(
    tmp_path: Path,
) -> None:
    elsewhere = tmp_path / "big disk"
    place(elsewhere, WHOLE)
    (elsewhere / "tiny" / "photo.jpg").write_bytes(b"mine")
    home = tmp_path / "models"
    home.mkdir()
    (home / "tiny").symlink_to(elsewhere / "tiny")
    models = model_files(home, manifest(), NO_SOURCE)
    assert models.presence("tiny") is Presence.THERE

    await models.remove("tiny")

    assert not (home / "tiny").is_symlink()
    assert [path.name for path in (elsewhere / "tiny").iterdir()] == ["photo.jpg"]


async def test_a_lock_that_cannot_be_had_is_said_and_what_has_come_stays(tmp_path: Path) -> None:
    begun = tmp_path / ".fetching" / "tiny" / "0.part"
    begun.parent.mkdir(parents=True)
    begun.write_bytes(b"half")
    (tmp_path / ".fetching" / "tiny.lock").mkdir()
    models = model_files(tmp_path, manifest(), NO_SOURCE)
    with pytest.raises(ModelFileError, match="cannot be written"):
        await models.drop("tiny")
    assert begun.exists()


@pytest.mark.parametrize("look", [ModelFiles.verified, ModelFiles.verify])
def test_a_file_written_while_it_is_hashed_is_hashed_again(
    look: Callable[[ModelFiles, str], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place(tmp_path, WHOLE)

    def written_behind(path: Path, texts: Texts) -> str:
        digest = sha256_of(path, texts)
        path.write_bytes(path.read_bytes()[:-1] + b"x")
        os.utime(path, ns=(1, 1))
        return digest

    with monkeypatch.context() as patch:
        patch.setattr("jarvis_desktop.adapters.model_notes.sha256_of", written_behind)
        look(model_files(tmp_path, manifest(), NO_SOURCE), "tiny")
    with pytest.raises(ModelFileError, match="is not the file that the manifest names"):
        model_files(tmp_path, manifest(), NO_SOURCE).verified("tiny")


def test_bytes_that_another_jarvis_moves_away_in_this_moment_are_no_trouble(tmp_path: Path) -> None:
    begun = tmp_path / ".fetching" / "tiny" / "0.part"
    begun.parent.mkdir(parents=True)
    begun.symlink_to("gone")  # listed, and not there when it is looked at
    models = model_files(tmp_path, manifest(), NO_SOURCE)
    assert (models.unfinished(), models.presence("tiny")) == ((), Presence.MISSING)


@pytest.mark.parametrize("content", [b"\xff\xfe", b"[" * 400, b"models: [\n", b"- 1\n", b"\x00"])
def test_a_manifest_that_is_none_is_said(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "manifest.yaml"
    path.write_bytes(content)
    with pytest.raises(ModelFileError, match="the models manifest"):
        read_manifest(path)


def test_unfinished_downloads_are_known_at_the_next_start(tmp_path: Path) -> None:
    place(tmp_path, {"config.json": SMALL})
    models = model_files(tmp_path, manifest(), NO_SOURCE)
    assert (models.unfinished(), models.presence("tiny")) == ((), Presence.PARTIAL)
    begun = tmp_path / ".fetching" / "tiny" / "0.part"
    begun.parent.mkdir(parents=True)
    begun.write_bytes(b"half")
    assert models.unfinished() == (
        FetchState(FetchKind.FILES, "tiny", FetchStage.PAUSED, done_bytes=4, total_bytes=len(BIG)),
    )


def test_the_setup_is_told_what_can_be_had_from_where(tmp_path: Path) -> None:
    known = manifest()
    models = model_files(tmp_path, known, plan(Source.MIRROR, Source.OFFICIAL, mirror=Path("/stick")))
    assert models.choices(PlainTexts()) == (
        FileChoice(
            "tiny",
            "tests",
            ("en",),
            len(BIG) + len(SMALL),
            "none",
            ("folder /stick", "official address"),
            present=False,
            needed=True,
        ),
    )
    place(tmp_path, WHOLE)
    assert [choice.present for choice in models.choices(PlainTexts())] == [True]


def test_every_choice_of_the_project_has_a_purpose_and_a_source(tmp_path: Path) -> None:
    choices = ModelFiles(tmp_path, texts=PlainTexts(), plan=SourcePlan()).choices(PlainTexts())
    assert all(choice.purpose and choice.sources and choice.size_bytes for choice in choices)


@pytest.mark.parametrize(
    "name", ["../evil", "a/../b", "/a", "a//b", "a/", "./a", ".hidden", "a\\b", "", "a\n"]
)
def test_a_manifest_cannot_name_a_file_outside_its_folder(name: str, tmp_path: Path) -> None:
    file = {"name": name, "size": 1, "sha256": "0" * 64, "official": "https://models.test"}
    model = {"kind": "voice", "purpose": "p", "languages": [], "licence": "l", "folder": "x", "files": [file]}
    path = tmp_path / "manifest.yaml"
    path.write_text(json.dumps({"models": {"x": model}}))
    with pytest.raises(ModelFileError, match="not of its shape"):
        read_manifest(path)
    with pytest.raises(ModelFileError, match="cannot be read"):
        read_manifest(tmp_path / "absent.yaml")
