"""The desk with real files and a real server: paused, gone on with, told in the end."""

import asyncio
from pathlib import Path

from jarvis_desktop.adapters.model_sources import Source
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.app.fetch_desk import FetchDesk
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.fetching import FetchKind, FetchStage, FetchState
from jarvis_desktop.core.items.setup import Fetch, FetchChanged, PauseFetch, RemoveModel
from tests.fakes.texts import PlainTexts
from tests.integration.model_files.shop import (
    PATIENT,
    WAIT_S,
    WHOLE,
    Fault,
    in_place,
    manifest,
    model_files,
    open_shop,
    plan,
)

FILES = FetchKind.FILES


class Heard:
    """What the desk told."""

    def __init__(self) -> None:
        self.states: list[FetchState] = []
        self._more = asyncio.Event()

    async def emit(self, event: Event) -> None:
        assert isinstance(event, FetchChanged)
        self.states.append(event.state)
        self._more.set()

    async def until(self, stage: FetchStage, done: int = 0) -> FetchState:
        """The first state from now on that is so."""
        async with asyncio.timeout(WAIT_S):
            while not (self.states and self.states[-1].stage is stage and self.states[-1].done_bytes >= done):
                self._more.clear()
                await self._more.wait()
        return self.states[-1]


async def test_a_download_is_paused_gone_on_with_after_a_restart_and_removed(tmp_path: Path) -> None:
    total = sum(map(len, WHOLE.values()))
    with open_shop() as shop:
        shop.faults["model.bin"] = [Fault(stall_after=700_000, etag='"1"')]
        known, sources = manifest(official=shop.address), plan(Source.OFFICIAL, limits=PATIENT)

        def desk(heard: Heard) -> FetchDesk:
            files = model_files(tmp_path, known, sources)
            return FetchDesk(
                {FILES: files, FetchKind.OLLAMA: files},
                emit=heard.emit,
                clock=SystemClock(),
                texts=PlainTexts(),
                unfinished=files.unfinished,
            )

        heard = Heard()
        first = desk(heard)
        await first.start()
        await first.obey(Fetch(FILES, "tiny"))
        await heard.until(FetchStage.RUNNING, 700_000)
        await first.obey(PauseFetch(FILES, "tiny"))
        await heard.until(FetchStage.PAUSED)
        await first.close()

        heard = Heard()
        second = desk(heard)
        await second.start()
        assert [(state.stage, state.done_bytes) for state in second.states] == [(FetchStage.PAUSED, 700_000)]
        await second.obey(Fetch(FILES, "tiny"))
        assert (await heard.until(FetchStage.DONE)).done_bytes == total
        assert in_place(tmp_path) == WHOLE
        assert shop.seen[1].range == "bytes=700000-"
        await second.obey(RemoveModel(FILES, "tiny"))
        await heard.until(FetchStage.GONE)
        assert in_place(tmp_path) == {}
        await second.close()
