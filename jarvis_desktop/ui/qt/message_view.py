"""One message as text that is as high as its content: Markdown of the model, plain text of people.

Nothing is ever loaded, neither a picture nor a style, and HTML is shown as the text it is.
Links open on a click, only http and https, and show their true target while pointed at.
"""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, QTimer, QUrl
from PySide6.QtGui import (
    QColor,
    QDesktopServices,
    QFont,
    QFontMetricsF,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser, QToolTip, QWidget

from jarvis_desktop.ui.qt.theme import Colours, code_font
from jarvis_desktop.ui.visible_text import visible

MARKDOWN = QTextDocument.MarkdownFeature(
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub.value
    | QTextDocument.MarkdownFeature.MarkdownNoHTML.value
)
_HEADING_SCALE = {1: 1.45, 2: 1.25, 3: 1.1}
_LINE_HEIGHT_PERCENT = 132.0


def open_link(url: QUrl) -> None:
    """Open ``url`` in the person's browser."""
    QDesktopServices.openUrl(url)


class MessageView(QTextBrowser):
    """A read-only text without scroll bars; its height follows its content."""

    def __init__(self, colours: Colours, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("message")
        self.colours = colours
        self.open_link: Callable[[QUrl], None] = open_link
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        # Tab must walk through the controls, not through hundreds of messages.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextBrowserInteraction | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.document().setDocumentMargin(0)
        self.document().setUndoRedoEnabled(False)
        self.document().setIndentWidth(24)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        self.anchorClicked.connect(self._link_clicked)
        self.highlighted.connect(self._link_pointed)

    def show_markdown(self, text: str) -> None:
        """Show ``text`` as Markdown."""
        document = self.document()
        document.setMarkdown(visible(text), MARKDOWN)
        _dress(document, self.colours, self.font())
        self._fit()

    def show_plain(self, text: str) -> None:
        """Show ``text`` exactly as typed."""
        self.setPlainText(visible(text))
        _space(self.document())
        self._fit()

    def ideal_width(self) -> int:
        """Width that the text would take without being wrapped."""
        metrics = QFontMetricsF(self.font())
        lines = self.toPlainText().split("\n")
        return int(max(metrics.horizontalAdvance(line) for line in lines)) + 4

    def loadResource(self, kind: int, url: QUrl | str) -> Any:
        """Nothing: no picture, style or file is ever fetched for a message."""
        del kind, url
        return None

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The conversation scrolls, not the message."""
        event.ignore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap anew and take the height that this needs."""
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        """As wide as given, as high as the text."""
        return QSize(200, self.height())

    def changeEvent(self, event: QEvent) -> None:
        """Another font takes another height."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        height = round(self.document().size().height()) + 1
        if height != self.height():
            self.setFixedHeight(height)

    def _link_clicked(self, url: QUrl) -> None:
        if url.scheme().lower() in ("http", "https"):
            self.open_link(url)

    def _link_pointed(self, url: QUrl) -> None:
        # Encoded, so that a look-alike domain shows as xn--…
        target = url.toString(QUrl.ComponentFormattingOption.FullyEncoded)
        where = self.mapToGlobal(QPoint(0, self.height()))
        # Tool tips read "<" as rich text; an encoded URL holds none.
        QToolTip.showText(where, target, self, QRect(), 4000) if target else QToolTip.hideText()


class StreamingView(MessageView):
    """Markdown that grows: drawn anew at most every 30 ms, and less often when drawing costs more."""

    PAUSE_MS = 30

    def __init__(self, colours: Colours, parent: QWidget | None = None) -> None:
        super().__init__(colours, parent)
        self._pending: str | None = None
        self.renders = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.flush)

    def grow_to(self, text: str) -> None:
        """The text so far; drawn soon."""
        self._pending = text
        if not self._timer.isActive():
            # Four times the cost of drawing keeps the loop free at any length of answer.
            pause_ms = max(self.PAUSE_MS, len(text) // 250)
            self._timer.start(pause_ms)

    def flush(self) -> None:
        """Draw what is pending now."""
        self._timer.stop()
        if self._pending is not None:
            text, self._pending = self._pending, None
            self.renders += 1
            self.show_markdown(text)


def _space(document: QTextDocument) -> None:
    cursor = QTextCursor(document)
    cursor.select(QTextCursor.SelectionType.Document)
    spaced = QTextBlockFormat()
    spaced.setLineHeight(_LINE_HEIGHT_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    cursor.mergeBlockFormat(spaced)


def _dress(document: QTextDocument, colours: Colours, font: QFont) -> None:
    """Give Markdown our looks: Qt's own are huge headings and bare code."""
    block = document.begin()
    code: list[tuple[int, int]] = []
    while block.isValid():
        if _is_code(block):
            _dress_code(block)
            start = code.pop()[0] if code and code[-1][1] == block.position() - 1 else block.position()
            code.append((start, block.position() + block.length() - 1))
        elif block.blockFormat().headingLevel():
            _dress_heading(block, font)
        else:
            _dress_text(block, colours)
        block = block.next()
    for start, end in reversed(code):
        _frame_code(document, start, end, colours)
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            _dress_table(frame, colours)


def _is_code(block: QTextBlock) -> bool:
    form = block.blockFormat()
    return form.hasProperty(QTextFormat.Property.BlockCodeFence.value) or form.nonBreakableLines()


def _dress_code(block: QTextBlock) -> None:
    form = block.blockFormat()
    form.setTopMargin(0)
    form.setBottomMargin(0)
    form.setLeftMargin(0)
    form.setNonBreakableLines(False)  # long lines wrap, there is no horizontal scroll bar
    QTextCursor(block).setBlockFormat(form)
    char = QTextCharFormat()
    code = code_font()
    char.setFontFamilies(code.families())
    char.setFontPointSize(code.pointSizeF())
    _merge(block, char)


def _frame_code(document: QTextDocument, start: int, end: int, colours: Colours) -> None:
    """One box around neighbouring lines of code; a background of the lines alone would leave stripes."""
    form = QTextFrameFormat()
    form.setBackground(QColor(colours.code))
    form.setBorder(1)
    form.setBorderBrush(QColor(colours.border))
    form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    form.setPadding(9)
    form.setTopMargin(6)
    form.setBottomMargin(10)
    cursor = QTextCursor(document)
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    frame = cursor.insertFrame(form)
    # Qt keeps an empty paragraph on each side of a frame; they must not look like blank lines.
    for position in (frame.firstPosition() - 1, frame.lastPosition() + 1):
        block = document.findBlock(position)
        if not block.text():
            flat = QTextBlockFormat()
            flat.setLineHeight(1, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
            QTextCursor(block).setBlockFormat(flat)


def _dress_heading(block: QTextBlock, font: QFont) -> None:
    level = block.blockFormat().headingLevel()
    form = QTextBlockFormat()
    form.setTopMargin(10 if block.blockNumber() else 0)
    form.setBottomMargin(5)
    QTextCursor(block).mergeBlockFormat(form)
    char = QTextCharFormat()
    char.setFontPointSize(font.pointSizeF() * _HEADING_SCALE.get(level, 1.0))
    char.setProperty(QTextFormat.Property.FontSizeAdjustment.value, 0)
    char.setFontWeight(QFont.Weight.Bold)
    _merge(block, char)


def _dress_text(block: QTextBlock, colours: Colours) -> None:
    form = QTextBlockFormat()
    form.setLineHeight(_LINE_HEIGHT_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    in_list = block.textList() is not None
    tight = in_list or QTextCursor(block).currentTable() is not None
    form.setTopMargin(2 if in_list else 0)
    form.setBottomMargin(2 if in_list else 0 if tight else 8)
    if block.blockFormat().hasProperty(QTextFormat.Property.BlockQuoteLevel.value):
        quoted = QTextCharFormat()
        quoted.setForeground(QColor(colours.muted))
        _merge(block, quoted)
        form.setLeftMargin(18)
    if not block.next().isValid():
        form.setBottomMargin(0)
    QTextCursor(block).mergeBlockFormat(form)
    _dress_inline_code(block, colours)


def _dress_inline_code(block: QTextBlock, colours: Colours) -> None:
    code = code_font()
    spans = []
    iterator = block.begin()
    while not iterator.atEnd():
        fragment = iterator.fragment()
        if fragment.charFormat().fontFixedPitch():
            spans.append((fragment.position(), fragment.length()))
        iterator += 1
    for start, length in spans:
        cursor = QTextCursor(block)
        cursor.setPosition(start)
        cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
        char = QTextCharFormat()
        char.setFontFamilies(code.families())
        char.setFontPointSize(code.pointSizeF())
        char.setBackground(QColor(colours.raised))
        cursor.mergeCharFormat(char)


def _dress_table(table: QTextTable, colours: Colours) -> None:
    form = table.format()
    form.setBorder(1)
    form.setBorderCollapse(True)
    form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    form.setBorderBrush(QColor(colours.border))
    form.setCellPadding(6)
    form.setCellSpacing(0)
    form.setTopMargin(4)
    form.setBottomMargin(10)
    form.setWidth(QTextLength())
    table.setFormat(form)


def _merge(block: QTextBlock, char: QTextCharFormat) -> None:
    cursor = QTextCursor(block)
    cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
    cursor.mergeCharFormat(char)
