"""Rows of what can be typed after a slash: the name and what it is for, side by side."""

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from jarvis_desktop.core.items.slash import Choice
from jarvis_desktop.ui.qt.theme import Theme, code_font
from jarvis_desktop.ui.visible_text import Care, visible

_Index = QModelIndex | QPersistentModelIndex
_AT_TOP = QModelIndex()
SIDE_PX = 14
GAP_PX = 16
LABEL_SHARE = 0.56
"""Of a row's width, at most, for the name where it is long."""


class ChoiceModel(QAbstractListModel):
    """The choices that are shown."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.choices: tuple[Choice, ...] = ()

    def show_choices(self, choices: Sequence[Choice]) -> None:
        """These, in this order."""
        self.beginResetModel()
        self.choices = tuple(choices)
        self.endResetModel()

    def rowCount(self, parent: _Index = _AT_TOP) -> int:
        """As many as there are choices."""
        return 0 if parent.isValid() else len(self.choices)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The name to look at; name and purpose to listen to."""
        choice = self.choices[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return visible(choice.label, Care.COMMAND)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken(choice)
        return None


def spoken(choice: Choice) -> str:
    """A choice as a screen reader says it."""
    label = visible(choice.label, Care.COMMAND)
    return f"{label}: {visible(choice.help)}" if choice.help else label


class ChoiceDelegate(QStyledItemDelegate):
    """Draws a row; what does not fit is cut with an ellipsis."""

    def __init__(self, theme: Theme, model: ChoiceModel, parent: QObject) -> None:
        super().__init__(parent)
        self._theme, self._model = theme, model

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """One line and some air."""
        del index
        return QSize(100, max(option.fontMetrics.height(), QFontMetrics(_label_font()).height()) + 14)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """The name on the left, its purpose behind it."""
        choice, colours = self._model.choices[index.row()], self._theme.colours
        painter.save()
        marked = bool(option.state & QStyle.StateFlag.State_Selected)
        if marked or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.bubble if marked else colours.raised))
            painter.drawRoundedRect(option.rect.adjusted(4, 1, -4, -1), 8, 8)
        inside = option.rect.adjusted(SIDE_PX, 0, -SIDE_PX, 0)
        label = self._fitting(choice, int(inside.width() * LABEL_SHARE))
        used = self._write(painter, inside, label, (_label_font(), colours.text), LABEL_SHARE)
        rest = inside.adjusted(used + GAP_PX, 0, 0, 0)
        if choice.help:
            self._write(painter, rest, visible(choice.help), (option.font, colours.muted), 1.0)
        painter.restore()

    def _fitting(self, choice: Choice, width: int) -> str:
        """The name alone where there is no room for what may follow it."""
        label = visible(choice.label, Care.COMMAND)
        fits = QFontMetrics(_label_font()).horizontalAdvance(label) <= width
        return (
            label if fits or not choice.label.startswith(choice.text) else visible(choice.text, Care.COMMAND)
        )

    def _write(
        self, painter: QPainter, place: QRect, text: str, looks: tuple[QFont, str], share: float
    ) -> int:
        font, colour = looks
        metrics = QFontMetrics(font)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, int(place.width() * share))
        painter.setFont(font)
        painter.setPen(QColor(colour))
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
        return metrics.horizontalAdvance(shown)


def _label_font() -> QFont:
    return code_font(10.5)
