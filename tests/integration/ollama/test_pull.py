"""Models pulled through a real Ollama server from a library on loopback.

Seen (Ollama 0.9.3): a cancelled pull writes down how far each part has come and goes on from there; a server
that is killed knows nothing of a part that was under way, and a server that starts deletes unfinished
downloads unless ``OLLAMA_NOPRUNE`` is set.
"""

import asyncio
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

import pytest

from jarvis_desktop.adapters.ollama_model import OllamaModel
from jarvis_desktop.adapters.ollama_progress import STALL_S
from jarvis_desktop.adapters.ollama_pull import OllamaPuller
from jarvis_desktop.core.items.errors import ModelUnavailableError
from jarvis_desktop.core.items.fetching import FetchKind, FetchStage, FetchState
from jarvis_desktop.core.items.turn import Message, Role
from jarvis_desktop.core.ports import ChatRequest, DonePiece
from tests.fakes.clock import FakeClock
from tests.fakes.texts import PlainTexts
from tests.integration.ollama.conftest import OwnOllama, StartsOllama, settings_at
from tests.parts.ollama import PROGRAM, SMOL, absent, free_port, weights_file
from tests.parts.ollama_registry import Library
from tests.parts.ollama_templates import CHATML

pytestmark = [pytest.mark.real_ollama, pytest.mark.timeout(300)]

NAME = "gemma4:e2b"
"""The usual name; what the library serves under it is a small model."""
ON_ITS_WAY_BYTES = 16_000_000
"""Sent, but perhaps lost in the buffers of a connection that was closed."""
WAIT_S = 60.0


class Told:
    """What people were told about a download."""

    def __init__(self) -> None:
        self.states: list[FetchState] = []
        self._news = asyncio.Event()

    def __call__(self, state: FetchState) -> None:
        self.states.append(state)
        self._news.set()

    @property
    def last(self) -> FetchState:
        return self.states[-1]

    async def until(self, true: Callable[[FetchState], bool]) -> FetchState:
        async with asyncio.timeout(WAIT_S):
            while not (self.states and true(self.last)):
                self._news.clear()
                await self._news.wait()
        return self.last


def puller_at(own: OwnOllama, clock: FakeClock | None = None) -> OllamaPuller:
    known = ("gemma4:e2b", "gemma4:e4b")
    return OllamaPuller(settings_at(own.host), own.home, PlainTexts(), clock or TickingClock(), known)


class TickingClock(FakeClock):
    """A clock that goes on whenever it is looked at, so that every line of the server's is told."""

    def monotonic_s(self) -> float:
        self._elapsed_s += 1.0
        return self._elapsed_s


@asynccontextmanager
async def pulling(
    own: OwnOllama, name: str, clock: FakeClock
) -> AsyncIterator[tuple[Told, asyncio.Task[FetchState]]]:
    told = Told()
    task = asyncio.create_task(puller_at(own, clock).fetch(name, told))
    try:
        yield told, task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_a_pull_tells_its_progress_is_interrupted_goes_on_and_the_model_answers(
    own_ollama: StartsOllama, library: Library, tmp_path: Path
) -> None:
    weights = weights_file(SMOL)
    size = weights.stat().st_size
    library.add(NAME, weights, template=CHATML, params='{"num_thread": 1, "stop": ["<|im_end|>"]}')
    own = own_ollama(library.environment, store=tmp_path / "store")
    await own.program.start()

    library.hold_after(size // 2)
    async with pulling(own, NAME, TickingClock()) as (first, task):
        await first.until(lambda state: state.done_bytes >= size // 2 - ON_ITS_WAY_BYTES)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    paused, sent_before = first.last, library.sent_bytes
    assert (paused.kind, paused.name, paused.stage) == (FetchKind.OLLAMA, NAME, FetchStage.PAUSED)
    assert "checked by Ollama" in paused.source
    library.go_on()

    second = Told()
    assert await puller_at(own).fetch(NAME, second) == second.last
    assert second.last.stage is FetchStage.DONE
    assert second.last.done_bytes == second.last.total_bytes > size
    assert library.sent_bytes - sent_before < size // 2 + ON_ITS_WAY_BYTES
    begun = next(state.done_bytes for state in second.states if state.total_bytes)
    assert begun >= paused.done_bytes - ON_ITS_WAY_BYTES
    for told in (first, second):
        done = [state.done_bytes for state in told.states]
        assert done == sorted(done)
    assert FetchStage.CHECKING in [state.stage for state in second.states]

    model = OllamaModel(settings_at(own.host, name=NAME), PlainTexts())
    request = ChatRequest((Message(Role.USER, "Say hello."),), max_tokens=3)
    async with aclosing(model.stream(request)) as pieces:
        heard = [piece async for piece in pieces]
    await model.close()
    assert isinstance(heard[-1], DonePiece)
    await puller_at(own).remove(NAME)
    assert (await own.program.presence())[1].endswith(f"or with: ollama pull {NAME}")
    await puller_at(own).remove(NAME)


async def test_a_library_that_falls_silent_is_told_as_stalled_and_the_pull_goes_on(
    own_ollama: StartsOllama, library: Library, tmp_path: Path
) -> None:
    library.add(NAME, b"g" * 2_000_000)
    own, clock = own_ollama(library.environment, store=tmp_path / "store"), FakeClock()
    await own.program.start()
    library.hold_after(1_000_000)
    async with pulling(own, NAME, clock) as (told, task):
        await asyncio.to_thread(library.wait_until_held)
        async with asyncio.timeout(WAIT_S):
            # Bytes that are still on their way to the server begin the silence anew.
            while told.last.stage is not FetchStage.STALLED:
                await clock.advance(STALL_S + 1)
                await asyncio.to_thread(lambda: None)
        stalled = told.last
        library.go_on()
        done = await task
    assert stalled.trouble.startswith("Nothing has come for a while. Ollama tries again by itself")
    assert done.stage is FetchStage.DONE


REFUSED = (
    ("gema4:e2b", None, 'There is no model "gema4:e2b" in Ollama\'s library. Did you mean "gemma4:e2b"?'),
    (
        "zzz",
        None,
        'There is no model "zzz" in Ollama\'s library. All of them stand at https://ollama.com/library.',
    ),
    (
        "a b",
        None,
        'There is no model "a b" in Ollama\'s library. All of them stand at https://ollama.com/library.',
    ),
    (
        NAME,
        (412, "\nThe model you are attempting to pull requires a newer version of Ollama.\n"),
        'Ollama 0.9.3 at {host} is too old for the model "gemma4:e2b": 0.20.0 or later is needed. Update it '
        "from https://ollama.com/download.",
    ),
    (
        "closed:1b",
        (403, "denied"),
        'Ollama\'s library does not hand out "closed:1b" to everybody. Choose another model, or sign in '
        "with: ollama signin",
    ),
    (
        "ill:1b",
        (500, "out of luck"),
        'Ollama could not fetch "ill:1b": pull model manifest: 500: {{"errors": [{{"code": "REFUSED", '
        '"message": "out of luck"}}]}}. What has come is kept; try again.',
    ),
)


async def test_what_the_library_refuses_is_said_with_what_to_do(
    own_ollama: StartsOllama, library: Library, tmp_path: Path
) -> None:
    library.refusals |= {name: refusal for name, refusal, _ in REFUSED if refusal}
    own = own_ollama(library.environment, store=tmp_path / "store")
    await own.program.start()
    ended = [await puller_at(own).fetch(name, Told()) for name, _, _ in REFUSED]
    assert [one.trouble for one in ended] == [words.format(host=own.host) for _, _, words in REFUSED]
    assert {one.stage for one in ended} == {FetchStage.FAILED}


async def test_without_a_network_the_library_is_named_as_out_of_reach(
    own_ollama: StartsOllama, tmp_path: Path
) -> None:
    own = own_ollama({"HTTPS_PROXY": f"http://127.0.0.1:{free_port()}"}, store=tmp_path / "store")
    await own.program.start()
    ended = await puller_at(own).fetch(NAME, Told())
    assert ended.stage is FetchStage.FAILED
    assert ended.trouble.startswith('Ollama does not get through to its library for "gemma4:e2b": ')
    assert ended.trouble.endswith("Check the network and fetch again; what has come is kept.")


async def test_damaged_bytes_are_thrown_away_and_the_next_pull_is_whole(
    own_ollama: StartsOllama, library: Library, tmp_path: Path
) -> None:
    right = b"right" * 1000
    library.add(NAME, right)
    library.swap(right, b"wrong" * 1000)
    own = own_ollama(library.environment, store=tmp_path / "store")
    await own.program.start()
    ended = await puller_at(own).fetch(NAME, Told())
    assert ended.trouble == (
        'What came of "gemma4:e2b" is not what the library promised, so Ollama threw that part away. '
        "Fetch it again."
    )
    library.swap(right, right)
    assert (await puller_at(own).fetch(NAME, Told())).stage is FetchStage.DONE


SMALL_DISK = """#!/bin/sh
exec unshare -rm sh -c 'mount -t tmpfs -o size=256k tmpfs "$OLLAMA_MODELS" && exec {program} serve'
"""


async def test_a_full_disk_is_named(own_ollama: StartsOllama, library: Library, tmp_path: Path) -> None:
    tried = subprocess.run(["unshare", "-rm", "true"], capture_output=True, check=False)
    if tried.returncode:
        absent(f"no small disk can be made here: {tried.stderr.decode().strip()}")
    store, program = tmp_path / "store", tmp_path / "ollama"
    store.mkdir()
    program.write_text(SMALL_DISK.format(program=PROGRAM), "ascii")
    program.chmod(0o755)
    library.add(NAME, b"d" * 2_000_000)
    own = own_ollama(library.environment, store=store, folder=tmp_path)
    await own.program.start()
    ended = await puller_at(own).fetch(NAME, Told())
    assert ended.trouble == (
        'The disk on which Ollama keeps its models is full, so "gemma4:e2b" could not be fetched. Make room '
        "there, or remove a model, and fetch again."
    )


async def test_a_server_killed_in_the_middle_is_told_and_what_it_kept_outlives_our_restart(
    own_ollama: StartsOllama, library: Library, tmp_path: Path
) -> None:
    library.add(NAME, b"k" * 2_000_000)
    store = tmp_path / "store"
    own = own_ollama(library.environment, store=store)
    await own.program.start()
    library.hold_after(1_000_000)
    async with pulling(own, NAME, TickingClock()) as (told, task):
        await told.until(lambda state: state.done_bytes > 0)
        own.server.kill()
        ended = await task
    assert ended.stage is FetchStage.FAILED
    assert ended.trouble == (
        'Ollama stopped while it was fetching "gemma4:e2b". Start it and fetch again: it goes on from what '
        "it has kept."
    )
    library.go_on()
    await own.program.start()
    assert partial(store)
    given_up = await puller_at(own).drop(NAME)
    assert given_up.endswith("it deletes it when it is started the next time.")
    await own.program.stop()
    await own.program.start()
    assert not partial(store)


def partial(store: Path) -> list[str]:
    return [file.name for file in (store / "blobs").glob("*-partial*")]


async def test_without_a_server_a_pull_fails_and_a_removal_says_so(own_ollama: StartsOllama) -> None:
    own = own_ollama()
    told = Told()
    ended = await puller_at(own).fetch(NAME, told)
    assert told.last == ended
    assert ended.stage is FetchStage.FAILED
    assert ended.trouble.startswith("No Ollama answers at ")
    with pytest.raises(ModelUnavailableError, match="No Ollama answers at "):
        await puller_at(own).remove(NAME)
