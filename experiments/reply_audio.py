"""Spoken answers from sound: what the real ears permit, deny and miss, clean, in noise and over key clicks.

``python -m experiments.reply_audio PART [--clips DIR] [--wav DIR] [--minutes M]``. PART is ``replies``:
those of the cases in synthetic voices (``reply_voices`` makes them in ``--clips``); ``recordings``: a folder
like ``tests/data/wav``; or ``own``: our own voice reads every kind of question into the microphone. The order
is mixed by a fixed seed, so that a run that ends early (``--minutes``) is a fair sample; it says of how many.
``reply_causes`` says why Korean yeses are lost.
"""

import argparse
import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from experiments.bench_common import Run, store
from jarvis_desktop.adapters.model_files import ModelFiles
from jarvis_desktop.app.ears_parts import load_transcriber
from jarvis_desktop.app.hear import sound_of
from jarvis_desktop.core.items.calls import Json
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.ports import Transcriber
from jarvis_desktop.core.voice.spoken_answer import PERMITTING
from tests.parts.own_questions import OwnQuestion, own_questions, own_voice
from tests.parts.speech import CACHE, WAV
from tests.parts.spoken_reply import (
    Fate,
    Outcome,
    own_question_outcome,
    reply_outcome,
    with_key_clicks,
    with_noise,
    with_silence,
)

CASES = Path(__file__).parents[1] / "tests/data/cases/replies.jsonl"
SEED = 7
STORE_EACH = 50
SPOKEN: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "reply_en": ("allow", "deny", "always", "deny", "deny", "deny", "allow", "deny"),
        "reply_ko": ("allow", "deny", "allow", "deny", "always", "deny", "deny", "allow", "allow"),
    }
)
"""What the recordings mean, by the number in their names; the other folders hold no answer but this one."""
SPOKEN_E2E = "reply_en_yes.wav"
LATE = "late by 0.24 s"
CONDITIONS: Mapping[str, Callable[[bytes], bytes]] = MappingProxyType(
    {
        "clean": lambda pcm: pcm,
        "10 dB": lambda pcm: with_noise(with_silence(pcm), 10, SEED),
        "key clicks": lambda pcm: with_key_clicks(with_silence(pcm), SEED),
    }
)
OWN_CONDITIONS: Mapping[str, Callable[[bytes], bytes]] = MappingProxyType(
    {
        "clean": lambda pcm: pcm,
        LATE: lambda pcm: pcm,
        "10 dB": lambda pcm: with_noise(pcm, 10, SEED),
        "key clicks": lambda pcm: with_key_clicks(pcm, SEED),
    }
)


@dataclass(frozen=True, slots=True)
class Clip:
    """One recording of somebody, and what it means."""

    file: Path
    voice: str
    language: Language
    label: str
    """``unrelated`` where it is no answer at all."""
    text: str
    condition: str

    async def play(self, transcriber: Transcriber) -> Outcome:
        """What the ears make of it."""
        sound = await asyncio.to_thread(sound_of, self.file)
        return await reply_outcome(CONDITIONS[self.condition](sound), transcriber, self.language)


@dataclass(frozen=True, slots=True)
class OwnReading:
    """Our own voice, reading a question."""

    question: OwnQuestion
    condition: str
    voice = "our own question"
    label = "unrelated"

    @property
    def text(self) -> str:
        """What it says."""
        return self.question.text

    async def play(self, transcriber: Transcriber) -> Outcome:
        """What the ears make of it."""
        asked = self.question
        sound = OWN_CONDITIONS[self.condition](await own_voice(asked.text, asked.language))
        late_s = 0.24 if self.condition == LATE else 0.0
        return await own_question_outcome(
            sound, asked.text, transcriber, asked.language, late_s=late_s, saving=asked.saving
        )


def everything(chosen: argparse.Namespace) -> list[Clip | OwnReading]:
    """All that the chosen part plays, mixed."""
    found: list[Clip | OwnReading] = []
    match chosen.part:
        case "replies":
            found += replies(chosen.clips)
        case "recordings":
            found += _recordings(chosen.wav)
        case _:
            found += [OwnReading(one, condition) for one in own_questions() for condition in OWN_CONDITIONS]
    if chosen.no_yeses:
        found = [one for one in found if one.label not in PERMITTING]
    random.Random(SEED).shuffle(found)
    return found


def replies(folder: Path) -> Iterator[Clip]:
    """The recordings of the cases in synthetic voices, in every condition."""
    cases = [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]
    for file in sorted(folder.glob("*.wav")):
        number, _, voice = file.stem.partition("__")
        case = cases[int(number)]
        for condition in CONDITIONS:
            language = Language(case["lang"])
            named = f"{case['lang']} {voice}"
            yield Clip(file, named, language, case["label"], case["text"], condition)


def _recordings(folder: Path) -> Iterator[Clip]:
    for file in sorted(folder.glob("*/*.wav")):
        if file.parent.name == "replies":  # some of those of the other part
            continue
        labels = SPOKEN.get(file.parent.name)
        label = labels[int(file.name[:2])] if labels else "unrelated"
        label = "allow" if file.name == SPOKEN_E2E else label
        korean = file.parent.name.endswith("ko") or file.name.startswith(("ko_", "reply_ko"))
        for condition in CONDITIONS:
            language = Language.KOREAN if korean else Language.ENGLISH
            yield Clip(file, f"recordings {file.parent.name}", language, label, file.stem, condition)


class Table:
    """Counts by voice and condition, and every wrong permission by name."""

    def __init__(self, of: int) -> None:
        self._of = of
        self._rows: dict[str, Counter[str]] = {}
        self.wrong: list[Json] = []

    def note(self, played: Clip | OwnReading, outcome: Outcome) -> None:
        """Count it, and print it where it went wrong. Our own question must not even deny itself."""
        row_name = f"{played.voice}, {played.condition}"
        row = self._rows.setdefault(row_name, Counter())
        own = isinstance(played, OwnReading)
        meant = played.label in PERMITTING
        wrong = outcome.fate is Fate.PERMITTED and not meant
        row.update(n=1, **{outcome.fate.value: 1, "yes": int(meant)})
        row["yes permitted"] += outcome.fate is Fate.PERMITTED and meant
        row["wrongly permitted"] += wrong
        if wrong or (own and outcome.fate is not Fate.MISSED):
            heard = " / ".join(outcome.heard)
            told = f"{played.voice}, {played.condition}: {played.text!r} ({played.label}), heard {heard!r}"
            self.wrong.append(f"{outcome.fate.value}: {told}")
            print("!", self.wrong[-1], flush=True)
        elif meant and outcome.fate is not Fate.PERMITTED:
            print("-", outcome.fate.value, row_name, repr(played.text), outcome.heard, flush=True)

    def rows(self) -> dict[str, Json]:
        """What is stored."""
        keys = ("n", "wrongly permitted", "permitted", "denied", "unclear", "missed", "yes", "yes permitted")
        rows: dict[str, Json] = {
            name: {key: counts[key] for key in keys} for name, counts in sorted(self._rows.items())
        }
        total = sum(self._rows.values(), Counter())
        rows["all"] = {key: total[key] for key in keys}
        rows["played"] = f"{total['n']} of {self._of}"
        rows["wrong"] = self.wrong
        return rows

    def show(self) -> None:
        """Print it as a table."""
        for name, row in self.rows().items():
            print(f"{name:44} {json.dumps(row) if isinstance(row, dict) else row}")


async def measured(chosen: argparse.Namespace) -> None:
    """Play until all is played or the time is up; stored again and again meanwhile."""
    transcriber = await load_transcriber(ModelFiles(CACHE))
    all_of_it = everything(chosen)
    table, until_s = Table(len(all_of_it)), time.monotonic() + chosen.minutes * 60

    def keep() -> None:
        store(
            Run(
                f"reply_audio {chosen.part}{', no yeses' if chosen.no_yeses else ''}",
                table.rows(),
                SEED,
                ("faster-whisper",),
                remarks=("synthetic voices",),
            )
        )

    for count, one in enumerate(all_of_it, start=1):
        if time.monotonic() > until_s:
            break
        table.note(one, await one.play(transcriber))
        if count % STORE_EACH == 0:
            keep()
    keep()
    table.show()


def main() -> None:
    """Measure, print and store."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("part", choices=("replies", "recordings", "own"))
    parser.add_argument("--clips", type=Path, default=CACHE.parent / "reply-clips")
    parser.add_argument("--wav", type=Path, default=WAV)
    parser.add_argument("--no-yeses", action="store_true", help="only what must not permit")
    parser.add_argument("--minutes", type=float, default=float("inf"))
    asyncio.run(measured(parser.parse_args()))


if __name__ == "__main__":
    main()
