"""``list_dir``, ``glob`` and ``grep``."""

from pathlib import Path

import pytest

from jarvis_desktop.adapters.local_files import LocalFiles
from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.ports import FoundFile
from jarvis_desktop.core.tool import ToolOutput
from jarvis_desktop.core.tools.glob import Glob
from jarvis_desktop.core.tools.grep import Grep
from jarvis_desktop.core.tools.list_dir import ListDir, described
from tests.fakes.files import FakeFiles
from tests.unit.tools.calling import CWD, call

TREE = {
    CWD / "old.md": "# 제목\n옛 글\n".encode(),
    CWD / "src/a.py": b"import os\nprint('a')\n",
    CWD / "src/deep/b.py": b"import sys\n",
    CWD / "new.md": b"new\n",
    Path("/etc/hosts"): b"127.0.0.1 localhost\n",
}


@pytest.mark.promise("T-043")
async def test_a_directory_is_listed_folders_first() -> None:
    output = await call(ListDir(FakeFiles(TREE)), {})
    names = [line.split("\t")[0] for line in output.text.split("\n")]
    assert (output.status, names) == (
        ResultStatus.OK,
        ["[3 entries in .]", "src/", "new.md", "old.md"],
    )


async def test_a_folder_that_is_not_there_is_said() -> None:
    output = await call(ListDir(FakeFiles(TREE)), {"path": "nowhere"})
    assert output == ToolOutput(
        "There is no nowhere. Look with list_dir or glob for the right name.", ResultStatus.ERROR
    )


async def test_an_empty_folder_is_said_to_be_empty(tmp_path: Path) -> None:
    assert await call(ListDir(LocalFiles()), {}, cwd=tmp_path) == ToolOutput("[. is empty]")


async def test_a_long_listing_is_cut_and_says_so() -> None:
    many = FakeFiles({CWD / f"{number:04}": b"" for number in range(500)})
    lines = (await call(ListDir(many), {})).text.split("\n")
    assert (len(lines), lines[0]) == (202, "[500 entries in .]")
    assert lines[-1] == "[200 of 500 entries; use glob to narrow it down]"


def test_a_link_and_a_size_are_seen_in_a_listing() -> None:
    line = described(FoundFile(CWD / "a", is_dir=False, size_bytes=7, modified_at=0.0, is_link=True))
    assert line.split("\t")[:2] == ["a", "7"]
    assert line.endswith("\tlink")


@pytest.mark.promise("T-041")
async def test_files_are_found_newest_first() -> None:
    assert await call(Glob(FakeFiles(TREE)), {"pattern": "*.md"}) == ToolOutput("new.md\nold.md")


async def test_a_pattern_that_begins_with_a_path_searches_there() -> None:
    assert await call(Glob(FakeFiles(TREE)), {"pattern": "/etc/h*"}) == ToolOutput("/etc/hosts")
    assert await call(Glob(FakeFiles(TREE)), {"pattern": "src/**/*.py"}) == ToolOutput(
        "src/deep/b.py\nsrc/a.py"
    )


async def test_a_bare_name_is_looked_for_further_down_when_it_is_not_here() -> None:
    output = await call(Glob(FakeFiles(TREE)), {"pattern": "b.py"})
    assert output == ToolOutput("src/deep/b.py\n[not in . itself, but below it]")


async def test_nothing_found_is_said_and_is_no_error() -> None:
    assert await call(Glob(FakeFiles(TREE)), {"pattern": "*.exe"}) == ToolOutput(
        "[no file in . matches *.exe]"
    )


async def test_a_search_without_end_says_that_it_is_incomplete() -> None:
    files = FakeFiles(TREE)
    files.slow = True
    output = await call(Glob(files), {"pattern": "*.md"})
    assert output.text.startswith("new.md\nold.md\n[the search took too long and is incomplete")
    output = await call(Grep(files), {"pattern": "localhost", "path": "/etc"})
    assert output.text.startswith("/etc/hosts:1:127.0.0.1 localhost\n[the search took too long")


async def test_a_broken_glob_pattern_is_said() -> None:
    output = await call(Glob(FakeFiles(TREE)), {"pattern": "[z-a]*"})
    assert output.status is ResultStatus.ERROR


async def test_too_many_files_are_cut_and_it_is_said() -> None:
    many = FakeFiles({CWD / f"{number:04}": b"" for number in range(500)})
    lines = (await call(Glob(many), {"pattern": "*"})).text.split("\n")
    assert lines[-1] == "[the newest 200, there are more; narrow the pattern]"


@pytest.mark.promise("T-042")
async def test_matches_come_with_path_and_line_number() -> None:
    output = await call(Grep(FakeFiles(TREE)), {"pattern": r"^import \w+", "glob": "*.py"})
    assert output == ToolOutput("src/a.py:1:import os\nsrc/deep/b.py:1:import sys")


async def test_no_match_is_said_and_is_no_error() -> None:
    assert await call(Grep(FakeFiles(TREE)), {"pattern": "없음"}) == ToolOutput("[no match for 없음 in .]")


async def test_a_pattern_that_is_no_regular_expression_is_said() -> None:
    output = await call(Grep(FakeFiles(TREE)), {"pattern": "print("})
    assert output.status is ResultStatus.ERROR
    assert output.text.startswith("The pattern 'print(' cannot be used: ")


async def test_too_many_matches_are_cut_and_it_is_said() -> None:
    files = FakeFiles({CWD / "a": b"x" * 1000 + b"\n" + b"x\n" * 300})
    lines = (await call(Grep(files), {"pattern": "x"})).text.split("\n")
    assert lines[0] == f"a:1:{'x' * 300} [… 700 more characters]"
    assert lines[-1] == "[the first 100 matches, there are more; narrow the pattern, path or glob]"


async def test_a_place_that_cannot_be_searched_is_said() -> None:
    files = FakeFiles(TREE)
    files.fault = PermissionError(13, "Permission denied")
    for output in (await call(Grep(files), {"pattern": "x"}), await call(Glob(files), {"pattern": "x"})):
        assert output.status is ResultStatus.ERROR
        assert output.text.startswith("Permission denied: ")
