"""Real Ollama servers that a test may kill, stop and starve."""

import os
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from jarvis_desktop.adapters.ollama_places import Places
from jarvis_desktop.adapters.ollama_program import OllamaProgram
from jarvis_desktop.core.settings import ModelSettings
from tests.fakes.texts import PlainTexts
from tests.parts.ollama import CACHE, PROGRAM, STORE, RealOllama, free_port, program
from tests.parts.ollama_registry import library

__all__ = ["library"]


@dataclass(frozen=True, slots=True)
class OwnOllama:
    """A real server as the app starts it, on a port of its own."""

    program: OllamaProgram
    host: str
    home: Path

    def processes(self) -> list[psutil.Process]:
        """The server, then its model runners."""
        place = self.host.removeprefix("http://")
        below = [one for one in psutil.Process().children(recursive=True) if "ollama-lib" in one.name()]
        return [one for one in below if one.environ().get("OLLAMA_HOST") == place]

    @property
    def server(self) -> psutil.Process:
        """The server itself."""
        return next(one for one in self.processes() if "serve" in one.cmdline())

    @property
    def runner(self) -> psutil.Process:
        """The process that runs a model."""
        return next(one for one in self.processes() if "runner" in one.cmdline())


StartsOllama = Callable[..., OwnOllama]


def places(folder: Path) -> Places:
    """The real program, found on the search path."""
    return Places(str(folder), (), ())


def settings_at(host: str, **values: object) -> ModelSettings:
    return ModelSettings.model_validate({"host": host, "context_tokens": 4096, "temperature": 0, **values})


@pytest.fixture
async def own_ollama(tmp_path: Path) -> AsyncIterator[StartsOllama]:
    """``own_ollama(environment, name=…)`` is a server that is not started yet; it ends with the test."""
    program()
    async with AsyncExitStack() as ending:

        def made(
            environment: dict[str, str] | None = None,
            store: Path = STORE,
            folder: Path = PROGRAM.parent,
            **values: object,
        ) -> OwnOllama:
            host = f"http://127.0.0.1:{free_port()}"
            own = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}
            own |= {"OLLAMA_MODELS": str(store), "HOME": str(CACHE), "OLLAMA_NUM_PARALLEL": "1"}
            home = tmp_path / "jarvis"
            started = OllamaProgram(
                settings_at(host, **values),
                home,
                PlainTexts(),
                own | (environment or {}),
                places(folder),
            )
            ending.push_async_callback(started.stop)
            return OwnOllama(started, host, home)

        yield made


@pytest.fixture
def smol(real_ollama: RealOllama) -> str:
    """A small model that is in the store which all servers of ours share."""
    return real_ollama.model("smollm2:135m")
