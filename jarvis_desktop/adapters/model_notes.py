"""Which files were hashed and what came out, so that a start need not read gigabytes."""

import hashlib
import json
import logging
from pathlib import Path
from typing import TypeAlias

from jarvis_desktop.adapters.download_part import write_whole
from jarvis_desktop.core.items.errors import ModelFileError
from jarvis_desktop.core.ports import Texts

log = logging.getLogger(__name__)

CHECKED = ".checked.json"
"""Digests by path, with size, time and inode of what was hashed."""
Mark: TypeAlias = list[object]


class CheckedFiles:
    """The notes of one models folder, as they were when this was made."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / CHECKED
        self._marks = self._read()
        self._fresh: dict[str, Mark] = {}

    def digest(self, key: str, path: Path, texts: Texts) -> str:
        """Hex digest of the file, out of the notes when it has not been touched since.

        Raises:
            ModelFileError: it cannot be read.
        """
        seen = self._marks.get(key, [])
        if len(seen) == 4 and seen[:3] == _mark(path):
            return str(seen[3])
        return self.hashed(key, path, texts)

    def hashed(self, key: str, path: Path, texts: Texts) -> str:
        """Hex digest of the file, whatever was noted.

        Raises:
            ModelFileError: it cannot be read.
        """
        mark = _mark(path)  # of before: what is written while we read must not count as read
        digest = sha256_of(path, texts)
        self._fresh[key] = [*mark, digest]
        return digest

    def note(self, key: str, path: Path, digest: str) -> None:
        """The digest of what lies there now is known."""
        self._fresh[key] = [*_mark(path), digest]

    def save(self) -> None:
        """What is new is on the disk; what others noted meanwhile is kept."""
        if not self._fresh:
            return
        try:
            write_whole(self._path, json.dumps({**self._read(), **self._fresh}).encode())
        except OSError as error:  # a read-only folder only costs the next start its time
            log.info("digests not kept", extra={"error": error.strerror})

    def _read(self) -> dict[str, Mark]:
        try:
            found = json.loads(self._path.read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(found, dict):
            return {}
        return {key: mark for key, mark in found.items() if isinstance(mark, list)}


def _mark(path: Path) -> Mark:
    """Nothing when the file has gone in this moment; reading it says so."""
    try:
        stat = path.stat()
    except OSError:
        return []
    return [stat.st_size, stat.st_mtime_ns, stat.st_ino]


def sha256_of(path: Path, texts: Texts) -> str:
    """Hex digest of the bytes on disk.

    Raises:
        ModelFileError: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        told = texts("{file} cannot be read ({reason})")
        raise ModelFileError(
            told.format(file=f"{path.parent.name}/{path.name}", reason=error.strerror)
        ) from error
