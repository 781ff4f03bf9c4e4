"""What decisions about tool calls are read through; changes and mistakes in it are told to people."""

import os
from collections.abc import Sequence
from pathlib import Path

from jarvis_desktop.adapters.bash_parser import BashParser
from jarvis_desktop.adapters.path_facts import DiskLookup
from jarvis_desktop.adapters.rule_book import FileRuleBook
from jarvis_desktop.adapters.rule_files import RuleFiles
from jarvis_desktop.app.options import Start
from jarvis_desktop.core.items.events import ActivityKind, ActivityNoted, Part, TroubleCleared, TroubleNoted
from jarvis_desktop.core.items.ids import AgentId
from jarvis_desktop.core.items.rules import Rule, RuleLine
from jarvis_desktop.core.policy.facts import Reading, SecuritySource
from jarvis_desktop.core.policy.paths import Place
from jarvis_desktop.core.ports import Clock, Emit, HeldRules, RuleBook, Sandbox, Texts


def open_reading(
    start: Start, clock: Clock, security: SecuritySource, emit: Emit, sandbox: Sandbox
) -> Reading:
    """Everything that a decision reads, from the real machine."""
    rules = FileRuleBook(RuleFiles(start.home))
    return Reading(
        parser=BashParser(),
        lookup=DiskLookup(),
        rules=ToldRules(rules, clock, start.texts, emit),
        security=security,
        place=machine_place(start.home),
        sandbox=sandbox,
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
