"""Downloads of this start: files of the manifest, and models that Ollama pulls."""

from collections.abc import Callable

from jarvis_desktop.adapters.ollama_pull import OllamaPuller
from jarvis_desktop.app.fetch_desk import FetchDesk
from jarvis_desktop.app.options import Start
from jarvis_desktop.app.thinking_parts import Thinking
from jarvis_desktop.core.items.errors import MissingPartError
from jarvis_desktop.core.items.events import AdviceGiven
from jarvis_desktop.core.items.fetching import FetchKind, FetchStage, FetchState
from jarvis_desktop.core.ports import Clock, Emit


class PulledModels:
    """Fills ``Fetcher``: the puller says how it ended in the state, others by raising."""

    def __init__(self, puller: OllamaPuller, emit: Emit) -> None:
        self._puller = puller
        self._emit = emit

    async def fetch(self, name: str, tell: Callable[[FetchState], None]) -> None:
        """The server has the model.

        Raises:
            MissingPartError: it could not be had; the text says why and what to do.
        """
        end = await self._puller.fetch(name, tell)
        if end.stage is FetchStage.FAILED:
            raise MissingPartError(end.trouble)

    async def drop(self, name: str) -> None:
        """Nothing more comes; that Ollama keeps for a while what has come is said."""
        await self._emit(AdviceGiven(await self._puller.drop(name)))

    async def remove(self, name: str) -> None:
        """The server no longer has the model.

        Raises:
            ModelUnavailableError: nobody answers, or the server refuses.
        """
        await self._puller.remove(name)


def open_fetching(start: Start, clock: Clock, emit: Emit, thinking: Thinking) -> FetchDesk:
    """The desk of this start; nothing is read or fetched before its ``start``."""
    return FetchDesk(
        {FetchKind.FILES: thinking.files, FetchKind.OLLAMA: PulledModels(thinking.puller, emit)},
        emit=emit,
        clock=clock,
        texts=start.texts,
        unfinished=thinking.files.unfinished,
    )
