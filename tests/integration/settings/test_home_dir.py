"""The folder of ours, on a real disk."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from jarvis_desktop.adapters.home_dir import home_dir, home_path
from jarvis_desktop.core.items.errors import StorageError
from tests.fakes.texts import PlainTexts


def test_the_folder_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    home = home_dir(PlainTexts(), {"JARVIS_HOME": str(tmp_path / "홍길동 의 집" / "jarvis")})

    assert home == tmp_path / "홍길동 의 집" / "jarvis"
    assert home.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)

    home_dir(PlainTexts(), {"JARVIS_HOME": str(tmp_path)})

    assert tmp_path.stat().st_mode & 0o777 == 0o700


def test_without_the_variable_it_is_in_the_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/somewhere/홍 길동")

    assert home_path({}) == Path("/somewhere/홍 길동/.jarvis")
    assert home_path({"JARVIS_HOME": "~/jarvis"}) == Path("/somewhere/홍 길동/jarvis")
    assert home_path({"JARVIS_HOME": "relative"}) == Path.cwd() / "relative"


def test_a_place_that_cannot_be_a_folder_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(StorageError, match=r"file/jarvis cannot be used: Not a directory\. Make it writable"):
        home_dir(PlainTexts(), {"JARVIS_HOME": str(tmp_path / "file" / "jarvis")})


@contextmanager
def as_nobody() -> Iterator[None]:
    """Root may write everywhere; so the step runs as the user nobody."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(before)


@pytest.fixture
def shut_folder() -> Iterator[Path]:
    """A folder that one may enter but not change; nobody can reach pytest's own."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o555)
        yield Path(folder)
        Path(folder).chmod(0o700)


def test_a_home_that_cannot_be_made_is_said(shut_folder: Path) -> None:
    with (
        as_nobody(),
        pytest.raises(StorageError, match=r"jarvis cannot be used: Permission denied\. Make it"),
    ):
        home_dir(PlainTexts(), {"JARVIS_HOME": str(shut_folder / "jarvis")})


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a folder that belongs to somebody else")
def test_a_home_that_cannot_be_written_is_said(shut_folder: Path) -> None:
    home = shut_folder / "jarvis"
    home.mkdir(mode=0o700)

    with as_nobody(), pytest.raises(StorageError, match=r"jarvis cannot be used: it is read-only\. Make it"):
        home_dir(PlainTexts(), {"JARVIS_HOME": str(home)})
