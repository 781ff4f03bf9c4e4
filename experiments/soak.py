"""What hours of waiting for the wake word cost: memory, processor, threads, open files and false wakes.

``python -m experiments.soak HOURS [--speech FOLDER] [--log FILE]``. It starts a desktop, a sound server and
a scripted model of its own, and the real program in a home of its own. Speech without the wake word is
played into the microphone, with a quiet minute and one "Hey Jarvis" every few minutes to see that it still
hears. Every 10 s a line goes to the log; the end is a table and an entry in ``results.json``.
``MALLOC_ARENA_MAX`` is handed on to the program, to compare the allocator's ways.
"""

import argparse
import json
import math
import os
import random
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psutil

from experiments.bench_common import RESULTS, Run, spread, store
from experiments.bench_latency import MODELS, PACKAGES, ProbedProgram, Stage, running, staged
from experiments.bench_recordings import WAV
from jarvis_desktop.core.items.calls import Json
from tests.e2e.sound import Room

EVERY_S = 10.0
SETTLED_S = 600.0
"""Memory before this is the start, not a drift."""
SPEECH_S, QUIET_S = 240.0, 60.0
PAUSE_S = (0.3, 3.0)
LISTENS_S = 12.0
"""Quiet after the wake word: the program gives up listening for a request after 8 s."""
LATE_S = 3.0
WITHOUT_WAKE_WORD = ("unrelated", "near", "reply_en", "reply_ko", "request_ko")
TAKEN_BY_THE_STOCK_MODEL = "hi_Jarvis__flite_rms.wav"
"""The wake word to that model, so that it says nothing about false wakes."""
ARENAS = "MALLOC_ARENA_MAX"


class SoakedProgram(ProbedProgram):
    """The program with the probe of ``soak_entry`` in it."""

    module = "experiments.soak_entry"


@dataclass(frozen=True, slots=True)
class Sample:
    """What the program with all that it started is at one moment."""

    at_s: float
    """Since the first sample."""
    rss_mb: float
    cpu_percent: float
    """Of one core, since the sample before."""
    threads: int
    files: int
    quiet: bool
    """Nothing was said since the sample before."""
    wakes: int
    false_wakes: int


@dataclass(slots=True)
class Said:
    """What was said into the microphone, in monotonic seconds."""

    wake_words: list[tuple[float, float]] = field(default_factory=list)
    spoken_s: float = 0.0
    last_sound_s: float = 0.0
    """When it was last said, or waited for."""

    def is_wake(self, at_s: float) -> bool:
        """A wake at that second was asked for."""
        return any(begin_s <= at_s <= end_s + LATE_S for begin_s, end_s in self.wake_words)

    def asked_until(self, at_s: float) -> list[tuple[float, float]]:
        """The wake words that should have been heard by then."""
        return [(begin_s, end_s) for begin_s, end_s in self.wake_words if end_s + LATE_S < at_s]


class Speaker:
    """Speaks into the microphone until it is told to stop."""

    def __init__(self, room: Room, speech: Sequence[Path], chance: random.Random) -> None:
        self._room = room
        self._speech = list(speech)
        self._wake_words = sorted((WAV / "wake").glob("*.wav"))
        self._chance = chance
        self._over = threading.Event()
        self.said = Said()

    def speak(self) -> None:
        """Wake word, speech, quiet, and again."""
        while not self._over.is_set():
            begin_s = time.monotonic()
            self.said.wake_words.append((begin_s, math.inf))
            self._room.speak(self._chance.choice(self._wake_words))
            self.said.wake_words[-1] = (begin_s, time.monotonic())
            self._over.wait(LISTENS_S)
            self.said.last_sound_s = time.monotonic()
            self._chatter(until_s=time.monotonic() + SPEECH_S)
            self._over.wait(QUIET_S)

    def stop(self) -> None:
        """Say nothing more."""
        self._over.set()

    def _chatter(self, until_s: float) -> None:
        while time.monotonic() < until_s and not self._over.is_set():
            begin_s = time.monotonic()
            self._room.speak(self._chance.choice(self._speech))
            self.said.last_sound_s = time.monotonic()
            self.said.spoken_s += self.said.last_sound_s - begin_s
            self._over.wait(self._chance.uniform(*PAUSE_S))


class Watch:
    """Takes samples of a program."""

    def __init__(self, program: SoakedProgram, said: Said) -> None:
        self._program = program
        self._said = said
        self._began_s = self._last_s = time.monotonic()
        self._used_s = self._processor_s()

    def sample(self) -> Sample:
        """The program now."""
        now_s, used_s = time.monotonic(), self._processor_s()
        took_s, busy_s = now_s - self._last_s, used_s - self._used_s
        tree = self._tree()
        wakes = self.wakes()
        taken = Sample(
            at_s=round(now_s - self._began_s, 1),
            rss_mb=round(sum(one.memory_info().rss for one in tree) / 2**20, 2),
            cpu_percent=round(100 * busy_s / took_s, 2) if took_s > 0 else 0.0,
            threads=sum(one.num_threads() for one in tree),
            files=sum(one.num_fds() for one in tree),
            quiet=self._said.last_sound_s < self._last_s,
            wakes=len(wakes),
            false_wakes=len(self.false_wakes()),
        )
        self._last_s, self._used_s = now_s, used_s
        return taken

    def wakes(self) -> list[float]:
        """Monotonic seconds at which the wake word was heard."""
        return [event["at"] for event in self._program.events if event["kind"] == "WakeHeard"]

    def false_wakes(self) -> list[float]:
        """Those at which nobody had said it."""
        return [at_s for at_s in self.wakes() if not self._said.is_wake(at_s)]

    def _tree(self) -> list[psutil.Process]:
        first = psutil.Process(self._program.pid)
        return [first, *(one for one in first.children(recursive=True) if one.is_running())]

    def _processor_s(self) -> float:
        times = psutil.Process(self._program.pid).cpu_times()
        return float(times.user + times.system + times.children_user + times.children_system)


def recordings_without_wake_word(more: Path | None) -> list[Path]:
    """Speech that must wake nobody."""
    ours = [one for folder in WITHOUT_WAKE_WORD for one in sorted((WAV / folder).glob("*.wav"))]
    return [one for one in ours if one.name != TAKEN_BY_THE_STOCK_MODEL] + (
        sorted(more.glob("*.wav")) if more else []
    )


@contextmanager
def speaking(speaker: Speaker) -> Iterator["Future[None]"]:
    """The speaker speaks beside."""
    with ThreadPoolExecutor(1) as pool:
        talk = pool.submit(speaker.speak)
        try:
            yield talk
        finally:
            speaker.stop()


def soak(stage: Stage, chosen: argparse.Namespace, chance: random.Random) -> dict[str, Json]:
    """The program for so many hours."""
    home = stage.home("soak", chosen.models)
    home.env |= {name: os.environ[name] for name in (ARENAS,) if name in os.environ}
    speaker = Speaker(stage.room, recordings_without_wake_word(chosen.speech), chance)
    samples: list[Sample] = []
    with running(home, stage, SoakedProgram) as program, speaking(speaker) as talk:
        assert isinstance(program, SoakedProgram)
        watch = Watch(program, speaker.said)
        until_s = time.monotonic() + chosen.hours * 3600
        while time.monotonic() < until_s and program.running and not talk.done():
            threading.Event().wait(min(EVERY_S, max(0.1, until_s - time.monotonic())))
            samples.append(watch.sample())
            note(chosen.log, samples[-1])
        if talk.done():
            talk.result()
        return figures(samples, speaker.said, watch) | {
            "faults": len(home.faults),
            "ended_by_itself": not program.running,
        }


def note(log: Path | None, sample: Sample) -> None:
    """One line, complete at once: a run that is broken off is not lost."""
    line = json.dumps({"date": datetime.now(UTC).isoformat(timespec="seconds"), **asdict(sample)})
    if log is None:
        print(line, flush=True)
        return
    with log.open("a", encoding="utf-8") as file:
        file.write(line + "\n")


def figures(samples: Sequence[Sample], said: Said, watch: Watch) -> dict[str, Json]:
    """What is stored."""
    hours = samples[-1].at_s / 3600
    settled = [one for one in samples if one.at_s >= min(SETTLED_S, samples[-1].at_s / 2)]
    wakes, false_wakes = watch.wakes(), watch.false_wakes()
    asked = said.asked_until(time.monotonic())
    heard = [any(begin_s <= at_s <= end_s + LATE_S for at_s in wakes) for begin_s, end_s in asked]
    return {
        "hours": round(hours, 2),
        "samples": len(samples),
        "speech_minutes": round(said.spoken_s / 60, 1),
        "wake": {
            "said": len(heard),
            "heard": sum(heard),
            "false": len(false_wakes),
            "false_per_hour": round(len(false_wakes) / hours, 2),
        },
        "rss_mb": {
            "settled": settled[0].rss_mb,
            "end": settled[-1].rss_mb,
            "max": max(one.rss_mb for one in samples),
            "drift_mb_per_h": round(slope([(one.at_s / 3600, one.rss_mb) for one in settled]), 2),
        },
        "cpu_percent": {
            "all": round(statistics.fmean(one.cpu_percent for one in samples), 2),
            "speech": spread([one.cpu_percent for one in samples if not one.quiet]),
            "quiet": spread([one.cpu_percent for one in samples if one.quiet]),
        },
        "threads": {"settled": settled[0].threads, "end": settled[-1].threads},
        "files": {"settled": settled[0].files, "end": settled[-1].files},
    }


def slope(points: Sequence[tuple[float, float]]) -> float:
    """Of the straight line through the points with the least squares; 0 where there is none."""
    if len({x for x, _ in points}) < 2:
        return 0.0
    xs, ys = zip(*points, strict=True)
    return statistics.linear_regression(xs, ys).slope


def table(results: dict[str, Any], indent: str = "") -> Iterator[str]:
    """What a person reads."""
    for name, value in results.items():
        if isinstance(value, dict):
            yield f"{indent}{name}"
            yield from table(value, indent + "  ")
        else:
            yield f"{indent}{name:24}{value}"


def main(arguments: Sequence[str]) -> int:
    """Wait, watch, print and store."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("hours", type=float, help="how long the program waits")
    parser.add_argument("--models", type=Path, default=MODELS, help="folder with the speech models")
    parser.add_argument("--speech", type=Path, help="folder with more WAV files that hold no wake word")
    parser.add_argument("--log", type=Path, help="file for one line every 10 s; the terminal without it")
    parser.add_argument("--results", type=Path, default=RESULTS, help="file that the entry goes to")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args(arguments)
    remarks = ["the chat model is scripted", f"{len(recordings_without_wake_word(chosen.speech))} recordings"]
    if chosen.speech:
        remarks.append(f"with the speech in {chosen.speech.name}")
    if arenas := os.environ.get(ARENAS):
        remarks.append(f"{ARENAS}={arenas}")
    if niceness := os.nice(0):
        remarks.append(f"niceness {niceness}: others were using the machine")
    with tempfile.TemporaryDirectory(prefix="soak") as name, staged(Path(name)) as stage:
        results = soak(stage, chosen, random.Random(chosen.seed))
    print("\n".join(table(results)))
    run = Run("soak", results, seed=chosen.seed, packages=PACKAGES, remarks=tuple(remarks))
    store(run, chosen.results)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
