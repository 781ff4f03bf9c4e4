"""A home in which somebody follows the pages, and the program that then runs in it."""

import asyncio
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.adapters.settings_file import load_settings
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.app.compose import run_core
from jarvis_desktop.app.options import Start, Surface
from jarvis_desktop.core.items.commands import AnswerQuestion, Attach, Command, SubmitTurn
from jarvis_desktop.core.items.decisions import Answer, AnsweredBy, Question
from jarvis_desktop.core.items.events import ActivityNoted, Event, QuestionAsked, TurnEnded
from jarvis_desktop.core.items.extensions import ExtensionsLooked, LookAtExtensions
from jarvis_desktop.core.items.ids import WindowId
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Origin
from tests.parts.docs_pages import Block, Does, blocks_of
from tests.parts.typed_commands import Ended, typed

ROOT = Path(__file__).parents[3]
COMMANDS_S = 240
PATIENCE_S = 60
WINDOW = WindowId("window")
E = TypeVar("E", bound=Event)


@dataclass(frozen=True, slots=True)
class Ran:
    """A block of commands, and what they said."""

    block: Block
    status: int
    output: str


@dataclass
class Walk:
    """Somebody with a machine of their own, who does what the pages say."""

    folder: Path
    host: str
    ran: list[Ran] = field(default_factory=list)

    def __post_init__(self) -> None:
        programs = self.folder / "bin"
        programs.mkdir()
        program = programs / "jarvis-desktop"
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m jarvis_desktop "$@"\n', "ascii")
        program.chmod(0o755)
        self.work.mkdir(parents=True)

    @property
    def person(self) -> Path:
        """Home of the person."""
        return self.folder / "person"

    @property
    def home(self) -> Path:
        """Home of Jarvis."""
        return self.person / ".jarvis"

    @property
    def work(self) -> Path:
        """Where conversations work."""
        return self.person / "Jarvis"

    def settings(self) -> Mapping[str, str]:
        """What the program reads of the environment."""
        return {
            "JARVIS_HOME": str(self.home),
            "XDG_RUNTIME_DIR": str(self.folder),
            "HOME": str(self.person),
            "LANG": "C.UTF-8",
            "JARVIS_UI__LANGUAGE": "en",
            "JARVIS_MODEL__HOST": self.host,
            "JARVIS_MODEL__BACKEND": "ollama",
            "JARVIS_MODEL__CALLS": "native",
            "JARVIS_VOICE__ENABLED": "false",
        }

    def follow(self, page: str) -> None:
        """Everything on the page is done, in order."""
        for block in blocks_of(page):
            if block.does is Does.FILE:
                path = self.person / block.path.removeprefix("~/")
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                path.write_text(block.text, "utf-8")
            elif block.does is Does.RUN:
                self.ran.append(self.run(block))

    def run(self, block: Block) -> Ran:
        """The block's commands, as a shell runs them that stops at the first failure."""
        end = self._end("bash", "-euo", "pipefail", "-c", block.text)
        return Ran(block, end.status, end.output)

    def program(self, *arguments: str) -> Ended:
        """What ``jarvis-desktop`` says to these arguments."""
        return self._end(str(self.folder / "bin" / "jarvis-desktop"), *arguments)

    def _end(self, *command: str) -> Ended:
        path = f"{self.folder / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}"
        env = {"PATH": path, "PYTHONPATH": str(ROOT), **self.settings()}
        return typed(command, self.work, env, COMMANDS_S)


@dataclass
class Running:
    """The core in that home, with a person at its window who allows what is asked."""

    walk: Walk
    inbox: "asyncio.Queue[Command]" = field(default_factory=asyncio.Queue)
    seen: list[Event] = field(default_factory=list)
    asked: list[Question] = field(default_factory=list)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def _take(self, event: Event) -> None:
        self.seen.append(event)
        if isinstance(event, QuestionAsked):
            one = event.question
            self.asked.append(one)
            self.inbox.put_nowait(
                AnswerQuestion(one.question_id, one.digest, Answer.ALLOW, AnsweredBy.WINDOW, WINDOW)
            )
        self._news.set()

    def of(self, kind: type[E]) -> list[E]:
        """Events of one kind."""
        return [event for event in self.seen if isinstance(event, kind)]

    @property
    def activity(self) -> list[str]:
        """Lines of the activity list so far."""
        return [one.text for one in self.of(ActivityNoted)]

    async def say(self, text: str) -> TurnEnded:
        """The end of the turn that this text is."""
        before = len(self.of(TurnEnded))
        self.inbox.put_nowait(SubmitTurn(text, Origin.TYPED))
        async with asyncio.timeout(PATIENCE_S):
            while len(self.of(TurnEnded)) == before:
                self._news.clear()
                await self._news.wait()
        return self.of(TurnEnded)[-1]

    async def until_connected(self, *servers: str) -> None:
        """These MCP servers offer their tools."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                self._news.clear()
                self.inbox.put_nowait(LookAtExtensions(1))
                await self._news.wait()
                looked = self.of(ExtensionsLooked)
                there = {one.name for one in looked[-1].extensions if one.offers} if looked else set()
                if there >= {*servers}:
                    return

    async def serve(self) -> None:
        """Run until ``Quit``."""
        self.inbox.put_nowait(Attach(WINDOW))
        settings, problems = load_settings(self.walk.home)
        start = Start(self.walk.home, settings, Catalog(Language.ENGLISH), problems, voice=False)
        await run_core(self.inbox, start, SystemClock(), Surface(self._take, self.inbox.put_nowait))
