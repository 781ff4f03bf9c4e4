"""One message as text that is as high as its content: Markdown of the model, plain text of people.

Nothing is ever loaded, neither a picture nor a style, and HTML is shown as the text it is.
Links open on a click, only http and https, and show their true target while pointed at.
"""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QElapsedTimer, QEvent, QPoint, QRect, QSize, Qt, QTimer, QUrl
from PySide6.QtGui import (
    QDesktopServices,
    QFontMetricsF,
    QImage,
    QResizeEvent,
    QTextDocument,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser, QToolTip, QWidget

from jarvis_desktop.ui.qt.markdown_looks import dress, space
from jarvis_desktop.ui.qt.theme import Colours
from jarvis_desktop.ui.visible_text import visible

MARKDOWN = QTextDocument.MarkdownFeature(
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub.value
    | QTextDocument.MarkdownFeature.MarkdownNoHTML.value
)


def open_link(url: QUrl) -> None:
    """Open ``url`` in the person's browser."""
    QDesktopServices.openUrl(url)


class MessageView(QTextBrowser):
    """A read-only text without scroll bars; its height follows its content."""

    def __init__(self, colours: Colours, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("message")
        self.colours = colours
        self._given: QTextDocument | None = None
        self._no_picture = QImage(1, 1, QImage.Format.Format_ARGB32)
        self._no_picture.fill(Qt.GlobalColor.transparent)
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
        self._prepare(self.document())
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        self.anchorClicked.connect(self._link_clicked)
        self.highlighted.connect(self._link_pointed)

    def show_markdown(self, text: str) -> None:
        """Show ``text`` as Markdown."""
        # Dressed before it is laid out: in the view every small change would be laid out on its own,
        # which took 300 ms for an answer of 10 KB.
        document = QTextDocument(self)
        self._prepare(document)
        document.setMarkdown(visible(text), MARKDOWN)
        dress(document, self.colours, self.font())
        self.setDocument(document)
        document.documentLayout().documentSizeChanged.connect(self._fit)
        # Qt deletes the document that the view was born with, but not those that were given to it.
        if self._given is not None:
            self._given.deleteLater()
        self._given = document
        self._fit()

    def _prepare(self, document: QTextDocument) -> None:
        document.setUndoRedoEnabled(False)
        document.setDefaultFont(self.font())
        document.setDocumentMargin(0)
        document.setIndentWidth(24)

    def show_plain(self, text: str) -> None:
        """Show ``text`` exactly as typed."""
        self.setPlainText(visible(text))
        space(self.document())
        self._fit()

    def ideal_width(self) -> int:
        """Width that the text would take without being wrapped."""
        metrics = QFontMetricsF(self.font())
        lines = self.toPlainText().split("\n")
        return int(max(metrics.horizontalAdvance(line) for line in lines)) + 4

    def loadResource(self, kind: int, url: QUrl | str) -> Any:
        """Nothing: no picture, style or file is ever fetched for a message.

        For a picture an empty one: given none at all, Qt looks for a file of that name itself.
        """
        del url
        return self._no_picture if kind == QTextDocument.ResourceType.ImageResource.value else None

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
        self._cost_ms = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.flush)

    def grow_to(self, text: str) -> None:
        """The text so far; drawn soon."""
        self._pending = text
        if not self._timer.isActive():
            # Four times the cost of the last drawing keeps the loop free at any length of answer.
            self._timer.start(max(self.PAUSE_MS, 4 * self._cost_ms))

    def flush(self) -> None:
        """Draw what is pending now."""
        self._timer.stop()
        if self._pending is not None:
            text, self._pending = self._pending, None
            self.renders += 1
            clock = QElapsedTimer()
            clock.start()
            self.show_markdown(text)
            self._cost_ms = clock.elapsed()
