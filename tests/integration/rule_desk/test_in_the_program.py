"""The desk where the program has it: behind the same loop as turns, with the same settings and rules."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import pytest

from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.adapters.settings_file import load_settings
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.app.compose import run_core
from jarvis_desktop.app.options import Start, Surface
from jarvis_desktop.core.items.commands import Command, Quit
from jarvis_desktop.core.items.decisions import VerdictKind
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.rule_desk import (
    AddRule,
    AuditLooked,
    CallTried,
    LookAtAudit,
    LookAtRules,
    ReadRuleFile,
    RevokeRule,
    RuleFileRead,
    RuleRevoked,
    RulesLooked,
    SaveRuleText,
    TryCall,
)
from jarvis_desktop.core.items.rule_facts import AuditFilter, Layer
from jarvis_desktop.core.items.rules import RuleLine
from jarvis_desktop.core.items.settings_desk import (
    LookAtSettings,
    SettingsLooked,
    SettingTried,
    TrySetting,
)
from jarvis_desktop.core.items.setup import ChangeSetting, SettingsChanged
from jarvis_desktop.core.items.speech import Language

E = TypeVar("E", bound=Event)
SETTINGS = "model: {host: 'http://127.0.0.1:9'}\nagent: {working_directory: %s}\n"


@dataclass
class Running:
    """The core, and what it says."""

    home: Path
    inbox: "asyncio.Queue[Command]" = field(default_factory=asyncio.Queue)
    events: "asyncio.Queue[Event]" = field(default_factory=asyncio.Queue)

    async def ask(self, command: Command, kind: type[E]) -> E:
        """The next event of a kind after ``command``."""
        self.inbox.put_nowait(command)
        async with asyncio.timeout(20):
            while True:
                event = await self.events.get()
                if isinstance(event, kind):
                    return event

    async def serve(self) -> None:
        settings, problems = load_settings(self.home)
        start = Start(self.home, settings, Catalog(Language.ENGLISH), problems, voice=False)
        surface = Surface(self.events.put_nowait, self.inbox.put_nowait)
        await run_core(self.inbox, start, SystemClock(), surface)


@pytest.fixture
async def running(tmp_path: Path) -> AsyncIterator[Running]:
    home = tmp_path / ".jarvis"
    home.mkdir(mode=0o700)
    (home / "settings.yaml").write_text(SETTINGS % (tmp_path / "work"), "utf-8")
    (home / "approvals.yaml").write_text("rules:\n  - {tool: bash, pattern: git status}\n", "utf-8")
    running = Running(home)
    core = asyncio.create_task(running.serve())
    yield running
    running.inbox.put_nowait(Quit())
    async with asyncio.timeout(20):
        await core


async def test_rules_settings_and_decisions_are_those_of_the_program(running: Running) -> None:
    facts = (await running.ask(LookAtRules(), RulesLooked)).facts
    assert [str(held.rule) for held in facts.rules] == ["bash: git status (approvals.yaml, line 2)"]
    assert facts.folder == str(running.home.parent / "work")
    blocked = await running.ask(TryCall(1, "bash", "sudo ls", ""), CallTried)
    assert blocked.verdict.kind is VerdictKind.BLOCK
    kept = tuple(entry for entry in facts.danger if entry != "privilege")
    await running.ask(ChangeSetting("security.dangerous_commands", kept), SettingsChanged)
    asked = await running.ask(TryCall(2, "bash", "sudo ls", ""), CallTried)
    assert asked.verdict.kind is VerdictKind.ASK
    await running.ask(RevokeRule(facts.rules[0].rule), RuleRevoked)
    assert "git status" not in (running.home / "approvals.yaml").read_text("utf-8")
    assert (await running.ask(LookAtAudit(1, AuditFilter()), AuditLooked)).total == 0


async def test_the_settings_that_windows_are_shown_are_those_of_the_program(running: Running) -> None:
    looked = await running.ask(LookAtSettings(), SettingsLooked)
    values = {one.name: one.value for one in looked.settings}
    assert values["agent.working_directory"] == str(running.home.parent / "work")
    assert (looked.problems, looked.folder) == ((), str(running.home))
    tried = await running.ask(TrySetting(7, "voice.request_silence_s", 30), SettingTried)
    assert (tried.number, "the most allowed is 5 (seconds)" in tried.problem) == (7, True)
    read = await running.ask(ReadRuleFile("settings.yaml"), RuleFileRead)
    assert read.text == (running.home / "settings.yaml").read_text("utf-8")
    text = f"{read.text}web: {{enabled: false}}\n"
    changed = await running.ask(SaveRuleText("settings.yaml", text, read.digest), SettingsChanged)
    assert changed.changed == {"web.enabled": False}


async def test_what_was_asked_for_right_before_the_end_is_done(tmp_path: Path) -> None:
    home = tmp_path / ".jarvis"
    home.mkdir(mode=0o700)
    (home / "settings.yaml").write_text(SETTINGS % (tmp_path / "work"), "utf-8")
    running = Running(home)
    core = asyncio.create_task(running.serve())
    await running.ask(LookAtRules(), RulesLooked)
    running.inbox.put_nowait(AddRule(RuleLine("bash", "git log"), Layer.AGENT))
    running.inbox.put_nowait(Quit())
    async with asyncio.timeout(20):
        await core
    assert "git log" in (home / "approvals" / "main.yaml").read_text("utf-8")
