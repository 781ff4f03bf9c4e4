"""A sound server of its own: a microphone to speak into, and a loudspeaker that is listened to."""

import json
import math
import shutil
import subprocess
import threading
import time
import wave
from array import array
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.e2e.waiting import end_process, eventually
from tests.parts.audio import SoundServer

PROGRAMS = ("pulseaudio", "pactl", "paplay", "parec")
RATE_HZ = 16_000
BLOCK_S = 0.02
AUDIBLE = 0.002
"""Root mean square of a block that counts as sound; the monitor of a silent sink is all zeros."""


def missing_programs() -> list[str]:
    """Programs of a sound server that are not on this machine."""
    return [name for name in PROGRAMS if shutil.which(name) is None]


class Room:
    """What is said into the microphone, and what comes out of the loudspeaker."""

    def __init__(self, server: SoundServer) -> None:
        self.env = {"PULSE_SERVER": server.address}
        """What a program needs to use this server."""
        self.server = server
        self.loudspeaker = Tap(server.env(), "speaker.monitor")

    def microphone(self) -> "Tap":
        """What is said into the microphone, for whoever measures."""
        return Tap(self.server.env(), "mic_sink.monitor")

    def speak(self, *recordings: Path) -> float:
        """Everything was said into the microphone; the monotonic second at which the last began."""
        began_s = time.monotonic()
        for recording in recordings:
            began_s = time.monotonic()
            subprocess.run(
                ["paplay", "-d", "mic_sink", "--latency-msec=20", str(recording)],
                env=self.server.env(),
                check=True,
                timeout=length_s(recording) + 10,
            )
        return began_s

    def heard_by(self, pid: int) -> bool:
        """The process with this id records from the microphone."""
        streams = json.loads(self.server.control("-f", "json", "list", "source-outputs"))
        return str(pid) in [one["properties"].get("application.process.id") for one in streams]


class Tap:
    """Listens to one source all the time: to what programs play, or to what is said."""

    def __init__(self, env: Mapping[str, str], source: str) -> None:
        self._env = env
        self._source = source
        self._loud: list[float] = []
        """Monotonic second of each block with sound."""
        self._heard_until_s = 0.0

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Listen while this is open."""
        command = ["parec", "-d", self._source, f"--rate={RATE_HZ}", "--channels=1", "--format=s16le"]
        process = subprocess.Popen(
            [*command, "--latency-msec=20", "--raw"], env=self._env, stdout=subprocess.PIPE
        )
        thread = threading.Thread(target=self._listen, args=(process,), name=self._source, daemon=True)
        thread.start()
        try:
            eventually(lambda: self._heard_until_s, f"{self._source} gives sound")
            yield
        finally:
            end_process(process)
            thread.join(5)
            if process.stdout is not None:
                process.stdout.close()

    def _listen(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdout is not None
        size = int(RATE_HZ * BLOCK_S) * 2
        while len(block := process.stdout.read(size)) == size:
            self._heard_until_s = time.monotonic()
            if loudness(block) > AUDIBLE:
                self._loud.append(self._heard_until_s)

    @property
    def loud(self) -> tuple[float, ...]:
        """Monotonic second of each block with sound, oldest first."""
        return tuple(self._loud)

    def first_sound_since(self, since_s: float) -> float | None:
        """Monotonic second of the first block with sound from then on."""
        return next((at_s for at_s in self._loud if at_s >= since_s), None)

    def sounds_since(self, since_s: float) -> float:
        """Seconds of sound since that monotonic second."""
        return sum(BLOCK_S for at_s in self._loud if at_s >= since_s)

    def wait_for_sound(self, since_s: float, seconds: float = 0.4, within_s: float = 20.0) -> None:
        """At least so many seconds of sound came out since then; longer than an earcon by default."""
        eventually(
            lambda: self.sounds_since(since_s) >= seconds, f"{seconds} s of sound are played", within_s
        )

    def wait_for_silence(self, seconds: float = 1.0, within_s: float = 30.0) -> float:
        """Nothing was played for so long; the monotonic second of the last sound."""
        asked_s = time.monotonic()

        def silent() -> bool:
            last_s = max(self._loud[-1] if self._loud else 0.0, asked_s - seconds)
            return self._heard_until_s - last_s >= seconds

        eventually(silent, f"the loudspeaker is silent for {seconds} s", within_s)
        return self._loud[-1] if self._loud else 0.0


def loudness(pcm: bytes) -> float:
    """Root mean square of int16 samples, 0 to 1."""
    samples = array("h", pcm)
    return math.sqrt(sum(one * one for one in samples) / len(samples)) / 32768


def length_s(recording: Path) -> float:
    """Length of a WAV file."""
    with wave.open(str(recording), "rb") as file:
        frames: int = file.getnframes()
        rate_hz: int = file.getframerate()
    return frames / rate_hz


@contextmanager
def sound(folder: Path) -> Iterator[Room]:
    """A running sound server whose loudspeaker is listened to."""
    folder.chmod(0o700)
    server = SoundServer(folder)
    server.start()
    try:
        room = Room(server)
        with room.loudspeaker.listening():
            yield room
    finally:
        server.kill()
