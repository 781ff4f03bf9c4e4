"""Parts of the dialogs that ask: the middle that scrolls where a screen is small, and buttons."""

from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.qt.rows import plain_label
from jarvis_desktop.ui.qt.theme import Theme

SIDE_PX = 24
_WIDTH_PX = 640
_CRAMPED_PX = 520
_LEAST_PX = 56


@dataclass(frozen=True, slots=True)
class Looks:
    """How a dialog looks, and where."""

    theme: Theme
    texts: Texts
    room: QSize = QSize(1366, 728)  # noqa: RUF009 - nothing ever changes it
    """The most that it may take of the screen, without the window's frame."""

    @property
    def width_px(self) -> int:
        """The dialog's width."""
        return min(_WIDTH_PX, self.room.width())

    @property
    def inside_px(self) -> int:
        """The width of what is in it."""
        return self.width_px - 2 * SIDE_PX

    @property
    def cramped(self) -> bool:
        """The screen is low (a small laptop at 200 %), so that margins are narrow."""
        return self.room.height() < _CRAMPED_PX

    def column(self, dialog: QWidget) -> QVBoxLayout:
        """The outer layout of a dialog."""
        column = QVBoxLayout(dialog)
        top, bottom = (10, 10) if self.cramped else (20, 18)
        column.setContentsMargins(SIDE_PX, top, SIDE_PX, bottom)
        column.setSpacing(6 if self.cramped else 12)
        return column


class Body(QScrollArea):
    """As high as what is in it, unless it has to give way to what stands above and below it."""

    def __init__(self, texts: Texts, *, cramped: bool) -> None:
        super().__init__()
        self.cramped = cramped
        self.setObjectName("approvalBody")
        self.setAccessibleName(texts("What is asked"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = QWidget()
        inside.setObjectName("approvalInside")
        self.column = QVBoxLayout(inside)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(6 if cramped else 12)
        self.setWidget(inside)

    def grow(self, width_px: int) -> None:
        """Show everything."""
        self.column.invalidate()
        height = self.column.totalHeightForWidth(width_px) if self.column.hasHeightForWidth() else -1
        self.setFixedHeight(height if height >= 0 else self.column.totalSizeHint().height())

    def shrink(self, less_px: int) -> None:
        """Scroll, and be so much lower; with Tab it can be reached and scrolled by keys."""
        self.setFixedHeight(max(_LEAST_PX, self.height() - less_px))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)


def seconds_label(texts: Texts) -> QLabel:
    """How long there is to answer; as wide as it will ever be, so that nothing moves when it changes."""
    label = plain_label(texts("Time is up"), "seconds")
    label.setProperty("soon", False)
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    label.ensurePolished()
    widths = []
    for text in (texts("Time is up"), texts("{seconds} s left").format(seconds=888)):
        label.setText(text)
        widths.append(label.sizeHint().width())
    label.setMinimumWidth(max(widths))
    return label


def show_waiting(button: QPushButton, hint: str, *, waiting: bool) -> None:
    """Say whether a press counts now. A style is worked out anew only where it must be: it takes 1 ms."""
    button.setAccessibleDescription(hint)
    if button.property("waiting") != waiting:
        button.setProperty("waiting", waiting)
        button.style().polish(button)


def wrapped_label(text: str, name: str) -> QLabel:
    """Text over as many lines as it needs."""
    label = plain_label(text, name)
    label.setWordWrap(True)
    return label


def answer_button(text: str, kind: str, identifier: str) -> QPushButton:
    """A button that Enter reaches only through its focus.

    Plain buttons: QDialogButtonBox makes its first accepting button the default when shown.
    """
    button = QPushButton(text)
    button.setProperty("kind", kind)
    button.setProperty("waiting", True)
    button.setAutoDefault(False)
    button.setDefault(False)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setAccessibleName(text)
    button.setAccessibleIdentifier(identifier)
    button.setMinimumWidth(104)
    return button
