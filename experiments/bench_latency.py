"""How soon the real program hears, understands, begins to answer and speaks, and what it costs at rest.

``python -m experiments.bench_latency [--models DIR] [--probe-python PYTHON]``, on a machine that does nothing
else. It starts a desktop and a sound server of its own and a scripted model, says 25 recordings into
the microphone, and writes ``results.json``. The recipe's probe (``../shared/recipes/audio/e2e.py``)
is run right after it, by a Python that has its packages; only ratios of the two mean anything elsewhere.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from experiments.bench_common import Run, spread, store
from experiments.bench_probe import probe_figures, ratios
from experiments.bench_recordings import Recording, recordings
from jarvis_desktop.core.items.calls import Json
from tests.e2e.desk import Desk, desktop
from tests.e2e.sound import Room, Tap, sound
from tests.e2e.waiting import eventually, holds_for
from tests.fakes.ollama_script import Script, say
from tests.parts.ollama_script import OllamaProgram
from tests.parts.program import Home, Program, fresh_home

MODELS = Path.home() / ".cache/jarvis-parts/speech"
PACKAGES = ("pyside6-essentials", "onnxruntime", "faster-whisper", "ctranslate2", "sounddevice", "ollama")
STARTS = 5
REST_S = 15.0
ANSWER = "It is sunny today."
AIMS = {
    "text_after_endpoint_s.p95": 0.1,
    "idle.cpu_percent": 5.0,
    "before_whisper.rss_mb": 350.0,
    "qt_gap_s.loading": 0.05,
    "qt_gap_s.conversation": 0.05,
    "start_to_tray_s.p50": 2.0,
}
"""The most that is wanted of each."""


class ProbedProgram(Program):
    """The program with the probe of ``bench_entry`` in it."""

    module = "experiments.bench_entry"

    @property
    def events(self) -> tuple[dict[str, Any], ...]:
        """What the probe wrote so far."""
        lines = (self.home.folder.parent / "events").read_text("utf-8").split("\n")[:-1]
        return tuple(json.loads(line) for line in lines)

    def since(self, at_s: float, kind: str, **more: object) -> dict[str, Any] | None:
        """The first line of a kind from then on."""
        wanted = {"kind": kind, **more}
        return next((e for e in self.events if e["at"] >= at_s and wanted.items() <= e.items()), None)


@dataclass(frozen=True, slots=True)
class Stage:
    """Everything outside of the program."""

    folder: Path
    desk: Desk
    room: Room
    microphone: Tap
    ollama: OllamaProgram

    def home(self, name: str, models: Path) -> Home:
        """A fresh home."""
        folder = self.folder / name
        folder.mkdir()
        return fresh_home(
            folder,
            models,
            {
                "JARVIS_MODEL__HOST": self.ollama.host,
                "JARVIS_MODEL__CALLS": "native",
                "JARVIS_UI__LANGUAGE": "en",
                "JARVIS_BENCH_EVENTS": str(folder / "events"),
            },
        )


@contextmanager
def staged(folder: Path) -> Iterator[Stage]:
    """A desktop, a sound server and a scripted model."""
    for name in ("desk", "room", "ollama"):
        (folder / name).mkdir()
    with desktop(folder / "desk") as desk, sound(folder / "room") as room:
        microphone = room.microphone()
        ollama = OllamaProgram(Script((say(ANSWER, repeat=True),)), folder / "ollama")
        try:
            with microphone.listening():
                yield Stage(folder, desk, room, microphone, ollama)
        finally:
            ollama.end()


@contextmanager
def running(home: Home, stage: Stage, kind: type[Program]) -> Iterator[Program]:
    """The program, hearing."""
    program = kind(home, stage.desk, stage.room)
    try:
        program.in_tray()
        program.listens()
        yield program
    finally:
        program.clear_away()


def tray_times(stage: Stage, models: Path) -> list[float]:
    """Seconds from start to tray, several times; the first warms the disk and does not count."""
    times = []
    home = stage.home("starts", models)
    for _ in range(STARTS + 1):
        program = Program(home, stage.desk, stage.room, "--hidden")
        try:
            times.append(program.in_tray())
        finally:
            program.clear_away()
        eventually(lambda: not stage.desk.tray_items(), "the icon is gone")
    return times[1:]


def at_rest(program: Program) -> dict[str, Json]:
    """What the program needs while it waits for the wake word."""
    process = psutil.Process(program.pid)
    holds_for(lambda: program.running, "the program", 3.0)
    before, began_s = process.cpu_times(), time.monotonic()
    holds_for(lambda: program.running, "the program", REST_S)
    after, took_s = process.cpu_times(), time.monotonic() - began_s
    used_s = after.user + after.system - before.user - before.system
    return {
        "cpu_percent": round(100 * used_s / took_s, 1),
        "rss_mb": round(process.memory_info().rss / 2**20),
        "threads": process.num_threads(),
    }


def hear(program: ProbedProgram, stage: Stage, recording: Recording) -> dict[str, float]:
    """Seconds of one recording; what did not come is left out."""
    asked_s = time.monotonic()
    stage.room.speak(recording.path)
    zero_s = (stage.microphone.first_sound_since(asked_s) or asked_s) - recording.first_s
    wake_end_s, request_end_s = zero_s + recording.wake_end_s, zero_s + recording.request_end_s
    found: dict[str, float] = {}
    woke = program.since(asked_s, "WakeHeard")
    if woke is None:
        return found
    found["wake_s"] = woke["at"] - wake_end_s
    try:
        eventually(lambda: program.since(woke["at"], "TurnEnded"), "the turn ends", 12)
    except AssertionError:
        return found
    points = {
        "endpoint": program.since(woke["at"], "VoiceStateChanged", state="transcribing"),
        "text": program.since(woke["at"], "Transcribed"),
        "token": program.since(woke["at"], "ReplyDelta"),
    }
    at = {name: event["at"] for name, event in points.items() if event is not None}
    found |= _between(at, request_end_s)
    stage.room.loudspeaker.wait_for_sound(at["text"], 0.3)
    heard_s = stage.room.loudspeaker.first_sound_since(at["text"]) or at["text"]
    found |= {"text_to_sound_s": heard_s - at["text"], "end_to_sound_s": heard_s - request_end_s}
    stage.room.loudspeaker.wait_for_silence(0.5)
    eventually(lambda: program.since(heard_s, "VoiceStateChanged", state="idle"), "the program rests", 10)
    return found


def _between(at: dict[str, float], request_end_s: float) -> dict[str, float]:
    return {
        "endpoint_s": at["endpoint"] - request_end_s,
        "text_after_endpoint_s": at["text"] - at["endpoint"],
        "end_to_text_s": at["text"] - request_end_s,
        "text_to_token_s": at["token"] - at["text"],
    }


def longest_gap(program: ProbedProgram, begin_s: float, end_s: float) -> float:
    """The longest that Qt's loop stood still in a stretch of time; gaps below 30 ms count as none."""
    gaps = [e["seconds"] for e in program.events if e["kind"] == "gap" and begin_s <= e["at"] <= end_s]
    return round(max(gaps, default=0.0), 3)


def conversation(stage: Stage, models: Path) -> dict[str, Json]:
    """The program at work, with every model."""
    takes = recordings(stage.folder)
    with beating() as beat, running(stage.home("talk", models), stage, ProbedProgram) as program:
        assert isinstance(program, ProbedProgram)
        ready_s = time.monotonic()
        heard = [hear(program, stage, take) for take in takes]
        gaps: dict[str, Json] = {
            "loading": longest_gap(program, program.started_s, ready_s),
            "conversation": longest_gap(program, ready_s, time.monotonic()),
            "machine": round(float(beat.communicate(timeout=10)[0]), 3),
        }
    names = sorted({name for one in heard for name in one})
    shared = [one for one, take in zip(heard, takes, strict=True) if take.shared]
    return {
        "recordings": len(takes),
        "woken": sum("wake_s" in one for one in heard),
        "understood": sum("end_to_text_s" in one for one in heard),
        **{name: spread([one[name] for one in heard if name in one]) for name in names},
        "same_as_probe": {name: spread([one[name] for one in shared if name in one]) for name in names},
        "qt_gap_s": gaps,
    }


@contextmanager
def beating() -> Iterator["subprocess.Popen[str]"]:
    """A process that only beats, beside the program."""
    command = [sys.executable, "-m", "experiments.bench_beat"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as beat:
        yield beat


def resting(stage: Stage, models: Path) -> dict[str, dict[str, Json]]:
    """At rest without a recogniser, in a home that has none, and with it; no probe runs along."""
    folder = stage.folder / "no-whisper"
    folder.mkdir()
    (folder / "wakeword").symlink_to(models / "wakeword")
    found = {}
    for name, have in (("before_whisper", folder), ("idle", models)):
        with running(stage.home(name, have), stage, Program) as program:
            found[name] = at_rest(program)
    return found


def table(results: dict[str, Any]) -> Iterator[str]:
    """What a person reads."""
    for name, value in results.items():
        if isinstance(value, dict):
            yield f"{name:24}" + "  ".join(
                f"{key} {one}" for key, one in value.items() if not isinstance(one, dict)
            )
        else:
            yield f"{name:24}{value}"
    for aim, most in AIMS.items():
        part, _, key = aim.partition(".")
        value = results.get(part, {}).get(key)
        if value is not None:
            yield f"{'ok  ' if value <= most else 'MISS'} {aim} {value} (aim {most})"


def main(arguments: Sequence[str]) -> int:
    """Measure, print and store."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--models", type=Path, default=MODELS, help="folder with the speech models")
    parser.add_argument("--probe-python", default=sys.executable, help="Python with the probe's packages")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="bench") as name, staged(Path(name)) as stage:
        results: dict[str, Any] = {"start_to_tray_s": spread(tray_times(stage, chosen.models))}
        results |= resting(stage, chosen.models)
        results |= conversation(stage, chosen.models)
    results["probe"] = probe_figures(chosen.models, chosen.probe_python)
    results["ratio_to_probe"] = ratios(results, results["probe"])
    print("\n".join(table(results)))
    remarks = ["the chat model is scripted"]
    if niceness := os.nice(0):
        remarks.append(f"niceness {niceness}: others were using the machine")
    store(Run("bench_latency", results, seed=0, packages=PACKAGES, remarks=tuple(remarks)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
