"""What decisions read, in memory: rules, a disk, settings and a sandbox that the test changes at will."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from jarvis_desktop.adapters.bash_parser import BashParser
from jarvis_desktop.core.items.ids import AgentId
from jarvis_desktop.core.items.path_facts import PathFact
from jarvis_desktop.core.items.room import Room
from jarvis_desktop.core.items.rules import Rule, RuleLine
from jarvis_desktop.core.policy.facts import Reading
from jarvis_desktop.core.policy.paths import Place, is_inside
from jarvis_desktop.core.ports import HeldRules
from jarvis_desktop.core.settings import SecuritySettings

SHARED = AgentId("shared")
PLACE = Place(cwd="/home/u/Jarvis", home="/home/u", app_home="/home/u/.jarvis")
PARSER = BashParser()


class FakeRules:
    """Fills ``RuleBook``. Rules by agent; those of ``SHARED`` hold for all."""

    def __init__(self) -> None:
        self.lines: dict[AgentId, list[RuleLine]] = {}
        self.fault: Exception | None = None
        """Raised by ``save`` and ``revoke`` while set."""
        self.problems: tuple[str, ...] = ()
        self.loads = 0
        self.writes = 0
        self._held: dict[tuple[RuleLine, ...], HeldRules] = {}

    def add(self, tool: str, pattern: str, agent_id: AgentId = SHARED) -> None:
        """A rule that somebody wrote by hand."""
        self.lines.setdefault(agent_id, []).append(RuleLine(tool, pattern))

    async def load(self, agent_id: AgentId) -> HeldRules:
        self.loads += 1
        await asyncio.sleep(0)
        lines = (*self.lines.get(SHARED, ()), *self.lines.get(agent_id, ()))
        rules = tuple(Rule(line, "rules.yaml", number) for number, line in enumerate(lines, 1))
        return self._held.setdefault(lines, HeldRules(rules, self.problems))

    def file_of(self, agent_id: AgentId) -> str:
        return f"approvals/{agent_id}.yaml"

    async def save(self, agent_id: AgentId, lines: Sequence[RuleLine]) -> tuple[RuleLine, ...]:
        if self.fault:
            raise self.fault
        held = {*self.lines.get(SHARED, ()), *self.lines.get(agent_id, ())}
        fresh = tuple(line for line in lines if line not in held)
        if fresh:
            self.writes += 1
            self.lines.setdefault(agent_id, []).extend(fresh)
        return fresh

    async def revoke(self, rule: Rule) -> None:
        if self.fault:
            raise self.fault
        for lines in self.lines.values():
            if rule.line in lines:
                lines.remove(rule.line)


@dataclass
class FakeDisk:
    """Fills ``PathLookup``: nothing is there but what a test says; links lead where they say."""

    links: dict[str, str] = field(default_factory=dict)
    known: dict[str, PathFact] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

    async def facts(self, paths: Sequence[str]) -> Mapping[str, PathFact]:
        return {path: self.known.get(path) or PathFact(self._real(path)) for path in paths}

    async def scripts(self, paths: Sequence[str]) -> Mapping[str, str]:
        return {path: self.texts[path] for path in paths if path in self.texts}

    def _real(self, path: str) -> str:
        for link, target in self.links.items():
            if is_inside(path, link):
                return target + path[len(link) :]
        return path


@dataclass
class FakeSecurity:
    """Fills ``SecuritySource``; assign ``settings`` to change them."""

    settings: SecuritySettings = field(default_factory=lambda: SecuritySettings.model_validate({}))

    def known(self) -> SecuritySettings:
        return self.settings

    async def fresh(self) -> SecuritySettings:
        return self.settings

    def set(self, **values: object) -> None:
        """Change some of them."""
        self.settings = SecuritySettings.model_validate({**self.settings.model_dump(), **values})


@dataclass
class FakeSandbox:
    """Fills ``Sandbox``."""

    ready: bool = True

    async def holds(self, cwd: str, room: Room) -> bool:
        return self.ready


@dataclass
class World:
    """All of it together."""

    rules: FakeRules = field(default_factory=FakeRules)
    disk: FakeDisk = field(default_factory=FakeDisk)
    security: FakeSecurity = field(default_factory=FakeSecurity)
    sandbox: FakeSandbox = field(default_factory=FakeSandbox)

    @property
    def reading(self) -> Reading:
        """As the core is given it."""
        return Reading(PARSER, self.disk, self.rules, self.security, PLACE, self.sandbox)
