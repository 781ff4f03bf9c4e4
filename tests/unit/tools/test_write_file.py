"""``write_file``."""

import errno
from hashlib import sha256

import pytest
from pydantic import ValidationError

from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.decisions import Shown
from jarvis_desktop.core.tool import Preview, ToolOutput
from jarvis_desktop.core.tools.write_file import WriteFile
from tests.fakes.files import FakeFiles
from tests.unit.tools.calling import CWD, call, call_as_shown

NOTE = CWD / "메모.txt"


@pytest.mark.promise("T-038")
async def test_a_new_file_is_written_below_the_working_directory() -> None:
    files = FakeFiles()
    output = await call_as_shown(WriteFile(files), {"path": "새 폴더/a.txt", "content": "가\n나"})
    assert output == ToolOutput("Created 새 폴더/a.txt (2 lines).")
    assert files.content == {CWD / "새 폴더/a.txt": "가\n나".encode()}


@pytest.mark.promise("T-038")
async def test_an_old_file_is_overwritten() -> None:
    files = FakeFiles({NOTE: b"old"})
    output = await call_as_shown(WriteFile(files), {"path": "메모.txt", "content": ""})
    assert output == ToolOutput("Replaced 메모.txt (0 lines).")
    assert files.content == {NOTE: b""}


async def test_what_is_shown_is_the_diff_and_the_digest_of_what_is_there() -> None:
    tool = WriteFile(FakeFiles({NOTE: b"one\ntwo\n"}))
    shown = await tool.preview(tool.parse({"path": "메모.txt", "content": "one\n2"}), CWD)
    assert shown == Preview(
        Shown.DIFF,
        "--- a/메모.txt\n+++ b/메모.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n\\ No newline at end of file\n",
        sha256(b"one\ntwo\n").hexdigest(),
    )


async def test_a_new_file_is_shown_as_coming_from_nothing() -> None:
    tool = WriteFile(FakeFiles())
    shown = await tool.preview(tool.parse({"path": "a", "content": "x\n"}), CWD)
    assert shown == Preview(Shown.DIFF, "--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+x\n", "absent")


async def test_a_binary_file_is_shown_as_what_it_would_become() -> None:
    tool = WriteFile(FakeFiles({NOTE: b"\0\1"}))
    shown = await tool.preview(tool.parse({"path": "메모.txt", "content": "text"}), CWD)
    assert shown == Preview(
        Shown.TEXT,
        "메모.txt is no text, or too large to compare. It would become:\n\ntext",
        sha256(b"\0\1").hexdigest(),
    )


@pytest.mark.parametrize("meanwhile", [b"changed", None])
async def test_a_file_that_changed_since_it_was_shown_is_left_alone(meanwhile: bytes | None) -> None:
    files = FakeFiles({NOTE: b"old"})
    tool = WriteFile(files)
    raw = {"path": "메모.txt", "content": "new"}
    shown = await tool.preview(tool.parse(raw), CWD)
    files.content = {} if meanwhile is None else {NOTE: meanwhile}
    output = await call(tool, raw, snapshot=shown.snapshot)
    assert output.status is ResultStatus.ERROR
    assert "has changed since it was shown" in output.text
    assert "new" not in map(bytes.decode, files.content.values())


async def test_a_file_that_appeared_since_it_was_shown_as_absent_is_left_alone() -> None:
    files = FakeFiles()
    tool = WriteFile(files)
    raw = {"path": "메모.txt", "content": "new"}
    shown = await tool.preview(tool.parse(raw), CWD)
    files.content = {NOTE: b"somebody else's"}
    assert (await call(tool, raw, snapshot=shown.snapshot)).status is ResultStatus.ERROR
    assert files.content == {NOTE: b"somebody else's"}


async def test_a_folder_cannot_be_written_and_that_is_known_before_anybody_is_asked() -> None:
    tool = WriteFile(FakeFiles({NOTE: b""}))
    shown = await tool.preview(tool.parse({"path": ".", "content": "x"}), CWD)
    assert shown.impossible == ". is a folder, not a file. Use list_dir to see what is in it."
    output = await call(tool, {"path": ".", "content": "x"})
    assert output == ToolOutput(shown.impossible, ResultStatus.ERROR)


FOLDER_MEANT = (
    "No folder was made, and no file. Call bash now: mkdir -p {quoted}. "
    "Only if an empty file was asked for: touch {quoted}."
)


@pytest.mark.parametrize(
    ("path", "quoted"),
    [("notes", "notes"), ("새 일/notes/", "'새 일/notes/'"), ("/srv/회의록", "'/srv/회의록'")],
)
async def test_an_empty_file_in_place_of_a_folder_is_refused_before_anybody_is_asked(
    path: str, quoted: str
) -> None:
    files = FakeFiles()
    tool, raw = WriteFile(files), {"path": path, "content": "\n"}
    shown = await tool.preview(tool.parse(raw), CWD)
    assert shown.impossible == FOLDER_MEANT.format(quoted=quoted)
    assert await call(tool, raw) == ToolOutput(shown.impossible, ResultStatus.ERROR)
    assert files.content == {}


@pytest.mark.parametrize("path", ["a.txt", ".gitkeep", "새 폴더/__init__.py"])
async def test_an_empty_file_with_an_ending_or_a_leading_dot_is_written(path: str) -> None:
    files = FakeFiles()
    output = await call_as_shown(WriteFile(files), {"path": path, "content": ""})
    assert output == ToolOutput(f"Created {path} (0 lines).")
    assert files.content == {CWD / path: b""}


async def test_a_file_without_an_ending_can_be_emptied() -> None:
    files = FakeFiles({CWD / "notes": b"old"})
    await call_as_shown(WriteFile(files), {"path": "notes", "content": ""})
    assert files.content == {CWD / "notes": b""}


async def test_a_full_disk_is_said() -> None:
    files = FakeFiles()
    files.fault = OSError(errno.ENOSPC, "No space left on device")
    output = await call(WriteFile(files), {"path": "a", "content": "x"})
    assert output == ToolOutput(
        "The disk is full: a was not written and is unchanged. Tell the user.", ResultStatus.ERROR
    )


def test_half_a_character_is_refused() -> None:
    with pytest.raises(ValidationError):
        WriteFile(FakeFiles()).parse({"path": "a", "content": "x\ud83dy"})


async def test_a_file_that_stays_the_same_is_shown_as_that() -> None:
    tool = WriteFile(FakeFiles({NOTE: "가".encode("cp949")}))
    shown = await tool.preview(tool.parse({"path": "메모.txt", "content": "가"}), CWD)
    assert shown.detail == "메모.txt: the text stays (cp949 → utf-8)"


async def test_a_file_too_large_to_compare_can_still_be_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jarvis_desktop.core.tools.write_file.MAX_FILE_BYTES", 3)
    files = FakeFiles({NOTE: b"long"})
    tool = WriteFile(files)
    shown = await tool.preview(tool.parse({"path": "메모.txt", "content": "x"}), CWD)
    assert (shown.shown, shown.impossible) == (Shown.TEXT, "")
    assert (await call(tool, {"path": "메모.txt", "content": "x"}, snapshot=shown.snapshot)).text.startswith(
        "Replaced"
    )
