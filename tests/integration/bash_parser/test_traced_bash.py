"""What a rule lets pass, a real bash in a jail starts exactly as it was checked."""

import ast
import os
import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from jarvis_desktop.core.policy.plain_reading import read_plain
from tests.unit.policy3.support import decided, rows

PROGRAMS = ("git", "ls", "cat", "npm", "sort", "head", "touch")
BUILTINS = frozenset({"echo"})
RULES = ("git status", "git log", "ls", "echo", "cat", "npm test", "sort -u", "head")
HOME = "/home/u"
PIECES = (
    "git status",
    "git log",
    "ls",
    "echo",
    "cat x",
    "npm test",
    "head -5",
    " ",
    " ",
    " ",
    " && ",
    " || ",
    "; ",
    " | ",
    "\n",
    "\\\n",
    " \\\n ",
    "'a b'",
    '"a b"',
    '"a\\"b"',
    "'$x'",
    "a\\ b",
    "''",
    '""',
    "\\'",
    '\\"',
    "~",
    "~/x",
    "x~y",
    "HEAD@{1}",
    "x^",
    "a#b",
    " # c\n",
    "#",
    "!",
    "! ",
    "2>&1",
    " 2>/dev/null",
    ">/dev/null ",
    " &>/dev/null",
    "1>&2",
    "=",
    "a=b",
    "{x}",
    "{",
    "}",
    "%1",
    "--",
    "-x",
    ":",
    ",",
    "..",
    "\\a",
    "\\\\",
    "한글",
    "+",
    "/",
    "@",
    "'",
    '"',
    "$",
    "`",
    "$(touch /t)",
    "&",
    "(",
    ")",
    "*",
    "~u",
    "\\n",
    "{a,b}",
    "<",
    "time ",
    "if ",
)


JAIL = (
    *("bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-all"),
    *("--die-with-parent", "--setenv", "LC_ALL", "C.UTF-8"),
)


def allowed_commands(count: int) -> list[str]:
    """Commands that rules cover: labelled ones, and random ones that the strict reading lets through."""
    labelled = [
        row["command"]
        for row in rows("shell_cases.jsonl")
        if row["tool"] == "bash" and decided(row["command"], *RULES).kind == "allow"
    ]
    found = dict.fromkeys(labelled)
    pick = random.Random(20261201)
    for _ in range(60_000):
        if len(found) >= count:
            break
        text = pick.choice(("git status", "ls", "echo", "cat", "npm test")) + "".join(
            pick.choices(PIECES, k=pick.randint(1, 7))
        )
        if decided(text, *RULES).kind == "allow":
            found[text] = None
    return list(found)


def traced(commands: list[str], folder: Path) -> list[list[tuple[str, ...]]]:
    """For each command the argvs that bash started, in order, in a jail where every program is ``true``."""
    (folder / "bin").mkdir()
    for name in (*PROGRAMS, "mark"):
        (folder / "bin" / name).symlink_to("/usr/bin/true")
    (folder / "commands").write_bytes(b"".join(command.encode() + b"\0" for command in commands))
    loop = (
        f"PATH={folder}/bin; HOME={HOME}; export HOME; "
        f'while IFS= read -r -d "" c; do mark; /usr/bin/bash -c "$c" </dev/null; done <{folder}/commands'
    )
    trace = [
        "strace",
        "-f",
        "-qq",
        "-e",
        "trace=execve",
        "-e",
        "signal=none",
        "-s",
        "5000",
        "-xx",
        "-o",
        "/dev/fd/2",
    ]
    end = subprocess.run(
        [*JAIL, *trace, "/usr/bin/bash", "-c", loop], capture_output=True, check=True, timeout=100
    )
    started: list[list[tuple[str, ...]]] = []
    for line in end.stderr.decode("ascii", "replace").splitlines():
        # Two that start at once are told in two lines each; the first one has the words.
        match = re.search(r'execve\("(?:\\x[0-9a-f]{2})*", \[(.*?)\], .*(?:= 0|<unfinished \.\.\.>)$', line)
        if match is None:
            continue
        argv = tuple(ast.literal_eval(f"b{word}").decode() for word in re.findall(r'"[^"]*"', match[1]))
        if argv == ("mark",):
            started.append([])
        elif started and argv[:2] != ("/usr/bin/bash", "-c"):
            started[-1].append(argv)
    return started


@pytest.fixture
def jail_works() -> None:
    """Skipped with the reason where no jail can be made; where ``CI`` is ``true`` that is a failure."""
    missing = [name for name in ("bwrap", "strace") if shutil.which(name) is None]
    reason = f"not installed: {', '.join(missing)}" if missing else ""
    if not missing:
        tried = subprocess.run([*JAIL, "true"], capture_output=True, text=True, check=False, timeout=30)
        reason = "" if tried.returncode == 0 else f"no jail can be made here: {tried.stderr.strip()}"
    if reason:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(reason)


@pytest.mark.usefixtures("jail_works")
@pytest.mark.promise("T-084")
def test_a_real_bash_starts_only_the_argvs_that_were_checked(tmp_path: Path) -> None:
    commands = allowed_commands(300)
    assert len(commands) >= 300
    wrong = []
    for command, started in zip(commands, traced(commands, tmp_path), strict=True):
        checked = [one.argv for one in read_plain(command, HOME) or () if one.argv[0] not in BUILTINS]
        whole = "||" not in command and "!" not in command and "&&" not in command
        if (sorted(started) != sorted(checked)) if whole else not set(started) <= set(checked):
            wrong.append((command, checked, started))
    assert wrong == []
