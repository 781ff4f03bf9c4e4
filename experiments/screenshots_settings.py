"""Draws the settings window over real files and a real log: ``experiments.screenshots OUTDIR --settings``.

One process draws one scale (``QT_SCALE_FACTOR``); at 200 % the window is as small as 1366×768 makes it.
"""

import asyncio
import tempfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal, cast

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QScrollArea

from experiments.screenshots_all_settings import open_settings, shoot_all
from jarvis_desktop.adapters.bash_parser import BashParser
from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.adapters.path_facts import DiskLookup
from jarvis_desktop.adapters.rule_book import FileRuleBook
from jarvis_desktop.adapters.rule_files import RuleFiles
from jarvis_desktop.adapters.sqlite_audit_pages import AuditPages
from jarvis_desktop.adapters.sqlite_store import open_store
from jarvis_desktop.app.rule_desk import RuleDesk, RuleDeskParts
from jarvis_desktop.app.rule_parts import shared_out
from jarvis_desktop.core.items.audit import AuditEntry, AuditResult, Ground, Outcome, Subject
from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.items.decisions import AnsweredBy, VerdictKind
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.ids import MAIN_AGENT, AuditId, CallId, QuestionId, SessionId, TurnId
from jarvis_desktop.core.items.room import Room
from jarvis_desktop.core.items.rule_desk import RuleOrder
from jarvis_desktop.core.items.rules import Rule, RuleLine
from jarvis_desktop.core.items.settings_desk import SettingsOrder
from jarvis_desktop.core.items.setup import ChangeSetting
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.policy.facts import Reading
from jarvis_desktop.core.policy.paths import Place as PolicyPlace
from jarvis_desktop.core.settings import SecuritySettings, UiSettings
from jarvis_desktop.ui.qt.desktop import Desktop
from jarvis_desktop.ui.qt.settings_danger_page import DangerPage
from jarvis_desktop.ui.qt.settings_files_page import FilesPage
from jarvis_desktop.ui.qt.settings_page import Place
from jarvis_desktop.ui.qt.settings_rules_page import RulesPage
from jarvis_desktop.ui.qt.settings_window import SettingsWindow

NOW = datetime(2026, 12, 1, 9, 41, tzinfo=UTC)
SMALL = (643, 344)
"""Of 1366×768 pixels at 200 %, less panel and frame."""

SHARED = """# Checked with the team on 12 November.
rules:
  - {tool: bash, pattern: git status}
  - {tool: bash, pattern: git log}   # reading only
  - {tool: bash, pattern: bash -c}
  - {tool: write_file, pattern: "/home/me/Jarvis/notes/*"}
  - {tool: bash}
"""
OWN = """rules:
  - {tool: bash, pattern: npm test}
  - {tool: bash, pattern: uv run}
  - {tool: edit_file, pattern: "/home/me/Jarvis/project/src/app/*"}
"""
MENDED = OWN.replace("npm test", "npm run").replace("- {tool: edit_file", "- {tol: edit_file")


class Clock:
    """Stands still."""

    def now(self) -> datetime:
        """Always the same."""
        return NOW

    def monotonic_s(self) -> float:
        """Always the same."""
        return 0.0

    async def sleep(self, seconds: float) -> None:
        """Takes no time."""


class Security:
    """The defaults and one entry of one's own."""

    def __init__(self) -> None:
        defaults = SecuritySettings.model_validate({})
        own = (*defaults.dangerous_commands, r"git\s+push.*--force", "drop (table|database)")
        self.settings = defaults.model_copy(update={"dangerous_commands": own})

    def known(self) -> SecuritySettings:
        """As they are."""
        return self.settings

    async def fresh(self) -> SecuritySettings:
        """As they are."""
        return self.settings


class Sandbox:
    """Always there."""

    async def holds(self, cwd: str, room: Room) -> bool:
        """Always."""
        del cwd, room
        return True


def decision(
    number: int, tool: str, shown: str, outcome: Outcome, ground: Ground, ended: ResultStatus | None = None
) -> AuditEntry:
    """One entry of the log."""
    at = NOW - timedelta(minutes=37 * number)
    call = Subject(SessionId("s"), TurnId("t"), MAIN_AGENT, CallId(f"c{number}"), tool, "d", shown)
    result = AuditResult(at, ended) if ended else None
    return AuditEntry(AuditId(f"a{number}"), at, call, outcome, ground, result)


def decisions() -> list[AuditEntry]:
    """A working day, oldest first."""
    npm = Rule(RuleLine("bash", "npm test"), "approvals/main.yaml", 2)
    git = Rule(RuleLine("bash", "git status"), "approvals.yaml", 3)

    def by_rule(rule: Rule) -> Ground:
        return Ground(VerdictKind.ALLOW, f"rule:{rule}", (rule,))

    def answered(by: AnsweredBy, *saved: RuleLine) -> Ground:
        return Ground(VerdictKind.ASK, "no-rule", (), by, QuestionId("q"), None, saved)

    danger = Ground(VerdictKind.BLOCK, "danger:recursive-delete")
    ok, bad = ResultStatus.OK, ResultStatus.ERROR
    day = [
        decision(1, "bash", "git status --short", Outcome.ALLOWED, by_rule(git), ok),
        decision(2, "bash", "npm test -- --watch=false", Outcome.ALLOWED, by_rule(npm), bad),
        decision(3, "bash", "rm -rf ~", Outcome.BLOCKED, danger),
        decision(
            4,
            "edit_file",
            "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y",
            Outcome.ALLOWED,
            answered(AnsweredBy.VOICE),
            ok,
        ),
        decision(5, "bash", "git push origin main", Outcome.DENIED, answered(AnsweredBy.WINDOW)),
        decision(6, "bash", "make deploy", Outcome.TIMED_OUT, answered(AnsweredBy.TIMER)),
        decision(7, "bash", "npm test", Outcome.ALWAYS, answered(AnsweredBy.WINDOW, npm.line), ok),
    ]
    more = [
        decision(8 + number, "bash", f"git status --short {number}", Outcome.ALLOWED, by_rule(git), ok)
        for number in range(240)
    ]
    return [*reversed(more), *reversed(day)]


class SettingsStudio:
    """Takes pictures of the settings window in one look and language."""

    def __init__(self, out: Path, language: Language, theme: str, percent: int) -> None:
        self.out, self.name, self.percent = out, f"{theme}-{language.value}-{percent}", percent
        self.texts = Catalog(language)
        self.home = Path(tempfile.mkdtemp())
        (self.home / "approvals").mkdir()
        (self.home / "approvals.yaml").write_text(SHARED, "utf-8")
        (self.home / "approvals" / "main.yaml").write_text(OWN, "utf-8")
        self.waiting: list[Command] = []
        look = cast("Literal['light', 'dark']", theme)
        self.desktop = Desktop(
            self.waiting.append,
            self.texts,
            UiSettings(language="system", theme=look, hotkey=""),
            now=lambda: NOW,
        )

    async def _emit(self, event: Event) -> None:
        self.desktop._take(event)  # noqa: SLF001 - without the queue

    async def _fill(self) -> None:
        opened = await open_store(self.home / "jarvis.db", Clock(), self.texts)
        for entry in decisions():
            await opened.store.add(replace(entry, result=None))
            if entry.result is not None:
                await opened.store.add_result(entry.entry_id, entry.result)
        await opened.store.close()

    async def _serve(self) -> None:
        while self.waiting:
            command = self.waiting.pop(0)
            if isinstance(command, RuleOrder | SettingsOrder):
                self.obey(command)
            elif isinstance(command, ChangeSetting):
                await self.live.change(command)
        await self.desk.close()
        await self.settings.close()

    def _spin(self, ms: int = 320) -> None:
        loop = QEventLoop()
        QTimer.singleShot(ms, loop.quit)
        loop.exec()

    def _settle(self, runner: "asyncio.Runner") -> None:
        for _ in range(3):
            self._spin()
            runner.run(self._serve())

    def shoot(self) -> None:
        """All pictures."""
        with asyncio.Runner() as runner:
            runner.run(self._fill())
            place = PolicyPlace("/home/me/Jarvis", "/home/me", str(self.home))
            files = RuleFiles(self.home)
            self.desk = RuleDesk(
                RuleDeskParts(
                    files,
                    AuditPages(self.home / "jarvis.db", self.texts),
                    Reading(BashParser(), DiskLookup(), FileRuleBook(files), Security(), place, Sandbox()),
                    lambda: Path("/home/me/Jarvis"),
                    Clock(),
                    self.texts,
                    self._emit,
                )
            )
            self.live, self.settings = runner.run(open_settings(self.home, self.texts, self._emit))
            self.obey = shared_out(
                *(lambda _: None, self.desk.obey, lambda _: None, self.settings.obey),
                *(lambda _: None, lambda _: None, lambda _: None, lambda _: None, lambda _: None),
            )
            self._shoot(runner)
        self.desktop._end()  # noqa: SLF001 - no loop of its own is running

    @property
    def window(self) -> SettingsWindow:
        """It is open."""
        window = self.desktop.settings.window
        assert window is not None
        return window

    def _shoot(self, runner: "asyncio.Runner") -> None:
        self.desktop.settings.open()
        self.window.resize(*(SMALL if self.percent > 100 else (1000, 760)))
        self._settle(runner)
        shoot_all(self.window, lambda: self._settle(runner), self._save)
        self.window.go(Place.RULES)
        self._settle(runner)
        self._save("rules")
        self._shoot_rules(runner)
        self._shoot_files(runner)
        self._shoot_danger(runner)
        self.window.go(Place.AUDIT)
        self._settle(runner)
        self._save("audit")
        self._bottom(Place.AUDIT)
        self._save("audit-entry")
        self.window.hide()

    def _shoot_rules(self, runner: "asyncio.Runner") -> None:
        rules = self.window.pages[Place.RULES]
        assert isinstance(rules, RulesPage)
        rules.table.choose(2)
        rules.revoke.click()
        rules.table.choose(4)
        rules.try_call.text.setPlainText("git status && rm -rf ~")
        rules.add_rule.pattern.setText("make test")
        self._settle(runner)
        self._save("rules-revoked")
        self._bottom(Place.RULES)
        self._save("rules-cards")

    def _shoot_files(self, runner: "asyncio.Runner") -> None:
        own = self.home / "approvals" / "main.yaml"
        self.window.go(Place.FILES)
        page = self.window.pages[Place.FILES]
        assert isinstance(page, FilesPage)
        page.open_file("approvals/main.yaml")
        self._settle(runner)
        page.editor.setPlainText(MENDED)
        self._settle(runner)
        self._save("files-error")
        own.write_text(OWN + "  - {tool: bash, pattern: ls}\n", "utf-8")
        page.save.click()
        self._settle(runner)
        page.conflict.both.click()
        self._settle(runner)
        self._save("files-conflict")

    def _shoot_danger(self, runner: "asyncio.Runner") -> None:
        self.window.go(Place.DANGER)
        page = self.window.pages[Place.DANGER]
        assert isinstance(page, DangerPage)
        page.pattern.setText("kubectl delete")
        page.sample.setText("kubectl delete pod web-1")
        self._settle(runner)
        self._save("danger")
        self._bottom(Place.DANGER)
        self._save("danger-own")

    def _bottom(self, place: Place) -> None:
        window = self.window
        area: QScrollArea = window._areas[place]  # noqa: SLF001 - to scroll it
        area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())

    def _save(self, what: str) -> None:
        self._spin(60)
        self.window.grab().save(str(self.out / f"settings-{what}-{self.name}.png"))
