"""The settings window: a list of pages at the side, one of them beside it."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QPoint, QSize, Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QHideEvent, QKeySequence, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from jarvis_desktop.core.items.events import CoreStopped, Event, LevelHeard
from jarvis_desktop.core.items.extensions import (
    Extension,
    ExtensionsChanged,
    ExtensionsLooked,
    LookAtExtensions,
)
from jarvis_desktop.core.items.rule_desk import LookAtRules, RuleWishRefused
from jarvis_desktop.core.items.rule_facts import AuditFilter
from jarvis_desktop.core.items.rules import Rule
from jarvis_desktop.core.items.settings_desk import LookAtSettings, SettingsLooked
from jarvis_desktop.core.items.setup import SettingRefused
from jarvis_desktop.core.items.team_desk import Folder, FolderReady, PrepareFolder, TeamWishRefused
from jarvis_desktop.ui.extension_words import WAITS
from jarvis_desktop.ui.qt.icons import app_icon
from jarvis_desktop.ui.qt.page import say, to_the_front, wrapped
from jarvis_desktop.ui.qt.settings_agenda_page import AgendaPage
from jarvis_desktop.ui.qt.settings_agents_page import AgentsPage
from jarvis_desktop.ui.qt.settings_all_banner import SettingsBanner
from jarvis_desktop.ui.qt.settings_all_page import AllPage
from jarvis_desktop.ui.qt.settings_audit_page import AuditPage
from jarvis_desktop.ui.qt.settings_danger_page import DangerPage
from jarvis_desktop.ui.qt.settings_extensions_page import ExtensionsPage
from jarvis_desktop.ui.qt.settings_files_page import FilesPage
from jarvis_desktop.ui.qt.settings_memory_page import MemoryPage
from jarvis_desktop.ui.qt.settings_page import Place, SettingsPage, SettingsParts, Ways
from jarvis_desktop.ui.qt.settings_rules_page import RulesPage
from jarvis_desktop.ui.qt.settings_servers_page import ServersPage
from jarvis_desktop.ui.qt.settings_setup_pages import (
    ChatSettings,
    LookSettings,
    SoundSettings,
    SpeechSettings,
    StartSettings,
    WakeSettings,
)
from jarvis_desktop.ui.qt.settings_side import ORDER, SettingsSide
from jarvis_desktop.ui.visible_text import visible

PAGES: Mapping[Place, Callable[[SettingsParts, Ways], SettingsPage]] = {
    Place.ALL: AllPage,
    Place.LOOK: LookSettings,
    Place.CHAT: ChatSettings,
    Place.SPEECH: SpeechSettings,
    Place.SOUND: SoundSettings,
    Place.WAKE: WakeSettings,
    Place.START: StartSettings,
    Place.AGENTS: AgentsPage,
    Place.AGENDA: AgendaPage,
    Place.EXTENSIONS: ExtensionsPage,
    Place.SERVERS: ServersPage,
    Place.RULES: RulesPage,
    Place.FILES: FilesPage,
    Place.DANGER: DangerPage,
    Place.AUDIT: AuditPage,
    Place.MEMORY: MemoryPage,
}
LOOK_MS = 2000
"""How often the open window looks whether files have changed."""
_EDGE_PX = 40
"""Room that a screen keeps around the window for its panel and the window's frame."""


class SettingsWindow(QDialog):
    """Everything counts at once; closing it takes nothing back, and keeps what was typed."""

    def __init__(self, parts: SettingsParts) -> None:
        super().__init__(None)
        self._parts = parts
        self._ways = Ways(self._to_rule, self._to_decisions, self._to_file, self.go, self._to_folder)
        self._opening: Folder | None = None
        self.place = Place.ALL
        self.setObjectName("settings")
        self.setWindowIcon(app_icon())
        self.setWindowFlags(Qt.WindowType.Window)
        self.setMinimumSize(600, 320)
        room = self.screen().availableGeometry()
        self.resize(min(1000, room.width() - _EDGE_PX), min(760, room.height() - _EDGE_PX))
        spare = room.size() - self.size() - QSize(_EDGE_PX, _EDGE_PX)
        self.move(room.topLeft() + QPoint(max(0, spare.width() // 2), max(0, spare.height() // 2)))
        self._frame = QHBoxLayout(self)
        self._frame.setContentsMargins(0, 0, 0, 0)
        self._frame.setSpacing(0)
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self._look)
        self._build()
        parts.theme.changed.connect(self._restyle)
        for keys, step in (("Ctrl+PgDown", 1), ("Ctrl+PgUp", -1)):
            QShortcut(QKeySequence(keys), self).activated.connect(lambda by=step: self._turn_by(by))
        QShortcut(QKeySequence(QKeySequence.StandardKey.Close), self).activated.connect(self.reject)

    # --- building -----------------------------------------------------------------------------

    def _build(self) -> None:
        texts = self._parts.texts
        self.setWindowTitle(texts("Settings"))
        self._body = QWidget()
        row = QHBoxLayout(self._body)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self.side = SettingsSide(self._parts.theme, texts, self.place, self.go)
        self.side.fit(self.width())
        self.list = self.side.list
        row.addWidget(self.side)
        right = QVBoxLayout()
        right.setSpacing(0)
        self.notice = wrapped("", "settingsNotice")
        say(self.notice, "")
        self._stack = QStackedWidget()
        self.pages: dict[Place, SettingsPage] = {}
        self._areas: dict[Place, QScrollArea] = {}
        self.banner = SettingsBanner(self._parts, self._to_file)
        right.addWidget(self.banner)
        right.addWidget(self._stack, 1)
        right.addWidget(self.notice)
        row.addLayout(right, 1)
        self._frame.addWidget(self._body)
        self._turn_to(self.place)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Pages come first where there is little room."""
        self.side.fit(event.size().width())
        super().resizeEvent(event)

    def retranslate(self) -> None:
        """Everything again in the language now in force; page, focus and what was typed stay."""
        focused = self.focusWidget()
        identifier = focused.accessibleIdentifier() if focused is not None else ""
        problems = self.banner.problems
        typed = {place: page.typed() for place, page in self.pages.items()}
        if self.isVisible():
            self.pages[self.place].left()
        self._frame.removeWidget(self._body)
        old = self._body
        self._build()
        self.banner.show_problems(problems)
        old.hide()
        old.deleteLater()
        for place, kept in typed.items():
            self._page(place).take_over(kept)
        again = next(
            (w for w in self._body.findChildren(QWidget) if w.accessibleIdentifier() == identifier), None
        )
        if identifier and again is not None:
            again.setFocus()
        if self.isVisible():
            self._parts.look(LookAtExtensions(0))
            self.pages[self.place].entered()

    # --- events -------------------------------------------------------------------------------

    def take(self, event: Event) -> None:
        """Show what happened. A level is news to the page that is seen, and to no other."""
        if isinstance(event, LevelHeard):
            self.pages[self.place].take(event)
            return
        for page in tuple(self.pages.values()):
            page.take(event)
        self._take_of_window(event)
        match event:
            case RuleWishRefused(reason=reason) | SettingRefused(reason=reason):
                say(self.notice, visible(reason))
            case SettingsLooked(problems=problems):
                self.banner.show_problems(problems)
            case CoreStopped(text):
                say(self.notice, visible(text))
            case _:
                pass

    def _take_of_window(self, event: Event) -> None:
        """What several pages share."""
        match event:
            case ExtensionsLooked(extensions=extensions):
                self._count(extensions)
            case ExtensionsChanged() if self.isVisible():
                self._parts.look(LookAtExtensions(0))
            case FolderReady(folder, path) if folder is self._opening:
                self._opening = None
                QDesktopServices.openUrl(QUrl.fromLocalFile(path))
            case TeamWishRefused(reason) if self._opening is not None:
                self._opening = None
                say(self.notice, visible(reason))
            case _:
                pass

    def _count(self, extensions: tuple[Extension, ...]) -> None:
        for place, kinds in ((Place.EXTENSIONS, ExtensionsPage.kinds), (Place.SERVERS, ServersPage.kinds)):
            waiting = sum(one.kind in kinds and one.state in WAITS for one in extensions)
            self.side.show_waiting(place, waiting)

    def _look(self) -> None:
        self._parts.look(LookAtSettings())
        self._parts.look(LookAtRules())

    def _restyle(self) -> None:
        self.side.restyle()
        for page in self.pages.values():
            page.restyle()

    # --- turning pages ------------------------------------------------------------------------

    def go(self, place: Place) -> None:
        """Turn to ``place``."""
        if place is self.place:
            return
        if self.isVisible():
            self.pages[self.place].left()
        self.place = place
        self._turn_to(place)
        self.side.show_place(place)
        say(self.notice, "")
        if self.isVisible():
            self.pages[place].entered()

    def _page(self, place: Place) -> SettingsPage:
        # A page is made when it is first looked at: opening is quick.
        if place not in self.pages:
            self.pages[place] = PAGES[place](self._parts, self._ways)
            self._areas[place] = _scrolled(self.pages[place])
            self._stack.addWidget(self._areas[place])
        return self.pages[place]

    def _turn_to(self, place: Place) -> None:
        self._page(place)
        self._stack.setCurrentWidget(self._areas[place])

    def _turn_by(self, step: int) -> None:
        self.go(ORDER[(ORDER.index(self.place) + step) % len(ORDER)])

    def _to_rule(self, rule: Rule) -> None:
        self.go(Place.RULES)
        page = self._page(Place.RULES)
        assert isinstance(page, RulesPage)
        page.show_rule(rule)
        self._areas[Place.RULES].verticalScrollBar().setValue(0)

    def _to_decisions(self, wanted: AuditFilter) -> None:
        self.go(Place.AUDIT)
        page = self._page(Place.AUDIT)
        assert isinstance(page, AuditPage)
        page.narrow_to(wanted)

    def _to_folder(self, folder: Folder) -> None:
        self._opening = folder
        self._parts.send(PrepareFolder(folder))

    def _to_file(self, file: str, at: int | str) -> None:
        self.go(Place.FILES)
        page = self._page(Place.FILES)
        assert isinstance(page, FilesPage)
        page.open_file(file, at)

    # --- coming and going ---------------------------------------------------------------------

    def bring_forward(self) -> None:
        """Show it in front; a person asked for it."""
        to_the_front(self)
        self.list.setFocus()

    def showEvent(self, event: QShowEvent) -> None:
        """While it is seen, it looks for changes."""
        super().showEvent(event)
        if not event.spontaneous():
            self._parts.look(LookAtSettings())
            self._parts.look(LookAtExtensions(0))
            self.pages[self.place].entered()
            self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks any more."""
        super().hideEvent(event)
        if not event.spontaneous():
            self._timer.stop()
            say(self.notice, "")
            self.pages[self.place].left()
            for page in self.pages.values():
                page.closed()
            self._parts.vanished()


def _scrolled(page: SettingsPage) -> QScrollArea:
    area = QScrollArea()
    area.setObjectName("setupScroll")
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    area.setAccessibleName(page.title.text())
    page.setMinimumWidth(1)
    area.setWidget(page)
    return area
