"""Files and shell."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from jarvis_desktop.core.items.room import PERSONS_ROOM, Room


@dataclass(frozen=True, slots=True)
class FoundFile:
    """One entry of a listing or search."""

    path: Path
    is_dir: bool
    size_bytes: int
    modified_at: float
    """POSIX seconds."""
    is_link: bool = False


@dataclass(frozen=True, slots=True)
class FileText:
    """Decoded text of a file and what is needed to write it back unchanged."""

    text: str
    """As on disk: newlines are not translated, a byte order mark is not part of it."""
    encoding: str
    digest: str
    """sha256 of the bytes on disk."""
    newline: str = "\n"


class SearchTimeoutError(TimeoutError):
    """A search ran into its time limit."""

    def __init__(self, found: tuple[FoundFile, ...] | tuple[tuple[Path, int, str], ...]) -> None:
        super().__init__("the search took too long")
        self.found = found
        """What it had found by then."""


class Files(Protocol):
    """The person's files. Every error is an ``OSError`` with its path, or ``UnicodeError``."""

    async def read_text(self, path: Path, max_bytes: int) -> FileText:
        """The text of a file.

        Raises:
            UnicodeError: it is not text.
            OSError: absent, unreadable, a directory, or larger than ``max_bytes`` (EFBIG).
        """

    async def write_text(self, path: Path, text: str, *, encoding: str = "utf-8") -> None:
        """Write whole, atomically, parents made, mode kept. A link's target is written, not the link."""

    async def digest(self, path: Path) -> str:
        """sha256 of the bytes on disk; empty when there is no such file."""

    async def list_dir(self, path: Path) -> tuple[FoundFile, ...]:
        """Entries of a directory, directories first, by name."""

    async def glob(self, root: Path, pattern: str, limit: int) -> tuple[FoundFile, ...]:
        """Files below ``root`` that match, newest first, at most ``limit``.

        Raises:
            SearchTimeoutError: the time was up before the whole tree was seen.
        """

    async def grep(
        self, root: Path, pattern: str, glob: str | None, limit: int
    ) -> tuple[tuple[Path, int, str], ...]:
        """(path, line number, line) of matches; binary files skipped; bounded in time.

        Raises:
            ValueError: ``pattern`` is not a regular expression.
            SearchTimeoutError: the time was up before every file was read.
        """


@dataclass(frozen=True, slots=True)
class ShellEnd:
    """How a shell command ended."""

    exit_code: int | None
    """None when it was ended by us."""
    output: str
    """stdout and stderr in order, clipped head and tail."""
    timed_out: bool
    took_s: float
    ended: tuple[str, ...] = ()
    """Names of the processes that the command left running and that were ended with it."""
    survivors: int = 0
    """Processes that could not be ended, e.g. because they belong to another user."""
    offline: bool = False
    """It had no network, because none can be given to it safely on this machine."""


class Shell(Protocol):
    """Runs shell commands without our session bus, display, audio and secrets."""

    async def run(
        self,
        command: str,
        cwd: Path,
        timeout_s: float,
        max_output_bytes: int,
        env: Mapping[str, str] | None = None,
        room: Room = PERSONS_ROOM,
    ) -> ShellEnd:
        """Run to the end, or end the whole process tree at the time-out or on cancellation.

        env: variables on top of the usual ones.
        room: what the command gets to see, as far as this machine can hold it there.
        """
