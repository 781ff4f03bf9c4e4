"""Nothing that a command starts outlives its call."""

import asyncio
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from jarvis_desktop.adapters.bash_shell import BashShell
from jarvis_desktop.core.ports import ShellEnd
from tests.integration.shell.processes import is_alive, until, with_word

STAYING = {
    "background": "bash -c 'echo $$ > pid; exec sleep 300' WORD &",
    "own session": "setsid bash -c 'echo $$ > pid; exec sleep 300' WORD &",
    "nohup": "nohup bash -c 'echo $$ > pid; exec sleep 300' WORD > /dev/null 2>&1 &",
    "double fork": "( ( setsid bash -c 'echo $$ > pid; exec sleep 300' WORD & ) & );",
    "deaf to TERM": "setsid bash -c 'trap \"\" TERM HUP; echo $$ > pid; while :; do sleep 9; done' WORD &",
    "stopped": "setsid bash -c 'echo $$ > pid; kill -STOP $$' WORD &",
    "without environment": "env -i setsid bash -c 'echo $$ > pid; exec sleep 300' WORD &",
    "holds the output": "setsid bash -c 'echo $$ > pid; exec yes' WORD &",
}
UNTIL_IT_RUNS = "while [ ! -s pid ]; do sleep 0.01; done;"


@pytest.fixture
def word() -> Iterator[str]:
    """A word for command lines; whoever still carries it in the end is killed."""
    word = f"w{uuid4().hex}"
    yield word
    for pid in with_word(word):
        os.kill(pid, signal.SIGKILL)


async def run(command: str, cwd: Path, timeout_s: float = 10) -> ShellEnd:
    return await BashShell().run(command, cwd, timeout_s, 1000)


def pid_in(cwd: Path) -> int:
    return int((cwd / "pid").read_text())


@pytest.mark.promise("T-037")
@pytest.mark.parametrize("staying", STAYING.values(), ids=STAYING)
async def test_nothing_outlives_a_command_that_ends(staying: str, word: str, tmp_path: Path) -> None:
    end = await run(f"{staying.replace('WORD', word)} {UNTIL_IT_RUNS} echo done", tmp_path)
    assert not is_alive(pid_in(tmp_path))
    assert with_word(word) == []
    assert (end.exit_code, end.timed_out, end.survivors) == (0, False, 0)
    assert end.ended != ()


@pytest.mark.promise("T-037")
@pytest.mark.parametrize("staying", STAYING.values(), ids=STAYING)
async def test_nothing_outlives_the_time_out(staying: str, word: str, tmp_path: Path) -> None:
    end = await run(f"{staying.replace('WORD', word)} {UNTIL_IT_RUNS} sleep 300", tmp_path, timeout_s=0.5)
    assert not is_alive(pid_in(tmp_path))
    assert with_word(word) == []
    assert (end.exit_code, end.timed_out, end.survivors) == (None, True, 0)
    assert end.took_s < 5


@pytest.mark.parametrize("staying", STAYING.values(), ids=STAYING)
async def test_nothing_outlives_a_cancelled_call(staying: str, word: str, tmp_path: Path) -> None:
    task = asyncio.create_task(run(f"{staying.replace('WORD', word)} sleep 300; : {word}", tmp_path))
    await until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text())
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not is_alive(pid_in(tmp_path))
    assert with_word(word) == []


async def test_a_call_cancelled_twice_still_ends_everything(word: str, tmp_path: Path) -> None:
    shell = BashShell()
    command = f"trap '' TERM; echo $$ > pid; while :; do sleep 300; done; : {word}"
    task = asyncio.create_task(shell.run(command, tmp_path, 60, 1000))
    await until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text())
    task.cancel()
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await until(lambda: with_word(word) == [])
    await until(lambda: not shell._ending)


@pytest.mark.parametrize("moment", range(8))
async def test_a_call_can_be_cancelled_at_any_moment(moment: int, word: str, tmp_path: Path) -> None:
    task = asyncio.create_task(run(f"sleep 300; : {word}", tmp_path))
    for _ in range(moment * 2):
        await asyncio.sleep(0.002)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert with_word(word) == []


async def test_a_chain_that_forks_faster_than_anybody_looks_is_ended(word: str, tmp_path: Path) -> None:
    chain = "import os\nos.setsid()\nwhile True:\n  if os.fork(): os._exit(0)"
    end = await run(f"{sys.executable} -I -S -c '{chain}' {word} & sleep 300", tmp_path, timeout_s=0.5)
    assert (end.timed_out, end.survivors) == (True, 0)
    assert with_word(word) == []


async def test_a_bunch_of_processes_is_ended_together(word: str, tmp_path: Path) -> None:
    many = f"for i in $(seq 60); do setsid bash -c 'sleep 300; :' {word} & done; touch pid; sleep 300"
    end = await run(many, tmp_path, timeout_s=1)
    assert (end.timed_out, end.survivors) == (True, 0)
    assert with_word(word) == []


async def test_a_command_that_kills_its_reaper_is_swept_up(word: str, tmp_path: Path) -> None:
    staying = f"setsid bash -c 'echo $$ > pid; exec -a {word} sleep 300' &"
    command = f"{staying} {UNTIL_IT_RUNS} kill -9 $PPID; sleep 300; : {word}"
    end = await run(command, tmp_path)
    assert (end.exit_code, end.timed_out) == (None, False)
    assert not is_alive(pid_in(tmp_path))
    assert with_word(word) == []


async def test_a_command_that_stops_its_reaper_is_ended(
    word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jarvis_desktop.adapters.bash_shell.END_PATIENCE_S", 0.5)
    end = await run(f"kill -STOP $PPID; sleep 300; : {word}", tmp_path, timeout_s=0.2)
    assert (end.exit_code, end.timed_out) == (None, True)
    assert with_word(word) == []


async def test_everything_ends_when_the_app_is_killed(word: str, tmp_path: Path) -> None:
    script = (
        "import asyncio, sys; from pathlib import Path\n"
        "from jarvis_desktop.adapters.bash_shell import BashShell\n"
        "asyncio.run(BashShell().run(sys.argv[1], Path(sys.argv[2]), 60, 1000))"
    )
    command = (
        f"setsid bash -c 'trap \"\" TERM HUP; echo $$ > pid; while :; do sleep 300; done' {word} & sleep 300"
    )
    app = await asyncio.create_subprocess_exec(sys.executable, "-c", script, command, str(tmp_path))
    await until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text())
    app.kill()
    await app.wait()
    await until(lambda: with_word(word) == [])
    assert not is_alive(pid_in(tmp_path))


async def test_a_process_that_ends_by_itself_just_after_the_shell_is_not_blamed(tmp_path: Path) -> None:
    end = await run("echo late > >(sleep 0.02; cat)", tmp_path)
    assert (end.output, end.ended) == ("late\n", ())


async def test_a_program_is_asked_before_it_is_killed(tmp_path: Path) -> None:
    await run("trap 'echo tidy > tidied; exit' TERM; while :; do sleep 0.01; done", tmp_path, timeout_s=0.2)
    assert (tmp_path / "tidied").read_text() == "tidy\n"


async def test_two_commands_at_once_do_not_end_each_other(tmp_path: Path) -> None:
    slow = asyncio.create_task(run("sleep 0.3; echo slow", tmp_path))
    quick = await run("sleep 300 & echo quick", tmp_path)
    assert (quick.output, quick.ended) == ("quick\n", ("sleep",))
    assert (await slow).output == "slow\n"
