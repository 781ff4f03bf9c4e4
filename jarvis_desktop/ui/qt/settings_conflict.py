"""The bar over an editor whose file was changed by something else: a person decides what becomes of it."""

from collections.abc import Callable
from dataclasses import dataclass
from difflib import unified_diff

from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from jarvis_desktop.core.items.decisions import Shown
from jarvis_desktop.ui.qt.detail_view import DetailView
from jarvis_desktop.ui.qt.page import wrapped
from jarvis_desktop.ui.qt.settings_page import SettingsParts, push
from jarvis_desktop.ui.visible_text import Care, visible

_MOST_LINES = 9
_MARGIN_PX = 14


@dataclass(frozen=True, slots=True)
class ConflictAnswers:
    """What a person can decide."""

    keep_mine: Callable[[], None]
    take_theirs: Callable[[], None]
    show_both: Callable[[], None]


class ConflictBar(QFrame):
    """Hidden while there is nothing to decide."""

    def __init__(self, parts: SettingsParts, answers: ConflictAnswers) -> None:
        super().__init__()
        self._parts = parts
        texts = parts.texts
        self.setObjectName("trouble")
        told = wrapped(
            texts(
                "This file was changed by something else since you opened it. Nothing was written; "
                "your text is still here."
            ),
            "",
        )
        self.keep = push(texts("&Keep mine"), "files.keep", answers.keep_mine)
        self.theirs = push(texts("&Take theirs"), "files.theirs", answers.take_theirs)
        self.both = push(texts("Show &both"), "files.both", answers.show_both)
        row = QHBoxLayout()
        row.setSpacing(8)
        for button in (self.both, self.keep, self.theirs):
            row.addWidget(button)
        row.addStretch(1)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(_MARGIN_PX, 8, _MARGIN_PX, 10)
        self._column.addWidget(told)
        self._column.addLayout(row)
        self.difference: DetailView | None = None
        self.hide()

    def begin(self) -> None:
        """There is something to decide."""
        self._clear()
        self.show()

    def end(self) -> None:
        """It is decided."""
        self._clear()
        self.hide()

    def show_difference(self, theirs: str, mine: str) -> None:
        """Both texts, as what would become of theirs."""
        texts = self._parts.texts
        self._clear()
        names = texts("theirs, on disk"), texts("mine, in the editor")
        lines = unified_diff(theirs.splitlines(), mine.splitlines(), *names, lineterm="")
        text = visible("\n".join(lines), Care.SOURCE)
        view = DetailView(text, Shown.DIFF, self._parts.theme.colours, most_lines=_MOST_LINES)
        view.setAccessibleName(texts("What differs"))
        view.setAccessibleIdentifier("settings.files.difference")
        self._column.addWidget(view)
        view.fit(self.width() - 2 * _MARGIN_PX)
        self.difference = view

    def _clear(self) -> None:
        if self.difference is not None:
            self.difference.hide()
            self.difference.deleteLater()
            self.difference = None
