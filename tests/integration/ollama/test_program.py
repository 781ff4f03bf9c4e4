"""The Ollama program on this machine: found, started and ended again."""

import asyncio
import os
import socket
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from jarvis_desktop.adapters import ollama_status
from jarvis_desktop.adapters.ollama_model import OllamaModel
from jarvis_desktop.adapters.ollama_places import Places
from jarvis_desktop.adapters.ollama_program import OllamaProgram
from jarvis_desktop.core.items.errors import ModelTrouble, ModelUnavailableError
from jarvis_desktop.core.items.setup import OllamaPresence
from tests.fakes.ollama_script import Script
from tests.fakes.texts import PlainTexts
from tests.integration.ollama.asking import ASK
from tests.integration.ollama.conftest import OwnOllama, StartsOllama, settings_at
from tests.parts.ollama import PROGRAM, STORE, free_port
from tests.parts.ollama_script import ROOT, StartsScript

pytestmark = pytest.mark.timeout(120)

GOODBYE_S = 20.0


def program_in(
    folder: Path, script: str | None = None, host: str = "", units: tuple[Path, ...] = ()
) -> OllamaProgram:
    """The finder where ``folder`` is the only place to look at; ``script`` is the program there."""
    if script is not None:
        (folder / "ollama").write_text(script, "ascii")
        (folder / "ollama").chmod(0o755)
    settings = settings_at(host or f"http://127.0.0.1:{free_port()}")
    where = Places("", (folder,), units)
    return OllamaProgram(settings, folder / "home", PlainTexts(), os.environ, where)


async def failure(program: OllamaProgram) -> str:
    """What is said when it cannot be started; nothing of it is left."""
    with pytest.raises(ModelUnavailableError) as caught:
        await program.start()
    assert caught.value.kind is ModelTrouble.NO_SERVER
    assert not program.is_ours
    return str(caught.value)


@pytest.mark.real_ollama
async def test_an_installed_ollama_is_started_and_ends_with_us(own_ollama: StartsOllama, smol: str) -> None:
    own = own_ollama(name=smol)
    stopped = await own.program.presence()
    assert stopped == (
        OllamaPresence.STOPPED,
        f"Ollama is installed ({PROGRAM}) but not running. Jarvis can start it and ends it again when Jarvis "
        "ends.",
    )
    await own.program.start()
    assert await own.program.presence() == (OllamaPresence.RUNNING, f"Ollama 0.9.3 answers at {own.host}.")
    server = own.server
    await own.program.start()
    assert own.server == server
    assert stat.S_IMODE((own.home / "logs" / "ollama.log").stat().st_mode) == 0o600
    await own.program.stop()
    assert not server.is_running()
    assert await own.program.presence() == stopped


@pytest.mark.real_ollama
async def test_a_server_that_hangs_is_told_apart_and_ends_all_the_same_with_its_runner(
    own_ollama: StartsOllama, smol: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = own_ollama(name=smol)
    await own.program.start()
    await loaded(own)
    processes = own.processes()
    assert len(processes) == 2
    for one in processes:
        one.suspend()
    monkeypatch.setattr(ollama_status, "STATUS_S", 0.2)
    presence, text = await own.program.presence()
    assert presence is OllamaPresence.STOPPED
    assert text == (
        f"What runs at {own.host} takes connections but does not answer. Wait a moment; if it stays so, "
        "restart Ollama."
    )
    await own.program.stop()
    assert not any(one.is_running() for one in processes)


@pytest.mark.real_ollama
async def test_a_runner_outlives_neither_its_server_nor_us(own_ollama: StartsOllama, smol: str) -> None:
    own = own_ollama(name=smol)
    await own.program.start()
    await loaded(own)
    server, runner = own.server, own.runner
    server.kill()
    gone, alive = await asyncio.to_thread(psutil.wait_procs, [server, runner], timeout=GOODBYE_S)
    assert (len(gone), alive) == (2, [])


KILLED = """
import asyncio, sys
from pathlib import Path
from tests.integration.ollama.conftest import places, settings_at
from jarvis_desktop.adapters import ollama_status
from jarvis_desktop.adapters.ollama_model import OllamaModel
from jarvis_desktop.adapters.ollama_program import OllamaProgram
from tests.fakes.texts import PlainTexts

async def main(host, home, folder):
    settings = settings_at(host, name="smollm2:135m")
    program = OllamaProgram(settings, Path(home), PlainTexts(), places=places(Path(folder)))
    await program.start()
    await OllamaModel(settings, PlainTexts()).warm_up()
    print("started", flush=True)
    await asyncio.Event().wait()

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.mark.real_ollama
async def test_a_kill_of_the_app_leaves_neither_server_nor_runner(tmp_path: Path, smol: str) -> None:
    del smol  # it is in the store now
    arguments = (f"http://127.0.0.1:{free_port()}", str(tmp_path), str(PROGRAM.parent))
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OLLAMA_MODELS": str(STORE), "HOME": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, *arguments],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as app:
        assert app.stdout is not None
        assert await asyncio.to_thread(app.stdout.readline) == "started\n"
        below = psutil.Process(app.pid).children(recursive=True)
        app.kill()
    assert [one.name() for one in below].count("ollama-lib") == 2
    _, alive = await asyncio.to_thread(psutil.wait_procs, below, timeout=GOODBYE_S)
    assert alive == []


@pytest.mark.real_ollama
async def test_a_port_that_is_taken_is_named_and_what_runs_there_is_left_alone(
    own_ollama: StartsOllama, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = own_ollama()
    monkeypatch.setattr(ollama_status, "STATUS_S", 0.2)
    with socket.create_server(("127.0.0.1", int(own.host.rpartition(":")[2]))) as stranger:
        text = await failure(own.program)
        assert stranger.fileno() > 0
    assert text == (
        f"Ollama could not be started: another program uses {own.host}. End that program, or write another "
        "port into model.host in settings.yaml."
    )


async def test_a_server_of_somebody_else_is_neither_started_again_nor_ended(
    ollama_script: StartsScript, tmp_path: Path
) -> None:
    server = ollama_script()
    program = program_in(tmp_path, host=server.host)
    await program.start()
    await program.stop()
    assert not program.is_ours
    assert await program.presence() == (
        OllamaPresence.RUNNING,
        f"Ollama 0.12.0 answers at {server.host}.",
    )


async def test_an_absent_ollama_says_where_to_get_it_and_what_goes_on_without(tmp_path: Path) -> None:
    program = program_in(tmp_path)
    text = (
        "Ollama is not installed. Get it from https://ollama.com/download; on Linux this one command "
        "installs it: curl -fsSL https://ollama.com/install.sh | sh. Until then Jarvis can use the small "
        "model inside."
    )
    assert await program.presence() == (OllamaPresence.ABSENT, text)
    assert await failure(program) == text


async def test_a_stopped_service_is_told_apart_since_it_has_models_of_its_own(tmp_path: Path) -> None:
    unit = tmp_path / "ollama.service"
    unit.write_text("[Service]\n", "ascii")
    presence, text = await program_in(tmp_path, "#!/bin/sh\n", units=(unit,)).presence()
    assert presence is OllamaPresence.STOPPED
    assert '"sudo systemctl start ollama" starts it with the models it has' in text


@pytest.mark.parametrize(
    ("script", "mode", "reason"),
    [
        ("#!/bin/sh\necho 'Error: could not create key' >&2\nexit 1\n", 0o755, "Error: could not create key"),
        ("#!/bin/sh\n", 0o644, "Permission denied"),
        ("\x7fELF nonsense", 0o755, "Exec format error"),
    ],
)
async def test_a_program_that_does_not_start_says_why_and_where_its_log_is(
    tmp_path: Path, script: str, mode: int, reason: str
) -> None:
    program = program_in(tmp_path, script)
    (tmp_path / "ollama").chmod(mode)
    text = await failure(program)
    assert text.startswith("Ollama could not be started: ")
    assert f"{reason}. More stands in {tmp_path}/home/logs/ollama.log;" in text


@pytest.mark.parametrize(
    "host", ["https://127.0.0.1:1", "http://127.0.0.1:1/behind", "http://192.0.2.7:11434"]
)
async def test_only_a_plain_address_of_this_machine_can_be_served(tmp_path: Path, host: str) -> None:
    text = await failure(program_in(tmp_path, "#!/bin/sh\n", host))
    assert text.endswith(f"model.host in settings.yaml is {host}.")


async def test_what_answers_but_is_no_ollama_is_named(tmp_path: Path) -> None:
    async def babble(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"\x16\x03\x01 hello\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(babble, "127.0.0.1", 0) as server:
        host = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        presence, text = await program_in(tmp_path, host=host).presence()
    assert presence is OllamaPresence.STOPPED
    assert text.startswith(f"What answers at {host} does not speak like Ollama.")


async def test_an_old_server_is_named_with_what_it_lacks_and_since_when_it_is_there(
    ollama_script: StartsScript, tmp_path: Path
) -> None:
    server = ollama_script(script=replace(Script(), version="0.6.0"))
    assert await program_in(tmp_path, host=server.host).presence() == (
        OllamaPresence.RUNNING,
        f"Ollama 0.6.0 answers at {server.host}. It is too old for: saying what a model can do (from 0.6.4), "
        "switching a model's thinking on and off (from 0.9.0). Update it from https://ollama.com/download.",
    )


async def loaded(own: OwnOllama) -> None:
    """The model is in memory: its runner has answered."""
    model = OllamaModel(settings_at(own.host, name="smollm2:135m"), PlainTexts())
    await anext(model.stream(ASK))
    await model.close()
