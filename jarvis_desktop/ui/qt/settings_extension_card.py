"""One extension in full: what it brings, what would run, and the button that lets it.

Enabling is letting code run. The button counts only for what has been on screen for a moment: a press in the
same instant as another file, or another state of the file, comes into view enables nothing.
"""

from collections.abc import Sequence

from PySide6.QtCore import QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from jarvis_desktop.core.items.decisions import Shown
from jarvis_desktop.core.items.extensions import (
    DisableExtension,
    EnableExtension,
    Extension,
    ExtensionKind,
    ExtensionState,
)
from jarvis_desktop.ui import extension_words
from jarvis_desktop.ui.qt.detail_view import Code, DetailView
from jarvis_desktop.ui.qt.page import Card, say, wrapped
from jarvis_desktop.ui.qt.settings_page import SettingsParts, push
from jarvis_desktop.ui.qt.settings_table import Columns, SettingsTable
from jarvis_desktop.ui.visible_text import Care, one_line, visible

ARM_MS = 600
"""So long must a text have been in view before it can be enabled: longer than a hand needs to stop."""
_SOURCE_LINES, _DIFF_LINES = 20, 12
_INSET_PX = 34
_ROW_PX, _MOST_ROWS = 34, 5
_NAME_CHARS = 80
_LANGUAGE: dict[ExtensionKind, Code | Shown] = {
    ExtensionKind.TOOL: Code.PYTHON,
    ExtensionKind.PLUGIN: Code.PYTHON,
    ExtensionKind.SKILL: Shown.TEXT,
    ExtensionKind.SERVER: Code.YAML,
}


class ExtensionCard(Card):
    """Shows the extension that is chosen; takes no room while there is none."""

    def __init__(self, parts: SettingsParts, page: str) -> None:
        """page: stands before the identifiers of its controls."""
        super().__init__()
        self._parts, self._page = parts, page
        self.extension: Extension | None = None
        self.source: DetailView | None = None
        self.changes: DetailView | None = None
        self.read_only: dict[str, QCheckBox] = {}
        self._armed = False
        self._arming = QTimer(self)
        self._arming.setSingleShot(True)
        self._arming.setInterval(ARM_MS)
        self._arming.timeout.connect(self._arm)
        self._build()
        self.hide()

    def _build(self) -> None:
        texts = self._parts.texts
        self.name = wrapped("", "cardTitle")
        self.state = wrapped("", "cardState")
        self.meaning, self.path = wrapped("", "cardText"), wrapped("", "cardFacts")
        self.trouble, self.refusal = wrapped("", "cardWarning"), wrapped("", "cardWarning")
        self.news = wrapped("", "setupNotice")
        self.advice = wrapped("", "cardFacts")
        for label in (self.name, self.state, self.path, self.meaning, self.trouble, self.advice):
            self.column.addWidget(label)
        columns = Columns(
            (texts("Name"), texts("What it does"), texts("To know")), wide=1, spare={2: 520, 1: 300}
        )
        self.offers = SettingsTable(
            texts("What it brings"), f"{self._page}.offers", columns, lambda _row: None
        )
        self.column.addWidget(self.offers)
        self.changes_title = wrapped(texts("What changed since you enabled it"), "cardTitle")
        self.source_title = wrapped("", "cardTitle")
        self._texts_column = QVBoxLayout()
        self._texts_column.setSpacing(8)
        self.column.addLayout(self._texts_column)
        self.asking = QWidget()
        self._ticks = QVBoxLayout(self.asking)
        self._ticks.setContentsMargins(0, 0, 0, 0)
        self.column.addWidget(self.asking)
        self.column.addWidget(self.news)
        self.column.addWidget(self.refusal)
        self.enable = push(texts("&Enable"), f"{self._page}.enable", self._enable, "primary")
        self.disable = push(texts("S&witch off"), f"{self._page}.disable", self._disable)
        self.buttons = self.add_row(self.enable, self.disable)
        say(self.news, "")
        say(self.refusal, "")

    # --- showing ------------------------------------------------------------------------------

    def show_extension(self, extension: Extension | None) -> None:
        """``extension`` is chosen, and is like this now."""
        before, self.extension = self.extension, extension
        if extension is None:
            self._disarm()
            self._arming.stop()
            self.hide()
            return
        same = before is not None and (before.kind, before.name) == (extension.kind, extension.name)
        if not same:
            self.refuse("")
            say(self.news, "")
        if before is None or not same or _shown(before) != _shown(extension):
            moved = same and before is not None and before.digest != extension.digest
            if moved and extension.state not in extension_words.RUNS:
                self._tell_moved()
            self._show_texts(extension)
            self._show_ticks(extension)
            self.rest()
        self._show_facts(extension)
        self._show_buttons()
        self.show()

    def _tell_moved(self) -> None:
        texts = self._parts.texts
        say(
            self.news,
            texts("It became something else while you looked at it. Read it again before you enable it."),
        )

    def rest(self) -> None:
        """What is shown has just come into view: enabling it takes a moment longer."""
        self._disarm()
        self._arming.start()

    def refuse(self, reason: str) -> None:
        """What was wanted was not done; empty takes that back."""
        say(self.refusal, visible(reason))

    def restyle(self) -> None:
        """Draw the texts in the theme's colours."""
        if self.extension is not None:
            self._show_texts(self.extension)

    def _show_facts(self, extension: Extension) -> None:
        texts = self._parts.texts
        kind = extension_words.kind_text(extension.kind, texts)
        say(self.name, f"{kind}: {one_line(extension.name, _NAME_CHARS)}")
        self.setAccessibleName(self.name.text())
        say(self.state, extension_words.state_text(extension.state, texts))
        say(self.meaning, extension_words.state_meaning(extension.state, texts))
        say(self.path, visible(str(extension.path), Care.COMMAND))
        say(self.trouble, visible(extension.trouble))
        say(self.advice, visible(extension.advice))
        rows = [extension_words.offer_cells(one, texts) for one in extension.offers]
        self.offers.setRowCount(len(rows))
        for row, cells in enumerate(rows):
            self.offers.put(row, cells)
        head = self.offers.horizontalHeader().sizeHint().height()
        self.offers.setFixedHeight(head + _ROW_PX * min(len(rows), _MOST_ROWS) + 6)
        self.offers.setVisible(bool(rows))

    def _show_texts(self, extension: Extension) -> None:
        texts = self._parts.texts
        for old in (self.changes, self.source, self.changes_title, self.source_title):
            if old is not None:
                self._texts_column.removeWidget(old)
                old.hide()
        for view in (self.changes, self.source):
            if view is not None:
                view.deleteLater()
        self.changes = self.source = None
        if extension.changes:
            self.changes = self._view(extension.changes, Shown.DIFF, _DIFF_LINES, "changes")
            self.changes.setAccessibleName(self.changes_title.text())
            self._add(self.changes_title, self.changes)
        if extension.source:
            title = extension_words.source_title(extension, texts)
            say(self.source_title, title.format(name=one_line(extension.name, _NAME_CHARS)))
            self.source = self._view(extension.source, _LANGUAGE[extension.kind], _SOURCE_LINES, "source")
            self.source.setAccessibleName(self.source_title.text())
            self._add(self.source_title, self.source)
        self._fit()

    def _view(self, text: str, shown: Shown | Code, lines: int, name: str) -> DetailView:
        view = DetailView(visible(text, Care.SOURCE), shown, self._parts.theme.colours, most_lines=lines)
        view.setAccessibleIdentifier(f"settings.{self._page}.{name}")
        return view

    def _add(self, *widgets: QWidget) -> None:
        for widget in widgets:
            self._texts_column.addWidget(widget)
            widget.show()

    def _show_ticks(self, extension: Extension) -> None:
        texts = self._parts.texts
        while self._ticks.count():
            item = self._ticks.takeAt(0)
            old = item.widget() if item is not None else None
            if old is not None:
                old.hide()
                old.deleteLater()
        self.read_only = {}
        if extension.kind is not ExtensionKind.TOOL or extension.state in extension_words.RUNS:
            return
        told = texts(
            "Its author says that it only reads. Unless you tick it, you are asked before each run. Tick it "
            "only if you saw in the code that it changes nothing and sends nothing away."
        )
        for name in (one.name for one in extension.offers if one.read_only):
            shown = one_line(name, _NAME_CHARS)
            tick = QCheckBox(texts("{name} may run without asking").format(name=shown))
            tick.setAccessibleIdentifier(f"settings.{self._page}.read_only.{name}")
            tick.setAccessibleDescription(told)
            self.read_only[name] = tick
        if self.read_only:
            self._ticks.addWidget(wrapped(told, "cardFacts"))
        for tick in self.read_only.values():
            self._ticks.addWidget(tick)

    def _show_buttons(self) -> None:
        extension, texts = self.extension, self._parts.texts
        assert extension is not None
        runs = extension.state in extension_words.RUNS
        name = one_line(extension.name, _NAME_CHARS)
        gone = extension.state is ExtensionState.GONE
        self.enable.setVisible(not runs and not gone)
        self.enable.setEnabled(self._armed and self.source is not None)
        self.enable.setAccessibleName(texts("Enable: {name}").format(name=name))
        self.disable.setVisible(runs or gone or extension.state is ExtensionState.CHANGED)
        self.disable.setText(texts("&Forget it") if gone else texts("S&witch off"))
        said = texts("Forget: {name}") if gone else texts("Switch off: {name}")
        self.disable.setAccessibleName(said.format(name=name))
        self.asking.setVisible(bool(self.read_only) and not runs and not gone)
        unseen = texts("What would run cannot be shown, so it cannot be enabled here.")
        self.enable.setToolTip("" if extension.source else unseen)
        if not (runs or gone or extension.source) and not self.refusal.text():
            say(self.refusal, unseen)

    # --- doing --------------------------------------------------------------------------------

    def _arm(self) -> None:
        self._armed = self.isVisible()
        if self.extension is not None:
            self._show_buttons()

    def _disarm(self) -> None:
        self._armed = False
        self.enable.setEnabled(False)

    def _enable(self) -> None:
        one = self.extension
        if one is None or not self._armed or self.source is None:
            return
        ticked = frozenset(name for name, tick in self.read_only.items() if tick.isChecked())
        self.refuse("")
        say(self.news, "")
        self._parts.send(EnableExtension(one.kind, one.name, one.digest, ticked))
        self.rest()  # a second press is for what comes of the first

    def _disable(self) -> None:
        if self.extension is not None:
            self.refuse("")
            self._parts.send(DisableExtension(self.extension.kind, self.extension.name))

    # --- room ---------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The texts are as high as their lines."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        for view in (self.changes, self.source):
            if view is not None:
                view.fit(max(1, self.width() - _INSET_PX))


def _shown(extension: Extension) -> Sequence[object]:
    """What of it is on screen and would be enabled."""
    runs = extension.state in extension_words.RUNS
    return extension.digest, extension.source, extension.changes, extension.offers, runs
