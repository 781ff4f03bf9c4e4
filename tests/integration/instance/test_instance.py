"""One program per home, with real locks, sockets and killed processes."""

import asyncio
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from jarvis_desktop.app.instance import Instance, Message, Reply, socket_path

ROOT = Path(__file__).parents[3]
HOLD = """
import sys
from pathlib import Path
from jarvis_desktop.app.instance import Instance
instance = Instance(Path(sys.argv[1]))
print(instance.claim(), flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def short_runtime_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))


def holder(home: Path) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(home)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "True\n"
    return process


@pytest.mark.voice_bug("instance", "Two copies fight for the mic")
@pytest.mark.goal_bug("duplicate", "With several workers, pairs")
def test_a_second_program_cannot_claim_a_home_that_is_in_use(tmp_path: Path) -> None:
    with holder(tmp_path) as process:
        assert not Instance(tmp_path).claim()
        assert process.stdin is not None
        process.stdin.close()


@pytest.mark.voice_bug("instance", "Two copies fight for the mic")
def test_a_killed_program_leaves_no_claim_behind(tmp_path: Path) -> None:
    with holder(tmp_path) as process:
        process.send_signal(signal.SIGKILL)
        process.wait(10)
        instance = Instance(tmp_path)
        assert instance.claim()
        instance.release()


@pytest.mark.voice_bug("instance", "Two copies fight for the mic")
def test_two_homes_do_not_know_each_other(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    assert socket_path(one) != socket_path(other)
    first, second = Instance(one), Instance(other)
    assert first.claim()
    assert second.claim()
    first.release()
    second.release()


@pytest.mark.voice_bug("path_locale", "UnicodeDecodeError cp949")
def test_a_home_with_a_korean_name_has_one_socket_in_every_locale(tmp_path: Path) -> None:
    home = tmp_path / "홍길동 집"
    code = "import sys; from pathlib import Path; from jarvis_desktop.app.instance import socket_path; "
    code += "print(socket_path(Path(sys.argv[1])).name)"
    names = {
        subprocess.run(
            [sys.executable, "-c", code, str(home)],
            env={
                "XDG_RUNTIME_DIR": str(tmp_path),
                "PYTHONPATH": str(ROOT),
                "PYTHONCOERCECLOCALE": "0",
                **locale,
            },
            capture_output=True,
            check=True,
        ).stdout
        for locale in ({"LC_ALL": "C", "PYTHONUTF8": "0"}, {"LC_ALL": "C.UTF-8"})
    }
    assert names == {f"{socket_path(home).name}\n".encode()}


@pytest.mark.promise("T-175")
async def test_messages_of_later_starts_reach_the_first(tmp_path: Path) -> None:
    instance, heard = Instance(tmp_path), asyncio.Queue[Message]()
    assert instance.claim()
    async with await instance.listen(heard.put_nowait):
        mode = stat.S_IMODE(instance.socket_path.stat().st_mode)
        answers = [
            await asyncio.to_thread(Instance(tmp_path).tell, message)
            for message in (Message.SHOW, Message.TALK)
        ]
        received = [heard.get_nowait(), heard.get_nowait()]
    instance.release()
    assert (answers, received, mode) == ([Reply.TAKEN, Reply.TAKEN], [Message.SHOW, Message.TALK], 0o600)


async def test_garbage_on_the_socket_changes_nothing(tmp_path: Path) -> None:
    instance, heard = Instance(tmp_path), asyncio.Queue[Message]()
    assert instance.claim()
    async with await instance.listen(heard.put_nowait):
        for garbage in (b"\xff\xfe\n", b"{}\n", b'{"message": "allow"}\n', b"[1]\n", b"\n"):
            reader, writer = await asyncio.open_unix_connection(instance.socket_path)
            writer.write(garbage)
            assert await asyncio.wait_for(reader.read(), 5) == b""
            writer.close()
            await writer.wait_closed()
    instance.release()
    assert heard.empty()


def test_nobody_there_is_told_as_false(tmp_path: Path) -> None:
    assert Instance(tmp_path).tell(Message.SHOW) is Reply.NONE


def test_a_socket_path_is_short_however_long_the_home_is(tmp_path: Path) -> None:
    assert len(str(socket_path(Path("/" + "홍길동 집/" * 60)))) - len(str(tmp_path)) < 40
