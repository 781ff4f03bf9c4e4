"""The settings window over real rule files: what a person does there is done, and seen."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QTableWidget,
    QWidget,
)

from jarvis_desktop.core.items.audit import Outcome
from jarvis_desktop.core.items.calls import ToolCall, ToolResult
from jarvis_desktop.core.items.events import CoreStopped, ToolFinished
from jarvis_desktop.core.items.ids import CallId, TurnId
from jarvis_desktop.core.items.rule_desk import (
    ExportAudit,
    LookAtRules,
    RevokeRule,
    RuleOrder,
    RuleWish,
    RuleWishRefused,
    SaveRuleText,
)
from jarvis_desktop.core.items.rule_facts import AuditFilter
from jarvis_desktop.core.items.rules import Rule, RuleLine
from jarvis_desktop.core.items.setup import ChangeSetting, SettingRefused, SettingsChanged
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.policy.danger import DEFAULT_ENTRIES
from jarvis_desktop.ui import rule_words
from jarvis_desktop.ui.qt.settings_audit_page import AuditPage
from jarvis_desktop.ui.qt.settings_danger_page import SETTING, DangerPage
from jarvis_desktop.ui.qt.settings_files_page import FilesPage
from jarvis_desktop.ui.qt.settings_page import Place, SettingsPage, raw_text
from jarvis_desktop.ui.qt.settings_rules_page import RulesPage
from jarvis_desktop.ui.qt.settings_window import SettingsWindow
from tests.fakes.audit import by_person, by_rule
from tests.parts.rules import OWN, SHARED, RuleRoom
from tests.ui.conftest import Stage
from tests.ui.setup_samples import TwoTongues

NPM = Rule(RuleLine("bash", "npm test"), "approvals/main.yaml", 3)
KEYS = Qt.Key
INPUTS = (QPushButton, QComboBox, QLineEdit, QPlainTextEdit, QTableWidget, QListWidget, QCheckBox)


class Settings:
    """The settings window on a stage, with the real desk behind it."""

    def __init__(self, stage: Stage, room: RuleRoom) -> None:
        self.stage, self.room, self._answered = stage, room, 0
        stage.desktop.settings.open()
        self.serve()

    @property
    def window(self) -> SettingsWindow:
        window = self.stage.desktop.settings.window
        assert window is not None
        return window

    def serve(self) -> None:
        """Do what was asked for, until nothing more is; what waits for more typing is asked for now."""
        for _ in range(6):
            self._hurry()
            if self._answered == len(self.stage.sent):
                return
            while self._answered < len(self.stage.sent):
                command = self.stage.sent[self._answered]
                self._answered += 1
                if isinstance(command, RuleOrder):
                    self.stage.take(*self.room.ask(command))
                elif isinstance(command, ChangeSetting):
                    self.room.security.set(dangerous_commands=command.value)
                    self.stage.take(SettingsChanged({command.name: command.value}))

    def _hurry(self) -> None:
        """What waits for a pause in typing waits no longer."""
        pages = self.window.pages.values()
        for part in [*pages, *(card for page in pages for card in page.findChildren(QWidget))]:
            timer = getattr(part, "_timer", None)
            if timer is not None and timer.isActive():
                timer.stop()
                timer.timeout.emit()
        QApplication.processEvents()

    def at(self, place: Place) -> SettingsPage:
        """Turn to a page."""
        self.window.go(place)
        self.serve()
        return self.window.pages[place]

    def is_at(self, place: Place) -> bool:
        return self.window.place == place

    @property
    def rules(self) -> RulesPage:
        page = self.at(Place.RULES)
        assert isinstance(page, RulesPage)
        return page

    @property
    def files(self) -> FilesPage:
        page = self.at(Place.FILES)
        assert isinstance(page, FilesPage)
        return page

    @property
    def danger(self) -> DangerPage:
        page = self.at(Place.DANGER)
        assert isinstance(page, DangerPage)
        return page

    @property
    def audit(self) -> AuditPage:
        page = self.window.pages[Place.AUDIT]
        assert isinstance(page, AuditPage)
        return page

    def own_file(self) -> FilesPage:
        """The agent's file in the editor."""
        page = self.files
        page.open_file("approvals/main.yaml")
        self.serve()
        return page

    def type(self, field: QWidget, text: str) -> None:
        """Write into a field."""
        QTest.keyClicks(field, text)
        self.serve()

    def press(self, button: QWidget) -> None:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        self.serve()

    def key(self, widget: QWidget, key: Qt.Key, modifier: Qt.KeyboardModifier | None = None) -> None:
        QTest.keyClick(widget, key, modifier or Qt.KeyboardModifier.NoModifier)
        self.serve()


@pytest.fixture
def room(tmp_path: Path) -> Iterator[RuleRoom]:
    room = RuleRoom(tmp_path)
    yield room
    room.close()


@pytest.fixture
def settings(staged: Callable[..., Stage], room: RuleRoom) -> Settings:
    return Settings(staged(start_hidden=True), room)


def cells(table: QTableWidget, column: int) -> list[str]:
    items = (table.item(row, column) for row in range(table.rowCount()))
    return [item.text() if item else "" for item in items]


# --- coming and going -------------------------------------------------------------------------


def test_tray_header_and_keys_open_the_window(stage: Stage) -> None:
    stage.desktop.tray.settings.trigger()
    window = stage.desktop.settings.window
    assert window is not None
    assert window.isVisible()
    window.reject()
    QTest.mouseClick(stage.window.header.settings, Qt.MouseButton.LeftButton)
    assert window.isVisible()
    window.reject()
    (action,) = [a for a in stage.window.actions() if a.shortcut().toString() == "Ctrl+Alt+,"]
    assert isinstance(action, QAction)
    action.trigger()
    assert window.isVisible()


def test_the_window_looks_for_changes_only_while_it_is_seen(settings: Settings) -> None:
    assert settings.window._timer.isActive()
    settings.window._timer.timeout.emit()
    assert isinstance(settings.stage.sent[-1], LookAtRules)
    settings.window.reject()
    assert not settings.window._timer.isActive()


def test_looking_by_itself_is_no_sign_of_a_person(settings: Settings) -> None:
    touched: list[None] = []
    settings.stage.desktop.idle.touched = lambda: touched.append(None)  # type: ignore[method-assign] # counted
    settings.window._timer.timeout.emit()
    assert touched == []
    settings.press(settings.rules.revoke)
    assert touched


def test_the_end_of_the_core_is_said_in_the_window(settings: Settings) -> None:
    settings.stage.take(CoreStopped("Jarvis has ended. Start it again."))
    assert settings.window.notice.text() == "Jarvis has ended. Start it again."


# --- rules ------------------------------------------------------------------------------------


def test_rules_of_both_layers_show_with_their_warning(settings: Settings) -> None:
    table = settings.rules.table
    assert cells(table, 1) == ["git status", "bash -c", "npm test", "make"]
    assert cells(table, 2) == ["every agent", "every agent", "main", "main"]
    table.choose(1)
    assert "never allows" in settings.rules.warning.text()


@pytest.mark.promise("T-092")
def test_delete_revokes_at_once_and_ctrl_z_puts_it_back(settings: Settings, room: RuleRoom) -> None:
    page = settings.rules
    page.table.setFocus()
    page.table.choose(2)
    settings.key(page.table, KEYS.Key_Delete)
    assert "npm test" not in room.own.read_text("utf-8")
    assert cells(page.table, 1) == ["git status", "bash -c", "make"]
    assert page.table.currentRow() == 2  # what stands there now, so that the next key does not miss
    assert page.bar.isVisible()
    settings.key(page.table, KEYS.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert room.own.read_text("utf-8") == OWN
    assert not page.bar.isVisible()
    assert page.table.currentRow() == 2


def test_the_keyboard_stays_with_the_rules_when_the_last_one_goes_and_comes_back(
    settings: Settings, room: RuleRoom
) -> None:
    room.shared.unlink()
    room.own.write_text("rules:\n  - {tool: bash, pattern: make}\n", "utf-8")
    settings.window._timer.timeout.emit()
    settings.serve()
    page = settings.rules
    page.table.setFocus()
    settings.key(page.table, KEYS.Key_Delete)
    assert not page.table.isVisible()
    assert page.undo.hasFocus()
    settings.key(page.undo, KEYS.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert cells(page.table, 1) == ["make"]
    assert page.table.hasFocus()


def test_several_revoked_rules_come_back_one_by_one_while_the_window_is_open(
    settings: Settings, room: RuleRoom
) -> None:
    page = settings.rules
    for _ in range(2):
        page.table.choose(0)
        settings.press(page.revoke)
    assert "(1 more before it)" in page.gone.text()
    settings.press(page.undo)
    settings.press(page.undo)
    assert room.shared.read_text("utf-8") == SHARED
    page.table.choose(0)
    settings.press(page.revoke)
    settings.window.reject()
    settings.stage.desktop.settings.open()
    settings.serve()
    assert not page.bar.isVisible()


def test_a_refused_wish_is_said_below(settings: Settings) -> None:
    settings.stage.take(RuleWishRefused(RuleWish.REVOKE, "approvals.yaml cannot be written."))
    assert settings.window.notice.text() == "approvals.yaml cannot be written."
    assert settings.window.notice.isVisible()


def test_enter_on_a_rule_leads_to_what_it_allowed_and_back(settings: Settings, room: RuleRoom) -> None:
    made = by_person(Outcome.ALWAYS, (NPM.line,))
    room.record([made, by_rule(), by_rule(NPM)])
    page = settings.rules
    page.table.choose(2)
    settings.key(page.table, KEYS.Key_Return)
    assert settings.is_at(Place.AUDIT)
    assert settings.audit.wanted() == AuditFilter(rule=NPM)
    assert len(settings.audit.entries) == 1
    settings.key(settings.audit.table, KEYS.Key_Return)
    assert settings.is_at(Place.RULES)
    assert page.table.currentRow() == 2
    settings.press(page.origin)
    assert [entry.entry_id for entry in settings.audit.entries] == [made.entry_id]
    settings.press(settings.audit.all)
    assert len(settings.audit.entries) == 3


def test_a_rule_is_added_by_form_after_its_examples_were_seen(settings: Settings, room: RuleRoom) -> None:
    form = settings.rules.add_rule
    settings.type(form.pattern, "git log")
    assert "git log --help" in form.passes.text()
    assert "git log > notes.txt" in form.asks.text()
    form.layer.setCurrentIndex(1)
    settings.key(form.pattern, KEYS.Key_Return)
    assert room.shared.read_text("utf-8") == SHARED + "  - {tool: bash, pattern: git log}\n"
    assert form.done.text() == "bash: git log is in approvals.yaml and counts from now on."
    assert form.pattern.text() == ""
    assert "git log" in cells(settings.rules.table, 1)


def test_a_rule_that_never_allows_is_shown_as_such_before_it_is_added(settings: Settings) -> None:
    form = settings.rules.add_rule
    settings.type(form.pattern, "env")
    assert "never allows" in form.warning.text()
    assert form.passes.text() == ""


def test_a_command_is_tried_while_it_is_typed_and_again_when_rules_change(settings: Settings) -> None:
    page, card = settings.rules, settings.rules.try_call
    settings.type(card.text, "npm test --all")
    assert (card.verdict.text(), card.to_rule.isVisible()) == ("Runs without asking", True)
    page.table.choose(2)
    settings.press(page.revoke)
    assert (card.verdict.text(), card.to_rule.isVisible()) == ("Asks you", False)
    card.text.setPlainText("npm test && sudo ls")
    settings.serve()
    assert card.verdict.text() == "Refused without asking"
    assert card.source.text() == "From the danger list: privilege"
    card.text.clear()
    settings.serve()
    assert not card.verdict.isVisible()


def test_the_rule_behind_a_tried_command_is_shown(settings: Settings) -> None:
    card = settings.rules.try_call
    settings.type(card.text, "make")
    settings.press(card.to_rule)
    assert settings.rules.table.currentRow() == 3


def test_a_path_is_tried_for_the_tool_and_the_folder_that_are_chosen(
    settings: Settings, room: RuleRoom
) -> None:
    rule = f'rules:\n  - {{tool: write_file, pattern: "{room.project}/notes/*"}}\n'
    room.shared.write_text(rule, "utf-8")
    card = settings.rules.try_call
    card.tool.setCurrentIndex(card.tool.findData("write_file"))
    settings.type(card.text, "notes/a.md")
    assert card.verdict.text() == "Runs without asking"
    settings.type(card.folder, str(room.top))
    assert card.verdict.text() == "Asks you"


# --- rule files -------------------------------------------------------------------------------


def test_an_edit_is_checked_while_typing_and_saved_with_its_comments(
    settings: Settings, room: RuleRoom
) -> None:
    page = settings.own_file()
    page.editor.setPlainText(OWN.replace("pattern: make", "patern: make"))
    settings.serve()
    assert page.editor.marked == {4: False}
    (line,) = [page.problems.item(row).text() for row in range(page.problems.count())]
    assert line.startswith('Line 4: "patern" means nothing in a rule')
    page.editor.moveCursor(page.editor.textCursor().MoveOperation.Start)
    page.problems.itemActivated.emit(page.problems.item(0))
    assert page.editor.textCursor().blockNumber() == 3
    page.editor.setPlainText(OWN.replace("make", "git log"))
    settings.serve()
    assert page.editor.marked == {}
    settings.key(page.editor, KEYS.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert room.own.read_text("utf-8") == OWN.replace("make", "git log")
    assert page.state.text() == "Saved"
    assert not page.save.isEnabled()


def test_a_rule_that_never_allows_is_marked_as_a_warning(settings: Settings) -> None:
    assert settings.files.editor.marked == {4: True}


def test_unchanged_text_follows_the_file(settings: Settings, room: RuleRoom) -> None:
    page = settings.own_file()
    room.own.write_text("rules: [] # new\n", "utf-8")
    settings.window._timer.timeout.emit()
    settings.serve()
    assert raw_text(page.editor) == "rules: [] # new\n"
    assert not page.conflict.isVisible()


@pytest.fixture
def conflict(settings: Settings, room: RuleRoom) -> FilesPage:
    """My edit, and theirs on disk; nothing was lost yet."""
    page = settings.own_file()
    page.editor.setPlainText("rules: [] # mine\n")
    settings.serve()
    room.own.write_text("rules: [] # theirs\n", "utf-8")
    settings.press(page.save)
    assert page.conflict.isVisible()
    assert raw_text(page.editor) == "rules: [] # mine\n"
    assert room.own.read_text("utf-8") == "rules: [] # theirs\n"
    return page


def test_keep_mine_writes_over_what_was_shown(
    settings: Settings, room: RuleRoom, conflict: FilesPage
) -> None:
    settings.press(conflict.conflict.keep)
    assert room.own.read_text("utf-8") == "rules: [] # mine\n"
    assert not conflict.conflict.isVisible()


def test_keep_mine_asks_again_when_the_file_changed_once_more(
    settings: Settings, room: RuleRoom, conflict: FilesPage
) -> None:
    room.own.write_text("rules: [] # newer\n", "utf-8")
    settings.press(conflict.conflict.keep)
    assert room.own.read_text("utf-8") == "rules: [] # newer\n"
    assert conflict.conflict.isVisible()


def test_take_theirs_shows_what_is_on_disk(settings: Settings, conflict: FilesPage) -> None:
    settings.press(conflict.conflict.theirs)
    assert raw_text(conflict.editor) == "rules: [] # theirs\n"
    assert not conflict.save.isEnabled()


def test_both_can_be_compared_before_deciding(settings: Settings, conflict: FilesPage) -> None:
    settings.press(conflict.conflict.both)
    shown = conflict.conflict.difference
    assert shown is not None
    assert "-rules: [] # theirs" in shown.toPlainText()
    assert "+rules: [] # mine" in shown.toPlainText()
    assert conflict.conflict.isVisible()


def test_a_change_on_disk_is_told_while_typing_and_not_only_when_saving(
    settings: Settings, room: RuleRoom
) -> None:
    page = settings.own_file()
    settings.type(page.editor, "#")
    room.own.write_text("rules: []\n", "utf-8")
    settings.window._timer.timeout.emit()
    settings.serve()
    assert page.conflict.isVisible()
    assert not page.save.isEnabled()


def test_what_is_not_saved_stays_over_other_files_and_a_closed_window(settings: Settings) -> None:
    page = settings.own_file()
    page.editor.setPlainText("# mine\n")
    settings.serve()
    page.open_file("approvals.yaml")
    settings.serve()
    assert raw_text(page.editor) == SHARED
    settings.window.reject()
    settings.stage.desktop.settings.open()
    page.open_file("approvals/main.yaml")
    settings.serve()
    assert raw_text(page.editor) == "# mine\n"
    settings.press(page.revert)
    assert raw_text(page.editor) == OWN


def test_what_is_typed_while_a_save_is_on_its_way_is_still_unsaved(
    settings: Settings, room: RuleRoom
) -> None:
    page = settings.own_file()
    page.editor.setPlainText("# one\n")
    QTest.mouseClick(page.save, Qt.MouseButton.LeftButton)
    page.editor.setPlainText("# one\n# two\n")
    settings.serve()
    assert room.own.read_text("utf-8") == "# one\n"
    assert page.save.isEnabled()
    assert isinstance([c for c in settings.stage.sent if isinstance(c, SaveRuleText)][-1], SaveRuleText)


def test_strange_spaces_are_saved_as_they_are(settings: Settings, room: RuleRoom) -> None:
    room.own.write_text("# a\u00a0b\nrules: []\n", "utf-8")
    page = settings.own_file()
    page.editor.moveCursor(page.editor.textCursor().MoveOperation.End)
    settings.type(page.editor, "#")
    settings.press(page.save)
    assert room.own.read_text("utf-8") == "# a\u00a0b\nrules: []\n#"


def test_a_rule_leads_to_its_line_in_the_file(settings: Settings) -> None:
    page = settings.rules
    page.table.choose(3)
    settings.press(page.edit)
    assert (settings.window.place, settings.files.shown) == (Place.FILES, "approvals/main.yaml")
    assert settings.files.editor.textCursor().blockNumber() == 3


# --- danger list ------------------------------------------------------------------------------


def test_a_detector_is_switched_off_and_the_guard_of_the_rules_cannot_be(settings: Settings) -> None:
    page = settings.danger
    assert all(tick.isChecked() for tick in page.ticks.values())
    assert not page.ticks["rule-files"].isEnabled()
    settings.press(page.ticks["power"])
    (sent,) = settings.stage.of(ChangeSetting)
    assert sent == ChangeSetting(SETTING, tuple(name for name in DEFAULT_ENTRIES if name != "power"))
    assert not page.ticks["power"].isChecked()


def test_every_detector_has_a_tick() -> None:
    assert tuple(rule_words.DETECTORS) == DEFAULT_ENTRIES


def test_a_refused_change_puts_the_tick_back_and_says_why(settings: Settings) -> None:
    page = settings.danger
    page.ticks["power"].click()
    settings._answered = len(settings.stage.sent)  # the setting was not written
    settings.stage.take(SettingRefused(SETTING, "A variable is set and wins over the file."))
    assert page.ticks["power"].isChecked()
    assert settings.window.notice.text() == "A variable is set and wins over the file."


def test_an_own_entry_is_tried_added_and_removed(settings: Settings, room: RuleRoom) -> None:
    page = settings.danger
    settings.type(page.pattern, "push(")
    assert "is no regular expression" in page.found.text()
    assert not page.add.isEnabled()
    settings.key(page.pattern, KEYS.Key_Return)
    assert settings.stage.of(ChangeSetting) == []
    page.pattern.clear()
    settings.type(page.pattern, "push.*--force")
    settings.type(page.sample, "git push --force")
    assert page.found.text() == "It would refuse this command: it finds “push --force”."
    settings.press(page.add)
    assert room.security.settings.dangerous_commands == (*DEFAULT_ENTRIES, "push.*--force")
    page.own.setCurrentRow(0)
    settings.press(page.remove)
    assert room.security.settings.dangerous_commands == DEFAULT_ENTRIES


def test_a_broken_entry_is_named_with_what_it_does(settings: Settings, room: RuleRoom) -> None:
    room.security.set(dangerous_commands=("power", "a("))
    page = settings.danger
    assert "every command is asked about" in page.trouble.text()
    assert not page.ticks["privilege"].isChecked()


# --- decisions --------------------------------------------------------------------------------


def test_filters_narrow_and_more_is_shown_on_demand(settings: Settings, room: RuleRoom) -> None:
    denied = by_person(Outcome.DENIED)
    room.record([denied, *(by_rule(NPM) for _ in range(230))])
    settings.at(Place.AUDIT)
    page = settings.audit
    assert page.count.text() == "200 of 231 decisions"
    settings.press(page.more)
    assert (page.count.text(), page.more.isVisible()) == ("231 of 231 decisions", False)
    assert page.table.currentRow() == 200
    page.outcome.setCurrentIndex(page.outcome.findData("denied"))
    page.outcome.activated.emit(page.outcome.currentIndex())
    settings.serve()
    assert [entry.entry_id for entry in page.entries] == [denied.entry_id]
    assert "in a window" in page.facts.text()
    assert not page.to_rule.isVisible()
    settings.type(page.text, "nothing like it")
    assert page.count.text() == "No decisions are on record."


def test_a_new_decision_comes_on_top_and_the_chosen_one_stays_chosen(
    settings: Settings, room: RuleRoom
) -> None:
    first = by_person(Outcome.DENIED)
    room.record([first])
    settings.at(Place.AUDIT)
    call = ToolCall(CallId("c"), "bash")
    room.record([by_rule(NPM)])
    settings.stage.take(ToolFinished(TurnId("t"), call, ToolResult(CallId("c"), "bash", ""), 0.1))
    settings.serve()
    page = settings.audit
    assert len(page.entries) == 2
    assert page.entries[page.table.currentRow()].entry_id == first.entry_id


def test_what_is_shown_is_what_is_exported(settings: Settings, room: RuleRoom) -> None:
    room.record([by_person(Outcome.DENIED), by_rule(NPM)])
    settings.at(Place.AUDIT)
    settings.type(settings.audit.text, "status")
    path = str(room.top / "out.jsonl")
    settings.audit.export_to(path)
    settings.serve()
    assert settings.stage.of(ExportAudit) == [ExportAudit(AuditFilter(text="status"), path)]
    assert settings.audit.done.text() == f"2 decisions are in {path}."


def test_deceiving_characters_in_a_command_show_as_codes(settings: Settings, room: RuleRoom) -> None:
    entry = by_rule(NPM)
    room.record([replace(entry, subject=replace(entry.subject, shown="cat \u202etxt.exe"))])
    settings.at(Place.AUDIT)
    assert "⟨U+202E⟩" in cells(settings.audit.table, 2)[0]
    assert "⟨U+202E⟩" in settings.audit.detail.toPlainText()


# --- everybody --------------------------------------------------------------------------------


@pytest.mark.parametrize("place", list(Place))
def test_every_control_has_a_name_and_can_be_reached_by_tab(settings: Settings, place: Place) -> None:
    page = settings.at(place)
    for control in page.findChildren(QWidget):
        if isinstance(control, INPUTS) and control.isVisible():
            assert control.accessibleName() or getattr(control, "text", str)(), control.objectName()
            assert control.focusPolicy() & Qt.FocusPolicy.TabFocus, control.objectName()


@pytest.mark.parametrize("place", list(Place))
def test_every_page_fits_a_window_of_1366_pixels_at_200_percent(settings: Settings, place: Place) -> None:
    settings.window.resize(643, 344)
    page = settings.at(place)
    QApplication.processEvents()
    area: QScrollArea = settings.window._areas[place]
    assert page.minimumSizeHint().width() <= area.viewport().width()
    for button in page.findChildren(QPushButton):
        assert not button.isVisible() or button.width() >= button.minimumSizeHint().width(), button.text()


def test_another_language_keeps_what_was_typed(staged: Callable[..., Stage], room: RuleRoom) -> None:
    tongues = TwoTongues()
    settings = Settings(staged(start_hidden=True, texts=tongues), room)
    settings.type(settings.rules.try_call.text, "make all")
    settings.type(settings.rules.add_rule.pattern, "git log")
    settings.own_file().editor.setPlainText("# mine\n")
    settings.serve()
    tongues.language = Language.KOREAN
    settings.stage.desktop.retranslate()
    settings.serve()
    assert settings.window.windowTitle() == "ko Settings"
    assert settings.is_at(Place.FILES)
    assert raw_text(settings.files.editor) == "# mine\n"
    assert raw_text(settings.rules.try_call.text) == "make all"
    assert settings.rules.add_rule.pattern.text() == "git log"
    assert settings.rules.try_call.verdict.text() == "ko Runs without asking"


def test_a_rule_of_a_window_names_its_file(settings: Settings) -> None:
    page = settings.rules
    page.table.choose(2)
    settings.press(page.revoke)
    assert settings.stage.of(RevokeRule) == [RevokeRule(NPM)]
