"""What a decision about a tool call has to know, and what guards it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from jarvis_desktop.core.items.audit import AuditEntry, AuditResult
from jarvis_desktop.core.items.ids import AgentId, AuditId
from jarvis_desktop.core.items.path_facts import PathFact
from jarvis_desktop.core.items.room import Room
from jarvis_desktop.core.items.rules import Rule, RuleLine
from jarvis_desktop.core.items.shell_syntax import ParsedShell


class ShellParser(Protocol):
    """Reads shell text without running any of it."""

    def parse(self, text: str) -> ParsedShell:
        """What ``text`` holds. Never raises: text that cannot be read comes back ``damaged``."""


class PathLookup(Protocol):
    """Looks at the disk for a decision; nothing is changed and nothing waits for a device."""

    async def facts(self, paths: Sequence[str]) -> Mapping[str, PathFact]:
        """Facts by absolute path; a path that could not be looked at is absent."""

    async def scripts(self, paths: Sequence[str]) -> Mapping[str, str]:
        """Text of each path that is a readable script of modest size."""


@dataclass(frozen=True, slots=True, eq=False)
class HeldRules:
    """The remembered rules of one agent. As long as no file changes it is the very same object."""

    rules: tuple[Rule, ...] = ()
    problems: tuple[str, ...] = ()
    """Entries that do not count, each with file and line (decision 11)."""


class RuleBook(Protocol):
    """The approval rule files; looked at before every decision."""

    async def load(self, agent_id: AgentId) -> HeldRules:
        """The rules that count now. Never raises: a broken file holds no rules and says so."""

    def file_of(self, agent_id: AgentId) -> str:
        """The file that ``save`` writes, as people write it: ``approvals/main.yaml``."""

    async def save(self, agent_id: AgentId, lines: Sequence[RuleLine]) -> tuple[RuleLine, ...]:
        """Remember ``lines``; what came is what was new (nothing where the files hold it already).

        Raises:
            UserFixableError: the file is broken or cannot be written; it is as it was.
        """

    async def revoke(self, rule: Rule) -> None:
        """Forget ``rule``; it no longer counts when this returns.

        Raises:
            UserFixableError: it is not there any more, or the file cannot be written.
        """


class AuditLog(Protocol):
    """Every decision about a tool call, on disk. Nothing in it is ever changed or removed."""

    async def add(self, entry: AuditEntry) -> None:
        """The decision is on disk; its result is told later."""

    async def add_result(self, entry_id: AuditId, result: AuditResult) -> None:
        """How the call of that entry ended."""

    async def entries(self, since: datetime | None = None) -> tuple[AuditEntry, ...]:
        """Every entry from ``since`` on, oldest first."""


class Sandbox(Protocol):
    """The closed room in which commands run that a rule covers."""

    async def holds(self, cwd: str, room: Room) -> bool:
        """A command would really be confined there now; while false, a rule alone starts no command."""


@dataclass(frozen=True, slots=True)
class NoSandbox:
    """Nothing confines commands."""

    async def holds(self, cwd: str, room: Room) -> bool:
        """Never."""
        del cwd, room
        return False
