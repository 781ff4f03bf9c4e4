"""The pages of extensions and MCP servers: what is shown, and what it takes to let code run."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QFileDialog,
    QPlainTextEdit,
    QTableWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from jarvis_desktop.core.items.extensions import (
    DisableExtension,
    EnableExtension,
    Extension,
    ExtensionKind,
    ExtensionOrder,
    ExtensionsChanged,
    ExtensionsLooked,
    ExtensionState,
    ExtensionWishRefused,
    ImportServers,
    LookAtExtensions,
    Offered,
    RemoveServer,
)
from jarvis_desktop.core.items.settings_desk import FILE
from jarvis_desktop.core.items.team_desk import Folder, FolderReady, PrepareFolder, TeamWishRefused
from jarvis_desktop.ui.qt.picked_text import MOST_BYTES
from jarvis_desktop.ui.qt.settings_extension_list import ExtensionListPage
from jarvis_desktop.ui.qt.settings_extensions_page import ExtensionsPage
from jarvis_desktop.ui.qt.settings_files_page import FilesPage
from jarvis_desktop.ui.qt.settings_page import Place, raw_text
from jarvis_desktop.ui.qt.settings_servers_page import ServersPage
from jarvis_desktop.ui.qt.settings_side import ORDER
from jarvis_desktop.ui.qt.settings_window import SettingsWindow
from tests.ui.conftest import Stage

CODE = 'def roof(unit: str) -> str:\n    """What the roof says."""\n    return unit\n'
TOOL = Extension(
    ExtensionKind.TOOL,
    "weather",
    Path("/home/me/.jarvis/tools/weather.py"),
    "digest-1",
    ExtensionState.WAITING,
    offers=(Offered("roof", "What the roof says.", read_only=True), Offered("blinds", "Moves them.")),
    source=CODE,
)
PLUGIN = Extension(
    ExtensionKind.PLUGIN,
    "guard",
    Path("/home/me/.jarvis/plugins/guard.py"),
    "digest-2",
    ExtensionState.CHANGED,
    source="def before_tool_call(call):\n    return None\n",
    changes="--- before\n+++ now\n@@ -1 +1 @@\n-old = 1\n+new = 2",
)
SKILL = Extension(
    ExtensionKind.SKILL,
    "summary",
    Path("/home/me/.jarvis/skills/summary.md"),
    "digest-3",
    ExtensionState.ENABLED,
    source="Summarise.",
)
SERVER = Extension(
    ExtensionKind.SERVER,
    "time",
    Path("/home/me/.jarvis/settings.yaml"),
    "digest-4",
    ExtensionState.WAITING,
    source="time:\n  command: uvx\n  args: [mcp-server-time]\n",
)
ALL = (TOOL, PLUGIN, SKILL, SERVER)


class Shelves:
    """One of the pages on a stage; the test answers in the desk's place."""

    def __init__(self, stage: Stage, place: Place) -> None:
        self.stage = stage
        stage.desktop.settings.open(place)
        page = self.window.pages[place]
        assert isinstance(page, ExtensionListPage)
        self.page = page

    @property
    def window(self) -> SettingsWindow:
        window = self.stage.desktop.settings.window
        assert window is not None
        return window

    def told(self, *extensions: Extension) -> None:
        self.stage.take(ExtensionsLooked(0, extensions, {}))

    def choose(self, name: str) -> None:
        self.page.table.choose([one.name for one in self.page.extensions].index(name))

    def time_goes_by(self) -> None:
        """What is in view has been there for a while."""
        timer = self.page.card._arming
        if timer.isActive():
            timer.stop()
            timer.timeout.emit()

    def ready(self, extension: Extension) -> None:
        """It is shown, chosen, and has been read."""
        self.told(extension)
        self.choose(extension.name)
        self.time_goes_by()

    def wishes(self) -> list[object]:
        """What was asked for; looks left out."""
        return [
            one
            for one in self.stage.sent
            if isinstance(one, ExtensionOrder) and not isinstance(one, LookAtExtensions)
        ]


@pytest.fixture
def shelves(staged: Callable[..., Stage]) -> Shelves:
    return Shelves(staged(start_hidden=True), Place.EXTENSIONS)


@pytest.fixture
def servers(staged: Callable[..., Stage]) -> Shelves:
    return Shelves(staged(start_hidden=True), Place.SERVERS)


def press(button: QAbstractButton) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def column(table: QTableWidget, number: int) -> list[str]:
    items = (table.item(row, number) for row in range(table.rowCount()))
    return [item.text() if item else "" for item in items]


# --- what is shown ----------------------------------------------------------------------------


def test_files_are_listed_by_kind_with_their_state_and_servers_have_a_page_of_their_own(
    shelves: Shelves,
) -> None:
    shelves.told(*reversed(ALL))
    assert column(shelves.page.table, 0) == ["weather", "summary", "guard"]
    assert column(shelves.page.table, 2) == ["Waits for you", "Enabled", "Changed, waits for you"]
    assert "2 are waiting" in shelves.page.waiting.text()
    assert not shelves.page.card.isVisible()


def test_with_nothing_there_the_page_says_how_one_is_added(shelves: Shelves) -> None:
    shelves.told()
    assert shelves.page.empty.isVisible()
    assert not shelves.page.table.isVisible()
    shelves.told(SKILL)
    assert not shelves.page.empty.isVisible()


def test_what_waits_is_counted_at_the_side_of_every_page(shelves: Shelves) -> None:
    shelves.told(*ALL)
    items = {place: shelves.window.list.item(row).text() for row, place in enumerate(ORDER)}
    assert items[Place.EXTENSIONS] == "Extensions (2)"
    assert items[Place.SERVERS] == "MCP servers (1)"
    shelves.told(SKILL)
    assert shelves.window.list.item(ORDER.index(Place.EXTENSIONS)).text() == "Extensions"


def test_the_window_looks_again_when_something_changed_and_only_while_it_is_seen(shelves: Shelves) -> None:
    before = len(shelves.stage.of(LookAtExtensions))
    shelves.stage.take(ExtensionsChanged(1))
    assert len(shelves.stage.of(LookAtExtensions)) == before + 1
    shelves.window.hide()
    shelves.stage.take(ExtensionsChanged(2))
    assert len(shelves.stage.of(LookAtExtensions)) == before + 1


def test_the_code_shows_with_its_path_and_the_difference_to_what_was_enabled(shelves: Shelves) -> None:
    shelves.told(*ALL)
    shelves.choose("guard")
    card = shelves.page.card
    texts = [view.toPlainText() for view in (card.changes, card.source) if view is not None]
    assert texts == [PLUGIN.changes, PLUGIN.source]
    assert "plugins/guard.py" in card.path.text()
    shelves.choose("weather")
    assert [view.toPlainText() for view in (card.changes, card.source) if view is not None] == [CODE]
    assert column(card.offers, 0) == ["roof", "blinds"]


def test_what_is_left_out_of_a_file_stands_quietly_in_its_card(shelves: Shelves) -> None:
    shelves.ready(replace(TOOL, advice="beam (line 9) is no tool: no docstring."))
    card = shelves.page.card
    assert (card.advice.text(), card.advice.isVisibleTo(card)) == (
        "beam (line 9) is no tool: no docstring.",
        True,
    )
    assert not card.trouble.isVisibleTo(card)
    shelves.ready(TOOL)
    assert not card.advice.isVisibleTo(card)


def test_characters_that_could_deceive_show_as_codes(shelves: Shelves) -> None:
    shelves.ready(replace(TOOL, source="x = '\u202e'\n", trouble="a\u202eb"))
    assert shelves.page.card.source is not None
    assert "⟨U+202E⟩" in shelves.page.card.source.toPlainText()
    assert "⟨U+202E⟩" in shelves.page.card.trouble.text()


# --- letting code run -------------------------------------------------------------------------


def test_a_tool_is_enabled_as_it_was_shown_and_asks_unless_it_is_ticked(shelves: Shelves) -> None:
    shelves.ready(TOOL)
    press(shelves.page.card.enable)
    assert shelves.wishes() == [EnableExtension(ExtensionKind.TOOL, "weather", "digest-1")]


def test_only_tools_that_say_that_they_read_can_be_ticked(shelves: Shelves) -> None:
    shelves.ready(TOOL)
    assert set(shelves.page.card.read_only) == {"roof"}
    shelves.page.card.read_only["roof"].click()
    press(shelves.page.card.enable)
    assert shelves.wishes() == [
        EnableExtension(ExtensionKind.TOOL, "weather", "digest-1", frozenset({"roof"}))
    ]


@pytest.mark.parametrize("extension", [PLUGIN, SKILL, replace(TOOL, offers=(Offered("roof"),))])
def test_nothing_else_can_be_ticked(shelves: Shelves, extension: Extension) -> None:
    shelves.ready(replace(extension, offers=(*extension.offers[:1],)))
    assert not shelves.page.card.read_only


def test_a_press_in_the_moment_in_which_something_comes_into_view_enables_nothing(shelves: Shelves) -> None:
    shelves.told(TOOL)
    shelves.choose("weather")
    assert not shelves.page.card.enable.isEnabled()
    press(shelves.page.card.enable)
    shelves.page.card._enable()
    assert shelves.wishes() == []


def test_enter_on_a_page_that_has_just_opened_enables_nothing(shelves: Shelves) -> None:
    shelves.told(TOOL)
    shelves.choose("weather")
    for widget in (shelves.window, shelves.window.list, shelves.page.table):
        QTest.keyClick(widget, Qt.Key.Key_Return)
    shelves.time_goes_by()
    QTest.keyClick(shelves.page.table, Qt.Key.Key_Return)
    assert shelves.wishes() == []
    assert shelves.page.card.source is not None
    assert shelves.page.card.source.hasFocus()


def test_what_changes_while_it_is_looked_at_must_be_read_and_wanted_anew(shelves: Shelves) -> None:
    shelves.ready(TOOL)
    shelves.page.card.read_only["roof"].click()
    shelves.told(replace(TOOL, digest="digest-9", source=CODE + "import os\n"))
    card = shelves.page.card
    assert "became something else" in card.news.text()
    assert not card.enable.isEnabled()
    press(card.enable)
    assert shelves.wishes() == []
    assert not card.read_only["roof"].isChecked()
    shelves.time_goes_by()
    press(card.enable)
    assert shelves.wishes() == [EnableExtension(ExtensionKind.TOOL, "weather", "digest-9")]


def test_a_look_that_changes_nothing_leaves_ticks_and_button_alone(shelves: Shelves) -> None:
    shelves.ready(TOOL)
    shelves.page.card.read_only["roof"].click()
    shelves.told(PLUGIN, TOOL)
    assert shelves.page.card.read_only["roof"].isChecked()
    assert shelves.page.card.enable.isEnabled()
    assert shelves.page.card.extension == TOOL


def test_when_the_chosen_one_is_gone_no_other_takes_its_place_under_the_button(shelves: Shelves) -> None:
    shelves.ready(TOOL)
    shelves.told(PLUGIN)
    shelves.time_goes_by()
    assert not shelves.page.card.isVisible()
    shelves.page.card._enable()
    assert shelves.wishes() == []


def test_what_cannot_be_shown_cannot_be_enabled(shelves: Shelves) -> None:
    shelves.ready(replace(TOOL, source=""))
    assert not shelves.page.card.enable.isEnabled()
    assert "cannot be shown" in shelves.page.card.refusal.text()


def test_a_window_that_comes_back_arms_anew(shelves: Shelves) -> None:
    shelves.ready(TOOL)
    shelves.window.hide()
    shelves.stage.desktop.settings.open(Place.EXTENSIONS)
    assert not shelves.page.card.enable.isEnabled()


@pytest.mark.parametrize(
    ("state", "enables", "disables"),
    [
        (ExtensionState.WAITING, True, False),
        (ExtensionState.CHANGED, True, True),
        (ExtensionState.OFF, True, False),
        (ExtensionState.ENABLED, False, True),
        (ExtensionState.STARTING, False, True),
        (ExtensionState.BROKEN, False, True),
    ],
)
def test_each_state_offers_what_can_be_done_about_it(
    shelves: Shelves, state: ExtensionState, *, enables: bool, disables: bool
) -> None:
    shelves.ready(replace(PLUGIN, state=state, trouble="It sleeps."))
    card = shelves.page.card
    assert (card.enable.isVisible(), card.disable.isVisible()) == (enables, disables)
    assert card.trouble.text() == "It sleeps."
    if disables:
        press(card.disable)
        assert shelves.wishes() == [DisableExtension(ExtensionKind.PLUGIN, "guard")]


def test_a_refusal_is_said_at_the_one_it_is_about(shelves: Shelves) -> None:
    shelves.told(*ALL)
    shelves.choose("guard")
    shelves.stage.take(ExtensionWishRefused(ExtensionKind.TOOL, "weather", "It changed."))
    assert shelves.page.card.refusal.text() == ""
    shelves.choose("weather")
    assert shelves.page.card.refusal.text() == "It changed."
    shelves.stage.take(ExtensionWishRefused(ExtensionKind.TOOL, "gone", "It is gone."))
    assert shelves.page.trouble.text() == "It is gone."


# --- folders and files ------------------------------------------------------------------------


def test_a_folder_opens_when_it_is_there_and_only_if_this_window_asked(
    shelves: Shelves, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    assert isinstance(shelves.page, ExtensionsPage)
    shelves.stage.take(FolderReady(Folder.TOOLS, "/home/me/.jarvis/tools"))
    press(shelves.page.folders[ExtensionKind.TOOL])
    assert opened == []
    assert shelves.stage.sent[-1] == PrepareFolder(Folder.TOOLS)
    shelves.stage.take(FolderReady(Folder.TOOLS, "/home/me/.jarvis/tools"))
    shelves.stage.take(FolderReady(Folder.TOOLS, "/home/me/.jarvis/tools"))
    assert [one.toLocalFile() for one in opened] == ["/home/me/.jarvis/tools"]


def test_a_folder_that_cannot_be_made_is_said(shelves: Shelves) -> None:
    assert isinstance(shelves.page, ExtensionsPage)
    press(shelves.page.folders[ExtensionKind.SKILL])
    shelves.stage.take(TeamWishRefused("skills: Permission denied."))
    assert shelves.window.notice.text() == "skills: Permission denied."


# --- servers ----------------------------------------------------------------------------------


def test_servers_show_their_program_or_address_and_how_many_tools_they_bring(servers: Shelves) -> None:
    far = replace(
        SERVER, name="far", source="far:\n  url: https://x.example/mcp\n", state=ExtensionState.ENABLED
    )
    servers.told(*ALL, replace(far, offers=(Offered("far_a"), Offered("far_b"))))
    assert column(servers.page.table, 0) == ["far", "time"]
    assert column(servers.page.table, 2) == ["https://x.example/mcp", "uvx"]
    assert column(servers.page.table, 3) == ["2", "–"]


def test_a_server_is_enabled_as_it_was_shown_and_removed(servers: Shelves) -> None:
    servers.ready(SERVER)
    assert isinstance(servers.page, ServersPage)
    assert servers.page.card.source is not None
    press(servers.page.card.enable)
    press(servers.page.remove)
    assert servers.wishes() == [
        EnableExtension(ExtensionKind.SERVER, "time", "digest-4"),
        RemoveServer("time"),
    ]


def test_pasted_servers_are_added_once_and_the_text_stays_until_they_are_there(servers: Shelves) -> None:
    page = servers.page
    assert isinstance(page, ServersPage)
    assert not page.add.isEnabled()
    page.pasted.setPlainText('{"mcpServers": {}}')
    press(page.add)
    press(page.add)
    assert servers.wishes() == [ImportServers('{"mcpServers": {}}')]
    servers.stage.take(ExtensionsChanged(0))
    servers.told()
    assert raw_text(page.pasted)
    servers.told(SERVER)
    assert raw_text(page.pasted) == ""
    assert "Added" in page.import_state.text()


def test_a_text_that_was_refused_stays_with_the_reason(servers: Shelves) -> None:
    page = servers.page
    assert isinstance(page, ServersPage)
    page.pasted.setPlainText("{")
    press(page.add)
    servers.stage.take(ExtensionWishRefused(ExtensionKind.SERVER, "", "No JSON: line 1."))
    assert page.trouble.text() == "No JSON: line 1."
    assert raw_text(page.pasted) == "{"
    assert page.add.isEnabled()


def test_a_file_is_read_beside_the_window_and_shown_before_it_is_added(
    servers: Shelves, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = servers.page
    assert isinstance(page, ServersPage)
    file = tmp_path / "servers.json"
    file.write_text('{"mcpServers": {"a": 1}}', "utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(file), ""))
    with qtbot.waitSignal(page.picked.read, timeout=30_000):
        press(page.pick)
    assert raw_text(page.pasted) == '{"mcpServers": {"a": 1}}'
    assert servers.wishes() == []


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00", b" " * (MOST_BYTES + 1)])
def test_a_file_that_cannot_be_read_is_said(
    servers: Shelves, qtbot: QtBot, tmp_path: Path, content: bytes | None
) -> None:
    page = servers.page
    assert isinstance(page, ServersPage)
    file = tmp_path / "servers.json"
    if content is not None:
        file.write_bytes(content)
    with qtbot.waitSignal(page.picked.failed, timeout=30_000):
        page.picked.begin(str(file))
    assert page.import_state.text()
    assert raw_text(page.pasted) == ""


def test_the_text_of_the_servers_is_one_click_away(servers: Shelves) -> None:
    press(servers.page.text_button)
    files = servers.window.pages[Place.FILES]
    assert isinstance(files, FilesPage)
    assert (servers.window.place, files.shown) == (Place.FILES, FILE)


# --- everybody --------------------------------------------------------------------------------


@pytest.mark.parametrize("extension", ALL)
def test_every_control_has_a_name(staged: Callable[..., Stage], extension: Extension) -> None:
    place = Place.SERVERS if extension.kind is ExtensionKind.SERVER else Place.EXTENSIONS
    shelves = Shelves(staged(start_hidden=True), place)
    shelves.ready(extension)
    QApplication.processEvents()
    for control in shelves.page.findChildren(QWidget):
        if isinstance(control, QAbstractButton | QPlainTextEdit | QTableWidget) and control.isVisible():
            assert control.accessibleName() or getattr(control, "text", str)(), control.objectName()


@pytest.mark.parametrize("extension", ALL)
def test_what_is_shown_of_one_fits_a_small_window(staged: Callable[..., Stage], extension: Extension) -> None:
    place = Place.SERVERS if extension.kind is ExtensionKind.SERVER else Place.EXTENSIONS
    shelves = Shelves(staged(start_hidden=True), place)
    shelves.window.resize(643, 344)
    shelves.ready(extension)
    QApplication.processEvents()
    area = shelves.window._areas[place]
    assert shelves.page.minimumSizeHint().width() <= area.viewport().width()


def test_another_theme_and_language_keep_what_is_chosen_and_pasted(shelves: Shelves) -> None:
    shelves.ready(TOOL)
    shelves.stage.desktop.theme.choose("dark")
    assert shelves.page.card.source is not None
    assert shelves.page.card.source.toPlainText().startswith("def roof")


def test_what_is_gone_can_only_be_forgotten(servers: Shelves) -> None:
    lost = replace(SERVER, state=ExtensionState.GONE)
    servers.ready(lost)
    card = servers.page.card
    assert isinstance(servers.page, ServersPage)
    assert (card.enable.isHidden(), card.disable.isHidden(), servers.page.remove.isHidden()) == (
        *(True, False, True),
    )
    assert card.disable.accessibleName() == "Forget: time"
    press(card.disable)
    assert servers.wishes() == [DisableExtension(ExtensionKind.SERVER, "time")]
