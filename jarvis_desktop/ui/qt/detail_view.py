"""What would run, in full: plain text that is coloured, never text that is interpreted."""

from collections.abc import Iterator
from enum import StrEnum
from threading import Thread
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextDocument,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QPlainTextEdit

from jarvis_desktop.core.items.decisions import Shown
from jarvis_desktop.ui.qt.theme import Colours, code_font

if TYPE_CHECKING:
    from pygments.lexer import Lexer

_COLOURED_CHARS = 40_000
"""Longer details are shown plain: colouring them would hold up the window."""

_FRAME_PX = 30
"""Border, padding, margins and scroll bar around the text."""
_WRAP = QTextOption()
_WRAP.setWrapMode(QTextOption.WrapMode.WrapAnywhere)

Span = tuple[int, int, str]
"""Column, length, kind."""


class Code(StrEnum):
    """Languages that are coloured besides those of questions."""

    PYTHON = "python"
    YAML = "yaml"


class DetailView(QPlainTextEdit):
    """Read-only, wrapped anywhere, so that no part of a long line hides at the side."""

    def __init__(self, text: str, shown: Shown | Code, colours: Colours, *, most_lines: int) -> None:
        super().__init__()
        self.setObjectName("detail")
        self.setFont(code_font(10.5))
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setPlainText(text)
        self._painter = _Painter(self.document(), text, shown, colours)
        self._most_lines = most_lines

    def show_at_most(self, lines: int) -> None:
        """Be no higher than so many lines, from the next ``fit`` on."""
        self._most_lines = lines

    def fit(self, width_px: int) -> bool:
        """Take the height of the text at this width, or of ``most_lines``; whether all of it is in view."""
        cap = self._most_lines * self.fontMetrics().lineSpacing()
        height = 0.0
        block = self.document().begin()
        while block.isValid() and height <= cap:
            height += _height(block.text(), self.font(), width_px - _FRAME_PX)
            block = block.next()
        whole = not block.isValid() and height <= cap + 1
        self.setFixedHeight(round(min(height, cap)) + _FRAME_PX)
        return whole


def _height(text: str, font: QFont, width_px: int) -> float:
    """Height of one line of text once it is wrapped; Hangul is taller than Latin."""
    layout = QTextLayout(text, font)
    layout.setTextOption(_WRAP)
    layout.beginLayout()
    height = 0.0
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width_px)
        height += line.height()
    layout.endLayout()
    return height


class _Painter(QSyntaxHighlighter):
    """Colours each line from spans that were worked out once for the whole text."""

    def __init__(self, document: QTextDocument, text: str, shown: Shown | Code, colours: Colours) -> None:
        super().__init__(document)
        self._formats = _formats(colours)
        self._spans: dict[int, list[Span]] = {}
        if len(text) <= _COLOURED_CHARS and shown is not Shown.TEXT:
            for line, span in _spans(text, shown):
                self._spans.setdefault(line, []).append(span)
        self._code = _formats(colours)["code"]
        self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        """Colour one line."""
        for column, length, kind in self._spans.get(self.currentBlock().blockNumber(), ()):
            self.setFormat(column, length, self._formats[kind])
        # Codes of hidden characters stand out whatever they stand in.
        start = text.find("⟨U+")
        while start >= 0:
            end = text.find("⟩", start)
            if end < 0:
                return
            self.setFormat(start, end - start + 1, self._code)
            start = text.find("⟨U+", end)


def _formats(colours: Colours) -> dict[str, QTextCharFormat]:
    def made(colour: str, *, bold: bool = False, back: str | None = None) -> QTextCharFormat:
        form = QTextCharFormat()
        form.setForeground(QColor(colour))
        if bold:
            form.setFontWeight(QFont.Weight.Bold)
        if back is not None:
            form.setBackground(QColor(back))
        return form

    return {
        "added": made(colours.added),
        "removed": made(colours.removed),
        "heading": made(colours.muted, bold=True),
        "string": made(colours.string),
        "keyword": made(colours.keyword, bold=True),
        "comment": made(colours.faint),
        "variable": made(colours.warning),
        "operator": made(colours.accent, bold=True),
        "code": made(colours.danger, bold=True, back=colours.danger_soft),
    }


def get_ready() -> None:
    """What colours details is loaded beside the window's thread, which would stand still for it for 30 ms."""
    Thread(
        target=lambda: [_lexer(one) for one in (Shown.DIFF, Shown.COMMAND)], name="lexers", daemon=True
    ).start()


def _lexer(shown: Shown | Code) -> "type[Lexer]":
    # A program that works on nothing never pays for them.
    if shown is Code.PYTHON:
        from pygments.lexers.python import PythonLexer

        return PythonLexer
    if shown is Code.YAML:
        from pygments.lexers.data import YamlLexer

        return YamlLexer
    if shown is Shown.DIFF:
        from pygments.lexers.diff import DiffLexer

        return DiffLexer
    from pygments.lexers.shell import BashLexer

    return BashLexer


def _spans(text: str, shown: Shown | Code) -> Iterator[tuple[int, Span]]:
    line = column = 0
    # The last line of a diff without a line end would be taken for nothing.
    for token, value in _lexer(shown)(stripnl=False, ensurenl=True).get_tokens(text):
        kind = _kind(str(token), shown)
        for index, piece in enumerate(value.split("\n")):
            if index:
                line, column = line + 1, 0
            units = len(piece.encode("utf-16-le")) // 2  # Qt counts in UTF-16
            if kind and units:
                yield line, (column, units, kind)
            column += units


_KINDS = (
    ("Token.Generic.Inserted", "added"),
    ("Token.Generic.Deleted", "removed"),
    ("Token.Generic", "heading"),
    ("Token.Literal.String", "string"),
    ("Token.Comment", "comment"),
    ("Token.Name.Variable", "variable"),
    ("Token.Name.Builtin", "keyword"),
    ("Token.Name.Decorator", "variable"),
    ("Token.Name.Tag", "keyword"),
    ("Token.Keyword", "keyword"),
    ("Token.Operator", "operator"),
    ("Token.Punctuation", "operator"),
)


def _kind(token: str, shown: Shown | Code) -> str:
    if isinstance(shown, Code) and token.startswith("Token.Punctuation"):
        return ""  # brackets mean a lot to a shell, and are everywhere in a program
    return next((kind for prefix, kind in _KINDS if token.startswith(prefix)), "")
