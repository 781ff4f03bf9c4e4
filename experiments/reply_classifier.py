"""What spoken answers come to: the chat model alone, keywords before it, and the whole way from sound.

``python -m experiments.reply_classifier --model NAME [--repeat 3] [--host URL] [--no-audio]``. Twelve
sentences of our own in the design's proportions are asked ``--repeat`` times, all of ``replies.jsonl`` once.
The model alone has no time limit here; how many labels would have come too late is a column. Without
``--host`` (or ``JARVIS_TEST_OLLAMA``) a server of our own with the models of the tests is started.
"""

import argparse
import asyncio
import json
import os
import statistics
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from experiments.bench_common import Run, store
from jarvis_desktop.adapters.model_files import ModelFiles
from jarvis_desktop.adapters.ollama_model import OllamaModel
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.adapters.vad_onnx import VadOnnx
from jarvis_desktop.app.ears_hearing import Hearing, Segment, Woke
from jarvis_desktop.app.ears_parts import load_transcriber
from jarvis_desktop.app.ears_recognise import Recogniser
from jarvis_desktop.app.hear import LEAD_PIECES, pieces, sound_of
from jarvis_desktop.core.items.calls import Json
from jarvis_desktop.core.items.speech import Language, ListenFor
from jarvis_desktop.core.settings import ModelSettings, VoiceSettings
from jarvis_desktop.core.voice.answer_model import LIMIT_S, AnswerReader, answer_request, label_of
from jarvis_desktop.core.voice.endpointer import Mark, timing_for
from jarvis_desktop.core.voice.spoken_answer import PERMITTING, SpokenAnswer, SpokenLabel, Stage
from jarvis_desktop.core.voice.wake_gate import GateTuning
from tests.fakes.texts import PlainTexts
from tests.parts.ollama import serving
from tests.parts.speech import CACHE

DATA = Path(__file__).parents[1] / "tests/data"
OWN = (
    ("그 명령 돌려도 돼", "allow"),
    ("어, 그렇게 해 줘", "allow"),
    ("sure, run that one", "allow"),
    ("네, 부탁할게요", "allow"),
    ("이런 건 앞으로 항상 허용해", "always"),
    ("from now on just allow make test", "always"),
    ("그건 하지 마", "deny"),
    ("좀 이따가 하자", "deny"),
    ("skip that one, please", "deny"),
    ("no, leave it as it is", "deny"),
    ("그게 뭐 하는 거였지", "unclear"),
    ("could be, I guess", "unclear"),
)
"""Ours, in the proportions of the design's experiment: allow 4, always 2, deny 4, unclear 2."""
SPOKEN = {
    "reply_en": ("allow", "deny", "always", "deny", "deny", "deny", "allow", "deny"),
    "reply_ko": ("", "deny", "allow", "deny", "always", "deny", "deny"),
}
"""What the recordings mean, by the number in their names; everything in ``unrelated`` is no answer."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer and what it must come to."""

    text: str
    label: str
    decision: str


@dataclass(frozen=True, slots=True)
class Found:
    """What it came to."""

    reply: Reply
    label: SpokenLabel
    by_model: bool
    took_s: float

    @property
    def decision(self) -> str:
        """An unclear answer that stays unclear denies."""
        return self.label.value if self.label in PERMITTING else SpokenLabel.DENY.value


def score(found: Sequence[Found]) -> dict[str, Json]:
    """One row. Only running or not counts for ``decision_accuracy``, as in the design's experiment."""
    wanted = [one for one in found if one.reply.decision != "deny"]
    return {
        "n": len(found),
        "decision_accuracy": _share(found, lambda one: _runs(one.decision) == _runs(one.reply.decision)),
        "label_accuracy": _share(found, lambda one: one.label.value == one.reply.label),
        "dangerous_permissions": sum(_runs(one.decision) and not _runs(one.reply.decision) for one in found),
        "missed_permissions": f"{sum(not _runs(one.decision) for one in wanted)} of {len(wanted)}",
        "without_the_model": _share(found, lambda one: not one.by_model),
        "median_s": round(statistics.median(one.took_s for one in found), 5),
        "later_than_the_limit": sum(one.by_model and one.took_s > LIMIT_S for one in found),
    }


def _runs(decision: str) -> bool:
    return decision != SpokenLabel.DENY.value


def _share(found: Sequence[Found], holds: Callable[[Found], bool]) -> float:
    return round(sum(map(holds, found)) / len(found), 3)


def replies() -> tuple[Reply, ...]:
    """The shared cases."""
    lines = (DATA / "cases/replies.jsonl").read_text("utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    return tuple(Reply(case["text"], case["label"], case["decision"]) for case in cases)


def own() -> tuple[Reply, ...]:
    """Our sentences."""
    return tuple(Reply(text, label, label if label in PERMITTING else "deny") for text, label in OWN)


async def asked(
    said: Sequence[Reply], read: Callable[[str], Awaitable[tuple[SpokenLabel, bool]]]
) -> list[Found]:
    """What ``read`` makes of each."""
    found = []
    for reply in said:
        began_s = time.monotonic()
        label, by_model = await read(reply.text)
        found.append(Found(reply, label, by_model, time.monotonic() - began_s))
        if label.value != reply.label:
            print(f"  {label.value:8} (meant {reply.label}) {reply.text}")
    return found


class Bench:
    """One model and all rows about it."""

    def __init__(self, model: OllamaModel, repeat: int) -> None:
        self._model = model
        self._repeat = repeat
        self._reader = AnswerReader(model, SystemClock())

    async def rows(self, *, audio: bool) -> AsyncIterator[tuple[str, dict[str, Json]]]:
        """Every row with its name, as soon as it is known."""
        await self._model.warm_up(answer_request(""))
        twelve, spoken = own() * self._repeat, [one for one in replies() if one.text]
        yield "keywords and model, twelve", score(await asked(twelve, self._both))
        yield "keywords and model, replies", score(await asked(replies(), self._both))
        if audio:
            yield "audio", score(await self._heard())
        yield "model alone, twelve", score(await asked(twelve, self._alone))
        yield "model alone, replies", score(await asked(spoken, self._alone))

    async def _alone(self, text: str) -> tuple[SpokenLabel, bool]:
        return await label_of(self._model, text), True

    async def _both(self, text: str) -> tuple[SpokenLabel, bool]:
        said = await self._reader.read(text)
        return said.label, said.stage is Stage.MODEL

    async def _heard(self) -> list[Found]:
        """The recordings, through speech detection, two or three recognitions, keywords and the model."""
        whisper = await load_transcriber(ModelFiles(CACHE))
        languages = tuple(Language(one) for one in VoiceSettings.model_validate({}).languages)
        found, asked_model = [], False

        async def meaning(text: str) -> SpokenAnswer:
            nonlocal asked_model
            said = await self._reader.read(text)
            asked_model = said.stage is Stage.MODEL
            return said

        recogniser = Recogniser(whisper, languages, lambda words, _at_s: words, meaning)
        for clip, label in recordings():
            recogniser.hint = Language.KOREAN if clip.parent.name == "reply_ko" else Language.ENGLISH
            for segment in segments(sound_of(clip)):
                asked_model, began_s = False, time.monotonic()
                reply = await recogniser.answer(segment)
                decision = label if label in PERMITTING else "deny"
                meant = Reply(f"{clip.parent.name}/{clip.name}: {reply.words.text}", label, decision)
                found.append(Found(meant, reply.label, asked_model, time.monotonic() - began_s))
                if reply.label.value != label:
                    print(f"  {reply.label.value:8} (meant {label}) {meant.text}")
        return found


def recordings() -> Iterator[tuple[Path, str]]:
    """Each recording with what it means."""
    for folder, labels in SPOKEN.items():
        for clip in sorted((DATA / "wav" / folder).glob("*.wav")):
            yield clip, labels[int(clip.name[:2])]
    for clip in sorted((DATA / "wav/unrelated").glob("*.wav")):
        yield clip, SpokenLabel.UNCLEAR.value


def segments(pcm: bytes) -> list[Segment]:
    """The stretches that the ears would take as answers."""
    voice = VoiceSettings.model_validate({})
    timing = timing_for(
        ListenFor.ANSWER,
        request_silence_s=voice.request_silence_s,
        answer_silence_s=voice.answer_silence_s,
    )
    hearing, found = Hearing(None, VadOnnx(), GateTuning()), []
    for index, piece in enumerate(pieces(pcm)):
        if index >= LEAD_PIECES and hearing.listening is None:
            hearing.listen(ListenFor.ANSWER, timing)
        ends = [one for one in hearing.hear(piece) if not isinstance(one, Woke) and one.mark is Mark.LULL]
        found += [end.segment for end in ends if end.segment is not None]
    return found


@contextmanager
def served(host: str, model: str) -> Iterator[str]:
    """The server at ``host``, or one of our own that has the recipe's model."""
    if host:
        yield host
        return
    with serving() as server:
        server.model(model)
        yield server.host


async def measured(host: str, name: str, repeat: int, *, audio: bool) -> None:
    """All rows of one model, printed and stored one by one: a run that is ended early has told something."""
    settings = {"host": host, "name": name, "context_tokens": 4096}
    model, rows = OllamaModel(ModelSettings.model_validate(settings), PlainTexts()), dict[str, Json]()
    try:
        async for row, found in Bench(model, repeat).rows(audio=audio):
            print(f"{row}: {found}")
            rows[row] = found
            packages = ("ollama", "faster-whisper")
            store(Run(f"reply_classifier {name}", rows, 0, packages, remarks=("sentences are our own",)))
    finally:
        await model.close()


def main() -> None:
    """Measure, print and store."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--model", required=True)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--host", default=os.environ.get("JARVIS_TEST_OLLAMA", ""))
    parser.add_argument("--no-audio", action="store_true")
    chosen = parser.parse_args()
    with served(chosen.host, chosen.model) as host:
        asyncio.run(measured(host, chosen.model, chosen.repeat, audio=not chosen.no_audio))


if __name__ == "__main__":
    main()
