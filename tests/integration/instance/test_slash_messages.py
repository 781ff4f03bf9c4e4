"""Slash commands that other programs bring to the running one."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from jarvis_desktop.adapters.bash_shell import BashShell
from jarvis_desktop.app.instance import Instance, Obeyed, Reply

ROOT = Path(__file__).parents[3]
OBEYS = (
    "import sys; from pathlib import Path; from jarvis_desktop.app.instance import Instance; "
    "print(Instance(Path(sys.argv[1])).obey(sys.argv[2])[0])"
)


@pytest.fixture(autouse=True)
def own_runtime_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))


@pytest.fixture
async def obeyed(tmp_path: Path) -> AsyncIterator[list[str]]:
    """What reaches this process, which is the program of its home; it knows only commands."""
    instance, heard = Instance(tmp_path), list[str]()

    async def obey(text: str) -> Obeyed | None:
        heard.append(text)
        return Obeyed(f"done: {text}", text != "/bad") if text.startswith("/") else None

    assert instance.claim()
    async with await instance.listen(lambda _: None, obey=obey):
        yield heard
    instance.release()


async def ask(home: Path, text: str) -> tuple[Reply, Obeyed]:
    return await asyncio.to_thread(Instance(home).obey, text)


@pytest.mark.parametrize("text", ["/help", "/도움말 '\"\\", "/history " + "가" * 10_000, "/bad"])
async def test_the_answer_comes_back_whole(tmp_path: Path, obeyed: list[str], text: str) -> None:
    assert await ask(tmp_path, text) == (Reply.TAKEN, Obeyed(f"done: {text}", text != "/bad"))
    assert obeyed == [text]


async def test_what_is_no_command_is_refused(tmp_path: Path, obeyed: list[str]) -> None:
    assert (await ask(tmp_path, "hello"))[0] is Reply.REFUSED


async def test_where_nobody_answers_nothing_is_done(tmp_path: Path) -> None:
    assert await ask(tmp_path, "/help") == (Reply.NONE, Obeyed("", well=False))


async def test_a_program_that_obeys_nothing_refuses(tmp_path: Path) -> None:
    instance = Instance(tmp_path)
    assert instance.claim()
    async with await instance.listen(lambda _: None):
        assert (await ask(tmp_path, "/help"))[0] is Reply.REFUSED
    instance.release()


@pytest.mark.parametrize("wiped", ["", "env -u SHELL_CALL "], ids=["marked", "mark wiped"])
@pytest.mark.parametrize("text", ["/quit", "/mute", "/rules revoke 1"])
async def test_no_command_that_jarvis_runs_reaches_a_slash_command(
    tmp_path: Path, obeyed: list[str], text: str, wiped: str
) -> None:
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    own = {"PYTHONPATH": str(ROOT), "XDG_RUNTIME_DIR": str(tmp_path)}
    command = f'{wiped}{sys.executable} -c {OBEYS!r} "$PWD" "{text}"'
    said = (await BashShell(environ).run(command, tmp_path, 20, 10_000, own)).output
    assert (said, obeyed) == ("refused\n", [])
