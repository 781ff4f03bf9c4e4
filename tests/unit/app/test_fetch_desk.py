"""Downloads on the desk: one of a kind at a time, told calmly, paused, dropped, never lost by an error."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from jarvis_desktop.app.fetch_desk import FetchDesk
from jarvis_desktop.core.items.errors import InvariantError, ModelFileError
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.fetching import FetchKind, FetchStage, FetchState
from jarvis_desktop.core.items.setup import DropFetch, Fetch, FetchChanged, PauseFetch, RemoveModel
from tests.fakes.clock import FakeClock, settle
from tests.fakes.texts import PlainTexts

FILES, OLLAMA = FetchKind.FILES, FetchKind.OLLAMA
BROKE = "Something in Jarvis itself broke; what has come is kept. The log has the details."


@dataclass
class Puller:
    """Fetches what the test says, when the test says it."""

    kind: FetchKind
    begun: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    tell: dict[str, Callable[[FetchState], None]] = field(default_factory=dict)
    over: dict[str, asyncio.Future[None]] = field(default_factory=dict)
    trouble: Exception | None = None

    async def fetch(self, name: str, tell: Callable[[FetchState], None]) -> None:
        self.begun.append(name)
        self.tell[name] = tell
        self.over[name] = asyncio.get_running_loop().create_future()
        await self.over[name]

    async def drop(self, name: str) -> None:
        self._delete(f"drop {name}")

    async def remove(self, name: str) -> None:
        self._delete(f"remove {name}")

    def _delete(self, what: str) -> None:
        if self.trouble is not None:
            raise self.trouble
        self.deleted.append(what)

    def comes(self, name: str, done: int) -> None:
        """So many of 100 bytes are there."""
        self.tell[name](self.state(name, FetchStage.RUNNING, done, bytes_per_s=10.0, left_s=9.0))

    def state(self, name: str, stage: FetchStage, done: int = 0, **more: object) -> FetchState:
        """One of its states."""
        return FetchState(self.kind, name, stage, done, 100, **more)  # type: ignore[arg-type]  # its own fields


@dataclass
class Room:
    """A desk with what it told."""

    desk: FetchDesk
    files: Puller
    ollama: Puller
    clock: FakeClock
    told: list[FetchState]

    async def order(self, *commands: Fetch | PauseFetch | DropFetch | RemoveModel) -> None:
        for command in commands:
            await self.desk.obey(command)
        await settle()

    def stages(self, name: str) -> list[FetchStage]:
        return [state.stage for state in self.told if state.name == name]


@asynccontextmanager
async def room(*, unfinished: tuple[FetchState, ...] = ()) -> AsyncIterator[Room]:
    told: list[FetchState] = []

    async def emit(event: Event) -> None:
        assert isinstance(event, FetchChanged)
        told.append(event.state)

    files, ollama, clock = Puller(FILES), Puller(OLLAMA), FakeClock()
    desk = FetchDesk(
        {FILES: files, OLLAMA: ollama},
        emit=emit,
        clock=clock,
        texts=PlainTexts(),
        unfinished=lambda: unfinished,
    )
    await desk.start()
    try:
        yield Room(desk, files, ollama, clock, told)
    finally:
        await desk.close()


async def test_a_download_is_told_from_its_beginning_to_its_end() -> None:
    async with room() as here:
        await here.order(Fetch(FILES, "a"))
        here.files.comes("a", 40)
        await settle()
        here.files.over["a"].set_result(None)
        await settle()
        assert here.told == [
            FetchState(FILES, "a", FetchStage.RUNNING),
            here.files.state("a", FetchStage.RUNNING, 40, bytes_per_s=10.0, left_s=9.0),
            here.files.state("a", FetchStage.DONE, 100),
        ]
        assert here.desk.states == (here.files.state("a", FetchStage.DONE, 100),)


async def test_a_download_that_moves_all_the_time_is_told_four_times_a_second() -> None:
    async with room() as here:
        await here.order(Fetch(FILES, "a"))
        for done in range(100):
            here.files.comes("a", done)
            await here.clock.advance(0.01)
        assert len(here.told) in range(4, 7)
        assert here.desk.states[0].done_bytes == 99


async def test_one_of_a_kind_runs_and_the_others_wait_their_turn() -> None:
    async with room() as here:
        await here.order(Fetch(FILES, "a"), Fetch(FILES, "b"), Fetch(OLLAMA, "c"), Fetch(FILES, "b"))
        assert (here.files.begun, here.ollama.begun) == (["a"], ["c"])
        waiting = FetchState(FILES, "b", FetchStage.WAITING, trouble="Waits until a is there.")
        assert waiting in here.desk.states
        here.files.over["a"].set_result(None)
        await settle()
        assert here.files.begun == ["a", "b"]


async def test_a_paused_download_keeps_its_bytes_and_lets_the_next_one_begin() -> None:
    async with room() as here:
        await here.order(Fetch(FILES, "a"), Fetch(FILES, "b"))
        here.files.comes("a", 40)
        await here.order(PauseFetch(FILES, "a"))
        assert here.files.state("a", FetchStage.PAUSED, 40) in here.desk.states
        assert here.files.begun == ["a", "b"]
        await here.order(PauseFetch(FILES, "b"), Fetch(FILES, "a"))
        assert here.files.begun == ["a", "b", "a"]


async def test_a_waiting_download_can_be_paused_too() -> None:
    async with room() as here:
        await here.order(Fetch(FILES, "a"), Fetch(FILES, "b"), PauseFetch(FILES, "b"))
        here.files.over["a"].set_result(None)
        await settle()
        assert here.files.begun == ["a"]
        assert here.stages("b")[-1] is FetchStage.PAUSED


async def test_asking_again_for_what_runs_goes_on_over_a_new_connection() -> None:
    async with room() as here:
        await here.order(Fetch(FILES, "a"), Fetch(FILES, "b"))
        here.files.comes("a", 40)
        await here.order(Fetch(FILES, "a"))
        assert here.files.begun == ["a", "a"]
        assert FetchStage.PAUSED not in here.stages("a")
        here.files.over["a"].set_result(None)
        await settle()
        assert here.files.begun == ["a", "a", "b"]


@pytest.mark.parametrize(
    ("order", "deleted"), [(DropFetch(FILES, "a"), "drop a"), (RemoveModel(FILES, "a"), "remove a")]
)
async def test_what_is_dropped_or_removed_stops_first_and_is_then_gone(
    order: DropFetch | RemoveModel, deleted: str
) -> None:
    async with room() as here:
        await here.order(Fetch(FILES, "a"), order)
        assert here.files.deleted == [deleted]
        assert here.told[-1] == FetchState(FILES, "a", FetchStage.GONE)
        assert here.desk.states == ()


async def test_a_failure_says_why_and_the_next_one_begins() -> None:
    async with room() as here:
        await here.order(Fetch(FILES, "a"), Fetch(FILES, "b"))
        here.files.comes("a", 40)
        here.files.over["a"].set_exception(ModelFileError("The disk is full. Make room."))
        await settle()
        failed = here.files.state("a", FetchStage.FAILED, 40, trouble="The disk is full. Make room.")
        assert failed in here.desk.states
        assert here.files.begun == ["a", "b"]


async def test_a_bug_is_said_too_and_the_desk_goes_on() -> None:
    async with room() as here:
        await here.order(Fetch(FILES, "a"))
        here.files.over["a"].set_exception(KeyError("oops"))
        await settle()
        assert here.desk.states == (FetchState(FILES, "a", FetchStage.FAILED, trouble=BROKE),)
        here.files.trouble = KeyError("oops")
        await here.order(RemoveModel(FILES, "a"))
        assert here.told[-1].trouble == BROKE
        here.files.trouble = ModelFileError("It cannot be deleted.")
        await here.order(RemoveModel(FILES, "a"), Fetch(FILES, "a"))
        assert here.stages("a")[-2:] == [FetchStage.FAILED, FetchStage.RUNNING]


async def test_what_an_earlier_run_left_is_shown_as_paused_and_can_be_gone_on_with() -> None:
    left = FetchState(FILES, "a", FetchStage.PAUSED, 40, 100)
    async with room(unfinished=(left,)) as here:
        assert (here.told, here.desk.states) == ([left], (left,))
        await here.order(Fetch(FILES, "a"))
        assert here.told[-1] == FetchState(FILES, "a", FetchStage.RUNNING, 40, 100)


async def test_closing_pauses_everything() -> None:
    async with room() as here:
        await here.order(Fetch(FILES, "a"), Fetch(FILES, "b"), Fetch(OLLAMA, "c"))
    assert [here.stages(name)[-1] for name in "ac"] == [FetchStage.PAUSED, FetchStage.PAUSED]
    assert here.files.begun == ["a"]


async def test_a_kind_without_anybody_who_fetches_it_is_a_bug() -> None:
    async def emit(_event: Event) -> None: ...

    with pytest.raises(InvariantError):
        FetchDesk({FILES: Puller(FILES)}, emit=emit, clock=FakeClock(), texts=PlainTexts())
