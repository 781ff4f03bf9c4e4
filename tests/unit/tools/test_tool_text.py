"""What the tools share."""

import os
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jarvis_desktop.core.tool_text import diff_lines, named, plain, similar, split_pattern, unified

LINES = st.lists(st.sampled_from(["a", "b", "가", "", "x\r", "\u2028"]), max_size=12).map("\n".join)


@pytest.mark.skipif(
    not Path("/usr/bin/patch").exists() and not os.environ.get("CI"),
    reason="needs patch: sudo apt install patch",
)
@settings(max_examples=40, deadline=None)
@given(old=LINES, new=LINES)
def test_the_diff_that_is_shown_is_exactly_the_change(old: str, new: str) -> None:
    diff = unified(old, new, "f")
    if not diff:
        assert old == new
        return
    with TemporaryDirectory() as folder:
        file = Path(folder) / "f"
        file.write_bytes(old.encode())
        subprocess.run(["patch", "--binary", "-s", "-p1", "f"], cwd=folder, input=diff.encode(), check=True)
        assert (file.read_bytes() if file.exists() else b"") == new.encode()


@given(st.text())
def test_the_lines_of_a_diff_are_the_whole_text(text: str) -> None:
    assert "".join(diff_lines(text)) == text


@given(st.text())
def test_plain_text_holds_no_control_character(text: str) -> None:
    assert not any(ord(char) < 32 and char not in "\n\t" for char in plain(text))


@given(st.text(st.characters(categories=["L", "N", "P", "S", "Zs"])))
def test_ordinary_text_is_plain_already(text: str) -> None:
    assert plain(text) == text


def test_a_name_that_is_no_text_is_shown_all_the_same() -> None:
    broken = Path("/tmp") / b"\xff\xeb\xa9\x94".decode("utf-8", "surrogateescape")
    assert named(broken, Path("/tmp")) == "�메"
    assert named(Path("/etc/x"), Path("/tmp")) == "/etc/x"


def test_a_folder_in_front_of_a_pattern_is_taken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/u")
    base = Path("/w")
    assert split_pattern("*.md", base) == (base, "*.md")
    assert split_pattern("a/../*.md", base) == (base / "a/..", "*.md")
    assert split_pattern("~/b/**/c", base) == (Path("/home/u/b"), "**/c")
    assert split_pattern("/*", base) == (Path("/"), "*")


def test_the_nearest_name_is_found_in_any_case() -> None:
    assert similar("readme.MD", ["README.md", "LICENSE"]) == "README.md"
    assert similar("zzz", ["README.md"]) is None
