"""The ``sound_server`` fixture: a PulseAudio server of its own, with a microphone that tests speak into.

It needs no session bus, no systemd and no sound card. The variable ``PULSE_SERVER`` points at it while it
lives; PortAudio reads that only once, so every server of a test run answers on the same socket.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

START_S = 10.0
RATES_HZ = 48_000
# Without norewinds a null sink renders in blocks of two seconds: capture stalls and begins a second late.
SETUP = """\
load-module module-native-protocol-unix auth-anonymous=1 socket={socket}
load-module module-null-sink sink_name=mic_sink rate={rate} channels=2 norewinds=1
load-module module-null-sink sink_name=speaker rate={rate} channels=2 norewinds=1
load-module module-remap-source source_name=vmic master=mic_sink.monitor
set-default-sink speaker
set-default-source vmic
"""


def _watch(log: IO[bytes], serving: threading.Event) -> None:
    """Read the server's log to its end, so that it never waits for a reader; tell when it serves."""
    with log:
        for line in log:
            if b"Daemon startup complete" in line:
                serving.set()


class SoundServer:
    """A running PulseAudio; it can be killed, frozen and started again on the same socket."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self.socket = folder / "native"

    @property
    def address(self) -> str:
        """What ``PULSE_SERVER`` is set to."""
        return f"unix:{self.socket}"

    def start(self, rate_hz: int = RATES_HZ) -> None:
        """Run; returns when it answers."""
        setup = self._folder / "default.pa"
        setup.write_text(SETUP.format(socket=self.socket, rate=rate_hz), "utf-8")
        home = {name: str(self._folder) for name in ("XDG_RUNTIME_DIR", "PULSE_RUNTIME_PATH", "HOME")}
        unwanted = {"DBUS_SESSION_BUS_ADDRESS", "PULSE_SERVER"}
        self._process = subprocess.Popen(
            ["pulseaudio", "-n", "-F", str(setup), "--daemonize=no", "--use-pid-file=no",
             "--exit-idle-time=-1", "--disallow-exit", "--log-level=info", "--log-target=stderr"],
            env={name: value for name, value in os.environ.items() if name not in unwanted}
            | home | {"LC_ALL": "C"},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            start_new_session=True,
        )  # fmt: skip
        assert self._process.stderr is not None
        serving = threading.Event()
        threading.Thread(target=_watch, args=(self._process.stderr, serving), daemon=True).start()
        if not serving.wait(START_S):
            raise RuntimeError("PulseAudio did not start")

    def env(self) -> dict[str, str]:
        """The environment in which programs find this server."""
        return {**os.environ, "PULSE_SERVER": self.address}

    def kill(self) -> None:
        """The server dies without a word."""
        if self._process is not None:
            self._process.send_signal(signal.SIGCONT)
            self._process.kill()
            self._process.wait()
            self._process = None

    def freeze(self) -> None:
        """The server stops answering, as a hanging sound system does."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """It goes on."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def control(self, *words: str) -> str:
        """What ``pactl`` answers."""
        return subprocess.run(
            ["pactl", *words], env=self.env(), capture_output=True, text=True, check=True
        ).stdout

    def unload(self, module: str) -> None:
        """Every module of this name goes away, with its devices."""
        for line in self.control("list", "short", "modules").splitlines():
            number, name, *_ = line.split("\t")
            if name == module:
                self.control("unload-module", number)

    def play(self, wav: Path) -> "subprocess.Popen[bytes]":
        """Speak a recording into the microphone; the player runs beside."""
        return subprocess.Popen(
            ["paplay", "-d", "mic_sink", "--latency-msec=20", str(wav)],
            env=self.env(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip


@pytest.fixture(scope="session")
def sound_folder() -> Iterator[Path]:
    """Where the sockets of all sound servers of this run are; short, since socket paths are."""
    with tempfile.TemporaryDirectory(prefix="jarvis-sound-") as folder:
        Path(folder).chmod(0o700)
        yield Path(folder)


@pytest.fixture
def sound_server(sound_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SoundServer]:
    """A running server, found by every library through ``PULSE_SERVER``."""
    missing = [program for program in ("pulseaudio", "pactl", "paplay") if shutil.which(program) is None]
    if missing:
        reason = f"real sound: {', '.join(missing)} not installed (Debian: pulseaudio pulseaudio-utils)"
        if os.environ.get("CI") == "true":
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    server = SoundServer(sound_folder)
    monkeypatch.setenv("PULSE_SERVER", server.address)
    server.start()
    try:
        yield server
    finally:
        server.kill()
