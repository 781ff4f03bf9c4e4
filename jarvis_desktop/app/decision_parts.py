"""What decisions about tool calls are read through; changes and mistakes in it are told to people."""

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from jarvis_desktop.adapters.bash_parser import BashParser
from jarvis_desktop.adapters.path_facts import DiskLookup
from jarvis_desktop.adapters.rule_book import FileRuleBook
from jarvis_desktop.adapters.rule_files import RuleFiles
from jarvis_desktop.adapters.settings_file import FILE_NAME, load_settings
from jarvis_desktop.adapters.settings_problem import SettingsProblem, sentence
from jarvis_desktop.app.options import Start
from jarvis_desktop.core.items.events import ActivityKind, ActivityNoted, Part, TroubleCleared, TroubleNoted
from jarvis_desktop.core.items.ids import AgentId
from jarvis_desktop.core.items.rules import Rule, RuleLine
from jarvis_desktop.core.policy.danger import danger_list
from jarvis_desktop.core.policy.facts import Reading
from jarvis_desktop.core.policy.paths import Place
from jarvis_desktop.core.ports import Clock, Emit, HeldRules, RuleBook, Texts
from jarvis_desktop.core.settings import SecuritySettings

_Stamp: TypeAlias = tuple[int, int, int, int] | None


def open_reading(start: Start, clock: Clock, security: "LiveSecurity", emit: Emit) -> Reading:
    """Everything that a decision reads, from the real machine."""
    rules = FileRuleBook(RuleFiles(start.home))
    return Reading(
        parser=BashParser(),
        lookup=DiskLookup(),
        rules=ToldRules(rules, clock, start.texts, emit),
        security=security,
        place=machine_place(start.home),
    )


def machine_place(app_home: Path, home: Path | None = None) -> Place:
    """The folders of this machine; the working directory is each call's own."""
    here = os.path.abspath(home or Path.home())  # noqa: PTH100 - links must stay as they are
    real = os.path.realpath(here)
    return Place(
        cwd="/",
        home=here,
        app_home=os.path.abspath(app_home),  # noqa: PTH100 - links must stay as they are
        installed_at=(str(Path(__file__).resolve().parent.parent),),
        real_home="" if real == here else real,
    )


class LiveSecurity:
    """Fills ``SecuritySource``: the settings file is looked at before every decision (decision 4)."""

    def __init__(self, start: Start, emit: Emit) -> None:
        self._home, self._texts, self._emit = start.home, start.texts, emit
        self._known = start.settings.security
        self._stamp = _stamp(start.home / FILE_NAME)
        self._told: tuple[str, ...] = tuple(sentence(one, start.texts) for one in start.problems)

    def known(self) -> SecuritySettings:
        """As last read."""
        return self._known

    async def fresh(self) -> SecuritySettings:
        """As the file says now."""
        stamp = await asyncio.to_thread(_stamp, self._home / FILE_NAME)
        if stamp != self._stamp:
            self._known, problems = await asyncio.to_thread(_loaded, self._home)
            self._stamp = stamp
            await self._tell(tuple(sentence(one, self._texts) for one in problems))
        return self._known

    async def announce(self) -> None:
        """Say at the start what the list of dangerous commands cannot mean (T-183)."""
        await self._tell(self._told)

    async def _tell(self, problems: tuple[str, ...]) -> None:
        """Told once for each state of the file; told as over when nothing is wrong any more."""
        found = problems + tuple(map(self._worded, danger_list(self._known.dangerous_commands).problems))
        news = tuple(one for one in found if one not in self._told)
        if self._told and not found:
            await self._emit(TroubleCleared(Part.SETTINGS))
        self._told = found
        for text in news:
            await self._emit(TroubleNoted(Part.SETTINGS, text))

    def _worded(self, problem: str) -> str:
        return self._texts(
            "security.dangerous_commands in settings.yaml: {problem}. "
            "Every shell command is asked about until it is mended."
        ).format(problem=problem)


class ToldRules:
    """Fills ``RuleBook`` over another one: what is wrong in a rule file reaches window and activity list."""

    def __init__(self, book: RuleBook, clock: Clock, texts: Texts, emit: Emit) -> None:
        self._book, self._clock, self._texts, self._emit = book, clock, texts, emit
        self._told: dict[AgentId, tuple[str, ...]] = {}

    async def load(self, agent_id: AgentId) -> HeldRules:
        """The rules that count now."""
        held = await self._book.load(agent_id)
        told = self._told.get(agent_id, ())
        if held.problems != told:
            self._told[agent_id] = held.problems
            await self._tell(held.problems, told)
        return held

    def file_of(self, agent_id: AgentId) -> str:
        """The agent's own file."""
        return self._book.file_of(agent_id)

    async def save(self, agent_id: AgentId, lines: Sequence[RuleLine]) -> tuple[RuleLine, ...]:
        """Remember ``lines``."""
        return await self._book.save(agent_id, lines)

    async def revoke(self, rule: Rule) -> None:
        """Forget ``rule``."""
        await self._book.revoke(rule)

    async def _tell(self, problems: tuple[str, ...], told: tuple[str, ...]) -> None:
        if not problems:
            await self._emit(TroubleCleared(Part.RULES))
        for problem in problems:
            if problem in told:
                continue
            text = self._texts("An approval rule does not count. {problem}").format(problem=problem)
            await self._emit(TroubleNoted(Part.RULES, text))
            await self._emit(ActivityNoted(ActivityKind.TROUBLE, text, self._clock.now()))


def _loaded(home: Path) -> tuple[SecuritySettings, tuple[SettingsProblem, ...]]:
    settings, problems = load_settings(home)
    return settings.security, problems


def _stamp(path: Path) -> _Stamp:
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_mtime_ns, state.st_size, state.st_ino, state.st_ctime_ns
