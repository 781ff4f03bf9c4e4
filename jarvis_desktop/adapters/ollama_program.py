"""The Ollama program on this machine: is it there, does it run, and running it for as long as we run."""

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path

from jarvis_desktop.adapters.ollama_consent import consent_needed, consented, server_allowed
from jarvis_desktop.adapters.ollama_errors import Troubles, shortened
from jarvis_desktop.adapters.ollama_features import lacking_text
from jarvis_desktop.adapters.ollama_host import ServerAddress, server_address
from jarvis_desktop.adapters.ollama_places import Places, usual_places
from jarvis_desktop.adapters.ollama_server import OwnServer
from jarvis_desktop.adapters.ollama_status import ModelStatus, model_status, new_asker
from jarvis_desktop.core.items.errors import ModelTrouble, ModelUnavailableError
from jarvis_desktop.core.items.setup import OllamaPresence
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.settings import ModelSettings


class OllamaProgram:
    """Finds Ollama, starts it, and ends what it started. Works on one event loop."""

    def __init__(
        self,
        settings: ModelSettings,
        home: Path,
        texts: Texts,
        environ: Mapping[str, str] = os.environ,
        places: Places | None = None,
    ) -> None:
        self._settings = settings
        self._texts = texts
        self._places = places or usual_places(environ)
        self._server = OwnServer(home, texts, environ)
        self._starting = asyncio.Lock()

    @property
    def is_ours(self) -> bool:
        """A server that we started is running."""
        return self._server.is_running

    def use(self, settings: ModelSettings) -> None:
        """These settings count from now on; a server that runs stays."""
        self._settings = settings

    async def presence(self) -> tuple[OllamaPresence, str]:
        """How Ollama is found, and one or two sentences: what that means and what to do. Never raises."""
        try:
            address = server_address(self._settings.host)
        except ValueError:
            return OllamaPresence.STOPPED, str(self._troubles().bad_address())
        if not server_allowed(self._settings):
            text = str(self._troubles().remote_unasked(consent_needed(self._settings)))
            return OllamaPresence.REMOTE_UNASKED, text
        status = await self._status(address)
        if status.server_version is None:
            return await self._silent(address, status)
        return self._answering(address, status)

    async def start(self) -> None:
        """A server answers at the configured address: one that ran already, or one that ends with us.

        Raises:
            ModelUnavailableError: it cannot be started; the text says why and what to do.
        """
        async with self._starting:
            address = self._own_address()
            if (await self._status(address)).server_version is not None:
                return
            program = await asyncio.to_thread(self._places.program)
            if program is None:
                raise ModelUnavailableError(ModelTrouble.NO_SERVER, self._absent_text())
            await self._server.start(program, address)

    async def stop(self) -> None:
        """What ``start`` started has ended, model runners included; a server of others is left alone."""
        await self._server.stop()

    # --- what is there ------------------------------------------------------------------------

    def _troubles(self) -> Troubles:
        return Troubles(self._settings.name, self._settings.host, self._texts)

    async def _status(self, address: ServerAddress) -> ModelStatus:
        async with new_asker(address) as asker:
            return await model_status(asker, self._settings, self._troubles())

    async def _silent(self, address: ServerAddress, status: ModelStatus) -> tuple[OllamaPresence, str]:
        """Nobody who speaks Ollama's language answers."""
        trouble = str(status.trouble or "")
        if not address.is_loopback:
            return OllamaPresence.REMOTE, trouble
        if status.somebody:
            return OllamaPresence.STOPPED, trouble
        program = await asyncio.to_thread(self._places.program)
        is_service = await asyncio.to_thread(self._places.is_service)
        if program is None and not is_service:
            return OllamaPresence.ABSENT, self._absent_text()
        if is_service:
            return OllamaPresence.STOPPED, self._texts(
                'Ollama is installed as a service of this system, and it is stopped. "sudo systemctl start '
                'ollama" starts it with the models it has; Jarvis can also start it for you, with models of '
                "your own."
            )
        return OllamaPresence.STOPPED, self._texts(
            "Ollama is installed ({program}) but not running. Jarvis can start it and ends it again when "
            "Jarvis ends."
        ).format(program=program)

    def _answering(self, address: ServerAddress, status: ModelStatus) -> tuple[OllamaPresence, str]:
        version = shortened(status.server_version or "")
        text = self._texts("Ollama {version} answers at {host}.")
        sentences = [text.format(version=version, host=address.url), lacking_text(version, self._texts)]
        if not consented(self._settings):
            trouble = self._troubles().remote_unasked(consent_needed(self._settings))
            return OllamaPresence.REMOTE_UNASKED, str(trouble)
        if status.trouble is not None and status.trouble.kind is not ModelTrouble.TOO_OLD:
            sentences.append(str(status.trouble))
        presence = OllamaPresence.RUNNING if address.is_loopback else OllamaPresence.REMOTE
        return presence, " ".join(filter(None, sentences))

    def _absent_text(self) -> str:
        return self._texts(
            "Ollama is not installed. Get it from https://ollama.com/download; on Linux this one command "
            "installs it: curl -fsSL https://ollama.com/install.sh | sh. Until then Jarvis can use the small "
            "model inside."
        )

    # --- starting -----------------------------------------------------------------------------

    def _own_address(self) -> ServerAddress:
        """The address, once it is certain that a server of ours can listen there.

        Raises:
            ModelUnavailableError: it is none, is on another machine, or is more than scheme and port.
        """
        try:
            address = server_address(self._settings.host)
        except ValueError as error:
            raise self._troubles().bad_address() from error
        if not address.is_loopback or "/" in address.url.removeprefix("http://"):
            text = self._texts(
                "Jarvis can start Ollama on this machine only, at an address like http://127.0.0.1:11434; "
                "model.host in settings.yaml is {host}."
            )
            raise ModelUnavailableError(ModelTrouble.NO_SERVER, text.format(host=address.url))
        return address
