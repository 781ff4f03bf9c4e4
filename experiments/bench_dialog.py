"""How soon a question is on the screen, and how soon after its reading an answer is listened for.

``python -m experiments.bench_dialog [--models DIR] [--count N]``, on a machine that does nothing else. It
starts a desktop and a sound server of its own; see ``bench_dialog_inside`` for what runs on them. It prints
a table and writes ``results.json``.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.bench_common import Run, spread, store
from jarvis_desktop.core.items.calls import Json
from tests.e2e.desk import Desk, desktop
from tests.e2e.sound import Room, sound
from tests.parts.program import ROOT, fresh_home

MODELS = Path.home() / ".cache/jarvis-parts/speech"
PACKAGES = ("pyside6-essentials", "sounddevice", "onnxruntime")
COUNT = 30
WITHIN_S = 1200
AIMS = {"asked_to_shown_s.p95": 0.05, "read_to_listening_s.p95": 0.2}
"""The most that is wanted of each."""


def moments(folder: Path, desk: Desk, room: Room, chosen: argparse.Namespace) -> list[dict[str, Any]]:
    """What the program noted."""
    home = fresh_home(folder, chosen.models, {})
    origin = "typed" if chosen.silent else "spoken"
    environment = {
        **desk.env,
        **room.env,
        **home.settings(),
        "PYTHONPATH": str(ROOT),
        "JARVIS_UI__LANGUAGE": "en",
    }
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "experiments.bench_dialog_inside",
            str(home.folder),
            str(chosen.count),
            origin,
        ],
        env=environment,
        cwd=home.work,
        stdout=subprocess.PIPE,
        text=True,
        timeout=WITHIN_S,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def between(noted: Sequence[Mapping[str, Any]], first: str, second: str, clock: str = "at") -> list[float]:
    """Seconds from each moment of one kind to the next of another."""
    found, since_s = [], None
    for moment in noted:
        if moment["kind"] == first:
            since_s = moment[clock]
        elif moment["kind"] == second and since_s is not None:
            found.append(moment[clock] - since_s)
            since_s = None
    return found


def after_sound(noted: Sequence[Mapping[str, Any]], loud: Sequence[float]) -> list[float]:
    """Seconds from the last audible sound of each reading to the listening after it."""
    listening = [moment["at"] for moment in noted if moment["kind"] == "listening"]
    last = [loud[at - 1] for one in listening if (at := bisect_right(loud, one))]
    return [one - sound_s for one, sound_s in zip(listening, last, strict=True)]


def table(results: Mapping[str, Any]) -> Iterator[str]:
    """What a person reads."""
    for name, value in results.items():
        yield f"{name:26}" + "  ".join(f"{key} {one}" for key, one in value.items())
    for aim, most in AIMS.items():
        part, _, key = aim.partition(".")
        value = results[part].get(key)
        if value is not None:
            yield f"{'ok  ' if value <= most else 'MISS'} {aim} {value} (aim {most})"


def main(arguments: Sequence[str]) -> int:
    """Measure, print and store."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--models", type=Path, default=MODELS, help="folder with the speech models")
    parser.add_argument("--count", type=int, default=COUNT, help="questions that are asked")
    parser.add_argument("--silent", action="store_true", help="without voice: the screen alone")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="bench") as name:
        folder = Path(name)
        for part in ("desk", "room", "home"):
            (folder / part).mkdir()
        with desktop(folder / "desk") as desk, sound(folder / "room") as room:
            noted = moments(folder / "home", desk, room, chosen)
            heard = after_sound(noted, room.loudspeaker.loud)
    results: dict[str, Json] = {
        "asked_to_shown_s": spread(between(noted, "asked", "shown")),
        "first_shown_s": spread(between(noted, "asked", "shown")[:1]),
        "asked_to_arrived_s": spread(between(noted, "asked", "arrived")),
        "window_worked_s": spread(between(noted, "arrived", "shown", "worked")),
        "asked_to_sound_s": spread(between(noted, "asked", "reading")),
        "read_to_listening_s": spread(between(noted, "read", "listening")),
        "sound_to_listening_s": spread(heard),
    }
    print("\n".join(table(results)))
    remarks = ["the questions come from a broker, without a chat model", "after the reading: its last sample"]
    if niceness := os.nice(0):
        remarks.append(f"niceness {niceness}: others were using the machine")
    if os.sched_getscheduler(0) != os.SCHED_OTHER:
        remarks.append("real-time priority: others were using the machine and had to wait")
    name = "bench_dialog silent" if chosen.silent else "bench_dialog"
    store(Run(name, results, seed=0, packages=PACKAGES, remarks=tuple(remarks)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
