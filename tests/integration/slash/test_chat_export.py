"""Copies of conversations on a real disk."""

import os
import stat
from pathlib import Path

import pytest

from jarvis_desktop.adapters.chat_export import ChatExports
from jarvis_desktop.core.items.errors import UserFixableError
from tests.fakes.texts import PlainTexts


@pytest.fixture
def exports(tmp_path: Path) -> ChatExports:
    (tmp_path / "home").mkdir()
    return ChatExports(tmp_path / "home", PlainTexts())


async def test_a_new_file_is_its_owners_alone_and_missing_folders_are_made(
    exports: ChatExports, tmp_path: Path
) -> None:
    path = tmp_path / "a" / "b" / "대화.md"
    await exports.write(path, "안녕 \ud800")
    assert path.read_text("utf-8") == "안녕 ?"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


async def test_no_file_is_written_over_and_a_free_name_is_named(exports: ChatExports, tmp_path: Path) -> None:
    path = tmp_path / "talk.md"
    path.write_text("mine")
    (tmp_path / "talk-2.md").touch()
    with pytest.raises(UserFixableError, match=r"talk-3\.md"):
        await exports.write(path, "yours")
    assert path.read_text() == "mine"
    assert await exports.free(path) == tmp_path / "talk-3.md"
    assert await exports.free(tmp_path / "new.md") == tmp_path / "new.md"


async def test_a_link_is_neither_followed_nor_replaced(exports: ChatExports, tmp_path: Path) -> None:
    (tmp_path / "talk.md").symlink_to(tmp_path / "elsewhere.md")
    with pytest.raises(UserFixableError):
        await exports.write(tmp_path / "talk.md", "x")
    assert not (tmp_path / "elsewhere.md").exists()


@pytest.mark.parametrize(
    "place", ["home/talk.md", "home/models/talk.md", "way/../home/talk.md", "link/talk.md"]
)
async def test_nothing_is_put_into_our_own_folder_by_whatever_way(
    exports: ChatExports, tmp_path: Path, place: str
) -> None:
    (tmp_path / "way").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "home")
    with pytest.raises(UserFixableError, match="own folder"):
        await exports.write(tmp_path / place, "x")
    assert list((tmp_path / "home").iterdir()) == []


@pytest.mark.parametrize("name", ["file/talk.md", "x" * 300 + ".md"])
async def test_a_place_that_cannot_be_written_is_said_with_the_reason(
    exports: ChatExports, tmp_path: Path, name: str
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UserFixableError, match="could not be written"):
        await exports.write(tmp_path / name, "x")


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
async def test_a_folder_that_may_not_be_written_is_said(exports: ChatExports, tmp_path: Path) -> None:
    (tmp_path / "shut").mkdir(mode=0o500)
    with pytest.raises(UserFixableError, match="could not be written"):
        await exports.write(tmp_path / "shut" / "talk.md", "x")
