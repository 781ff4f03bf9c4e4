"""Controls of settings that are written: text, secret, number, folder, list of texts."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QPlainTextEdit, QVBoxLayout

from jarvis_desktop.core.items.settings_desk import HIDDEN
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.setting_fields import SettingField, ValueKind
from jarvis_desktop.ui import setting_words
from jarvis_desktop.ui.qt.rows import plain_label
from jarvis_desktop.ui.qt.settings_page import area, line, push, raw_text
from jarvis_desktop.ui.qt.settings_values_control import Control

_NUMBER_PX = 120
_LIST_LINES = 5
_STEPS = 20
"""Up and Down go through a number's bounds in about so many steps."""


class TextControl(Control):
    """A text of one line: Enter and leaving it mean it, Escape takes it back."""

    def __init__(self, field: SettingField, texts: Texts) -> None:
        super().__init__(field, texts)
        self.edit: QLineEdit = line(self.title, f"all.{field.name}", self._hint())
        self.edit.textEdited.connect(lambda _text: self.typed.emit())
        self.edit.editingFinished.connect(self.mean)
        self.row.addWidget(self.edit, 1)
        self.setFocusProxy(self.edit)

    def _hint(self) -> str:
        return self.texts("empty") if self.field.default == "" else ""

    def show_value(self, value: object) -> None:
        """``value`` is shown."""
        if self.edit.text() != str(value):
            self.edit.setText(str(value))
            self.edit.setCursorPosition(0)

    def value(self) -> object:
        """What is written."""
        return self.edit.text()


class SecretControl(TextControl):
    """A text that is shown as dots; what is kept is never shown again, only that there is something."""

    def __init__(self, field: SettingField, texts: Texts) -> None:
        super().__init__(field, texts)
        self.edit.setEchoMode(QLineEdit.EchoMode.Password)
        self._kept = False

    def show_value(self, value: object) -> None:
        """Dots, where there is one."""
        self._kept = value == HIDDEN
        self.edit.setText("" if self._kept else str(value))
        self.edit.setPlaceholderText(HIDDEN if self._kept else self._hint())

    def value(self) -> object:
        """What is written; the one that is kept while nothing is."""
        return HIDDEN if self._kept and not self.edit.text() else self.edit.text()


class NumberControl(TextControl):
    """A number with its unit; Up and Down make it larger and smaller."""

    def __init__(self, field: SettingField, texts: Texts) -> None:
        super().__init__(field, texts)
        self.edit.setFixedWidth(_NUMBER_PX)
        self.row.setStretch(0, 0)
        self.row.addWidget(plain_label(setting_words.unit_text(field.unit, texts), "cardText"))
        self.row.addStretch(1)
        self.edit.installEventFilter(self)

    def show_value(self, value: object) -> None:
        """``value`` is shown."""
        super().show_value(setting_words.number_text(value))

    def value(self) -> object:
        """The number; the text where it is none."""
        text = self.edit.text().strip()
        try:
            return int(text) if self.field.kind is ValueKind.WHOLE else float(text)
        except ValueError:
            return text

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The two keys."""
        if (
            event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and not self.edit.isReadOnly()
        ):
            by = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}.get(Qt.Key(event.key()), 0)
            value = self.value()
            if by and isinstance(value, int | float):
                self.show_value(self._stepped(value, by))
                self.typed.emit()
                return True
        return super().eventFilter(watched, event)

    def _stepped(self, value: float, by: int) -> float:
        least, most = self.field.least or 0, self.field.most or 0
        step = (most - least) / _STEPS
        step = max(1, round(value / 10)) if self.field.kind is ValueKind.WHOLE else min(0.1, step)
        moved = min(most, max(least, value + by * step))
        return round(moved, 4) if self.field.kind is ValueKind.NUMBER else int(moved)


class FolderControl(TextControl):
    """A folder, written or chosen."""

    def __init__(self, field: SettingField, texts: Texts) -> None:
        super().__init__(field, texts)
        self.choose = push(texts("C&hoose…"), f"all.{field.name}.choose", self._choose)
        self.choose.setAccessibleName(f"{texts('Choose…')} {self.title}")
        self.row.addWidget(self.choose)

    def _choose(self) -> None:
        dialog = QFileDialog(self.window(), self.title, self.edit.text())
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly, on=True)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.take_chosen)
        dialog.open()

    def take_chosen(self, folder: str) -> None:
        """A folder was chosen."""
        self.edit.setText(folder)
        self.typed.emit()
        self.mean()


class LinesControl(Control):
    """A list of texts, one a line; a button means it."""

    def __init__(self, field: SettingField, texts: Texts) -> None:
        super().__init__(field, texts)
        column = QVBoxLayout()
        column.setSpacing(8)
        self.edit: QPlainTextEdit = area(self.title, f"all.{field.name}", texts("One a line"), _LIST_LINES)
        self._kept: tuple[str, ...] = ()
        self.edit.textChanged.connect(self._changed)
        self.save = push(texts("Save"), f"all.{field.name}.save", self.mean)
        self.save.setAccessibleName(f"{texts('Save')}: {self.title}")
        self.save.hide()
        buttons = QHBoxLayout()
        buttons.addWidget(self.save)
        buttons.addStretch(1)
        column.addWidget(self.edit)
        column.addLayout(buttons)
        self.row.addLayout(column, 1)
        self.setFocusProxy(self.edit)

    def show_value(self, value: object) -> None:
        """``value`` is shown."""
        assert isinstance(value, Sequence)
        self._kept = tuple(map(str, value))
        if raw_text(self.edit) != "\n".join(self._kept):
            blocked = self.edit.blockSignals(True)
            self.edit.setPlainText("\n".join(self._kept))
            self.edit.blockSignals(blocked)
        # An entry of several lines would come apart here; the file's text can hold it.
        self.edit.setReadOnly(any("\n" in one for one in self._kept))
        self.save.hide()

    def value(self) -> object:
        """Each line that is not empty; what was there before stays as it was, spaces included."""
        lines = raw_text(self.edit).split("\n")
        return self._kept if self.edit.isReadOnly() else self._entries(lines)

    def _entries(self, lines: Sequence[str]) -> tuple[str, ...]:
        return tuple(one if one in self._kept else one.strip() for one in lines if one.strip())

    def _changed(self) -> None:
        self.save.setVisible(self.value() != self._kept)
        self.typed.emit()
