"""The control that fits a setting, after what its declaration allows."""

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QCheckBox, QComboBox

from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.setting_fields import SettingField, ValueKind
from jarvis_desktop.ui import setting_words
from jarvis_desktop.ui.qt.page import fill
from jarvis_desktop.ui.qt.settings_page import choice
from jarvis_desktop.ui.qt.settings_values_control import Control
from jarvis_desktop.ui.qt.settings_values_typed import (
    FolderControl,
    LinesControl,
    NumberControl,
    SecretControl,
    TextControl,
)

_CHOICE_CHARS = 22


class SwitchControl(Control):
    """On or off."""

    is_typed = False

    def __init__(self, field: SettingField, texts: Texts) -> None:
        super().__init__(field, texts)
        self.box = QCheckBox(texts("On"))
        self.box.setAccessibleName(self.title)
        self.box.setAccessibleIdentifier(f"settings.all.{field.name}")
        self.box.clicked.connect(self.mean)
        self.row.addWidget(self.box)
        self.row.addStretch(1)
        self.setFocusProxy(self.box)

    def show_value(self, value: object) -> None:
        """``value`` is shown."""
        self.box.setChecked(bool(value))

    def value(self) -> object:
        """On."""
        return self.box.isChecked()


class ChoiceControl(Control):
    """One of a closed list."""

    is_typed = False

    def __init__(self, field: SettingField, texts: Texts) -> None:
        super().__init__(field, texts)
        self.box: QComboBox = choice(self.title, f"all.{field.name}", self.mean)
        self.box.setMinimumContentsLength(_CHOICE_CHARS)
        self.box.installEventFilter(self)
        self.row.addWidget(self.box)
        self.row.addStretch(1)
        self.setFocusProxy(self.box)

    def show_value(self, value: object) -> None:
        """``value`` is shown."""
        items = tuple((setting_words.choice_text(one, self.texts), one) for one in self.field.choices)
        fill(self.box, items, value)

    def value(self) -> object:
        """The chosen one."""
        return str(self.box.currentData())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Who scrolls the page past a choice does not change it."""
        if event.type() == QEvent.Type.Wheel:
            event.ignore()
            return True
        return super().eventFilter(watched, event)


class ChoicesControl(Control):
    """Some of a closed list."""

    is_typed = False

    def __init__(self, field: SettingField, texts: Texts) -> None:
        super().__init__(field, texts)
        self.boxes: dict[str, QCheckBox] = {}
        for one in field.choices:
            box = QCheckBox(setting_words.choice_text(one, texts))
            box.setAccessibleName(f"{self.title}: {box.text()}")
            box.setAccessibleIdentifier(f"settings.all.{field.name}.{one}")
            box.clicked.connect(self.mean)
            self.boxes[one] = box
            self.row.addWidget(box)
        self.row.addStretch(1)
        self.setFocusProxy(next(iter(self.boxes.values())))

    def show_value(self, value: object) -> None:
        """``value`` is shown."""
        assert isinstance(value, Sequence)
        for one, box in self.boxes.items():
            box.setChecked(one in value)

    def value(self) -> object:
        """The chosen ones, in the order of the list."""
        return tuple(one for one, box in self.boxes.items() if box.isChecked())

    def settled(self, value: object) -> object:
        """In the order of the list."""
        assert isinstance(value, Sequence)
        return tuple(one for one in self.field.choices if one in value)


_KINDS: Mapping[ValueKind, Callable[[SettingField, Texts], Control]] = {
    ValueKind.SWITCH: SwitchControl,
    ValueKind.CHOICE: ChoiceControl,
    ValueKind.CHOICES: ChoicesControl,
    ValueKind.WHOLE: NumberControl,
    ValueKind.NUMBER: NumberControl,
    ValueKind.TEXT: TextControl,
    ValueKind.SECRET: SecretControl,
    ValueKind.LINES: LinesControl,
    ValueKind.FOLDER: FolderControl,
}


def control_for(field: SettingField, texts: Texts) -> Control:
    """The control for what a declaration allows."""
    return _KINDS[field.kind](field, texts)
