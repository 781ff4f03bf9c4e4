"""The settings window: a list of pages at the side, one of them beside it."""

from PySide6.QtCore import QPoint, QSize, Qt, QTimer
from PySide6.QtGui import QHideEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from jarvis_desktop.core.items.events import CoreStopped, Event
from jarvis_desktop.core.items.rule_desk import LookAtRules, RuleWishRefused
from jarvis_desktop.core.items.rule_facts import AuditFilter
from jarvis_desktop.core.items.rules import Rule
from jarvis_desktop.core.items.settings_desk import LookAtSettings, SettingsLooked
from jarvis_desktop.core.items.setup import SettingRefused
from jarvis_desktop.ui.qt.icons import app_icon, line_icon
from jarvis_desktop.ui.qt.page import say, to_the_front, wrapped
from jarvis_desktop.ui.qt.settings_all_banner import SettingsBanner
from jarvis_desktop.ui.qt.settings_all_page import AllPage
from jarvis_desktop.ui.qt.settings_audit_page import AuditPage
from jarvis_desktop.ui.qt.settings_danger_page import DangerPage
from jarvis_desktop.ui.qt.settings_files_page import FilesPage
from jarvis_desktop.ui.qt.settings_memory_page import MemoryPage
from jarvis_desktop.ui.qt.settings_page import Place, SettingsPage, SettingsParts, Ways
from jarvis_desktop.ui.qt.settings_rules_page import RulesPage
from jarvis_desktop.ui.visible_text import visible

PAGES = {
    Place.ALL: AllPage,
    Place.RULES: RulesPage,
    Place.FILES: FilesPage,
    Place.DANGER: DangerPage,
    Place.AUDIT: AuditPage,
    Place.MEMORY: MemoryPage,
}
ORDER = tuple(Place)
_ICONS = {
    Place.ALL: "setup",
    Place.RULES: "shield",
    Place.FILES: "copy",
    Place.DANGER: "warning",
    Place.AUDIT: "clock",
    Place.MEMORY: "memory",
}
LOOK_MS = 2000
"""How often the open window looks whether files have changed."""
_SIDE_PX = 172
_EDGE_PX = 40
"""Room that a screen keeps around the window for its panel and the window's frame."""


class SettingsWindow(QDialog):
    """Everything counts at once; closing it takes nothing back, and keeps what was typed."""

    def __init__(self, parts: SettingsParts) -> None:
        super().__init__(None)
        self._parts = parts
        self._ways = Ways(self._to_rule, self._to_decisions, self._to_file)
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
        row.addWidget(self._side())
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

    def _side(self) -> QWidget:
        texts = self._parts.texts
        titles = {
            Place.ALL: texts("All settings"),
            Place.RULES: texts("Rules"),
            Place.FILES: texts("Files"),
            Place.DANGER: texts("Danger list"),
            Place.AUDIT: texts("Decisions"),
            Place.MEMORY: texts("Memory"),
        }
        side = QWidget()
        side.setObjectName("setupSide")
        side.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        side.setFixedWidth(_SIDE_PX)
        self.list = QListWidget()
        self.list.setObjectName("setupSteps")
        self.list.setAccessibleName(texts("Pages"))
        self.list.setAccessibleIdentifier("settings.pages")
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for place in ORDER:
            self.list.addItem(QListWidgetItem(titles[place]))
        self.list.setCurrentRow(ORDER.index(self.place))
        self.list.currentRowChanged.connect(lambda row: self.go(ORDER[row]))
        column = QVBoxLayout(side)
        column.setContentsMargins(10, 16, 10, 12)
        column.addWidget(self.list)
        self._show_icons()
        return side

    def _show_icons(self) -> None:
        for row, place in enumerate(ORDER):
            self.list.item(row).setIcon(line_icon(_ICONS[place], self._parts.theme.colours.muted))

    def retranslate(self) -> None:
        """Everything again in the language now in force; page, focus and what was typed stay."""
        focused = self.focusWidget()
        identifier = focused.accessibleIdentifier() if focused is not None else ""
        problems = self.banner.problems
        typed = {place: page.typed() for place, page in self.pages.items()}
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
            self.pages[self.place].entered()

    # --- events -------------------------------------------------------------------------------

    def take(self, event: Event) -> None:
        """Show what happened."""
        for page in self.pages.values():
            page.take(event)
        match event:
            case RuleWishRefused(reason=reason) | SettingRefused(reason=reason):
                say(self.notice, visible(reason))
            case SettingsLooked(problems=problems):
                self.banner.show_problems(problems)
            case CoreStopped(text):
                say(self.notice, visible(text))
            case _:
                pass

    def _look(self) -> None:
        self._parts.look(LookAtSettings())
        self._parts.look(LookAtRules())

    def _restyle(self) -> None:
        self._show_icons()
        for page in self.pages.values():
            page.restyle()

    # --- turning pages ------------------------------------------------------------------------

    def go(self, place: Place) -> None:
        """Turn to ``place``."""
        if place is self.place:
            return
        self.place = place
        self._turn_to(place)
        self.list.setCurrentRow(ORDER.index(place))
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

    def _to_file(self, file: str, line: int) -> None:
        self.go(Place.FILES)
        page = self._page(Place.FILES)
        assert isinstance(page, FilesPage)
        page.open_file(file, line)

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
            self.pages[self.place].entered()
            self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks any more."""
        super().hideEvent(event)
        if not event.spontaneous():
            self._timer.stop()
            say(self.notice, "")
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
