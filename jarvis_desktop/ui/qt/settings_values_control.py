"""What every control of a setting can do."""

from abc import abstractmethod

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.setting_fields import SettingField
from jarvis_desktop.ui import setting_words


class Control(QWidget):
    """Shows a value and lets a person make another of it."""

    typed = Signal()
    """Something is being written; it is not meant to count yet."""
    meant = Signal()
    """A person means what is shown."""
    is_typed = True
    """A value is written step by step, so that it can be wrong on the way."""

    def __init__(self, field: SettingField, texts: Texts) -> None:
        super().__init__()
        self.field, self.texts = field, texts
        self.title = setting_words.title(field, texts)
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(8)

    @abstractmethod
    def show_value(self, value: object) -> None:
        """``value`` is shown; no signal."""

    @abstractmethod
    def value(self) -> object:
        """What is shown."""

    def describe(self, text: str) -> None:
        """What a screen reader says about it besides its name."""
        for part in self.findChildren(QWidget):
            # Said only when it is news: screen readers tell changes.
            if part.accessibleIdentifier() and part.accessibleDescription() != text:
                part.setAccessibleDescription(text)

    def mean(self) -> None:
        """What is shown is meant."""
        self.meant.emit()

    def settled(self, value: object) -> object:
        """``value`` as ``value()`` gives it, for comparing."""
        return value
