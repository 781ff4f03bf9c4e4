"""What pages and windows beside the conversation are made of."""

import re
from collections.abc import Callable, MutableMapping
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from jarvis_desktop.ui.qt.rows import plain_label

_TITLE_SCALE = 1.45
_MNEMONIC = re.compile(r"\(&\w\)|&")


class Page(QWidget):
    """A page: a title, a sentence or two, and a column for what it is about."""

    def __init__(self, title: str, intro: str) -> None:
        super().__init__()
        self.setObjectName("setupPage")
        self.title = plain_label(title, "setupTitle")
        self.title.setWordWrap(True)
        font = self.title.font()
        font.setPointSizeF(font.pointSizeF() * _TITLE_SCALE)
        self.title.setFont(font)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(26, 20, 26, 18)
        self.column.setSpacing(12)
        self.column.addWidget(self.title)
        self.intro = wrapped(intro, "setupIntro")
        self.column.addWidget(self.intro)

    def entered(self) -> None:
        """The page is being looked at."""

    def restyle(self) -> None:
        """Draw what has colours of its own in the theme's."""


class Card(QFrame):
    """A framed group of a page."""

    def __init__(self, title: str = "") -> None:
        super().__init__()
        self.setObjectName("card")
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(16, 13, 16, 14)
        self.column.setSpacing(8)
        if title:
            self.column.addWidget(wrapped(title, "cardTitle"))
            self.setAccessibleName(title)

    def add_row(self, *widgets: QWidget, stretch: bool = True) -> QHBoxLayout:
        """Widgets side by side, from the left."""
        row = QHBoxLayout()
        row.setSpacing(8)
        for widget in widgets:
            row.addWidget(widget)
        if stretch:
            row.addStretch(1)
        self.column.addLayout(row)
        return row

    def add_point(self, text: str) -> QLabel:
        """A point of a list; its lines hang beside the dot."""
        label = wrapped(text, "cardText")
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(plain_label("•", "cardText"), 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(label, 1)
        self.column.addLayout(row)
        return label


Key = TypeVar("Key")
AnyCard = TypeVar("AnyCard", bound=Card)


def drop(cards: MutableMapping[Key, AnyCard]) -> None:
    """No card is shown any more. All are made anew when others come, so that Tab follows what is seen."""
    while cards:
        card = cards.popitem()[1]
        card.hide()
        card.deleteLater()


def wrapped(text: str, name: str) -> QLabel:
    """A label that breaks its lines, and gives way where a window is narrow."""
    label = plain_label(text, name)
    label.setWordWrap(True)
    label.setMinimumWidth(1)
    return label


def say(label: QLabel, text: str) -> None:
    """``label`` says ``text``; it takes no room while there is nothing to say."""
    if label.text() != text:
        label.setText(text)
    label.setVisible(bool(text))


def mark(label: QLabel, name: str, *, on: bool) -> None:
    """``label`` has the style sheet's property ``name``; polished only when that is news."""
    if label.property(name) != on:
        label.setProperty(name, on)
        label.style().polish(label)


def push(text: str, identifier: str, pressed: Callable[[], None], kind: str = "") -> QPushButton:
    """A button; ``kind`` as in the style sheet."""
    button = QPushButton(text)
    button.setAccessibleIdentifier(f"setup.{identifier}")
    button.setObjectName(identifier)
    if kind:
        button.setProperty("kind", kind)
    button.clicked.connect(pressed)
    return button


def rename(button: QPushButton, text: str, about: str = "") -> None:
    """Another word on ``button``; ``about`` says to a screen reader what it is about."""
    if button.text() != text:
        button.setText(text)
    name = f"{_MNEMONIC.sub('', text)}: {about}" if about else text
    if button.accessibleName() != name:
        button.setAccessibleName(name)


def fill(box: QComboBox, items: tuple[tuple[str, object], ...], chosen: object) -> None:
    """``box`` offers ``items`` (text, value) and shows ``chosen``; no signal, and the focus stays."""
    blocked = box.blockSignals(True)
    if [(box.itemText(i), box.itemData(i)) for i in range(box.count())] != list(items):
        box.clear()
        for text, value in items:
            box.addItem(text, value)
    box.setCurrentIndex(max(0, box.findData(chosen)))
    box.blockSignals(blocked)


def choice(name: str, identifier: str, chosen: Callable[[], None]) -> QComboBox:
    """A box with a choice that can be narrower than its longest text."""
    box = QComboBox()
    box.setAccessibleName(name)
    box.setAccessibleIdentifier(f"setup.{identifier}")
    box.setObjectName(identifier)
    box.setMinimumContentsLength(12)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    box.activated.connect(chosen)
    return box


def to_the_front(window: QWidget) -> None:
    """Show a window in front of all others; a person asked for it."""
    if window.isMinimized():
        window.showNormal()
    else:
        window.show()
    window.raise_()
    window.activateWindow()
