"""A virtual screen of its own for a test: X server, session bus, window manager, real clicks and keys."""

import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

NEEDED = {"Xvfb": "xvfb", "xdotool": "xdotool", "dbus-daemon": "dbus"}
START_WITHIN_S = 20.0
_ONLY_BY_NAME = ("HOME", "PATH", "LANG", "PYTHONPATH", "VIRTUAL_ENV", "JARVIS_HOME", "XDG_RUNTIME_DIR")


def until(check: Callable[[], bool], within_s: float = START_WITHIN_S, what: str = "it") -> None:
    """Wait until ``check`` holds, looking every 20 ms; fails after ``within_s``."""
    tick, deadline_s = threading.Event(), time.monotonic() + within_s
    while not check():
        assert time.monotonic() < deadline_s, f"{what} did not happen within {within_s:g} s"
        tick.wait(0.02)


class Screen:
    """One X server and one session bus; programs started on it end with it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stack = ExitStack()
        # Xvfb picks the number: a fixed one races with servers that are just going away. Without -noreset it
        # starts anew when its only client leaves, and refuses whoever comes in that moment.
        number = self._first_line(
            "Xvfb", "-displayfd", "{fd}", "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset"
        )
        self.display = f":{number}"
        self.bus = self._first_line("dbus-daemon", "--session", "--nofork", "--print-address={fd}")

    def _first_line(self, *command: str) -> str:
        """Start a server that writes its address to a descriptor; that line."""
        read, write = os.pipe()
        try:
            self._start([word.replace("{fd}", str(write)) for word in command], pass_fds=(write,))
        finally:
            os.close(write)
        with os.fdopen(read) as pipe:
            return pipe.readline().strip()

    @property
    def env(self) -> dict[str, str]:
        """Environment of programs on this screen; nothing of the real desktop."""
        kept = {name: os.environ[name] for name in _ONLY_BY_NAME if name in os.environ}
        return kept | {
            "DISPLAY": self.display,
            "DBUS_SESSION_BUS_ADDRESS": self.bus,
            "QT_QPA_PLATFORM": "xcb",
            "XDG_CONFIG_HOME": str(self._folder / "config"),
            "XDG_CACHE_HOME": str(self._folder / "cache"),
            "XDG_CURRENT_DESKTOP": "XFCE",
            "NO_AT_BRIDGE": "1",
            "PYTHONUNBUFFERED": "1",
        }

    def _start(self, command: list[str], pass_fds: tuple[int, ...] = ()) -> subprocess.Popen[bytes]:
        log = (self._folder / f"{Path(command[0]).name}.log").open("ab")
        self._stack.callback(log.close)
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            pass_fds=pass_fds,
            start_new_session=True,
        )
        self._stack.callback(end, process)
        return process

    def start(self, *command: str, **extra_env: str) -> subprocess.Popen[str]:
        """Start a program here, with pipes to its input and output."""
        log = (self._folder / f"{Path(command[0]).name}.err").open("ab")
        self._stack.callback(log.close)
        process = subprocess.Popen(
            command,
            env=self.env | extra_env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            encoding="utf-8",
            start_new_session=True,
        )
        self._stack.callback(end, process)
        return process

    def start_window_manager(self, name: str) -> None:
        """``openbox`` or ``xfwm4``; returns when it manages the screen."""
        self._quiet(name)
        until(lambda: "window id" in self.run("xprop", "-root", "_NET_SUPPORTING_WM_CHECK"), what=name)

    def start_tray(self) -> None:
        """A panel with a tray of the older kind; returns when it owns the tray."""
        self._quiet(
            "trayer", "--edge", "bottom", "--align", "right", "--widthtype", "request", "--height", "26"
        )
        until(
            lambda: "trayer" in self.run("xdotool", "search", "--name", "--class", "trayer", "getwindowname"),
            what="trayer",
        )

    def _quiet(self, *command: str) -> None:
        log = (self._folder / f"{command[0]}.err").open("ab")
        self._stack.callback(log.close)
        process = subprocess.Popen(
            command, env=self.env, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )
        self._stack.callback(end, process)

    def run(self, *command: str) -> str:
        """Output of a short program here."""
        done = subprocess.run(
            command, env=self.env, capture_output=True, text=True, timeout=START_WITHIN_S, check=False
        )
        return done.stdout.strip()

    def xdo(self, *arguments: object) -> str:
        """Real clicks and keys: ``xdo("mousemove", x, y, "click", 1)``."""
        return self.run("xdotool", *map(str, arguments))

    def picture(self, path: Path) -> None:
        """The whole screen as a file, for people who look into a failure."""
        self.run("import", "-window", "root", str(path))

    def close(self) -> None:
        """Everything that was started here has ended."""
        self._stack.close()


def end(process: "subprocess.Popen[str] | subprocess.Popen[bytes]") -> None:
    """End a process that we started, with its own children."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(5)
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()


@contextmanager
def virtual_screen(folder: Path) -> Iterator[Screen]:
    """A screen without a window manager; the test is skipped where its programs are missing."""
    missing = [package for program, package in NEEDED.items() if shutil.which(program) is None]
    if missing and not os.environ.get("CI"):
        pytest.skip(f"needs a virtual screen; install with: sudo apt install {' '.join(missing)}")
    assert not missing, f"missing on this machine: {missing}"
    made = Screen(folder)
    try:
        yield made
    finally:
        made.close()


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    """A virtual screen of the test's own."""
    with virtual_screen(tmp_path) as made:
        yield made
