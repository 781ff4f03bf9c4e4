"""The skills in force: files are looked at before a line is taken for one, and what is wrong is told."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from jarvis_desktop.adapters.folder_watch import FolderWatch
from jarvis_desktop.adapters.skill_files import SkillFiles, SkillsRead
from jarvis_desktop.adapters.skill_problem import SkillProblem, skill_sentence
from jarvis_desktop.app.options import Start
from jarvis_desktop.core.extensions.skills import expand
from jarvis_desktop.core.items.events import (
    ActivityKind,
    ActivityNoted,
    Event,
    Part,
    TroubleCleared,
    TroubleNoted,
)
from jarvis_desktop.core.items.ids import WindowId
from jarvis_desktop.core.items.setup import SettingsChanged
from jarvis_desktop.core.items.skills import (
    SkillCall,
    SkillFault,
    SkillHint,
    SkillShow,
    SkillsListed,
)
from jarvis_desktop.core.ports import Clock, Emit, Texts
from jarvis_desktop.core.slash.parsing import Slash
from jarvis_desktop.core.slash.registry import command_names

log = logging.getLogger(__name__)

SETTLE_S = 0.1
"""Editors write a file in several steps; looking between two of them would tell of trouble that is none."""

WATCHED_AGAIN_S = 2.0
"""How often the setting, and a folder that is made later, are looked for."""


@dataclass(frozen=True, slots=True)
class SkillParts:
    """What the desk works with."""

    home: Path
    most: Callable[[], int]
    """Characters that a request may have."""
    watches: Callable[[], bool]
    """Their folder is to be watched; asked again and again."""
    clock: Clock
    texts: Texts
    emit: Emit
    changed: Callable[[], None]
    """Told after what can be called, or what is wrong, is something else; returns at once."""


class SkillDesk:
    """Fills ``Skills``."""

    def __init__(self, parts: SkillParts) -> None:
        self._parts = parts
        self._files = SkillFiles(parts.home, command_names())
        self._read: SkillsRead | None = None
        self._show = SkillShow()
        self._told: tuple[SkillProblem, ...] = ()
        self._looking = asyncio.Lock()
        self._changed = asyncio.Event()

    @property
    def folder(self) -> Path:
        """Where the files lie; it need not be there."""
        return self._files.folder

    async def look(self) -> SkillShow:
        """All of them; what can be called now, and what is wrong, has been told."""
        async with self._looking:
            read = await asyncio.to_thread(self._files.look, self._parts.most())
            news = read != self._read
            if news:
                await self._take(read)
            show = self._show
        if news:
            self._parts.changed()
        return show

    async def called(self, word: str, rest: str) -> SkillCall | None:
        """What ``/word rest`` comes to; None when no skill is meant, or a command is."""
        if word in command_names():
            return None
        show = await self.look()
        skill, fault = show.find(word), show.fault(word)
        if skill is None:
            return SkillCall("", fault.text) if fault is not None else None
        text = expand(skill, rest)
        most = self._parts.most()
        if len(text) <= most:
            return SkillCall(text)
        wording = self._parts.texts(
            "{file} and what you typed make a request of {length} characters; the most allowed is {limit}. "
            "Type less, shorten the file, or raise security.input_max_length in settings.yaml."
        )
        return SkillCall("", wording.format(file=skill.file, length=f"{len(text):,}", limit=f"{most:,}"))

    def listed(self, window_id: WindowId | None = None) -> SkillsListed:
        """Which of them can be called, as last read; only for that window when it came later."""
        return SkillsListed(tuple(SkillHint(one.name, one.purpose) for one in self._show.skills), window_id)

    async def run(self) -> None:
        """Look as soon as the folder changes, without end, while people want that."""
        loop = asyncio.get_running_loop()
        watch = FolderWatch(self.folder, lambda: _tell_loop(loop, self._changed), deep=True)
        try:
            while True:
                on = self._parts.watches()
                await asyncio.to_thread(watch.keep_up if on else watch.close)
                try:
                    async with asyncio.timeout(WATCHED_AGAIN_S):
                        await self._changed.wait()
                except TimeoutError:
                    continue
                await self._parts.clock.sleep(SETTLE_S)
                self._changed.clear()
                await self.look()
        finally:
            watch.close()

    def on_event(self, event: Event) -> None:
        """In another language, what is wrong is told again at the next look."""
        if isinstance(event, SettingsChanged) and "ui.language" in event.changed and self._told:
            self._read, self._told = None, ()

    async def _take(self, read: SkillsRead) -> None:
        self._read = read
        self._changed.set()  # the folder may be new, and is watched from now on
        before = self.listed()
        faults = (
            SkillFault(one.name, one.file, one.path, skill_sentence(one, self._parts.texts))
            for one in read.problems
        )
        self._show = SkillShow(read.skills, tuple(faults))
        if self.listed() != before:
            await self._parts.emit(self.listed())
        await self._tell(read.problems)

    async def _tell(self, problems: tuple[SkillProblem, ...]) -> None:
        """Everything that is wrong stands in one notice; only what is new becomes a line of the activity."""
        emit, texts = self._parts.emit, self._parts.texts
        news = tuple(one for one in problems if one not in self._told)
        if self._told and not problems:
            await emit(TroubleCleared(Part.SKILLS))
        changed, self._told = problems != self._told, problems
        if problems and changed:
            text = "\n".join(skill_sentence(one, texts) for one in problems)
            await emit(TroubleNoted(Part.SKILLS, text))
        for one in news:
            line = skill_sentence(one, texts)
            await emit(ActivityNoted(ActivityKind.TROUBLE, line, self._parts.clock.now()))


def calls_skill(start: Start, line: Slash) -> bool:
    """The line is meant for a skill, whole or broken, and for no command. Reads the folder."""
    if line.word in command_names():
        return False
    files = SkillFiles(start.home, command_names())
    read = files.look(start.settings.security.input_max_length)
    return line.word in {*(one.name for one in read.skills), *(one.name for one in read.problems)}


def _tell_loop(loop: asyncio.AbstractEventLoop, changed: asyncio.Event) -> None:
    try:
        loop.call_soon_threadsafe(changed.set)
    except RuntimeError:
        log.info("a skill's file changed after the end")
