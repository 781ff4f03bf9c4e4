"""An Ollama server of our own: started at an address, and ended with us."""

import asyncio
import logging
import os
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping
from pathlib import Path

from jarvis_desktop.adapters.ollama_errors import shortened
from jarvis_desktop.adapters.ollama_host import ServerAddress
from jarvis_desktop.adapters.ollama_keeper import KILL_PATIENCE_S, TERM_GRACE_S
from jarvis_desktop.adapters.ollama_status import new_asker, server_version
from jarvis_desktop.adapters.shell_child import child_program
from jarvis_desktop.core.items.errors import ModelTrouble, ModelUnavailableError
from jarvis_desktop.core.ports import Texts

log = logging.getLogger(__name__)

START_S = 30.0
"""A server that has not answered by then does not start; seen: 0.1 s."""
FIRST_LOOK_S, LONGEST_LOOK_S = 0.05, 0.5
END_S = TERM_GRACE_S + KILL_PATIENCE_S + 2.0
LOG_TAIL_BYTES = 4000
PRUNE_NAME = "ollama_prune"
"""While this file is in our home, the next server of ours deletes unfinished downloads."""


class OwnServer:
    """At most one server at a time."""

    def __init__(self, home: Path, texts: Texts, environ: Mapping[str, str]) -> None:
        self._home = home
        self._texts = texts
        self._environ = environ
        self._keeper: Process | None = None

    @property
    def log_file(self) -> Path:
        """What the server says; begun anew at each start."""
        return self._home / "logs" / "ollama.log"

    @property
    def is_running(self) -> bool:
        """It was started and has not ended."""
        return self._keeper is not None and self._keeper.returncode is None

    async def start(self, program: Path, address: ServerAddress) -> None:
        """It answers at the address.

        Raises:
            ModelUnavailableError: it ended, or it takes too long; nothing of it is left.
        """
        await self.stop()
        self._keeper = keeper = await self._kept(program, address)
        try:
            await self._answered(keeper, address)
        except BaseException:
            await self.stop()
            raise
        log.info("Ollama started", extra={"pid": keeper.pid})

    async def stop(self) -> None:
        """It has ended, its model runners included."""
        keeper, self._keeper = self._keeper, None
        if keeper is None or keeper.returncode is not None:
            return
        assert keeper.stdin is not None
        keeper.stdin.close()
        try:
            async with asyncio.timeout(END_S):
                await keeper.wait()
        except TimeoutError:
            log.warning("the keeper of Ollama does not end", extra={"pid": keeper.pid})
            keeper.kill()
            await keeper.wait()

    async def _kept(self, program: Path, address: ServerAddress) -> Process:
        try:
            output = await asyncio.to_thread(self._fresh_log)
        except OSError as error:
            raise self._not_started(error.strerror or type(error).__name__, address) from error
        try:
            return await asyncio.create_subprocess_exec(
                *child_program("jarvis_desktop.adapters.ollama_keeper"),
                str(program),
                "serve",
                stdin=PIPE,
                stdout=output,
                stderr=output,
                start_new_session=True,  # Ctrl+C on our terminal is for us
                env=await asyncio.to_thread(self._environment, address),
            )
        finally:
            os.close(output)

    def _fresh_log(self) -> int:
        self.log_file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return os.open(self.log_file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o600)

    def _environment(self, address: ServerAddress) -> dict[str, str]:
        # OLLAMA_DEBUG would put prompts into the log.
        kept = {name: value for name, value in self._environ.items() if name != "OLLAMA_DEBUG"}
        marker = self._home / PRUNE_NAME
        if marker.exists():
            marker.unlink(missing_ok=True)
        else:
            # Without this a server that starts deletes what has come of an interrupted download.
            kept.setdefault("OLLAMA_NOPRUNE", "1")
        return kept | {"OLLAMA_HOST": address.url.removeprefix("http://")}

    async def _answered(self, keeper: Process, address: ServerAddress) -> None:
        """Returns when the server answers.

        Raises:
            ModelUnavailableError: it ended, or it takes too long.
        """
        ended = asyncio.ensure_future(keeper.wait())
        answer = asyncio.ensure_future(_first_answer(address))
        try:
            await asyncio.wait({ended, answer}, timeout=START_S, return_when=asyncio.FIRST_COMPLETED)
            if answer.done():
                return await answer
        finally:
            ended.cancel()
            answer.cancel()
            await asyncio.gather(ended, answer, return_exceptions=True)
        raise self._not_started(await asyncio.to_thread(self._last_words), address)

    def _last_words(self) -> str:
        try:
            with self.log_file.open("rb") as file:
                file.seek(max(0, self.log_file.stat().st_size - LOG_TAIL_BYTES))
                lines = file.read().decode("utf-8", "replace").strip().splitlines()
        except OSError:
            lines = []
        return lines[-1] if lines else ""

    def _not_started(self, reason: str, address: ServerAddress) -> ModelUnavailableError:
        if "address already in use" in reason:
            text = self._texts(
                "Ollama could not be started: another program uses {host}. End that program, or write "
                "another port into model.host in settings.yaml."
            )
        else:
            text = self._texts(
                "Ollama could not be started: {reason}. More stands in {log}; you can also start it yourself "
                'with "ollama serve".'
            )
        filled = text.format(host=address.url, reason=shortened(reason), log=self.log_file)
        return ModelUnavailableError(ModelTrouble.NO_SERVER, filled)


async def _first_answer(address: ServerAddress) -> None:
    """Returns when an Ollama answers; asks without end."""
    import httpx  # 0.14 s

    look_s = FIRST_LOOK_S
    async with new_asker(address) as asker:
        while True:
            try:
                await server_version(asker)
            except (httpx.HTTPError, ValueError):
                await asyncio.sleep(look_s)
                look_s = min(look_s * 1.5, LONGEST_LOOK_S)
            else:
                return
