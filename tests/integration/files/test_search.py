"""Finding files by name and by content, on a real disk."""

import asyncio
import json
import os
import subprocess
import sys
import time
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.adapters.files_match import Budget, Glob, alternatives, walk
from jarvis_desktop.adapters.local_files import LocalFiles
from jarvis_desktop.core.ports import SearchTimeoutError
from tests.integration.shell.processes import until, with_word

FILES = LocalFiles()
ROOT = Path(__file__).parents[3]


def tree(root: Path, *names: str, content: str = "x\n") -> None:
    """Files that are one second apart, later ones newer."""
    for age, name in enumerate(names):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")
        os.utime(path, (1_700_000_000 + age, 1_700_000_000 + age))


async def globbed(root: Path, pattern: str, limit: int = 100) -> list[str]:
    return [str(one.path.relative_to(root)) for one in await FILES.glob(root, pattern, limit)]


async def grepped(
    root: Path, pattern: str, glob: str | None = None, limit: int = 100
) -> list[tuple[str, int, str]]:
    return [
        (str(path.relative_to(root)), number, line)
        for path, number, line in await FILES.grep(root, pattern, glob, limit)
    ]


@pytest.mark.promise("T-041")
async def test_files_are_found_newest_first_and_no_more_than_asked_for(tmp_path: Path) -> None:
    tree(tmp_path, "a.md", "하위 폴더/b.md", "c.txt", "하위 폴더/더 깊이/d.md")
    assert await globbed(tmp_path, "**/*.md") == ["하위 폴더/더 깊이/d.md", "하위 폴더/b.md", "a.md"]
    assert await globbed(tmp_path, "**/*.md", limit=1) == ["하위 폴더/더 깊이/d.md"]
    assert await globbed(tmp_path, "*.{md,txt}") == ["c.txt", "a.md"]
    assert await globbed(tmp_path, "하위*/?.md") == ["하위 폴더/b.md"]


async def test_hidden_and_generated_folders_are_passed_over_unless_named(tmp_path: Path) -> None:
    tree(tmp_path, ".git/config", ".github/ci.yml", "node_modules/a/x.js", ".env", "x.js")
    assert await globbed(tmp_path, "**/*") == ["x.js"]
    assert await globbed(tmp_path, "**") == ["x.js"]
    assert await globbed(tmp_path, ".github/*") == [".github/ci.yml"]
    assert await globbed(tmp_path, "**/.env") == [".env"]
    assert await globbed(tmp_path, "node_modules/**/*.js") == ["node_modules/a/x.js"]
    assert await globbed(tmp_path / ".git", "*") == ["config"]


async def test_links_to_folders_are_no_way_in_circles_or_out(tmp_path: Path) -> None:
    tree(tmp_path, "in/a", "out/b")
    (tmp_path / "in/up").symlink_to("..")
    (tmp_path / "in/other").symlink_to(tmp_path / "out")
    (tmp_path / "in/link").symlink_to("a")
    (tmp_path / "in/broken").symlink_to("nowhere")
    assert set(await globbed(tmp_path / "in", "**")) == {"a", "link", "broken"}
    assert await grepped(tmp_path / "in", "x") == [("a", 1, "x")]


async def test_a_name_from_a_mac_is_found_by_the_name_that_one_types(tmp_path: Path) -> None:
    tree(tmp_path, unicodedata.normalize("NFD", "한글 파일.txt"))
    assert len(await globbed(tmp_path, unicodedata.normalize("NFC", "한글*.txt"))) == 1


async def test_a_search_in_a_place_that_is_none_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        await FILES.glob(tmp_path / "gone", "*", 1)
    with pytest.raises(FileNotFoundError):
        await FILES.grep(tmp_path / "gone", "x", None, 1)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
async def test_a_search_in_a_closed_place_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0)
    tree(tmp_path, "secret")
    (tmp_path / "secret").chmod(0)
    for name in ("closed", "secret"):
        with pytest.raises(PermissionError):
            await FILES.grep(tmp_path / name, "x", None, 1)
    with pytest.raises(PermissionError):
        await FILES.glob(tmp_path / "closed", "*", 1)


async def test_a_search_by_name_ends_in_time_with_what_it_has(tmp_path: Path) -> None:
    tree(tmp_path, "a", "b")
    with pytest.raises(SearchTimeoutError) as caught:
        await LocalFiles(max_search_s=-1).glob(tmp_path, "*", 10)
    assert caught.value.found == ()


def test_a_search_that_nobody_waits_for_any_more_stops(tmp_path: Path) -> None:
    tree(tmp_path, "a/1", "b/2")
    seen: list[str] = []
    for name, _ in walk(tmp_path, Glob("**"), Budget(60, lambda: bool(seen))):
        seen.append(name)
    assert seen == ["a/1"]


@pytest.mark.promise("T-042")
async def test_lines_that_match_come_in_order_and_binary_files_are_skipped(tmp_path: Path) -> None:
    tree(tmp_path, "b/가 나.txt", "a.py", content="import os\n이름 = '민'\r\n")
    (tmp_path / "bin").write_bytes(b"\0 import os")
    (tmp_path / "old.txt").write_bytes("이름\n".encode("cp949"))
    assert await grepped(tmp_path, r"^import \w+$") == [
        ("a.py", 1, "import os"),
        ("b/가 나.txt", 1, "import os"),
    ]
    found = await grepped(tmp_path, "이름.*$", "*.txt")
    assert found == [("old.txt", 1, "이름"), ("b/가 나.txt", 2, "이름 = '민'")]
    assert await grepped(tmp_path, "os", limit=1) == [("a.py", 1, "import os")]
    assert await FILES.grep(tmp_path / "a.py", "os", None, 9) == ((tmp_path / "a.py", 1, "import os"),)


async def test_the_part_of_a_long_line_around_the_match_is_given(tmp_path: Path) -> None:
    (tmp_path / "min.js").write_text("a" * 1_000_000 + "needle" + "b" * 1_000_000)
    [(_, number, line)] = await FILES.grep(tmp_path, "needle", None, 9)
    assert number == 1
    assert "needle" in line
    assert len(line) == 402


@pytest.mark.parametrize("pattern", ["(", "*a", "(?<=a+)b", "a{99999999999999999999}", "(" * 5000])
async def test_a_pattern_that_is_none_is_a_value_error(pattern: str, tmp_path: Path) -> None:
    tree(tmp_path, "a")
    with pytest.raises(ValueError, match=r"."):
        await FILES.grep(tmp_path, pattern, None, 1)
    with pytest.raises(ValueError, match="not a glob"):
        await FILES.grep(tmp_path, "x", "[z-a]", 1)


async def test_a_pattern_that_runs_for_years_is_broken_off_with_what_was_found(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("aaa\n")
    (tmp_path / "b.txt").write_text("a" * 60 + "!\n")
    started_s = time.monotonic()
    with pytest.raises(SearchTimeoutError) as caught:
        await LocalFiles(max_search_s=0.5).grep(tmp_path, "(a+)+$", None, 10)
    assert caught.value.found == ((tmp_path / "a.txt", 1, "aaa"),)
    assert time.monotonic() - started_s < 30


async def test_the_loop_goes_on_while_a_pattern_runs_for_years_and_cancelling_ends_it(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text("a" * 60 + "!\n")
    program = "jarvis_desktop.adapters.files_grep"
    before = set(with_word(program))
    task = asyncio.create_task(FILES.grep(tmp_path, "(a+)+$", None, 10))
    await until(lambda: set(with_word(program)) - before)
    mine = set(with_word(program)) - before
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not mine & set(with_word(program))


async def test_a_pipe_or_device_among_the_files_does_not_stop_a_search(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    tree(tmp_path, "z")
    assert await grepped(tmp_path, "x") == [("z", 1, "x")]
    assert await FILES.grep(tmp_path / "pipe", "x", None, 1) == ()


@pytest.mark.voice_bug("path_locale", "UnicodeDecodeError cp949 on Korean Windows")
def test_names_in_hangul_work_where_the_locale_is_c(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import asyncio, json, sys; from pathlib import Path\n"
        "from jarvis_desktop.adapters.local_files import LocalFiles\n"
        "async def main(files=LocalFiles(), root=Path(json.loads(sys.argv[1]))):\n"
        "    await files.write_text(root / '새 폴더' / '메모.txt', '안녕\\n')\n"
        "    text = (await files.read_text(root / '새 폴더' / '메모.txt', 99)).text\n"
        "    found = [f.path for f in await files.glob(root, '**/메*.txt', 9)]\n"
        "    found += [f.path for f in await files.list_dir(root / '새 폴더')]\n"
        "    hits = await files.grep(root, '안', None, 9)\n"
        "    print(sys.getfilesystemencoding())\n"
        "    print(json.dumps([text, *map(str, found), *map(str, hits[0])]))\n"
        "asyncio.run(main())\n",
        "utf-8",
    )
    place = tmp_path / "김 민"
    done = subprocess.run(
        [sys.executable, str(script), json.dumps(str(place))],
        env={"PATH": os.environ["PATH"], "PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        check=True,
    )
    encoding, answer = done.stdout.decode("ascii").splitlines()
    note = f"{place}/새 폴더/메모.txt"
    assert encoding != "utf-8"
    assert json.loads(answer) == ["안녕\n", note, note, note, "1", "안녕"]


@pytest.mark.parametrize(
    ("pattern", "fits", "misses"),
    [
        ("*.md", ["a.md", "한글.md"], ["a.mdx", "d/a.md"]),
        ("**/*.md", ["a.md", "d/a.md", "d/e/a.md"], ["a.md/x"]),
        ("a/**", ["a/b", "a/b/c"], ["a", "b/a"]),
        ("a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["a/xb"]),
        ("./a?", ["ab"], ["a", "abc"]),
        ("[a-c]x", ["ax", "cx"], ["dx", "x"]),
        ("[!a]x", ["bx"], ["ax"]),
        ("[]]", ["]"], ["[", "a"]),
        ("[", ["["], ["a"]),
        ("a{b,c{d,e}}", ["ab", "acd", "ace"], ["ac", "a{b,c}"]),
        ("a{b}", ["a{b}"], ["ab"]),
        ("a.b+c(d)", ["a.b+c(d)"], ["axb+c(d)"]),
        ("a\\b", ["a\\b"], ["ab"]),
    ],
)
def test_patterns_mean_what_shells_mean(pattern: str, fits: list[str], misses: list[str]) -> None:
    glob = Glob(pattern)
    assert [name for name in fits if not glob.matches(name)] == []
    assert [name for name in misses if glob.matches(name)] == []


def test_a_pattern_with_endless_alternatives_is_refused() -> None:
    with pytest.raises(ValueError, match="alternatives"):
        Glob("{a,b}" * 10)


@given(st.text("ab*?[]!{},/.-\\^가", max_size=15), st.text("ab/.가", max_size=10))
def test_any_pattern_is_used_or_refused(pattern: str, name: str) -> None:
    try:
        Glob(pattern).matches(name)
    except ValueError:
        return


@given(st.lists(st.text("abc", min_size=1, max_size=3), min_size=2, max_size=5))
def test_alternatives_are_all_there_once(options: list[str]) -> None:
    assert alternatives("x{" + ",".join(options) + "}y") == [f"x{option}y" for option in options]


async def test_a_search_leaves_secrets_out_unless_it_begins_in_one(tmp_path: Path) -> None:
    tree(tmp_path, "notes.txt", "keys/server.pem", "keys/.ssh/config", content="hunter2\n")
    assert await grepped(tmp_path, "hunter2") == [("notes.txt", 1, "hunter2")]
    assert await grepped(tmp_path / "keys" / ".ssh", "hunter2") == [("config", 1, "hunter2")]
