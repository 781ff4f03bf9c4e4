"""Fixtures for the scripted Ollama server: in this process, or as a program of its own."""

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol

import pytest

from tests.fakes.ollama_script import Script, Step, script_json
from tests.fakes.ollama_server import ScriptedOllama

ROOT = Path(__file__).parents[2]
START_S = 10.0


class StartsScript(Protocol):
    """Starts a scripted server in this process."""

    def __call__(self, *steps: Step, script: Script | None = None) -> ScriptedOllama:
        """A running server; ended with the test."""


@pytest.fixture
def ollama_script() -> Iterator[StartsScript]:
    """``ollama_script(say("Hello."), call("bash", {...}))`` is a running ``ScriptedOllama``."""
    with ExitStack() as running:

        def start(*steps: Step, script: Script | None = None) -> ScriptedOllama:
            return running.enter_context(ScriptedOllama(*steps, script=script))

        yield start


class OllamaProgram:
    """A scripted server that runs as a program of its own."""

    def __init__(self, script: Script, folder: Path) -> None:
        self._log = folder / "ollama.log"
        file, port_file = folder / "ollama.json", folder / "ollama.port"
        file.write_text(script_json(script), "utf-8")
        options = ("--script", str(file), "--port-file", str(port_file), "--log", str(self._log))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.fakes.ollama_server", *options],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )
        deadline = time.monotonic() + START_S
        while not port_file.exists():
            assert self._process.poll() is None, "the scripted Ollama ended"
            assert time.monotonic() < deadline, "the scripted Ollama did not start"
            try:
                self._process.wait(0.02)
            except subprocess.TimeoutExpired:
                continue
        self.host = f"http://127.0.0.1:{int(port_file.read_text('ascii'))}"
        """Its address."""

    @property
    def log(self) -> tuple[dict[str, Any], ...]:
        """Complete lines so far: ``event`` is ``request`` or ``end``, times are monotonic seconds."""
        return tuple(json.loads(line) for line in self._log.read_text("utf-8").split("\n")[:-1])

    @property
    def chats(self) -> tuple[dict[str, Any], ...]:
        """Bodies of the chat requests with a user message, in order."""
        bodies = (one["body"] for one in self.log if one["event"] == "request" and one["path"] == "/api/chat")
        return tuple(body for body in bodies if any(m["role"] == "user" for m in body.get("messages", ())))

    def release(self, gate: str) -> None:
        """The gate is open from now on."""
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        direct.open(
            urllib.request.Request(f"{self.host}/test/release/{gate}", method="POST"), timeout=START_S
        ).close()

    def end(self) -> None:
        """The program is over."""
        self._process.terminate()
        try:
            self._process.wait(START_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(START_S)


@pytest.fixture
def ollama_program(tmp_path: Path) -> Iterator[Callable[[Script], OllamaProgram]]:
    """``ollama_program(Script((say("Hello."),)))`` is a running ``OllamaProgram``."""
    started: list[OllamaProgram] = []

    def start(script: Script) -> OllamaProgram:
        folder = tmp_path / f"ollama{len(started)}"
        folder.mkdir()
        started.append(OllamaProgram(script, folder))
        return started[-1]

    yield start
    for program in started:
        program.end()
