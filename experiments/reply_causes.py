"""Why clear Korean yeses are not taken for one: each recording's first rule that says no, counted.

``python -m experiments.reply_causes [--clips DIR] [--sample N]``. The recordings are those of
``reply_audio``, clean and at 10 dB, in an order mixed by a fixed seed.
"""

import argparse
import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from experiments.bench_common import Run, store
from experiments.reply_audio import CONDITIONS, SEED, Clip, replies
from jarvis_desktop.adapters.model_files import ModelFiles
from jarvis_desktop.app.ears_parts import load_transcriber
from jarvis_desktop.app.ears_recognise import YES_LOGPROB
from jarvis_desktop.app.hear import sound_of
from jarvis_desktop.core.items.calls import Json
from jarvis_desktop.core.items.speech import Language, Recognition, Sound
from jarvis_desktop.core.ports import Transcriber
from jarvis_desktop.core.voice.heard_text import MAX_NO_SPEECH
from jarvis_desktop.core.voice.spoken_answer import PERMITTING, SpokenLabel, classify, may_ask_back
from tests.parts.speech import CACHE
from tests.parts.spoken_reply import Fate, Outcome, reply_outcome

PERMITTED = "permitted"


class Noting:
    """Fills ``Transcriber`` with another one, and keeps what it said."""

    def __init__(self, inner: Transcriber) -> None:
        self._inner = inner
        self.said: list[Recognition] = []

    async def transcribe(
        self,
        sound: Sound,
        languages: Sequence[Language],
        *,
        hint: Language | None = None,
        bias: str | None = None,
    ) -> Recognition:
        """As the other one does."""
        said = await self._inner.transcribe(sound, languages, hint=hint, bias=bias)
        self.said.append(said)
        return said


def cause(outcome: Outcome, said: list[Recognition]) -> str:
    """Which rule came first in the way of a yes."""
    if outcome.fate is Fate.PERMITTED:
        return PERMITTED
    return _way_lost(said[0]) if said else "less than 0.25 s of it sounds like speech"


def _way_lost(plain: Recognition) -> str:
    """Which rule holds against what was recognised without bias."""
    label = classify(plain.text).label
    if plain.language is Language.ENGLISH:
        return "recognised as English"
    if label is SpokenLabel.DENY:
        return "the words hold a no, as heard"
    if label not in PERMITTING:
        return "other words, or a question, heard in Korean"
    unsure = plain.avg_logprob < YES_LOGPROB[Language.KOREAN] or plain.no_speech > MAX_NO_SPEECH
    if unsure:
        return "right words, not sure enough"
    return "lone 네 or 응: asked again" if may_ask_back(plain.text) else "not repeated with bias"


def yeses(folder: Path) -> list[Clip]:
    """Recordings of a Korean yes, mixed."""
    found = [
        clip
        for clip in replies(folder)
        if clip.language is Language.KOREAN
        and clip.label in PERMITTING
        and clip.condition in ("clean", "10 dB")
    ]
    random.Random(SEED).shuffle(found)
    return found


async def measured(folder: Path, sample: int) -> None:
    """Play, count, print and store."""
    transcriber = await load_transcriber(ModelFiles(CACHE))
    found = yeses(folder)
    rows: dict[str, Counter[str]] = {}
    for clip in found[:sample]:
        noting = Noting(transcriber)
        sound = await asyncio.to_thread(sound_of, clip.file)
        outcome = await reply_outcome(CONDITIONS[clip.condition](sound), noting, clip.language)
        why = cause(outcome, noting.said)
        rows.setdefault(clip.condition, Counter())[why] += 1
        rows.setdefault(f"voice {clip.voice}", Counter())[PERMITTED if why == PERMITTED else "not"] += 1
        first = noting.said[0] if noting.said else None
        print(clip.condition, clip.voice, repr(clip.text), "→", first and first.text, "·", why, flush=True)
    table: dict[str, Json] = {name: dict(sorted(row.items())) for name, row in sorted(rows.items())}
    table["played"] = f"{min(sample, len(found))} of {len(found)}"
    store(Run("reply_causes", table, SEED, ("faster-whisper",), remarks=("synthetic voices",)))
    print(table)


def main() -> None:
    """Measure, print and store."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--clips", type=Path, default=CACHE.parent / "reply-clips")
    parser.add_argument("--sample", type=int, default=90)
    chosen = parser.parse_args()
    asyncio.run(measured(chosen.clips, chosen.sample))


if __name__ == "__main__":
    main()
