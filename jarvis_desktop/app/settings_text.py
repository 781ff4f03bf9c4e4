"""The text of ``settings.yaml`` for an editor: read, checked, written when nobody else wrote meanwhile."""

import os
from hashlib import sha256
from pathlib import Path

from jarvis_desktop.adapters.files_write import write_whole
from jarvis_desktop.adapters.plain_file import bytes_of
from jarvis_desktop.adapters.settings_file import read_text
from jarvis_desktop.adapters.settings_problem import what_counts
from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.items.rule_desk import RuleFileRead
from jarvis_desktop.core.items.rule_facts import TextProblem
from jarvis_desktop.core.items.settings_desk import FILE
from jarvis_desktop.core.policy.danger import danger_list
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.settings import Settings

_BOM = b"\xef\xbb\xbf"


class SettingsText:
    """Every method but ``problems`` blocks for the disk."""

    def __init__(self, home: Path, texts: Texts) -> None:
        self._path, self._texts = home / FILE, texts

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
                self._texts("{file} is not UTF-8 text. Mend it in another editor.").format(file=FILE)
            ) from error
        return RuleFileRead(FILE, text, _digest(content))

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

    def problems(self, text: str, last: Settings) -> tuple[TextProblem, ...]:
        """What would be wrong if this was the text. ``last``: what counts where nothing usable is said."""
        settings, found = read_text(text, last)
        danger = danger_list(settings.security.dangerous_commands).problems
        return (
            *(TextProblem(one.line or 0, what_counts(one, self._texts)) for one in found),
            *(
                TextProblem(0, self._texts("This cannot be used: {problem}").format(problem=one))
                for one in danger
            ),
        )

    def _content(self) -> bytes | None:
        # 60 ms of pure Python, which a start does not need.
        from jarvis_desktop.adapters.yaml_text import MOST_BYTES

        return bytes_of(self._path, MOST_BYTES) if os.path.lexists(self._path) else None


def _digest(content: bytes | None) -> str:
    return "" if content is None else sha256(content).hexdigest()
