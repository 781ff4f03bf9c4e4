"""What an extension's process does, and what becomes of one that misbehaves."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from jarvis_desktop.adapters.bwrap_sandbox import BwrapSandbox
from jarvis_desktop.adapters.extension_process import (
    FAILURES_AT_MOST,
    MOST_ANSWER_BYTES,
    Code,
    Worker,
    WorkerError,
    WorkerTrouble,
)
from jarvis_desktop.adapters.extension_room import ExtensionRooms
from jarvis_desktop.core.items.extensions import ExtensionKind
from jarvis_desktop.core.policy.paths import Place
from jarvis_desktop.core.ports.extensions import CallAnswer
from tests.fakes.texts import PlainTexts
from tests.integration.extensions.conftest import SECRET, Bench
from tests.integration.shell.processes import until, with_word

PATIENCE_S = 60

TOOLS = '''
from typing import Literal
import asyncio

def add(a: int, b: int = 2) -> int:
    """Adds."""
    print("noise that is no answer")
    return a + b

async def later(word: str, schema: Literal["x", "y"] = "x") -> dict:
    """Waits."""
    await asyncio.sleep(0)
    return {"word": word, "schema": schema}
'''

EVIL = '''
import os, sys, time

def fine() -> str:
    """Works."""
    return "fine"

def raises() -> str:
    """Raises."""
    raise ValueError("on purpose")

def leaves() -> str:
    """Wants out."""
    sys.exit(3)

def hard() -> str:
    """Ends at once."""
    os._exit(7)

def sleeps() -> str:
    """Never comes back."""
    while True:
        time.sleep(1)

def garbage() -> str:
    """Writes to every descriptor that there is."""
    for fd in range(3, 40):
        try:
            os.write(fd, b"{{{ no json\\n")
        except OSError:
            pass
    return "after"

def huge() -> str:
    """Answers with 50 MB."""
    return "x" * 50_000_000
'''


async def test_functions_become_tools_and_print_what_they_like(bench: Bench) -> None:
    worker = bench.worker(TOOLS, "add", "later")
    async with asyncio.timeout(PATIENCE_S):
        described = await worker.describe()
        assert described.parameters["add"]["required"] == ["a"]
        assert described.parameters["later"]["additionalProperties"] is False
        assert await worker.call("add", {"a": 1}) == CallAnswer("3")
        assert (await worker.call("later", {"word": "안녕", "schema": "y"})).text == (
            '{\n  "word": "안녕",\n  "schema": "y"\n}'
        )


async def test_arguments_that_do_not_fit_are_told_from_a_failure(bench: Bench) -> None:
    worker = bench.worker(TOOLS, "add")
    async with asyncio.timeout(PATIENCE_S):
        wrong = await worker.call("add", {"a": "many"})
        assert (wrong.ok, wrong.wrong_arguments) == (False, True)
        assert '"a"' in wrong.text
        assert (await worker.call("add", {"a": 1, "c": 2})).wrong_arguments


@pytest.mark.parametrize(
    ("function", "said"),
    [
        ("raises", "ValueError: on purpose (line 10)"),
        ("leaves", "SystemExit: 3 (line 14)"),
        ("hard", "its process ended by itself (exit status 7)"),
        ("sleeps", "it did not answer within 1 s, so it was ended"),
        ("garbage", "it answered with something that is no answer, so it was ended"),
        ("huge", f"it answered with more than {MOST_ANSWER_BYTES:,} bytes, so it was ended"),
    ],
)
async def test_a_call_that_misbehaves_is_an_error_and_the_next_one_works(
    bench: Bench, function: str, said: str
) -> None:
    worker = bench.worker(EVIL, "fine", function)
    async with asyncio.timeout(PATIENCE_S):
        await worker.describe()
        assert await worker.call(function, {}, timeout_s=1 if function == "sleeps" else 20) == CallAnswer(
            said, ok=False
        )
        assert await worker.call("fine", {}) == CallAnswer("fine")


async def test_a_process_that_keeps_dying_is_not_started_for_ever(bench: Bench) -> None:
    worker = bench.worker("import os\nos._exit(1)\n")
    async with asyncio.timeout(PATIENCE_S):
        kinds = []
        for _ in range(FAILURES_AT_MOST + 1):
            with pytest.raises(WorkerError) as caught:
                await worker.describe()
            kinds.append(caught.value.kind)
    assert kinds == [WorkerTrouble.ENDED] * FAILURES_AT_MOST + [WorkerTrouble.TOO_OFTEN]


async def test_code_that_cannot_be_loaded_says_where(bench: Bench) -> None:
    async with asyncio.timeout(PATIENCE_S):
        for source, said in (
            ("x = 1\nraise OSError('no')\n", "OSError: no (line 2)"),
            ("def f(:\n", "(line 1)"),
            ("class Odd: ...\ndef f(a: Odd) -> str:\n    'Doc.'\n", "Odd"),
        ):
            with pytest.raises(WorkerError) as caught:
                await bench.worker(source, *(("f",) if "Odd" in source else ())).describe()
            assert said in str(caught.value)


async def test_what_runs_is_what_was_read_whatever_the_file_holds_by_now(bench: Bench) -> None:
    folder = bench.home / "tools"
    folder.mkdir()
    (folder / "sample.py").write_text("def f() -> str:\n    'Doc.'\n    return 'another'\n")
    worker = bench.worker("def f() -> str:\n    'Doc.'\n    return 'as enabled'\n", "f")
    async with asyncio.timeout(PATIENCE_S):
        assert (await worker.call("f", {})).text == "as enabled"


WALLS = '''
import os, socket, pathlib

def read(path: str) -> str:
    """Reads."""
    return pathlib.Path(path).read_text()

def write(path: str) -> str:
    """Writes."""
    return str(pathlib.Path(path).write_text("was here"))

def seen(path: str) -> list[str]:
    """Lists."""
    return sorted(os.listdir(path))

def connect(port: int) -> str:
    """Reaches for a service of this machine."""
    socket.create_connection(("127.0.0.1", port), 2)
    return "reached"

def abstract(name: str) -> str:
    """Reaches for a socket as displays have them."""
    with socket.socket(socket.AF_UNIX) as one:
        one.connect("\\0" + name)
    return "reached"

def variables() -> str:
    """The environment."""
    return " ".join(sorted(os.environ))

def data() -> str:
    """Keeps something."""
    folder = pathlib.Path(os.environ["JARVIS_EXTENSION_DATA"])
    (folder / "kept.txt").write_text("kept")
    return (folder / "kept.txt").read_text()
'''
ALL_WALLS = ("read", "write", "seen", "connect", "abstract", "variables", "data")


@pytest.mark.parametrize("room", ["closed", "person"])
async def test_it_sees_nothing_of_ours_no_session_and_no_loopback(bench: Bench, room: str) -> None:
    (bench.person / "diary.txt").write_text("dear diary")
    (bench.home / "extension-data" / "tool-other").mkdir(parents=True)
    worker = bench.worker(WALLS, *ALL_WALLS, writes=room == "person")
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as display:
        display.bind("\0jarvis-stands-for-a-display")
        display.listen()
        async with asyncio.timeout(PATIENCE_S):
            for path in (bench.home / "settings.yaml", bench.runtime / "bus"):
                found = await worker.call("read", {"path": str(path)})
                assert (found.ok, SECRET in found.text) == (False, False), found.text
            assert (await worker.call("seen", {"path": str(bench.home)})).text == '[\n  "extension-data"\n]'
            folders = await worker.call("seen", {"path": str(bench.home / "extension-data")})
            assert folders.text == '[\n  "tool-sample"\n]'
            assert not (await worker.call("write", {"path": str(bench.home / "extensions.yaml")})).ok
            assert not (await worker.call("connect", {"port": server.getsockname()[1]})).ok
            refused = await worker.call("abstract", {"name": "jarvis-stands-for-a-display"})
            assert (refused.ok, "ConnectionRefusedError" in refused.text) == (False, True)
            assert "DISPLAY" not in (await worker.call("variables", {})).text
            assert (await worker.call("data", {})).text == "kept"
            await worker.call("write", {"path": str(bench.person / "diary.txt")})
    assert (bench.person / "diary.txt").read_text() == ("was here" if room == "person" else "dear diary")
    assert (bench.home / "extension-data" / "tool-sample" / "kept.txt").read_text() == "kept"
    assert sorted(path.name for path in bench.home.iterdir()) == ["extension-data", "settings.yaml"]


FORKS = '''
import os, sys, time

def leave(mark: str) -> str:
    """Leaves a child behind that wants to outlive everything."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(600)", mark])
        os._exit(0)
    return "left"
'''


async def test_a_child_that_it_leaves_behind_is_gone_when_it_is_closed(bench: Bench) -> None:
    worker = bench.worker(FORKS, "leave")
    async with asyncio.timeout(PATIENCE_S):
        assert (await worker.call("leave", {"mark": "left-behind-4711"})).text == "left"
        await until(lambda: with_word("left-behind-4711"))
        await worker.close()
        await until(lambda: not with_word("left-behind-4711"))
    assert worker.process_id is None


APP = """
import asyncio, sys
from pathlib import Path
from tests.integration.extensions.conftest import Bench
from contextlib import AsyncExitStack

async def main():
    async with AsyncExitStack() as closing:
        bench = Bench(Path(sys.argv[1]), closing)
        worker = bench.worker(Path(sys.argv[2]).read_text(), "leave")
        print((await worker.call("leave", {"mark": "orphan-0815"})).text, flush=True)
        await asyncio.sleep(600)

asyncio.run(main())
"""


async def test_it_ends_with_a_program_that_is_killed(tmp_path: Path) -> None:
    (tmp_path / "forks.py").write_text(FORKS)
    arguments = [sys.executable, "-c", APP, str(tmp_path / "root"), str(tmp_path / "forks.py")]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as app:
        assert app.stdout is not None
        said = await asyncio.to_thread(app.stdout.readline)
        assert said == "left\n"
        app.send_signal(signal.SIGKILL)
        app.wait()
    await until(lambda: not with_word("orphan-0815"))


async def test_where_nothing_can_confine_it_it_does_not_run(bench: Bench, tmp_path: Path) -> None:
    bare = BwrapSandbox(Place("/", str(bench.person), str(bench.home)), {**os.environ, "PATH": str(tmp_path)})
    marker = bench.person / "ran"
    source = f"open({str(marker)!r}, 'w')\n"
    code = Code(ExtensionKind.TOOL, "sample", tmp_path / "x.py", source.encode())
    worker = Worker(code, ExtensionRooms(bench.home, bare, PlainTexts()), writes=True)
    with pytest.raises(WorkerError) as caught:
        await worker.describe()
    assert caught.value.kind is WorkerTrouble.NO_ROOM
    assert "sudo apt install bubblewrap" in str(caught.value)
    assert not marker.exists()
    await bare.close()


async def test_cancelling_a_call_ends_what_it_does(bench: Bench) -> None:
    worker = bench.worker(EVIL, "fine", "sleeps")
    async with asyncio.timeout(PATIENCE_S):
        await worker.describe()
        before = worker.process_id
        call = asyncio.create_task(worker.call("sleeps", {}))
        await asyncio.sleep(0)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert (await worker.call("fine", {})).text == "fine"
    assert worker.process_id != before


async def test_no_extension_can_be_called_so_that_it_gets_the_folder_of_another(tmp_path: Path) -> None:
    sandbox = BwrapSandbox(Place(str(tmp_path), str(tmp_path), str(tmp_path / ".jarvis")))
    rooms = ExtensionRooms(tmp_path / ".jarvis", sandbox, PlainTexts())
    theirs = rooms.data_folder(ExtensionKind.TOOL, "날씨")
    name = theirs.name.removeprefix("tool-")
    assert rooms.data_folder(ExtensionKind.TOOL, name) != theirs
    await sandbox.close()
