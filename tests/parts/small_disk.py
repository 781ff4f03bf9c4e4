"""A real disk of a few megabytes that can be filled, and a terminal on which the real program runs."""

import fcntl
import os
import shutil
import subprocess
import sys
from array import array
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import NoReturn

import pytest

ROOT = Path(__file__).parents[2]
WAIT_S = 20.0
# linux/fs.h
GET_FLAGS, SET_FLAGS, IMMUTABLE = 0x80086601, 0x40086602, 0x10
MOUNTS = """
mount -t tmpfs -o size={size},mode=700 none {place} && echo mounted && exec sleep infinity
"""


def absent(reason: str) -> NoReturn:
    """Ends the test: skipped with the reason, failed where CI promises the part."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@dataclass(frozen=True, slots=True)
class SmallDisk:
    """A tmpfs that only programs started with ``prefix`` see at ``place``."""

    place: Path
    holder: int
    """Process in whose mount namespace it is."""

    @property
    def prefix(self) -> tuple[str, ...]:
        """Before the words of a program that shall see the disk."""
        user = () if os.geteuid() == 0 else ("--user", "--preserve-credentials")
        return ("nsenter", "--target", str(self.holder), *user, "--mount", "--")

    @property
    def outside(self) -> Path:
        """The same folder, as this process sees it."""
        return Path(f"/proc/{self.holder}/root{self.place}")

    def fill(self) -> None:
        """Not a byte is free."""
        with pytest.raises(OSError, match="No space left"):
            self._fill_on()

    def _fill_on(self) -> None:
        with (self.outside / "filler").open("ab", buffering=0) as filler:
            while True:
                filler.write(b"\0" * 4096)

    def make_room(self) -> None:
        """There is room again."""
        (self.outside / "filler").unlink()

    def make_read_only(self) -> None:
        """As after an error of the disk; nobody may have a file of it open for writing."""
        subprocess.run(
            [*self.prefix, "mount", "-o", "remount,ro", str(self.place)], check=True, timeout=WAIT_S
        )


@contextmanager
def small_disk(place: Path, size: str = "2m") -> Iterator[SmallDisk]:
    """A disk at ``place``, a folder that is there; gone afterwards."""
    missing = [name for name in ("unshare", "nsenter", "mount") if shutil.which(name) is None]
    if missing:
        absent(f"a small disk needs {', '.join(missing)}")
    user = () if os.geteuid() == 0 else ("--user", "--map-current-user", "--keep-caps")
    script = MOUNTS.format(size=size, place=f"'{place}'")
    with subprocess.Popen(
        ["unshare", *user, "--mount", "sh", "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as holder:
        try:
            assert holder.stdout is not None
            assert holder.stderr is not None
            if holder.stdout.readline() != "mounted\n":
                absent(f"no small disk can be mounted here: {holder.stderr.read().strip()}")
            yield SmallDisk(place, holder.pid)
        finally:
            holder.kill()


@contextmanager
def refusing_writes(*paths: Path) -> Iterator[None]:
    """The system refuses writes to these files, also to those who have them open, as after a disk error.

    Only root can do that; a remount cannot, since the kernel does not let go of files that are being written.
    """
    with ExitStack() as mended:
        for path in paths:
            descriptor = os.open(path, os.O_RDONLY)
            mended.callback(os.close, descriptor)
            before = array("l", [0])
            try:
                fcntl.ioctl(descriptor, GET_FLAGS, before)
                fcntl.ioctl(descriptor, SET_FLAGS, array("l", [before[0] | IMMUTABLE]))
            except OSError as error:
                absent(f"files of this disk cannot be made to refuse writes: {error.strerror}")
            mended.callback(fcntl.ioctl, descriptor, SET_FLAGS, before)
        yield


@dataclass(slots=True)
class Terminal:
    """The real program without a screen: requests in, lines out."""

    words: tuple[str, ...]
    env: dict[str, str]
    lines: list[str] = field(default_factory=list)
    _coming: "Queue[str | None]" = field(default_factory=Queue)
    _process: "subprocess.Popen[str]" = field(init=False)

    def __post_init__(self) -> None:
        kept = {name: value for name, value in os.environ.items() if not _is_of_the_desktop(name)}
        self._process = subprocess.Popen(
            [*self.words, sys.executable, "-m", "jarvis_desktop"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            bufsize=1,
            env={**kept, "PYTHONPATH": str(ROOT), "JARVIS_VOICE__ENABLED": "false", **self.env},
        )
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._coming.put(line.rstrip("\n"))
        self._coming.put(None)

    def type(self, text: str) -> None:
        """A request."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{text}\n")
        self._process.stdin.flush()

    def await_(self, part: str) -> str:
        """The next line with ``part`` in it."""
        while True:
            try:
                line = self._coming.get(timeout=WAIT_S)
            except Empty:
                raise AssertionError(f"no {part!r} among {self.lines}") from None
            assert line is not None, f"the program ended before {part!r}: {self.lines}"
            self.lines.append(line)
            if part in line:
                return line

    def close(self) -> int:
        """The end of the input, as by Ctrl+D; the exit status."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        return self._process.wait(WAIT_S)

    def tell_to_quit(self) -> int:
        """As at the end of a session; the exit status."""
        self._process.terminate()
        return self._process.wait(WAIT_S)

    def end(self) -> None:
        """It does not run any more, whatever happened."""
        self._process.kill()
        self._process.wait(WAIT_S)
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None and not stream.closed:
                stream.close()


def _is_of_the_desktop(name: str) -> bool:
    return name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
