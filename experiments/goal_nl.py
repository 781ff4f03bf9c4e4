"""How often small models take on what is meant for good, and take what is asked once for it (G-110 to G-117).

``python -m experiments.goal_nl [--host URL] [--models a,b] [--limit N]``. The real program runs headless in a
home of its own; each request goes into a new conversation, with its whole prompt and all of its tools. What
the model chooses first is kept, and nothing of it is run. It is asked with the standing rule as the program
appends it, and without; where the program appends none the prompt is the same, so it is asked once. Answers
are drawn at temperature 0: one try for each. Without ``--host`` (or ``JARVIS_TEST_OLLAMA``) a server of our
own with the recipe's models is started.
"""

import argparse
import asyncio
import json
import os
import re
import tempfile
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

from experiments.bench_common import Run, store
from experiments.served_models import served
from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.adapters.ollama_model import OllamaModel
from jarvis_desktop.adapters.settings_file import load_settings
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.app import thinking_parts
from jarvis_desktop.app.compose import run_core
from jarvis_desktop.app.options import Start, Surface
from jarvis_desktop.core.goals.standing import STANDING_RULE, sounds_standing
from jarvis_desktop.core.items.calls import Json
from jarvis_desktop.core.items.commands import Attach, Command, NewConversation, Quit, SubmitTurn
from jarvis_desktop.core.items.events import ConversationOpened, Event, TurnEnded
from jarvis_desktop.core.items.goals import GOAL_TOOL
from jarvis_desktop.core.items.ids import WindowId
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Origin, Role
from jarvis_desktop.core.ports import ChatPiece, ChatRequest, DonePiece, TextPiece
from jarvis_desktop.core.turn import prompt
from jarvis_desktop.core.turn.schema_calls import ANSWER
from tests.goal_sentences import KNOWN, OWN, REQUIRED, Sentence

MODELS = ("qwen05-schema", "qwen15-schema")
WINDOW = WindowId("experiment")
TURN_WITHIN_S = 300.0
CHUNK = 9
SETS = {"required": REQUIRED, "own": OWN}
NAMED = re.compile(r'\s*\{\s*"tool"\s*:\s*"(?P<tool>\w+)"')
OVER = json.dumps({"tool": ANSWER, "arguments": {"text": "."}})
"""What the program is given in the place of the model's choice, so that the turn ends and nothing runs."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a model chose first."""

    tool: str
    rule: bool
    """The prompt had the standing rule."""
    took_s: float
    """Until its name was written."""


class FirstChoice(OllamaModel):
    """The program's own model; the first choice of a turn is kept, and the turn is over."""

    choices: list[Choice] = []  # noqa: RUF012 - of the whole run: the program makes the instance

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ChatPiece, None]:
        """An empty answer."""
        if request.schema is None:  # what is read ahead of time
            async for piece in super().stream(request):
                yield piece
            return
        written, tool, began_s = "", "unreadable", time.monotonic()
        async with aclosing(super().stream(request)) as pieces:
            async for piece in pieces:
                written += piece.text if isinstance(piece, TextPiece) else ""
                if named := NAMED.match(written):  # the arguments are not waited for
                    tool = named["tool"]
                    break
        system = next(one.text for one in request.messages if one.role is Role.SYSTEM)
        ruled = any(rule in system for rule in STANDING_RULE.values())
        self.choices.append(Choice(tool, ruled, time.monotonic() - began_s))
        yield TextPiece(OVER)
        yield DonePiece("stop")


class Person:
    """Says one thing after another, each in a new conversation."""

    def __init__(self) -> None:
        self.inbox: asyncio.Queue[Command] = asyncio.Queue()
        self.events: asyncio.Queue[Event] = asyncio.Queue()

    async def say(self, text: str) -> Choice:
        """What the model chose about it."""
        self.inbox.put_nowait(NewConversation())
        await self._until(ConversationOpened)
        before = len(FirstChoice.choices)
        self.inbox.put_nowait(SubmitTurn(text, Origin.TYPED))
        await self._until(TurnEnded)
        if len(FirstChoice.choices) == before:
            raise SystemExit(f"no model was asked about: {text}")
        return FirstChoice.choices[before]

    async def _until(self, kind: type[Event]) -> None:
        async with asyncio.timeout(TURN_WITHIN_S):
            while not isinstance(await self.events.get(), kind):
                pass


@dataclass(slots=True)
class Score:
    """Both kinds of error, of one model with or without the rule."""

    standing: int = 0
    missed: list[str] = field(default_factory=list)
    """Meant for good, and not taken on."""
    once: int = 0
    taken: list[str] = field(default_factory=list)
    """Asked once, and taken on."""

    def add(self, sentence: Sentence, choice: Choice) -> None:
        """One request."""
        took = choice.tool == GOAL_TOOL
        if sentence.standing:
            self.standing += 1
            if not took:
                self.missed.append(f"{sentence.text} -> {choice.tool}")
        else:
            self.once += 1
            if took:
                self.taken.append(sentence.text)

    def as_mapping(self) -> dict[str, Json]:
        """As it is stored."""
        return {
            "standing_taken": f"{self.standing - len(self.missed)}/{self.standing}",
            "once_taken": f"{len(self.taken)}/{self.once}",
            "missed": list(self.missed),
            "wrongly_taken": list(self.taken),
        }


Asked = dict[tuple[str, bool], Choice]
"""By sentence, and whether the rule was wanted."""


async def asked_about(model: str, host: str, sentences: Sequence[Sentence], until_s: float) -> Asked:
    """The first choices of one model, as far as the time allows; the app speaks the sentence's language."""
    found: Asked = {}
    languages = [one for one in Language if any(sentence.language is one for sentence in sentences)]
    for left, language in zip(range(len(languages), 0, -1), languages, strict=True):
        mine = [one for one in sentences if one.language is language]
        now_s = time.monotonic()
        share_s = now_s + (until_s - now_s) / left
        with tempfile.TemporaryDirectory() as folder:
            start, person = _start(Path(folder), model, host, language), Person()
            surface = Surface(person.events.put_nowait, person.inbox.put_nowait)
            core = asyncio.create_task(run_core(person.inbox, start, SystemClock(), surface))
            person.inbox.put_nowait(Attach(WINDOW))
            await _ask_all(person, mine, found, share_s)
            person.inbox.put_nowait(Quit())
            await core
    return found


async def _ask_all(person: Person, sentences: Sequence[Sentence], found: Asked, until_s: float) -> None:
    """A few without the rule, then with it: the server reads the ends of both prompts seldom anew."""
    for first in range(0, len(sentences), CHUNK):
        for rule in (False, True):
            for sentence in sentences[first : first + CHUNK]:
                if time.monotonic() > until_s:
                    return
                await _ask(person, sentence, found, rule=rule)


async def _ask(person: Person, sentence: Sentence, found: Asked, *, rule: bool) -> None:
    if rule and not sounds_standing(sentence.text):
        found[sentence.text, True] = found[sentence.text, False]
        return
    with patch.object(prompt, "sounds_standing", sounds_standing if rule else lambda _: False):
        choice = await person.say(sentence.text)
    if choice.rule is not rule:
        raise SystemExit(f"the prompt was another than wanted: {sentence.text}")
    found[sentence.text, rule] = choice
    mark = " " if (choice.tool == GOAL_TOOL) is sentence.standing else "✗"
    how = "rule" if rule else "    "
    print(f"  {mark} {how} {choice.took_s:5.1f} s {sentence.text} -> {choice.tool}", flush=True)


def _start(folder: Path, model: str, host: str, language: Language) -> Start:
    home, work = folder / "home", folder / "work"
    home.mkdir(mode=0o700)
    work.mkdir()
    settings, problems = load_settings(
        home,
        {
            "JARVIS_MODEL__BACKEND": "ollama",
            "JARVIS_MODEL__NAME": model,
            "JARVIS_MODEL__HOST": host,
            "JARVIS_MODEL__CALLS": "schema",
            "JARVIS_MODEL__TEMPERATURE": "0",
            "JARVIS_MODEL__CONTEXT_TOKENS": "4096",
            "JARVIS_AGENT__WORKING_DIRECTORY": str(work),
            "JARVIS_UI__LANGUAGE": language.value,
            "JARVIS_MEMORY__ENABLED": "false",
        },
    )
    return Start(home, settings, Catalog(language), problems, voice=False)


def scored(sentences: Sequence[Sentence], found: Asked) -> dict[str, Json]:
    """Each set, with and without the rule; only sentences that were asked both ways count."""
    told: dict[str, Json] = {}
    for name, members in SETS.items():
        both = [
            one for one in sentences if one in members and all((one.text, r) in found for r in (True, False))
        ]
        for rule in (False, True):
            score = Score()
            for one in both:
                score.add(one, found[one.text, rule])
            told[f"{name}, {'with' if rule else 'without'} the rule"] = score.as_mapping()
    if found:
        took = sorted(one.took_s for one in found.values())
        told["median_s"] = round(took[len(took) // 2], 1)
    return told


def table(results: dict[str, dict[str, Json]]) -> str:
    """What is printed."""
    rows = [f"{'':44}{'meant for good, taken on':>26}{'asked once, taken on':>24}"]
    for model, told in results.items():
        for name, one in told.items():
            if isinstance(one, dict):
                left = f"{model}, {name}"
                rows.append(f"{left:44}{one['standing_taken']!s:>26}{one['once_taken']!s:>24}")
    return "\n".join(rows)


def chosen_sentences(limit: int) -> tuple[Sentence, ...]:
    """The required ones, then our own: standing and asked once, Korean and English in turn."""
    own = [one for pair in zip(OWN[::2], OWN[1::2], strict=True) for one in pair]
    groups = [
        [one for one in own if one.standing is standing and one.language is language]
        for standing in (True, False)
        for language in Language
    ]
    mixed = [one for four in zip(*groups, strict=True) for one in four]
    return (*REQUIRED, *mixed)[: limit or len(KNOWN)]


def main() -> None:
    """Measure, print and store."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--host", default=os.environ.get("JARVIS_TEST_OLLAMA", ""))
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--limit", type=int, default=0, help="sentences, the required ones first; 0: all")
    parser.add_argument(
        "--minutes", type=float, default=600.0, help="for each model; what is left is not asked"
    )
    chosen = parser.parse_args()
    models, sentences = chosen.models.split(","), chosen_sentences(chosen.limit)
    results: dict[str, dict[str, Json]] = {}
    with patch.object(thinking_parts, "OllamaModel", FirstChoice), served(chosen.host, models) as host:
        for model in models:
            print(model)
            until_s = time.monotonic() + 60 * chosen.minutes
            found = asyncio.run(asked_about(model, host, sentences, until_s))
            results[model] = scored(sentences, found)
            run = Run(f"goal_nl {model}", results[model], seed=0, packages=("ollama",))
            store(run)
    print(table(results))


if __name__ == "__main__":
    main()
