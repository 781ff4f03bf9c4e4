"""The approval rule files as the core sees them."""

import asyncio
from collections.abc import Sequence

from jarvis_desktop.adapters.rule_files import LoadedRules, RuleFiles
from jarvis_desktop.core.items.ids import AgentId
from jarvis_desktop.core.items.rules import Rule, RuleLine
from jarvis_desktop.core.ports import HeldRules


class FileRuleBook:
    """Fills ``RuleBook``; the files are looked at in a thread."""

    def __init__(self, files: RuleFiles) -> None:
        self._files = files
        self._held: dict[AgentId, tuple[LoadedRules, HeldRules]] = {}

    async def load(self, agent_id: AgentId) -> HeldRules:
        """The rules that count now; the same object as long as no file changes."""
        loaded = await asyncio.to_thread(self._files.load, agent_id)
        known = self._held.get(agent_id)
        if known is not None and known[0] is loaded:
            return known[1]
        held = HeldRules(loaded.rules.rules, tuple(map(str, loaded.problems)))
        self._held[agent_id] = (loaded, held)
        return held

    def file_of(self, agent_id: AgentId) -> str:
        """The agent's own file."""
        return self._files.file_of(agent_id)

    async def save(self, agent_id: AgentId, lines: Sequence[RuleLine]) -> tuple[RuleLine, ...]:
        """Remember ``lines``; what came is what was new."""
        return (await asyncio.to_thread(self._files.save, agent_id, lines)).lines

    async def revoke(self, rule: Rule) -> None:
        """Forget ``rule``."""
        await asyncio.to_thread(self._files.revoke, rule)
