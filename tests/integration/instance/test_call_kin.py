"""The running program, other programs of the person, and commands that pose as either."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from jarvis_desktop.adapters.bash_shell import BashShell
from jarvis_desktop.adapters.call_kin import came_from_a_call
from jarvis_desktop.adapters.shell_sweep import MARK
from jarvis_desktop.app.instance import Instance, Message, Reply

ROOT = Path(__file__).parents[3]
TELLS = (
    "import sys; from pathlib import Path; from jarvis_desktop.app.instance import Instance, Message\n"
    "print(Instance(Path(sys.argv[1])).tell(Message(sys.argv[2])))"
)
LOOKS = (
    "from jarvis_desktop.adapters.call_kin import is_a_persons_terminal\n"
    "print('a person' if is_a_persons_terminal(0) else 'nobody')"
)
HOSTS = """
import asyncio, sys
from pathlib import Path
from jarvis_desktop.app.instance import Instance
async def main():
    instance = Instance(Path(sys.argv[1]))
    instance.claim()
    async with await instance.listen(lambda message: print(message, flush=True), lambda: len(sys.argv) < 3):
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.read)
asyncio.run(main())
"""


@pytest.fixture(autouse=True)
def own_runtime_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


@pytest.fixture
async def heard(tmp_path: Path) -> "AsyncIterator[list[Message]]":
    """What reaches this process, which is the program of its home."""
    instance, heard = Instance(tmp_path), list[Message]()
    assert instance.claim()
    async with await instance.listen(heard.append):
        yield heard
    instance.release()


async def by_call(command: str, cwd: Path, **env: str) -> str:
    """What a command of ours prints where no room confines it."""
    environ = {"PATH": os.environ["PATH"], "HOME": str(cwd)}
    whole = {"PYTHONPATH": str(ROOT), "XDG_RUNTIME_DIR": str(cwd), **env}
    return (await BashShell(environ).run(command, cwd, 20, 10_000, whole)).output


@pytest.mark.parametrize("wiped", ["", "env -u SHELL_CALL "], ids=["marked", "mark wiped"])
@pytest.mark.parametrize("message", ["show", "talk", "setup", "speak"])
async def test_no_command_of_ours_gives_us_orders(
    tmp_path: Path, heard: list[Message], message: str, wiped: str
) -> None:
    said = await by_call(
        f'{wiped}{sys.executable} -c {TELLS!r} "$PWD" {message}'.replace("\\n", "\n"), tmp_path
    )
    assert (said, heard) == ("refused\n", [])


async def test_a_program_of_another_start_is_told_apart_from_its_commands(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOSTS, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        assert other.stdout.readline() == "ready\n"
        orphan = f'setsid {sys.executable} -c {TELLS!r} "$PWD" show > said & wait'.replace("\\n", "\n")
        await by_call(orphan, tmp_path)
        assert (tmp_path / "said").read_text() == "refused\n"
        assert await asyncio.to_thread(Instance(tmp_path).tell, Message.TALK) is Reply.TAKEN
        assert other.stdout.readline() == "talk\n"
        other.stdin.close()


def test_nobody_speaks_while_a_question_is_open(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOSTS, str(tmp_path), "quiet"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        assert other.stdout.readline() == "ready\n"
        said = subprocess.run(
            [sys.executable, "-m", "jarvis_desktop", "say", "yes go ahead"],
            env={**os.environ, "JARVIS_HOME": str(tmp_path), "JARVIS_UI__LANGUAGE": "en"},
            capture_output=True,
            text=True,
            check=False,
            timeout=30,
        )
        other.stdin.close()
    assert (said.returncode, said.stderr) == (
        1,
        "Nothing is said aloud while Jarvis waits for an answer. Answer first, then say it again.\n",
    )


def test_a_terminal_of_a_person_is_one_whatever_holds_its_other_end(tmp_path: Path) -> None:
    assert _looked_at_in_a_terminal(tmp_path, {}) == "a person"


def test_a_terminal_that_a_command_opened_has_nobody_behind_it(tmp_path: Path) -> None:
    assert _looked_at_in_a_terminal(tmp_path, {MARK: "of a call"}) == "nobody"


async def test_a_command_cannot_open_a_terminal_and_pose_as_a_person(tmp_path: Path) -> None:
    (tmp_path / "look.py").write_text(LOOKS)
    said = await by_call(f"script -qec '{sys.executable} look.py' /dev/null", tmp_path)
    assert said.split() == ["nobody"]


def _looked_at_in_a_terminal(folder: Path, env: dict[str, str]) -> str:
    """What a program finds of its terminal that another one opened, which is not above it any more."""
    opens = (
        "import os, pty, sys, time\n"
        "master, slave = pty.openpty()\n"
        "print(os.ttyname(slave), flush=True)\n"
        "sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", opens],
        env={**os.environ, **env},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as owner:
        assert owner.stdin is not None
        assert owner.stdout is not None
        with Path(owner.stdout.readline().strip()).open(encoding="utf-8") as terminal:
            done = subprocess.run(
                [sys.executable, "-c", LOOKS], stdin=terminal, capture_output=True, text=True, check=True
            )
        owner.stdin.close()
    return done.stdout.strip()


def test_what_we_start_came_from_us_and_we_did_not() -> None:
    with subprocess.Popen(["sleep", "60"]) as child:
        assert (came_from_a_call(child.pid), came_from_a_call(os.getpid())) == (True, False)
        child.kill()
