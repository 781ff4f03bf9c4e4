"""``reply classify``: what spoken answers to an approval question mean, one JSON line each."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from io import TextIOWrapper
from types import MappingProxyType

from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.app.main import prepare
from jarvis_desktop.app.options import Start
from jarvis_desktop.app.thinking_parts import open_thinking
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.ports import ChatModel, Clock
from jarvis_desktop.core.voice.answer_model import AnswerReader, answer_request
from jarvis_desktop.core.voice.spoken_answer import PERMITTING, SpokenAnswer, SpokenLabel, Stage

STAGES: Mapping[Stage, str] = MappingProxyType(
    {
        Stage.REFUSAL: "negation",
        Stage.QUESTION: "keyword",
        Stage.CONDITION: "keyword",
        Stage.KEYWORDS: "keyword",
        Stage.NOTHING: "keyword",
        Stage.MODEL: "model",
    }
)
"""What settled an answer, in the three words of this command."""


def classify_lines(*, use_model: bool, name: str | None) -> int:
    """Answer each line of standard input with one on standard output, at once; the exit status comes back.

    name: another model than the one of the settings.

    Raises:
        StorageError: the home cannot be used.
    """
    if isinstance(sys.stdin, TextIOWrapper):  # answers are Korean, too, whatever the terminal's locale says
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    start = prepare(voice=False)
    if name is not None:
        model = start.settings.model.model_copy(update={"name": name})
        start = replace(start, settings=start.settings.model_copy(update={"model": model}))
    asyncio.run(_classify(start, use_model=use_model))
    return 0


async def _classify(start: Start, *, use_model: bool) -> None:
    clock = SystemClock()
    if not use_model:
        await _answered(sys.stdin, AnswerReader(None, clock), clock)
        return
    async with _warm_model(start, clock) as model:
        await _answered(sys.stdin, AnswerReader(model, clock), clock)


async def _answered(lines: Iterable[str], reader: AnswerReader, clock: Clock) -> None:
    for line in lines:
        began_s = clock.monotonic_s()
        said = await reader.read(line.removesuffix("\n"))
        took_ms = (clock.monotonic_s() - began_s) * 1000
        print(json.dumps(answer_line(said, took_ms)), flush=True)  # noqa: T201 - the answer of the command


def answer_line(said: SpokenAnswer, took_ms: float) -> dict[str, str | float]:
    """One answer as this command prints it; an unclear one that stays unclear denies."""
    decision = said.label if said.label in PERMITTING else SpokenLabel.DENY
    return {
        "label": said.label.value,
        "decision": decision.value,
        "stage": STAGES[said.stage],
        "ms": round(took_ms, 1),
    }


@asynccontextmanager
async def _warm_model(start: Start, clock: Clock) -> AsyncIterator[ChatModel]:
    """The model, loaded, with the part of the question read that never changes."""
    thinking = open_thinking(start, clock, _nobody)
    try:
        await thinking.model.warm_up(answer_request(""))
        yield thinking.model
    finally:
        await thinking.close()


async def _nobody(event: Event) -> None:
    """The command line shows nothing of what the model's choice tells."""
    del event
