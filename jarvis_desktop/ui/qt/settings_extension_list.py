"""A page of extensions: a table of them and, below it, the chosen one in full."""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.extensions import (
    Extension,
    ExtensionKind,
    ExtensionsLooked,
    ExtensionWishRefused,
    LookAtExtensions,
)
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui import extension_words
from jarvis_desktop.ui.qt.page import say, wrapped
from jarvis_desktop.ui.qt.settings_extension_card import ExtensionCard
from jarvis_desktop.ui.qt.settings_page import SettingsPage, SettingsParts, Ways
from jarvis_desktop.ui.qt.settings_table import Columns, SettingsTable
from jarvis_desktop.ui.visible_text import one_line, visible

_ROW_PX, _MOST_ROWS = 34, 7
_NAME_CHARS, _KEPT_REFUSALS = 60, 40


class ExtensionListPage(SettingsPage):
    """Looks when it is turned to; whenever something changed, the window looks for all pages."""

    kinds: tuple[ExtensionKind, ...]
    called: str
    """Stands before the identifiers of its controls."""

    def __init__(self, parts: SettingsParts, ways: Ways, title: str, intro: str) -> None:
        super().__init__(parts, ways, title, intro)
        self.extensions: tuple[Extension, ...] = ()
        self._chosen: tuple[ExtensionKind, str] | None = None
        self._refusals: dict[tuple[ExtensionKind, str], str] = {}
        self.waiting = wrapped("", "setupHint")
        self.trouble = wrapped("", "setupNotice")
        self.empty = wrapped(self.empty_text(parts.texts), "setupHint")
        self.table = SettingsTable(title, f"{self.called}.list", self.columns(parts.texts), self._opened)
        self.table.itemSelectionChanged.connect(self._choose)
        self.card = ExtensionCard(parts, self.called)
        for widget in (self.waiting, self.trouble, self.empty, self.table, self.card, *self.more()):
            self.column.addWidget(widget)
        for label in (self.waiting, self.trouble, self.empty):
            say(label, "" if label is not self.empty else label.text())
        self.table.hide()
        self.empty.hide()
        self.column.addStretch(1)

    # --- what each page says for itself -------------------------------------------------------

    def columns(self, texts: Texts) -> Columns:
        """Of the table."""
        raise NotImplementedError

    def cells(self, extension: Extension) -> tuple[str, ...]:
        """One row of it."""
        raise NotImplementedError

    def empty_text(self, texts: Texts) -> str:
        """What to say while there is none."""
        raise NotImplementedError

    def more(self) -> Sequence[QWidget]:
        """What stands below."""
        return ()

    # --- events -------------------------------------------------------------------------------

    def take(self, event: Event) -> None:
        """Show what happened."""
        match event:
            case ExtensionsLooked():
                self._show(event)
            case ExtensionWishRefused(kind, name, reason) if kind in self.kinds:
                self._show_refusal(kind, name, reason)
            case _:
                pass

    def entered(self) -> None:
        """Look anew; what is shown has just come into view."""
        self.card.rest()
        self.parts.look(LookAtExtensions(0))

    def closed(self) -> None:
        """What was refused was read."""
        self._refusals.clear()
        say(self.trouble, "")
        self.card.refuse("")

    def restyle(self) -> None:
        """The texts are coloured by hand."""
        self.card.restyle()

    def _show_refusal(self, kind: ExtensionKind, name: str, reason: str) -> None:
        if not any((one.kind, one.name) == (kind, name) for one in self.extensions):
            say(self.trouble, visible(reason))  # a list that was pasted, or one that is gone
            return
        self._refusals[kind, name] = reason
        while len(self._refusals) > _KEPT_REFUSALS:
            self._refusals.pop(next(iter(self._refusals)))
        if self._chosen == (kind, name):
            self.card.refuse(reason)

    # --- showing ------------------------------------------------------------------------------

    def _show(self, looked: ExtensionsLooked) -> None:
        texts = self.parts.texts
        found = [one for one in looked.extensions if one.kind in self.kinds]
        self.extensions = tuple(sorted(found, key=lambda one: (self.kinds.index(one.kind), one.name)))
        blocked = self.table.blockSignals(True)  # a row that moves is not chosen by that
        self.table.setRowCount(len(self.extensions))
        for row, one in enumerate(self.extensions):
            self.table.put(row, self.cells(one))
        keys = [(one.kind, one.name) for one in self.extensions]
        if self._chosen in keys:
            self.table.choose(keys.index(self._chosen))
        else:
            self.table.clearSelection()
            self.table.setCurrentCell(-1, -1)
            self._chosen = None
        self.table.blockSignals(blocked)
        head = self.table.horizontalHeader().sizeHint().height()
        self.table.setFixedHeight(head + _ROW_PX * min(len(keys), _MOST_ROWS) + 6)
        self.table.setVisible(bool(keys))
        self.empty.setVisible(not keys)
        waiting = sum(one.state in extension_words.WAITS for one in self.extensions)
        told = texts.plural(
            "{count} is waiting for you: nothing of it runs before you have read and enabled it.",
            "{count} are waiting for you: nothing of them runs before you have read and enabled it.",
            waiting,
        )
        say(self.waiting, told.format(count=waiting) if waiting else "")
        self._show_chosen()

    def _show_chosen(self) -> None:
        chosen = next((one for one in self.extensions if (one.kind, one.name) == self._chosen), None)
        self.card.show_extension(chosen)
        if chosen is not None and (chosen.kind, chosen.name) in self._refusals:
            self.card.refuse(self._refusals[chosen.kind, chosen.name])

    def named(self, extension: Extension) -> str:
        """Its name for a cell."""
        return one_line(extension.name, _NAME_CHARS)

    # --- what a person does -------------------------------------------------------------------

    def _choose(self) -> None:
        row = self.table.currentRow()
        if 0 <= row < len(self.extensions) and self.table.selectedItems():
            one = self.extensions[row]
            self._chosen = one.kind, one.name
            self._show_chosen()

    def _opened(self, _row: int) -> None:
        """Enter leads to what would run, never past it."""
        if self.card.source is not None:
            self.card.source.setFocus()
