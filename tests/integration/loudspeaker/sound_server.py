"""A sound server of our own with a loudspeaker that can be recorded and taken away."""

import asyncio
import os
import shutil
import subprocess
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from jarvis_desktop.core.items.speech import Sound

RATE_HZ = 48_000
# norewinds: without it a null sink renders in blocks of 2 s while idle.
CONFIG = """
load-module module-native-protocol-unix auth-anonymous=1 socket={folder}/native
load-module module-null-sink sink_name=speaker rate=48000 channels=2 norewinds=1
set-default-sink speaker
"""


class SoundServer:
    """PulseAudio without a session, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"unix:{self._folder}/native"

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, "PULSE_SERVER": self.address}

    def start(self) -> None:
        self._folder.chmod(0o700)
        (self._folder / "default.pa").write_text(CONFIG.format(folder=self._folder))
        program = shutil.which("pulseaudio")
        assert program
        here = str(self._folder)
        self._process = subprocess.Popen(
            [
                program, "-n", "-F", f"{here}/default.pa", "--daemonize=no", "--use-pid-file=no",
                "--exit-idle-time=-1", "--disallow-exit", f"--log-target=file:{here}/pulse.log",
            ],
            env={
                "PATH": os.environ["PATH"], "XDG_RUNTIME_DIR": here, "PULSE_RUNTIME_PATH": here, "HOME": here,
            },
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        deadline_s = time.monotonic() + 10
        while subprocess.run(
            ["pactl", "info"], env=self.environment, capture_output=True, check=False
        ).returncode:
            assert time.monotonic() < deadline_s, (self._folder / "pulse.log").read_text()

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def record(self) -> "Recording":
        """What leaves the loudspeaker from now on."""
        process = subprocess.Popen(
            [
                "parec", "-d", "speaker.monitor", f"--rate={RATE_HZ}", "--channels=1", "--format=s16le",
                "--latency-msec=5",
            ],
            env=self.environment,
            stdout=subprocess.PIPE,
        )  # fmt: skip
        recording = Recording(process)
        assert recording.started.wait(10)
        return recording


@dataclass
class Recording:
    """Samples with the times at which they came."""

    process: subprocess.Popen[bytes]
    chunks: list[tuple[float, npt.NDArray[np.int16]]] = field(default_factory=list)
    started: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        pipe = self.process.stdout
        assert pipe is not None
        while piece := os.read(pipe.fileno(), 1 << 14):
            self.chunks.append((time.monotonic(), np.frombuffer(piece[: len(piece) // 2 * 2], np.int16)))
            self.started.set()

    def stop(self) -> None:
        self.process.kill()
        self._reader.join(5)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def samples(self) -> npt.NDArray[np.int16]:
        return np.concatenate([piece for _, piece in self.chunks])

    def loud_span_s(self, level: int = 500) -> tuple[float, float]:
        """Monotonic times of the first and last loud sample so far."""
        times = []
        for at_s, piece in list(self.chunks):
            loud = np.flatnonzero(np.abs(piece.astype(int)) > level)
            times += [at_s - (len(piece) - index) / RATE_HZ for index in loud[[0, -1]]] if len(loud) else []
        assert times, "nothing was heard"
        return times[0], times[-1]


def tone(seconds: float, rate_hz: int = 22_050, start_s: float = 0.0) -> Sound:
    at = start_s + np.arange(round(seconds * rate_hz)) / rate_hz
    return Sound((8000 * np.sin(2 * np.pi * 440 * at)).astype("<i2").tobytes(), rate_hz)


async def until_heard(recording: Recording, until_s: float) -> None:
    """The recorder has caught up with ``until_s``."""
    while not recording.chunks or recording.chunks[-1][0] < until_s + 0.05:
        await asyncio.sleep(0.01)
