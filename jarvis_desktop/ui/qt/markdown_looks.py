"""Our looks for Markdown in a text document: Qt's own are huge headings and bare code."""

from PySide6.QtGui import (
    QColor,
    QFont,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
)

from jarvis_desktop.ui.qt.theme import Colours, code_font

_HEADING_SCALE = {1: 1.45, 2: 1.25, 3: 1.1}
_LINE_HEIGHT_PERCENT = 132.0
_SENTENCE_ENDS = ".,;:!?"


def space(document: QTextDocument) -> None:
    """Plain text gets room between its lines."""
    cursor = QTextCursor(document)
    cursor.select(QTextCursor.SelectionType.Document)
    spaced = QTextBlockFormat()
    spaced.setLineHeight(_LINE_HEIGHT_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    cursor.mergeBlockFormat(spaced)


def dress(document: QTextDocument, colours: Colours, font: QFont) -> None:
    """Headings, code, quotes, lists and tables of ``document`` look like ours."""
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
    _end_links(block)


def _end_links(block: QTextBlock) -> None:
    """A bare address does not include the punctuation that ends its sentence, as Qt believes."""
    iterator, ends = block.begin(), list[tuple[int, int, str]]()
    while not iterator.atEnd():
        fragment = iterator.fragment()
        href, text = fragment.charFormat().anchorHref(), fragment.text()
        address = text.rstrip(_SENTENCE_ENDS)
        if href == text != address:
            ends.append((fragment.position(), fragment.length(), address))
        iterator += 1
    for start, length, address in ends:
        _link(block, start, len(address), address)
        _link(block, start + len(address), length - len(address), "")


def _link(block: QTextBlock, start: int, length: int, address: str) -> None:
    cursor = QTextCursor(block)
    cursor.setPosition(start)
    cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
    char = QTextCharFormat(cursor.charFormat()) if address else QTextCharFormat()
    char.setAnchor(bool(address))
    char.setAnchorHref(address)
    cursor.setCharFormat(char)


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
