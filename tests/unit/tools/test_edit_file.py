"""``edit_file``."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.decisions import Shown
from jarvis_desktop.core.tool import Preview, ToolOutput
from jarvis_desktop.core.tools.edit_file import EditFile
from tests.fakes.files import FakeFiles
from tests.unit.tools.calling import CWD, call, call_as_shown

PATH = CWD / "a.py"


def edit(old: str, new: str, **more: object) -> dict[str, object]:
    return {"path": "a.py", "old_string": old, "new_string": new, **more}


@pytest.mark.promise("T-039")
async def test_the_one_exact_occurrence_is_replaced() -> None:
    files = FakeFiles({PATH: b"a = 1\nb = 2\n"})
    assert await call_as_shown(EditFile(files), edit("b = 2", "b = r'\\1'")) == ToolOutput("Changed a.py.")
    assert files.content == {PATH: b"a = 1\nb = r'\\1'\n"}


@pytest.mark.promise("T-039")
async def test_several_occurrences_are_refused_with_their_lines() -> None:
    files = FakeFiles({PATH: b"x\ny\nx\n"})
    output = await call(EditFile(files), edit("x", "z"))
    assert output == ToolOutput(
        "old_string occurs 2 times in a.py, in lines 1, 3. Nothing was changed. "
        "Add lines around it so that it fits one place only, or set replace_all.",
        ResultStatus.ERROR,
    )
    assert files.content == {PATH: b"x\ny\nx\n"}


async def test_every_occurrence_is_replaced_when_asked_for() -> None:
    files = FakeFiles({PATH: b"x\ny\nx\n"})
    output = await call_as_shown(EditFile(files), edit("x", "xx", replace_all=True))
    assert output == ToolOutput("Changed a.py in 2 places.")
    assert files.content == {PATH: b"xx\ny\nxx\n"}


@pytest.mark.parametrize(
    ("old", "hint"),
    [
        ("  total = a+b", "Line 2 differs only in spaces: '\\ttotal = a+b'. Copy it exactly."),
        ("\ttotal = a-b", "The nearest is line 2: '\\ttotal = a+b'."),
        (
            "def f(a, b):\n\treturn 1",
            "Line 1 is its first line, but the next ones differ. Read from there with read_file.",
        ),
        ("2\t\ttotal = a+b", "Leave out the line numbers that read_file puts in front."),
        ("한글", "Read the file with read_file and copy the text exactly."),
        ("\n\n\n", "Read the file with read_file and copy the text exactly."),
    ],
)
async def test_no_occurrence_is_refused_with_the_place_that_was_probably_meant(old: str, hint: str) -> None:
    files = FakeFiles({PATH: b"def f(a, b):\n\ttotal = a+b\n"})
    output = await call(EditFile(files), edit(old, "x"))
    assert output == ToolOutput(
        f"old_string does not occur in a.py. Nothing was changed. {hint}", ResultStatus.ERROR
    )


async def test_an_edit_that_changes_nothing_says_so() -> None:
    output = await call(EditFile(FakeFiles({PATH: b"x"})), edit("x", "x"))
    assert output.status is ResultStatus.ERROR


async def test_a_missing_file_cannot_be_edited() -> None:
    output = await call(EditFile(FakeFiles()), edit("x", "y"))
    assert output == ToolOutput(
        "There is no a.py. Look with list_dir or glob for the right name.", ResultStatus.ERROR
    )


async def test_what_is_shown_is_the_diff() -> None:
    tool = EditFile(FakeFiles({PATH: b"a\nb\nc\n"}))
    shown = await tool.preview(tool.parse(edit("b", "B")), CWD)
    assert shown == Preview(
        Shown.DIFF,
        "--- a/a.py\n+++ b/a.py\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n",
        sha256(b"a\nb\nc\n").hexdigest(),
    )


async def test_an_edit_that_cannot_work_is_known_before_anybody_is_asked() -> None:
    tool = EditFile(FakeFiles({PATH: b"a"}))
    shown = await tool.preview(tool.parse(edit("zzz", "B")), CWD)
    assert shown.impossible == (await call(tool, edit("zzz", "B"))).text
    assert shown.shown is Shown.TEXT


async def test_a_file_that_changed_since_it_was_shown_is_left_alone() -> None:
    files = FakeFiles({PATH: b"a b"})
    tool = EditFile(files)
    shown = await tool.preview(tool.parse(edit("b", "B")), CWD)
    files.content[PATH] = b"z b"
    output = await call(tool, edit("b", "B"), snapshot=shown.snapshot)
    assert output.status is ResultStatus.ERROR
    assert "has changed since it was shown" in output.text
    assert files.content == {PATH: b"z b"}


async def test_windows_newlines_stay_and_are_matched_by_plain_ones() -> None:
    files = FakeFiles({PATH: b"a\r\nb\r\nc\r\n"})
    await call_as_shown(EditFile(files), edit("a\nb\n", "1\n2\n3\n"))
    assert files.content == {PATH: b"1\r\n2\r\n3\r\nc\r\n"}


async def test_a_lonely_odd_newline_elsewhere_in_the_file_stays() -> None:
    files = FakeFiles({PATH: b"a\r\nb\nc\nd"})
    await call_as_shown(EditFile(files), edit("c", "C"))
    assert files.content == {PATH: b"a\r\nb\nC\nd"}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp949", "utf-16"])
async def test_the_encoding_of_the_file_stays(encoding: str) -> None:
    files = FakeFiles({PATH: "이름: 김민\n나이: 30\n".encode(encoding)})
    await call_as_shown(EditFile(files), edit("30", "서른하나"))
    assert files.content == {PATH: "이름: 김민\n나이: 서른하나\n".encode(encoding)}


async def test_a_character_that_the_encoding_lacks_is_refused() -> None:
    before = "이름\n".encode("cp949")
    files = FakeFiles({PATH: before})
    output = await call(EditFile(files), edit("이름", "😀"))
    assert output.status is ResultStatus.ERROR
    assert "the encoding cp949 has no" in output.text
    assert files.content == {PATH: before}


@given(
    before=st.text(st.characters(codec="utf-8", exclude_characters="\r\0x"), max_size=40),
    after=st.text(st.characters(codec="utf-8", exclude_characters="\r\0x"), max_size=40),
    new=st.text(st.characters(codec="utf-8", exclude_characters="\r\0x"), min_size=1, max_size=40),
    newline=st.sampled_from(["\n", "\r\n"]),
)
async def test_an_edit_and_its_reverse_leave_the_bytes_as_they_were(
    before: str, after: str, new: str, newline: str
) -> None:
    text = f"{before}x{after}".replace("\n", newline)
    if text.startswith("\ufeff"):
        return
    files = FakeFiles({PATH: text.encode()})
    unique = f"x{new}x"
    assert (await call_as_shown(EditFile(files), edit("x", unique))).status is ResultStatus.OK
    if "\n" not in text:  # a file of one line has no newline style to keep
        return
    assert (await call_as_shown(EditFile(files), edit(unique, "x"))).status is ResultStatus.OK
    assert files.content == {PATH: text.encode()}
