"""``read_file``."""

import errno

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.tool import ToolOutput
from jarvis_desktop.core.tool_text import MAX_RESULT_CHARS
from jarvis_desktop.core.tools.read_file import ReadFile
from tests.fakes.files import FakeFiles
from tests.unit.tools.calling import CWD, call

POEM = "".join(f"line {number}\n" for number in range(1, 11)).encode()


def reader(content: bytes = POEM) -> ReadFile:
    return ReadFile(FakeFiles({CWD / "a b.txt": content}))


@pytest.mark.promise("T-040")
async def test_a_range_of_lines_comes_with_numbers_and_says_how_to_read_on() -> None:
    output = await call(reader(), {"path": "a b.txt", "start_line": 3, "max_lines": 2})
    assert output == ToolOutput("3\tline 3\n4\tline 4\n[lines 3-4 of 10; read on with start_line=5]")


async def test_numbers_written_as_text_are_read() -> None:
    output = await call(reader(), {"path": "a b.txt", "start_line": "10"})
    assert output == ToolOutput("10\tline 10")


async def test_a_range_beyond_the_end_says_how_long_the_file_is() -> None:
    output = await call(reader(), {"path": "a b.txt", "start_line": 11, "max_lines": 5})
    assert output.status is ResultStatus.ERROR
    assert output.text == (
        "a b.txt has only 10 lines, so there is no line 11. Read it with start_line 6 to see its end."
    )


async def test_an_empty_file_is_said_to_be_empty() -> None:
    assert await call(reader(b""), {"path": "a b.txt"}) == ToolOutput("[a b.txt is empty]")


async def test_a_missing_file_is_answered_with_the_name_that_was_probably_meant() -> None:
    output = await call(reader(), {"path": "A_b.txt"})
    assert output == ToolOutput(
        "There is no A_b.txt. Look with list_dir or glob for the right name. "
        'Did you mean "a b.txt" in the same folder?',
        ResultStatus.ERROR,
    )


async def test_a_missing_folder_is_answered_without_a_guess() -> None:
    output = await call(reader(), {"path": "x/y.txt"})
    assert output == ToolOutput(
        "There is no x/y.txt. Look with list_dir or glob for the right name.", ResultStatus.ERROR
    )


async def test_a_binary_file_is_refused_with_what_to_do() -> None:
    output = await call(reader(b"\x7fELF\0\0"), {"path": "a b.txt"})
    assert output.status is ResultStatus.ERROR
    assert "is a binary file. It cannot be read as text" in output.text


@pytest.mark.parametrize("code", [errno.EACCES, errno.EFBIG, errno.EINVAL, errno.EIO])
async def test_every_trouble_of_the_disk_is_an_answer_that_names_the_path(code: int) -> None:
    files = FakeFiles({CWD / "a b.txt": POEM})
    files.fault = OSError(code, "trouble")
    output = await call(ReadFile(files), {"path": "a b.txt"})
    assert output.status is ResultStatus.ERROR
    assert "a b.txt" in output.text


async def test_home_and_absolute_paths_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(CWD))
    for path in ("~/a b.txt", str(CWD / "a b.txt"), f"file://{CWD}/a b.txt"):
        output = await call(reader(), {"path": path, "max_lines": 1})
        assert output.text.startswith("1\tline 1\n")


async def test_a_name_with_a_tilde_that_is_no_user_is_a_name() -> None:
    tool = ReadFile(FakeFiles({CWD / "~no such user": b"x"}))
    assert await call(tool, {"path": "~no such user"}) == ToolOutput("1\tx")


@pytest.mark.parametrize("raw", [{}, {"path": ""}, {"path": "a", "start_line": 0}, {"file": "a"}])
def test_unfit_arguments_are_refused(raw: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        reader().parse(raw)


@given(st.lists(st.text(max_size=3000), max_size=30))
async def test_a_result_is_never_too_long_for_a_small_model_and_reading_on_sees_every_line(
    lines: list[str],
) -> None:
    body = "".join(line.replace("\n", "").replace("\r", "").replace("\0", "") + "\n" for line in lines)
    tool = reader(body.encode("utf-8", "replace"))
    seen, start = 0, 1
    while seen < len(lines):
        output = await call(tool, {"path": "a b.txt", "start_line": start})
        assert len(output.text) <= MAX_RESULT_CHARS + 100
        rows = [row for row in output.text.split("\n") if not row.startswith("[lines")]
        assert rows[0].startswith(f"{start}\t")
        seen += len(rows)
        start += len(rows)
    assert seen == len(lines)
