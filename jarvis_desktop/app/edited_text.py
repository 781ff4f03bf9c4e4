"""The text of a file for an editor: read, and written when nobody else wrote meanwhile."""

import os
from hashlib import sha256
from pathlib import Path

from jarvis_desktop.adapters.files_write import write_whole
from jarvis_desktop.adapters.plain_file import bytes_of
from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.items.rule_desk import RuleFileRead
from jarvis_desktop.core.ports import Texts

_BOM = b"\xef\xbb\xbf"


class EditedText:
    """Every method blocks for the disk."""

    def __init__(self, path: Path, file: str, texts: Texts) -> None:
        """file: its name as people write it."""
        self._path, self._file, self._texts = path, file, texts

    def digest(self) -> str:
        """What tells two contents of the file apart; empty when there is none or it cannot be read."""
        try:
            return _digest(self._content())
        except OSError:
            return ""

    def read(self) -> RuleFileRead:
        """The text as a person edits it.

        Raises:
            UserFixableError, OSError: it cannot be read.
        """
        content = self._content()
        try:
            text = (content or b"").removeprefix(_BOM).decode().replace("\r\n", "\n")
        except UnicodeError as error:
            raise UserFixableError(
                self._texts("{file} is not UTF-8 text. Mend it in another editor.").format(file=self._file)
            ) from error
        return RuleFileRead(self._file, text, _digest(content))

    def write(self, text: str, digest: str) -> str | RuleFileRead:
        """The digest of what is in the file now, or what is there instead of what ``digest`` was read from.

        Line ends and byte order mark stay what they were.

        Raises:
            UserFixableError, OSError: it cannot be written, and is as it was.
        """
        old = self._content()
        if _digest(old) != digest:
            return self.read()
        before = old or b""
        fresh = (text.replace("\n", "\r\n") if b"\r\n" in before else text).encode()
        fresh = _BOM + fresh if before.startswith(_BOM) else fresh
        write_whole(self._path, fresh)
        return _digest(fresh)

    def _content(self) -> bytes | None:
        # 60 ms of pure Python, which a start does not need.
        from jarvis_desktop.adapters.yaml_text import MOST_BYTES

        return bytes_of(self._path, MOST_BYTES) if os.path.lexists(self._path) else None


def _digest(content: bytes | None) -> str:
    return "" if content is None else sha256(content).hexdigest()
