"""Commands, their output and their surroundings, with the real bash."""

import asyncio
import errno
import itertools
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.adapters.bash_shell import BashShell
from jarvis_desktop.adapters.shell_env import command_environment, output_text
from jarvis_desktop.adapters.shell_reaper import READ_BYTES, HeadTail
from jarvis_desktop.core.ports import ShellEnd
from jarvis_desktop.core.tools.bash import Bash
from tests.unit.tools.calling import call

ROOT = Path(__file__).parents[3]


async def run(command: str, cwd: Path, timeout_s: float = 10, max_output_bytes: int = 10_000) -> ShellEnd:
    return await BashShell().run(command, cwd, timeout_s, max_output_bytes)


@pytest.mark.promise("T-037")
async def test_output_and_errors_come_in_order_with_the_exit_code(tmp_path: Path) -> None:
    end = await run("echo one; echo two >&2; echo three; exit 3", tmp_path)
    assert (end.exit_code, end.output, end.timed_out) == (3, "one\ntwo\nthree\n", False)


async def test_the_whole_way_from_the_tool_to_the_disk(tmp_path: Path) -> None:
    output = await call(
        Bash(BashShell()), {"command": "echo 안녕 > '새 파일' && cat '새 파일'"}, cwd=tmp_path
    )
    assert output.text == "안녕\n[exit code 0]"
    assert (tmp_path / "새 파일").read_text("utf-8") == "안녕\n"


async def test_a_signal_is_worded_as_bash_does(tmp_path: Path) -> None:
    assert (await run("kill -SEGV $$", tmp_path)).exit_code == 139


async def test_a_broken_pipe_ends_a_writer_quietly(tmp_path: Path) -> None:
    end = await run("set -o pipefail; yes | head -1", tmp_path)
    assert (end.exit_code, end.output) == (141, "y\n")


async def test_signals_that_a_library_blocked_reach_the_command(tmp_path: Path) -> None:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGPIPE})
    try:
        end = await run("set -o pipefail; yes | head -1", tmp_path)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    assert (end.exit_code, end.output) == (141, "y\n")


async def test_there_is_no_input_to_wait_for(tmp_path: Path) -> None:
    end = await run("cat; read line; echo $?; test -t 0 || echo no terminal; : < /dev/tty", tmp_path)
    assert end.output.startswith("1\nno terminal\n")
    assert "/dev/tty" in end.output


async def test_a_command_that_looks_like_an_option_is_a_command(tmp_path: Path) -> None:
    assert (await run("-c echo", tmp_path)).exit_code == 127


@pytest.mark.promise("T-037")
async def test_endless_output_is_cut_to_head_and_tail_and_ended_in_time(tmp_path: Path) -> None:
    end = await run("echo first; yes", tmp_path, timeout_s=0.3, max_output_bytes=100)
    assert end.timed_out
    assert end.output.startswith("first\ny\ny\n")
    assert "bytes left out" in end.output
    assert len(end.output) < 200


async def test_one_huge_line_with_nuls_is_cut_too(tmp_path: Path) -> None:
    end = await run("head -c 30000000 /dev/zero; echo end", tmp_path, max_output_bytes=1000)
    assert end.output.endswith("end\n")
    assert "29,999,004 bytes left out" in end.output
    assert len(end.output) < 1100


async def test_output_that_is_no_text_is_replaced(tmp_path: Path) -> None:
    assert (await run(r"printf '\xff\xfeok'", tmp_path)).output == "��ok"


async def test_a_missing_working_directory_is_an_error_that_names_it(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    with pytest.raises(FileNotFoundError) as caught:
        await run("true", gone)
    assert caught.value.filename == str(gone)
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError):
        await run("true", tmp_path / "file")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may enter everything")
async def test_a_closed_working_directory_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0)
    with pytest.raises(PermissionError):
        await run("true", tmp_path / "closed")


async def test_a_command_too_long_for_the_system_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="too long") as caught:
        await run(": " + "x" * 150_000, tmp_path)
    assert caught.value.errno == errno.E2BIG
    with pytest.raises(ValueError, match="NUL"):
        await run("echo \0", tmp_path)


async def test_a_long_command_that_the_system_takes_runs(tmp_path: Path) -> None:
    assert (await run(f"echo {'x' * 100_000} | wc -c", tmp_path)).output == "100001\n"


async def test_no_session_bus_display_audio_or_secret_reaches_a_command(tmp_path: Path) -> None:
    own = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "LANG": "C.UTF-8",
        "LC_TIME": "C",
        "USER": "u",
        "TERM": "xterm",
        "DISPLAY": ":0",
        "WAYLAND_DISPLAY": "wayland-0",
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/bus",
        "XDG_RUNTIME_DIR": "/run/user/1000",
        "PULSE_SERVER": "/run/pulse",
        "SSH_AUTH_SOCK": "/run/agent",
        "GPG_AGENT_INFO": "x",
        "JARVIS_HOME": "/x",
        "LC_SECRET_TOKEN": "x",
        "OPENAI_API_KEY": "x",
        "BASH_ENV": "/x",
        "LD_PRELOAD": "/x.so",
    }
    end = await BashShell(own).run("env -0 | cut -z -d= -f1 | tr '\\0' ' '", tmp_path, 10, 10_000)
    assert set(end.output.split()) == {
        *(
            "PATH",
            "HOME",
            "LANG",
            "LC_TIME",
            "USER",
            "TERM",
            "PAGER",
            "GIT_PAGER",
            "GIT_TERMINAL_PROMPT",
            "PWD",
        ),
        *("SHELL_CALL", "SHLVL", "_"),
    }


def test_programs_are_told_that_nobody_pages_or_types() -> None:
    made = command_environment({"TERM": "xterm", "PAGER": "less"}, "/w")
    assert made["TERM"] == "dumb"
    assert made["PAGER"] == made["GIT_PAGER"] == "cat"
    assert made["GIT_TERMINAL_PROMPT"] == "0"
    assert made["PWD"] == "/w"
    assert made["PATH"]


async def test_the_loop_goes_on_while_output_pours(tmp_path: Path) -> None:
    pouring = asyncio.create_task(run("yes", tmp_path, timeout_s=0.5))
    beats, loop = [], asyncio.get_running_loop()
    while not pouring.done():
        beats.append(loop.time())
        await asyncio.sleep(0.005)
    assert max(later - before for before, later in itertools.pairwise(beats)) < 0.25


def test_hangul_works_where_the_locale_is_c(tmp_path: Path) -> None:
    place = tmp_path / "김 민의 폴더"
    place.mkdir()
    script = (
        "import asyncio, sys, json; from pathlib import Path\n"
        "from jarvis_desktop.adapters.bash_shell import BashShell\n"
        "cwd = Path(json.loads(sys.argv[1]))\n"
        "end = asyncio.run(BashShell().run('echo 안녕 > \"새 파일\"; cat *; pwd', cwd, 10, 1000))\n"
        "print(json.dumps(end.output))"
    )
    (tmp_path / "script.py").write_text(script, "utf-8")
    done = subprocess.run(
        [sys.executable, str(tmp_path / "script.py"), json.dumps(str(place))],
        env={"PATH": os.environ["PATH"], "PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        check=True,
    )
    assert json.loads(done.stdout) == f"안녕\n{place}\n"


@given(st.binary(max_size=400), st.integers(0, 60), st.integers(1, 50))
def test_head_and_tail_are_the_ends_of_the_stream_and_the_rest_is_counted(
    stream: bytes, most: int, step: int
) -> None:
    kept = HeadTail(most)
    for start in range(0, len(stream), step):
        kept.add(stream[start : start + step])
    head, tail = bytes(kept.head), kept.tail
    assert len(head) + len(tail) + kept.left_out == len(stream)
    assert len(head) + len(tail) == min(most, len(stream))
    assert stream.startswith(head)
    assert stream.endswith(tail)


def test_an_endless_stream_is_kept_in_bounded_memory() -> None:
    kept = HeadTail(1000)
    for _ in range(100):
        kept.add(b"x" * READ_BYTES)
        assert len(kept._tail) <= 3 * READ_BYTES
    assert kept.left_out == 100 * READ_BYTES - 1000


@given(st.text("a가😀\u00e9", max_size=60), st.integers(0, 80))
def test_a_cut_never_goes_through_a_character(text: str, most: int) -> None:
    stream = text.encode()
    kept = HeadTail(most)
    kept.add(stream)
    shown = output_text(bytes(kept.head), kept.tail, kept.left_out)
    assert "�" not in shown
    if len(stream) <= most:
        assert shown == text
    else:
        begin, _, rest = shown.partition("\n[… ")
        count, _, end = rest.partition(" bytes left out …]\n")
        assert len(begin.encode()) + int(count.replace(",", "")) + len(end.encode()) == len(stream)
