"""Makes the recordings that ``reply_audio`` plays: every reply of the cases, in several synthetic voices.

``PYTHON experiments/reply_voices.py --recipe DIR --models DIR --out DIR``. It runs in a Python of its own,
which has the packages that the recipe's ``synth.py`` names (none of ours); the programs espeak-ng and
flite must be there. What is there is not made again.
"""

import argparse
import importlib
import json
import os
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

CASES = Path(__file__).parents[1] / "tests/data/cases/replies.jsonl"
PEAK = 0.4
SEED = 7


def voices() -> dict[str, dict[str, Callable[[str], Any]]]:
    """The voices of each language by name; each makes float samples at 16 kHz of a text."""
    synth, rough, better = (importlib.import_module(name) for name in ("synth", "mkko", "mkko2"))
    english = ("espeak_en-us", "flite_rms", "flite_slt", "pico_en-US", "piper_joe_1.0", "kokoro_jm_kumo")
    korean = {
        name: lambda text, name=name: better.ko(text, name, 0.95) for name in ("mix5", "jf_alpha", "jm_kumo")
    }
    return {
        "en": {name: synth.EN_VOICES[name] for name in english},
        "ko": {**korean, "espeak_ko": rough.KV["espeak_ko"], "piperjoe_ko": rough.KV["piperjoe_ko"]},
    }


def texts(file: Path) -> Iterator[tuple[int, str, str]]:
    """Line number, language and text of each reply that can be said; mixed: a part is a fair sample."""
    lines = list(enumerate(file.read_text("utf-8").splitlines()))
    random.Random(SEED).shuffle(lines)
    for number, line in lines:
        case = json.loads(line)
        if case["text"]:
            yield number, case["lang"], case["text"]


def main() -> None:
    """Make what is missing; a text that a voice cannot say is named and left out."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--recipe", type=Path, required=True)
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    chosen = parser.parse_args()
    os.environ["MODELS"] = str(chosen.models)
    sys.path.insert(0, str(chosen.recipe))
    known, synth = voices(), importlib.import_module("synth")
    numpy, soundfile = importlib.import_module("numpy"), importlib.import_module("soundfile")
    chosen.out.mkdir(parents=True, exist_ok=True)
    for number, language, text in texts(CASES):
        for name, say in known[language].items():
            file = chosen.out / f"{number:03}__{name}.wav"
            if file.exists():
                continue
            try:
                sound = synth.trim(say(text))
            except (ValueError, RuntimeError, OSError, IndexError) as error:
                print(f"{name} cannot say {text!r}: {error}", file=sys.stderr)
                continue
            quiet = numpy.zeros(3200)
            whole = numpy.concatenate([quiet, sound / max(1e-6, abs(sound).max()) * PEAK, quiet])
            soundfile.write(file, whole, 16_000, format="WAV", subtype="PCM_16")


if __name__ == "__main__":
    main()
