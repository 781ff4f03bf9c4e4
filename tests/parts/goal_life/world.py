"""What goals look at, and how it fails: sources that change, a model, and everything that was ever seen."""

import re
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import ClassVar, TypeAlias

from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.decisions import Allow
from jarvis_desktop.core.items.errors import ModelTrouble, ModelUnavailableError
from jarvis_desktop.core.items.turn import Role, TurnRequest
from jarvis_desktop.core.ports import CallPiece, ChatPiece, ChatRequest, DonePiece, TextPiece
from jarvis_desktop.core.tool import Tool, ToolArguments, ToolOutput
from tests.parts.goal_life.machine import Reaper, SetClock

Mark: TypeAlias = tuple[str, str, int]
"""Source, key and version of an item."""
_MARK = re.compile(r"<(s\d+):([\w-]+):(\d+)>")
FALSE = "FALSE"
"""Stands in lines that nobody may ever be told: of failing tools, and a model's wording of a tool's item."""


def marks_in(text: str) -> list[Mark]:
    """The items that a text tells of."""
    return [(source, key, int(version)) for source, key, version in _MARK.findall(text)]


@dataclass(slots=True)
class Listed:
    """One thing in a source."""

    key: str
    version: int
    until: datetime | None
    """From then on it is gone, though never before a turn that saw it came to its end."""
    seen: bool = False
    settled: bool = False
    """A turn that saw it was not killed; it may have failed or been interrupted."""

    def line(self, source: str) -> str:
        """What the tool says of it; it names the item, so that it is known again wherever it was told."""
        return f"<{source}:{self.key}:{self.version}> is there"


@dataclass(slots=True)
class Source:
    """What one goal's tool reads."""

    name: str
    listed: dict[str, Listed] = field(default_factory=dict)
    made: int = 0

    def change(self, rng: Random, now: datetime) -> None:
        """Something is new, or changed, or both."""
        for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
            old = rng.choice(sorted(self.listed)) if self.listed and rng.random() < 0.3 else ""
            if old:
                one = self.listed[old]
                self.listed[old] = Listed(old, one.version + 1, one.until)
                continue
            self.made += 1
            key = f"{'ask-' if rng.random() < 0.1 else 'k'}{self.made}"
            hours = rng.choice((1, 2, 5, 30))
            until = now + timedelta(hours=hours) if rng.random() < 0.4 else None
            self.listed[key] = Listed(key, 1, until)
        if len(self.listed) > 40:
            for key in [key for key, one in self.listed.items() if one.settled][:10]:
                del self.listed[key]

    def look(self, now: datetime) -> list[Listed]:
        """All that it lists now."""
        self.listed = {
            key: one
            for key, one in self.listed.items()
            if one.until is None or now < one.until or (one.seen and not one.settled)
        }
        return list(self.listed.values())


@dataclass
class World:
    """Everything outside the program."""

    rng: Random
    clock: SetClock
    sources: dict[str, Source] = field(default_factory=dict)
    produced: set[Mark] = field(default_factory=set)
    """Everything that a tool ever said."""
    counts: Counter[str] = field(default_factory=Counter)
    model_gone: bool = False
    tool_fails: bool = False
    notices_fail: bool = False
    calm: bool = False
    """Nothing fails and nothing changes any more."""
    source_of: Mapping[str, str] = field(default_factory=dict)
    """The source that the goal of an id looks at."""

    def fails(self, share: float) -> bool:
        """By chance."""
        return not self.calm and self.rng.random() < share

    def produce(self, name: str) -> str:
        """What the tool says of that source."""
        lines = []
        for one in self.sources[name].look(self.clock.now()):
            one.seen = True
            self.produced.add((name, one.key, one.version))
            lines.append(f"항목: [{one.key}@v{one.version}] {one.line(name)}")
        return "\n".join(lines) or "Nothing at all."

    def ended(self, goal_id: str) -> None:
        """A turn of that goal came to its end, whatever that was."""
        self.lived_through(self.source_of[goal_id])

    def lived_through(self, name: str) -> None:
        """A turn that looked there was not killed: from now on its items are the program's to keep."""
        for one in self.sources[name].listed.values():
            one.settled = one.settled or one.seen


class SourceArguments(ToolArguments):
    """Which source."""

    name: str


class SourceTool(Tool[SourceArguments]):
    """Reads one source; fails now and then."""

    name: ClassVar[str] = "read_source"
    description: ClassVar[str] = "Read a source."
    arguments: ClassVar[type[ToolArguments]] = SourceArguments
    read_only: ClassVar[bool] = True

    def __init__(self, world: World, reaper: Reaper) -> None:
        self._world, self._reaper = world, reaper

    async def run(self, arguments: SourceArguments, allow: Allow, request: TurnRequest) -> ToolOutput:
        """What it lists, one item to a line."""
        assert isinstance(allow, Allow)
        self._reaper.alive()
        world = self._world
        world.counts["tool calls"] += 1
        await world.clock.sleep(world.rng.choice((0.0, 0.2, 2.0)))
        self._reaper.alive()
        if world.tool_fails or world.fails(0.02):
            world.counts["tool failures"] += 1
            return ToolOutput(f"503\n항목: [broken] {FALSE} 503", ResultStatus.ERROR)
        return ToolOutput(world.produce(arguments.name))


class FlakyModel:
    """Fills ``ChatModel``: calls the tool, then answers; slow, forgetful, wordy, and sometimes gone."""

    name = "simulated"
    context_tokens = 32_768

    def __init__(self, world: World, reaper: Reaper, asked: Callable[[], None]) -> None:
        self._world, self._reaper, self._asked = world, reaper, asked

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ChatPiece, None]:
        """One answer, after a while."""
        self._reaper.alive()
        self._asked()
        world = self._world
        world.counts["model requests"] += 1
        await world.clock.sleep(world.rng.choice((1.0, 4.0, 15.0, 90.0)))
        self._reaper.alive()
        if world.model_gone or world.fails(0.03):
            world.counts["model failures"] += 1
            raise ModelUnavailableError(ModelTrouble.NO_SERVER, "Ollama is not running.")
        question = next(one.text for one in reversed(request.messages) if one.role is Role.USER)
        results = [one.text for one in request.messages if one.role is Role.TOOL]
        named = [name for name in world.sources if f"#{name}#" in question]
        if not named:
            yield TextPiece("Done.")
        elif not results and not world.fails(0.05):
            yield CallPiece("read_source", {"name": named[0]})
        else:
            yield TextPiece(self._answer(results))
        yield DonePiece("stop")

    def _answer(self, results: list[str]) -> str:
        """Some of the items word for word, some in other words, some left out."""
        world, lines = self._world, ["머리: 알려 드릴 게 있어요."]
        for line in (
            one
            for text in results
            for one in text.splitlines()
            if one.startswith("항목:") and FALSE not in one
        ):
            chance = world.rng.random()
            if chance < 0.4:
                lines.append(line)
            elif chance < 0.7:
                lines.append(f"{line.partition(']')[0]}] {FALSE} in other words")
        lines += ["항목: no key, never told", f"기록: {len(results)} read", "완료: 아니요"]
        return "\n".join(lines)

    async def warm_up(self, prefix: ChatRequest | None = None) -> None:
        """Nothing to load."""
        del prefix

    async def close(self) -> None:
        """Nothing is open."""
