"""Bytes of a download on their way: a file that grows, and a note of where its bytes come from."""

import asyncio
import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a part's bytes come from."""

    url: str
    mark: str = ""
    """ETag, else the date of the last change, of what the server had; empty: it told none."""


class Part:
    """The bytes that have come so far; they outlive the process, even one that is killed.

    Every byte counts as soon as it is written: a killed process leaves what the system had taken over.
    Whether they are the right ones, the digest of the whole file says at the end.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._note = path.with_name(f"{path.name}.json")

    @property
    def size(self) -> int:
        """Bytes that are there."""
        try:
            return self.path.stat().st_size
        except OSError:
            return 0

    @property
    def origin(self) -> Origin | None:
        """Where the newest bytes came from; None when nobody noted it."""
        try:
            return Origin(**json.loads(self._note.read_text("utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def comes_from(self, origin: Origin) -> None:
        """From now on bytes of ``origin`` are appended."""
        write_whole(self._note, json.dumps(asdict(origin)).encode())

    def cut(self, size: int = 0) -> None:
        """Only the first ``size`` bytes are left."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab") as file:
            file.truncate(size)

    def append(self, block: bytes) -> None:
        """``block`` is behind the rest."""
        with self.path.open("ab") as file:
            file.write(block)

    def write_at(self, offset: int, block: bytes) -> None:
        """``block`` lies at ``offset``; what is there already is written over."""
        self.path.touch()
        with self.path.open("r+b") as file:
            file.seek(offset)
            file.write(block)

    def sha256(self) -> str:
        """Hex digest of what is there."""
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def drop(self) -> None:
        """Nothing is left."""
        self.path.unlink(missing_ok=True)
        self._note.unlink(missing_ok=True)

    def become(self, place: Path) -> None:
        """The file stands at ``place``, whole, also after a power cut."""
        place.parent.mkdir(parents=True, exist_ok=True)
        sync(self.path)
        self.path.replace(place)
        self._note.unlink(missing_ok=True)
        sync(place.parent)


def write_whole(path: Path, content: bytes) -> None:
    """``path`` holds ``content``, or what it held before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    fresh.write_bytes(content)
    fresh.replace(path)


def sync(path: Path) -> None:
    """What was written to a file, or the names in a folder, are on the disk."""
    if os.name == "nt" and path.is_dir():
        return  # Windows opens no folders
    # Read-write for files: some systems refuse to sync what is open for reading only.
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


async def to_its_end(work: Callable[[], T]) -> T:
    """The result of ``work`` on a thread; a cancelled caller is held until the thread is through.

    Otherwise the block of a cancelled download could be written while the next one has begun to append.
    """
    running = asyncio.ensure_future(asyncio.to_thread(work))
    cancelled: asyncio.CancelledError | None = None
    while not running.done():
        try:
            await asyncio.wait({running})
        except asyncio.CancelledError as error:  # it may come twice
            cancelled = error
    if cancelled is not None:
        running.exception()  # looked at, so that nobody reports it as lost
        raise cancelled
    return running.result()
