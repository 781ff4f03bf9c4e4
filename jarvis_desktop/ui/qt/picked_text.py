"""The text of a file that a person picked, read beside the window's thread."""

from pathlib import Path
from threading import Thread

from PySide6.QtCore import QObject, Signal

MOST_BYTES = 1_000_000
"""Far more than anybody writes into such a file."""


class PickedText(QObject):
    """Reads one file at a time; a later one takes the place of one that is still being read."""

    read = Signal(str)
    failed = Signal(str)
    """Why not, in the system's words; empty: it is too large or no text."""
    _came = Signal(int, str, str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._number = 0
        self._came.connect(self._take)

    def begin(self, path: str) -> None:
        """Read it; returns at once."""
        self._number += 1
        Thread(target=self._work, args=(self._number, path), name="picked file", daemon=True).start()

    def _work(self, number: int, path: str) -> None:
        text, trouble = "", None
        try:
            with Path(path).open("rb") as file:
                content = file.read(MOST_BYTES + 1)
            text = content.decode("utf-8-sig")
            trouble = "" if len(content) > MOST_BYTES else None
        except UnicodeError:
            trouble = ""
        except OSError as error:
            trouble = error.strerror or type(error).__name__
        try:
            self._came.emit(number, "" if trouble is not None else f"={text}", trouble or "")
        except RuntimeError:
            return  # the page is gone

    def _take(self, number: int, text: str, trouble: str) -> None:
        if number != self._number:
            return
        if text:
            self.read.emit(text[1:])
        else:
            self.failed.emit(trouble)
