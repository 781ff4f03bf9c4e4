"""Files in memory, with the real rules of encodings and patterns."""

import errno
import re
from hashlib import sha256
from pathlib import Path

from jarvis_desktop.adapters.files_match import Glob
from jarvis_desktop.adapters.files_text import decode, encode, newline_of
from jarvis_desktop.core.ports import FileText, FoundFile, SearchTimeoutError


class FakeFiles:
    """Fills ``Files``. ``content`` maps absolute paths to bytes; later entries are newer."""

    def __init__(self, content: dict[Path, bytes] | None = None) -> None:
        self.content = dict(content or {})
        self.fault: OSError | None = None
        """Raised by every call while set."""
        self.slow = False
        """Searches run out of time after what they found."""

    async def read_text(self, path: Path, max_bytes: int) -> FileText:
        content = self._bytes(path)
        if len(content) > max_bytes:
            raise OSError(errno.EFBIG, "File too large", str(path))
        text, encoding = decode(content, path)
        return FileText(text, encoding, sha256(content).hexdigest(), newline_of(text))

    async def write_text(self, path: Path, text: str, *, encoding: str = "utf-8") -> None:
        self._check()
        if path in self._folders():
            raise IsADirectoryError(errno.EISDIR, "Is a directory", str(path))
        self.content[path] = encode(text, encoding)

    async def digest(self, path: Path) -> str:
        self._check()
        if path in self._folders():
            raise IsADirectoryError(errno.EISDIR, "Is a directory", str(path))
        return sha256(self.content[path]).hexdigest() if path in self.content else ""

    async def list_dir(self, path: Path) -> tuple[FoundFile, ...]:
        self._check()
        if path not in self._folders():
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", str(path))
        names = {path / one.relative_to(path).parts[0] for one in self.content if path in one.parents}
        return tuple(sorted(map(self._entry, names), key=lambda one: (not one.is_dir, one.path.name)))

    async def glob(self, root: Path, pattern: str, limit: int) -> tuple[FoundFile, ...]:
        self._check()
        glob = Glob(pattern)
        matching = [
            one for one in self.content if root in one.parents and glob.matches(str(one.relative_to(root)))
        ]
        found = tuple(map(self._entry, reversed(matching[-limit:])))
        if self.slow:
            raise SearchTimeoutError(found)
        return found

    async def grep(
        self, root: Path, pattern: str, glob: str | None, limit: int
    ) -> tuple[tuple[Path, int, str], ...]:
        self._check()
        regex = re.compile(pattern) if _is_regex(pattern) else None
        if regex is None:
            raise ValueError("unterminated")
        hits = tuple(
            (path, number, line)
            for path, content in self.content.items()
            if (path == root or root in path.parents) and (glob is None or path.match(glob))
            for number, line in enumerate(content.decode(errors="replace").split("\n"), 1)
            if regex.search(line)
        )[:limit]
        if self.slow:
            raise SearchTimeoutError(hits)
        return hits

    def _check(self) -> None:
        if self.fault:
            raise self.fault

    def _bytes(self, path: Path) -> bytes:
        self._check()
        if path in self._folders():
            raise IsADirectoryError(errno.EISDIR, "Is a directory", str(path))
        if path not in self.content:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", str(path))
        return self.content[path]

    def _folders(self) -> set[Path]:
        return {parent for path in self.content for parent in path.parents}

    def _entry(self, path: Path) -> FoundFile:
        is_dir = path not in self.content
        order = list(self.content).index(path) if not is_dir else 0
        return FoundFile(path, is_dir, 0 if is_dir else len(self.content[path]), float(order))


def _is_regex(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False
    return True
