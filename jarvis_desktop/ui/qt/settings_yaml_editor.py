"""An editor for YAML: line numbers, colours, and lines that are marked."""

import re
from collections.abc import Mapping

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from jarvis_desktop.ui.qt.theme import Colours, code_font

_WORDS = re.compile(
    r"""(?P<comment>(?:^|(?<=\s))\#.*)
      |(?P<string>"(?:[^"\\]|\\.)*"?|'(?:[^']|'')*'?)
      |(?P<keyword>[\w-]+(?=\s*:(?:\s|$)))
      |(?P<operator>[{}\[\],:]|^\s*-(?=\s))""",
    re.VERBOSE,
)
_GAP_PX = 10


class YamlEditor(QPlainTextEdit):
    """Plain text as it is in the file; Tab goes on to the next control."""

    def __init__(self, name: str, identifier: str, colours: Colours) -> None:
        super().__init__()
        self.setObjectName("yaml")
        self.setAccessibleName(name)
        self.setAccessibleIdentifier(f"settings.{identifier}")
        self.setFont(code_font(10.5))
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.marked: Mapping[int, bool] = {}
        """Line from 1, and whether it is only a warning."""
        self._colours = colours
        self._numbers = _Numbers(self)
        self._painter = _Painter(self.document(), colours)
        self.blockCountChanged.connect(lambda _count: self._make_room())
        self.updateRequest.connect(self._scrolled)
        self._make_room()

    def mark(self, lines: Mapping[int, bool]) -> None:
        """These lines stand out, and no others; ``True`` is for a mere warning."""
        self.marked = dict(lines)
        found = []
        for number, mild in self.marked.items():
            block = self.document().findBlockByNumber(number - 1)
            if not block.isValid():
                continue
            part = QTextEdit.ExtraSelection()
            back = QColor(self._colours.warning_soft if mild else self._colours.danger_soft)
            part.format.setBackground(back)
            part.format.setProperty(QTextFormat.Property.FullWidthSelection.value, True)
            cursor = QTextCursor(block)
            part.cursor = cursor
            found.append(part)
        self.setExtraSelections(found)
        self._numbers.update()

    def go_to(self, number: int) -> None:
        """The cursor stands at the beginning of a line, in view."""
        block = self.document().findBlockByNumber(max(0, number - 1))
        if block.isValid():
            self.setTextCursor(QTextCursor(block))
            self.centerCursor()

    def restyle(self, colours: Colours) -> None:
        """Draw in these colours."""
        self._colours = colours
        self._painter.restyle(colours)
        self.mark(self.marked)

    # --- line numbers -------------------------------------------------------------------------

    @property
    def gutter_px(self) -> int:
        """Width of the strip with the numbers."""
        digits = max(2, len(str(self.blockCount())))
        return 2 * _GAP_PX + self.fontMetrics().horizontalAdvance("9") * digits

    def paint_numbers(self, event: QPaintEvent) -> None:
        """The numbers of the lines that are in view."""
        painter = QPainter(self._numbers)
        painter.fillRect(event.rect(), QColor(self._colours.raised))
        painter.setFont(self.font())
        block, offset = self.firstVisibleBlock(), self.contentOffset()
        while block.isValid():
            box = self.blockBoundingGeometry(block).translated(offset)
            if box.top() > event.rect().bottom():
                break
            number = block.blockNumber() + 1
            mild = self.marked.get(number)
            colour = self._colours.faint
            if mild is not None:
                colour = self._colours.warning if mild else self._colours.danger
            painter.setPen(QColor(colour))
            room = QRect(0, round(box.top()), self.gutter_px - _GAP_PX, round(box.height()))
            painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(number))
            block = block.next()
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The strip is as high as the text."""
        super().resizeEvent(event)
        self._place()

    def _make_room(self) -> None:
        self.setViewportMargins(self.gutter_px, 0, 0, 0)
        self._place()

    def _place(self) -> None:
        inner = self.contentsRect()
        self._numbers.setGeometry(QRect(inner.left(), inner.top(), self.gutter_px, inner.height()))

    def _scrolled(self, area: QRect, by: int) -> None:
        if by:
            self._numbers.scroll(0, by)
        else:
            self._numbers.update(0, area.y(), self._numbers.width(), area.height())


class _Numbers(QWidget):
    def __init__(self, editor: YamlEditor) -> None:
        super().__init__(editor)
        self._editor = editor

    def sizeHint(self) -> QSize:
        """As wide as the longest number."""
        return QSize(self._editor.gutter_px, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the numbers."""
        self._editor.paint_numbers(event)


class _Painter(QSyntaxHighlighter):
    """Each line by itself: a rule file has no values over several lines."""

    def __init__(self, document: QTextDocument, colours: Colours) -> None:
        super().__init__(document)
        self._looks = _looks(colours)

    def restyle(self, colours: Colours) -> None:
        """Draw in these colours."""
        self._looks = _looks(colours)
        self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        """Colour one line."""
        for match in _WORDS.finditer(text):
            # Qt counts in UTF-16.
            start = len(text[: match.start()].encode("utf-16-le")) // 2
            length = len(match[0].encode("utf-16-le")) // 2
            self.setFormat(start, length, self._looks[match.lastgroup or ""])


def _looks(colours: Colours) -> Mapping[str, QTextCharFormat]:
    def made(colour: str) -> QTextCharFormat:
        look = QTextCharFormat()
        look.setForeground(QColor(colour))
        return look

    return {
        "comment": made(colours.faint),
        "string": made(colours.string),
        "keyword": made(colours.keyword),
        "operator": made(colours.accent),
    }
