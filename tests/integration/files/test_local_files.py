"""Reading, writing and listing, on a real disk."""

import asyncio
import errno
import os
import socket
import stat
from hashlib import sha256
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.adapters.files_text import NotTextError, decode, encode, newline_of
from jarvis_desktop.adapters.local_files import LocalFiles
from jarvis_desktop.core.ports import FileText
from jarvis_desktop.core.tools.edit_file import EditFile
from jarvis_desktop.core.tools.write_file import WriteFile
from tests.unit.tools.calling import call_as_shown

FILES = LocalFiles()
ENOUGH = 1_000_000


@pytest.mark.promise("T-040")
@pytest.mark.parametrize(
    ("content", "text", "encoding", "newline"),
    [
        ("한글\n".encode(), "한글\n", "utf-8", "\n"),
        (b"\xef\xbb\xbfa\r\nb\r\n", "a\r\nb\r\n", "utf-8-sig", "\r\n"),
        ("한글\r\n".encode("cp949"), "한글\r\n", "cp949", "\r\n"),
        ("똠방각하".encode("cp949"), "똠방각하", "cp949", "\n"),
        (b"\xff\xfe" + "가".encode("utf-16-le"), "가", "utf-16", "\n"),
        (b"\xfe\xff" + "가".encode("utf-16-be"), "가", "utf-16-be-sig", "\n"),
        (b"", "", "utf-8", "\n"),
    ],
)
async def test_text_is_read_in_the_encoding_it_has(
    content: bytes, text: str, encoding: str, newline: str, tmp_path: Path
) -> None:
    (tmp_path / "메모 1.txt").write_bytes(content)
    found = await FILES.read_text(tmp_path / "메모 1.txt", ENOUGH)
    assert found == FileText(text, encoding, sha256(content).hexdigest(), newline)
    await FILES.write_text(tmp_path / "copy", found.text, encoding=found.encoding)
    assert (tmp_path / "copy").read_bytes() == content


@pytest.mark.parametrize("content", [b"a\0b", b"\x89PNG\r\n\0\0", b"caf\xe9\n", b"\xff\xfea", b"\xff" * 9])
async def test_what_is_no_text_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(NotTextError):
        await FILES.read_text(tmp_path / "x", ENOUGH)


@given(st.binary(max_size=60))
def test_bytes_that_are_text_come_back_exactly(content: bytes) -> None:
    try:
        text, encoding = decode(content, Path("x"))
    except NotTextError:
        return
    assert encode(text, encoding) == content


def test_the_newline_of_a_file_is_that_of_most_lines() -> None:
    assert [newline_of(text) for text in ("", "a\nb\r\n", "a\r\nb\r\nc\n")] == ["\n", "\n", "\r\n"]


async def test_what_cannot_be_read_whole_says_which_trouble_it_is(tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b"x" * 11)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    for name, code in (
        ("large", errno.EFBIG),
        ("pipe", errno.EINVAL),
        (".", errno.EISDIR),
        ("gone", errno.ENOENT),
        ("loop", errno.ELOOP),
        ("large/x", errno.ENOTDIR),
        ("x" * 300, errno.ENAMETOOLONG),
    ):
        with pytest.raises(OSError, match=r".") as caught:
            await FILES.read_text(tmp_path / name, 10)
        assert caught.value.errno == code
    with pytest.raises(OSError, match="not a regular file"):
        await FILES.read_text(Path("/dev/zero"), 10)
    with pytest.raises(ValueError, match="NUL"):
        await FILES.read_text(tmp_path / "a\0b", 10)


async def test_a_file_of_the_kernel_without_a_size_is_read() -> None:
    assert "Linux" in (await FILES.read_text(Path("/proc/version"), ENOUGH)).text


async def test_a_digest_is_that_of_the_bytes_and_empty_for_nothing(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 3_000_000)
    assert await FILES.digest(tmp_path / "a") == sha256(b"x" * 3_000_000).hexdigest()
    assert await FILES.digest(tmp_path / "b") == ""
    with pytest.raises(IsADirectoryError):
        await FILES.digest(tmp_path)


@pytest.mark.promise("T-038")
async def test_parents_are_made_and_a_new_file_has_the_usual_mode(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        await FILES.write_text(tmp_path / "a b/가/c.txt", "내용\n")
    finally:
        os.umask(before)
    assert (tmp_path / "a b/가/c.txt").read_bytes() == "내용\n".encode()
    assert stat.S_IMODE((tmp_path / "a b/가/c.txt").stat().st_mode) == 0o640


async def test_the_mode_stays_and_the_old_file_stays_whole_for_those_who_have_it_open(tmp_path: Path) -> None:
    path = tmp_path / "run.sh"
    path.write_text("old")
    path.chmod(0o755)
    with path.open() as reader:
        await FILES.write_text(path, "new")
        assert reader.read() == "old"
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o755
    assert [one.name for one in tmp_path.iterdir()] == ["run.sh"]


async def test_the_target_of_a_link_is_written_and_the_link_stays(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "far/target").write_text("old")
    (tmp_path / "link").symlink_to("far/target")
    (tmp_path / "dangling").symlink_to("far/new")
    await FILES.write_text(tmp_path / "link", "1")
    await FILES.write_text(tmp_path / "dangling", "2")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "dangling").is_symlink()
    assert {one.name: one.read_text() for one in (tmp_path / "far").iterdir()} == {"target": "1", "new": "2"}


async def test_what_is_no_regular_file_is_not_overwritten(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.relpath(tmp_path / "socket"))
    for path in (tmp_path, tmp_path / "pipe", tmp_path / "socket", Path("/dev/null")):
        with pytest.raises(OSError, match=r"directory|regular"):
            await FILES.write_text(path, "x")
    assert {one.name for one in tmp_path.iterdir()} == {"pipe", "socket"}


@pytest.mark.parametrize("failing", ["os.fsync", "os.replace"])
async def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(failing: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    with patch(failing, side_effect=OSError(errno.ENOSPC, "full")), pytest.raises(OSError, match="full"):
        await FILES.write_text(tmp_path / "a", "new")
    assert {one.name: one.read_text() for one in tmp_path.iterdir()} == {"a": "old"}


async def test_a_character_that_the_encoding_lacks_leaves_the_old_file(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    with pytest.raises(UnicodeEncodeError):
        await FILES.write_text(tmp_path / "a", "😀", encoding="cp949")
    assert (tmp_path / "a").read_text() == "old"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
async def test_a_read_only_file_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    (tmp_path / "a").chmod(0o444)
    with pytest.raises(PermissionError):
        await FILES.write_text(tmp_path / "a", "new")


async def test_a_reader_never_sees_half_a_file(tmp_path: Path) -> None:
    path, texts = tmp_path / "a", {letter * 200_000 for letter in "ab"}
    path.write_text("a" * 200_000)

    async def write() -> None:
        for _ in range(10):
            for text in sorted(texts):
                await FILES.write_text(path, text)

    writing = asyncio.create_task(write())
    while not writing.done():
        assert (await FILES.read_text(path, ENOUGH)).text in texts


@pytest.mark.promise("T-043")
async def test_a_listing_has_folders_first_and_survives_broken_links(tmp_path: Path) -> None:
    (tmp_path / "z").mkdir()
    (tmp_path / "b").write_text("12345")
    (tmp_path / "broken").symlink_to("nowhere")
    (tmp_path / "to z").symlink_to("z")
    (tmp_path / os.fsdecode(b"\xff")).touch()
    found = await FILES.list_dir(tmp_path)
    assert [(one.path.name, one.is_dir, one.is_link) for one in found] == [
        ("to z", True, True),
        ("z", True, False),
        ("b", False, False),
        ("broken", False, True),
        ("\udcff", False, False),
    ]
    with pytest.raises(NotADirectoryError):
        await FILES.list_dir(tmp_path / "b")


@pytest.mark.promise("T-038", "T-039")
async def test_the_tools_keep_what_is_on_disk_as_it_was_but_for_the_change(tmp_path: Path) -> None:
    path = tmp_path / "설정.ini"
    path.write_bytes("이름=민\r\n색=빨강\r\n".encode("cp949"))
    path.chmod(0o600)
    await call_as_shown(
        EditFile(FILES),
        {"path": "설정.ini", "old_string": "이름=민\n색", "new_string": "이름=준\n키=1\n색"},
        cwd=tmp_path,
    )
    assert path.read_bytes() == "이름=준\r\n키=1\r\n색=빨강\r\n".encode("cp949")
    output = await call_as_shown(WriteFile(FILES), {"path": "설정.ini", "content": "x\n"}, cwd=tmp_path)
    assert (output.text, path.read_bytes()) == ("Replaced 설정.ini (1 lines).", b"x\n")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
