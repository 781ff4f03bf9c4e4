"""The rules' desk over real rule files and a real database, on a loop that the test drives."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from jarvis_desktop.adapters.bash_parser import BashParser
from jarvis_desktop.adapters.path_facts import DiskLookup
from jarvis_desktop.adapters.rule_book import FileRuleBook
from jarvis_desktop.adapters.rule_files import RuleFiles
from jarvis_desktop.adapters.sqlite_audit_pages import AuditPages
from jarvis_desktop.adapters.sqlite_store import open_store
from jarvis_desktop.app.rule_desk import RuleDesk, RuleDeskParts
from jarvis_desktop.core.items.audit import AuditEntry
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.rule_desk import RuleCommand
from jarvis_desktop.core.policy.facts import Reading
from jarvis_desktop.core.policy.paths import Place
from jarvis_desktop.core.ports import Texts
from tests.fakes.clock import FakeClock
from tests.fakes.reading import FakeSandbox, FakeSecurity
from tests.fakes.texts import PlainTexts

E = TypeVar("E", bound=Event)

SHARED = """# of the whole team
rules:
  - {tool: bash, pattern: git status}
  - {tool: bash, pattern: bash -c}
"""
OWN = """rules:
  # asked for on Monday
  - {tool: bash, pattern: npm test}   # the tests
  - {tool: bash, pattern: make}
"""


@dataclass
class RuleRoom:
    """A home with rule files; ``ask`` does what a window asks for and gives back what it is told."""

    top: Path
    texts: Texts = field(default_factory=PlainTexts)

    def __post_init__(self) -> None:
        self.home = self.top / ".jarvis"
        self.project = self.top / "proj"
        (self.home / "approvals").mkdir(parents=True)
        self.project.mkdir()
        self.shared, self.own = self.home / "approvals.yaml", self.home / "approvals" / "main.yaml"
        self.shared.write_text(SHARED, "utf-8")
        self.own.write_text(OWN, "utf-8")
        self.clock, self.security, self.sandbox = FakeClock(), FakeSecurity(), FakeSandbox()
        self.told: list[Event] = []
        self._runner = asyncio.Runner()
        # A desk belongs to a loop.
        self.desk = self._runner.run(self._open())

    async def _open(self) -> RuleDesk:
        files = RuleFiles(self.home)
        place = Place(str(self.project), str(self.top), str(self.home))
        book = FileRuleBook(RuleFiles(self.home))
        return RuleDesk(
            RuleDeskParts(
                files=files,
                pages=AuditPages(self.home / "jarvis.db", self.texts),
                reading=Reading(BashParser(), DiskLookup(), book, self.security, place, self.sandbox),
                folder=lambda: self.project,
                clock=self.clock,
                texts=self.texts,
                emit=self._emit,
            )
        )

    async def _emit(self, event: Event) -> None:
        self.told.append(event)

    def ask(self, *commands: RuleCommand) -> list[Event]:
        """What is told about these, in order."""
        self.told.clear()

        async def done() -> None:
            for command in commands:
                self.desk.obey(command)
            await self.desk.close()

        self._runner.run(done())
        return list(self.told)

    def one(self, kind: type[E], *commands: RuleCommand) -> E:
        """The only event of a kind that these lead to."""
        found = [event for event in self.ask(*commands) if isinstance(event, kind)]
        assert len(found) == 1, self.told
        return found[0]

    def record(self, entries: Sequence[AuditEntry]) -> None:
        """Put decisions into the database, as a running program does."""

        async def add() -> None:
            opened = await open_store(self.home / "jarvis.db", self.clock, PlainTexts())
            for entry in entries:
                await opened.store.add(replace(entry, result=None))
                if entry.result is not None:
                    await opened.store.add_result(entry.entry_id, entry.result)
            await opened.store.close()

        self._runner.run(add())

    def close(self) -> None:
        """The loop is gone."""
        self._runner.close()
