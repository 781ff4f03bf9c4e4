"""All settings in the whole window: the banner over every page, and the file's text in the editor."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from jarvis_desktop.core.items.settings_desk import FILE, LookAtSettings
from jarvis_desktop.ui.qt.settings_all_page import AllPage
from jarvis_desktop.ui.qt.settings_files_page import FilesPage
from jarvis_desktop.ui.qt.settings_page import Place
from jarvis_desktop.ui.qt.settings_values_typed import LinesControl
from jarvis_desktop.ui.qt.settings_window import SettingsWindow
from tests.parts.live_settings import SettingsRoom
from tests.ui.conftest import Stage

WRONG = "# mine\nvoice:\n  request_silence_s: 30\nmodle: {name: x}\nweb: {page_max_kb: 1, brave_keys: x}\n"


class Opened:
    """The window on a stage, with the real desk of settings behind it."""

    def __init__(self, stage: Stage, room: SettingsRoom) -> None:
        self.stage, self.room, self._answered = stage, room, 0
        stage.desktop.settings.open()
        self.serve()

    @property
    def window(self) -> SettingsWindow:
        window = self.stage.desktop.settings.window
        assert window is not None
        return window

    @property
    def all(self) -> AllPage:
        page = self.window.pages[Place.ALL]
        assert isinstance(page, AllPage)
        return page

    @property
    def files(self) -> FilesPage:
        page = self.window.pages[Place.FILES]
        assert isinstance(page, FilesPage)
        return page

    def serve(self) -> None:
        """Do what was asked for, until nothing more is."""
        for _ in range(6):
            for page in self.window.pages.values():
                timer = getattr(page, "_timer", None)
                if timer is not None and timer.isActive():
                    timer.stop()
                    timer.timeout.emit()
            commands = self.stage.sent[self._answered :]
            self._answered = len(self.stage.sent)
            if not commands:
                return
            self.stage.take(*self.room.ask(*commands))

    def time_goes_by(self) -> None:
        self.window._timer.timeout.emit()
        self.serve()


@pytest.fixture
def opened(staged: Callable[..., Stage], tmp_path: Path) -> Iterator[Callable[[str], Opened]]:
    rooms: list[SettingsRoom] = []

    def open_over(text: str) -> Opened:
        (tmp_path / FILE).write_text(text, "utf-8")
        rooms.append(SettingsRoom(tmp_path))
        return Opened(staged(start_hidden=True), rooms[-1])

    yield open_over
    for room in rooms:
        room.close()


def test_the_window_opens_with_all_settings_and_looks_at_them_while_it_is_seen(
    opened: Callable[[str], Opened],
) -> None:
    at = opened("")
    assert at.window.place is Place.ALL
    assert not at.window.banner.isVisible()
    at.room.file.write_text("voice: {speak: false}\n")
    at.time_goes_by()
    assert at.all.rows["voice.speak"].control.value() is False


def test_the_banner_tells_on_every_page_what_is_wrong_in_the_file_until_it_is_mended(
    opened: Callable[[str], Opened],
) -> None:
    at = opened(WRONG)
    for place in (Place.ALL, Place.MEMORY):
        at.window.go(place)
        at.serve()
        assert at.window.banner.isVisible()
        assert len(at.window.banner.problems) == 4
        assert "And 3 more problems." in at.window.banner.said.text()
    at.room.file.write_text("# mine\n")
    at.time_goes_by()
    assert not at.window.banner.isVisible()


def test_what_is_wrong_with_protection_is_told_first(opened: Callable[[str], Opened]) -> None:
    at = opened(WRONG + "security: {sandbox_network: of}\n")
    first = at.window.banner.said.text().split("\n")[0]
    assert "security.sandbox_network" in first
    assert "strictest" in first


def test_the_text_of_the_settings_is_edited_beside_the_rules_and_counts_when_it_is_saved(
    opened: Callable[[str], Opened],
) -> None:
    at = opened(WRONG)
    QTest.mouseClick(at.window.banner.open, Qt.MouseButton.LeftButton)
    at.serve()
    assert (at.window.place, at.files.shown) == (Place.FILES, FILE)
    assert at.files.editor.toPlainText() == WRONG
    assert set(at.files.editor.marked) == {3, 4, 5}
    at.files.editor.setPlainText("# mine\nvoice:\n  request_silence_s: 3\n")
    at.serve()
    assert at.files.editor.marked == {}
    at.files.save.click()
    at.serve()
    assert at.room.text == "# mine\nvoice:\n  request_silence_s: 3\n"
    assert at.room.values["voice.request_silence_s"] == 3
    assert not at.window.banner.isVisible()


def test_a_text_that_somebody_else_changed_is_not_written_over(opened: Callable[[str], Opened]) -> None:
    at = opened("ui: {theme: dark}\n")
    at.window._to_file(FILE, 0)
    at.serve()
    at.files.editor.setPlainText("ui: {theme: light}\n")
    at.room.file.write_text("ui: {theme: system}\n")
    at.files.save.click()
    at.serve()
    assert at.room.text == "ui: {theme: system}\n"
    assert at.files.conflict.isVisible()
    at.files.conflict.keep.click()
    at.serve()
    assert at.room.text == "ui: {theme: light}\n"


def test_a_change_of_the_file_is_seen_in_the_open_text(opened: Callable[[str], Opened]) -> None:
    at = opened("ui: {theme: dark}\n")
    at.window._to_file(FILE, 0)
    at.serve()
    at.room.file.write_text("ui: {theme: light}\n")
    at.time_goes_by()
    assert at.files.editor.toPlainText() == "ui: {theme: light}\n"


def test_finding_begins_by_a_key_and_looking_is_no_sign_of_a_person(opened: Callable[[str], Opened]) -> None:
    at = opened("")
    touched: list[None] = []
    at.stage.desktop.idle.touched = lambda: touched.append(None)  # type: ignore[method-assign] # counted
    at.window._timer.timeout.emit()
    assert LookAtSettings() in at.stage.sent
    assert touched == []
    at.all._find()
    QApplication.processEvents()
    assert at.window.focusWidget() is at.all.search


def test_a_question_whether_somebody_is_sure_comes_into_view_in_a_small_window(
    opened: Callable[[str], Opened], qtbot: QtBot
) -> None:
    at = opened("")
    at.window.resize(643, 344)
    row = at.all.rows["security.dangerous_commands"]
    assert isinstance(row.control, LinesControl)
    QApplication.processEvents()
    at.window._areas[Place.ALL].ensureWidgetVisible(row.control, 0, 0)
    row.control.edit.setPlainText("sudo")
    row.control.save.click()
    QApplication.processEvents()
    qtbot.waitUntil(lambda: not row.leave.visibleRegion().isEmpty())
    assert row.leave.hasFocus() or not at.window.isActiveWindow()


def test_a_secret_in_the_text_of_the_settings_is_kept_as_it_is(opened: Callable[[str], Opened]) -> None:
    at = opened("\ufeffweb: {brave_key: BSA}\r\n")
    at.window._to_file(FILE, 0)
    at.serve()
    at.files.editor.setPlainText("web: {brave_key: BSA, enabled: false}\n")
    at.files.save.click()
    at.serve()
    assert at.room.file.read_bytes() == "\ufeffweb: {brave_key: BSA, enabled: false}\r\n".encode()
