"""The person's files on this machine's disks."""

import asyncio
import errno
import heapq
import json
import os
import threading
from asyncio.subprocess import DEVNULL, PIPE, Process
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, TypeAlias

from jarvis_desktop.adapters.files_match import Budget, Glob, walk
from jarvis_desktop.adapters.files_names import for_people, on_disk
from jarvis_desktop.adapters.files_text import decode, encode, newline_of
from jarvis_desktop.adapters.files_write import require_regular, write_whole
from jarvis_desktop.adapters.shell_child import child_program
from jarvis_desktop.core.ports import FileText, FoundFile, SearchTimeoutError

Hit: TypeAlias = tuple[Path, int, str]

MAX_SEARCH_S = 10.0
READ_BYTES = 1 << 20


class LocalFiles:
    """Fills ``Files``. Blocking work is done in worker threads, searching by content in a process."""

    def __init__(self, max_search_s: float = MAX_SEARCH_S) -> None:
        self._max_search_s = max_search_s

    async def read_text(self, path: Path, max_bytes: int) -> FileText:
        """The text of a regular file, its encoding found out: UTF-8, UTF-16 with a mark, or CP949.

        Raises:
            UnicodeError: it is not text.
            OSError: absent, unreadable, not a regular file, or larger than ``max_bytes`` (EFBIG).
        """
        return await asyncio.to_thread(read_whole, on_disk(path), max_bytes)

    async def write_text(self, path: Path, text: str, *, encoding: str = "utf-8") -> None:
        """Write whole, in one step.

        Raises:
            UnicodeError: ``encoding`` has no such character; then nothing has changed.
            OSError: not writable, not a regular file, no space …; then nothing has changed.
        """
        await asyncio.to_thread(write_whole, on_disk(path), encode(text, encoding))

    async def digest(self, path: Path) -> str:
        """sha256 of the bytes on disk; empty when there is no such file."""
        return await asyncio.to_thread(digest_of, on_disk(path))

    async def list_dir(self, path: Path) -> tuple[FoundFile, ...]:
        """Entries of a directory, directories first, by name."""
        return await asyncio.to_thread(listed, on_disk(path))

    async def glob(self, root: Path, pattern: str, limit: int) -> tuple[FoundFile, ...]:
        """Files below ``root`` that match, newest first, at most ``limit``.

        Raises:
            ValueError: ``pattern`` is not a glob.
            OSError: ``root`` is absent or no directory.
            SearchTimeoutError: the time was up before the whole tree was seen.
        """
        unwanted = threading.Event()
        budget = Budget(self._max_search_s, unwanted.is_set)
        try:
            return await asyncio.to_thread(globbed, on_disk(root), Glob(pattern), limit, budget)
        finally:
            unwanted.set()

    async def grep(self, root: Path, pattern: str, glob: str | None, limit: int) -> tuple[Hit, ...]:
        """Matches in files below ``root``, in the order of names; lines longer than 400 are shortened.

        Raises:
            ValueError: ``pattern`` is not a regular expression, or ``glob`` not a glob.
            OSError: ``root`` is absent.
            SearchTimeoutError: the time was up before every file was read.
        """
        root = on_disk(root)
        await asyncio.to_thread(require_readable, root)
        if glob is not None:
            Glob(glob)
        job = {
            "root": str(for_people(root)),
            "pattern": pattern,
            "glob": glob,
            "limit": limit,
            "home": str(Path.home()),
        }
        process = await asyncio.create_subprocess_exec(
            *child_program("jarvis_desktop.adapters.files_grep"),
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            start_new_session=True,
        )
        hits: list[Hit] = []
        try:
            async with asyncio.timeout(self._max_search_s):
                await collect(process, json.dumps(job).encode(), hits)
        except TimeoutError:
            raise SearchTimeoutError(tuple(hits)) from None
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()
        return tuple(hits)


async def collect(process: Process, job: bytes, hits: list[Hit]) -> None:
    """Hand the job over and add what comes back to ``hits``.

    Raises:
        ValueError: the pattern is not a regular expression.
        OSError: the search died, e.g. for want of memory.
    """
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(job)
    process.stdin.close()
    async for line in process.stdout:
        message = json.loads(line)
        if isinstance(message, list):
            path, number, text = message
            hits.append((Path(path), number, text))
        elif "error" in message:
            raise ValueError(message["error"])
        else:
            return
    raise OSError(errno.ENOMEM, "the search ended too early")


def opened(path: Path) -> BinaryIO:
    """The file, open for reading. A pipe does not make us wait: it is refused.

    Raises:
        OSError: absent, unreadable, a directory, or not a regular file.
    """
    file = open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY), "rb")  # noqa: PTH123, SIM115 - handed on
    try:
        require_regular(os.fstat(file.fileno()), path)
    except OSError:
        file.close()
        raise
    return file


def require_readable(root: Path) -> None:
    """Say what is wrong with the place of a search; inside it, what cannot be read is passed over.

    Raises:
        OSError: absent or closed to us.
    """
    root.stat()
    if not os.access(root, os.R_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(root))


def read_whole(path: Path, max_bytes: int) -> FileText:
    """Content of a text file, with what is needed to write it back."""
    with opened(path) as file:
        content = file.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    text, encoding = decode(content, path)
    return FileText(text, encoding, sha256(content).hexdigest(), newline_of(text))


def digest_of(path: Path) -> str:
    """sha256 of a regular file, empty when there is none."""
    sum256 = sha256()
    try:
        with opened(path) as file:
            while chunk := file.read(READ_BYTES):
                sum256.update(chunk)
    except FileNotFoundError:
        return ""
    return sum256.hexdigest()


def found(entry: os.DirEntry[str]) -> FoundFile:
    """An entry as a value; a link is described by its target, a broken one by itself."""
    try:
        status = entry.stat()
    except OSError:
        status = entry.stat(follow_symlinks=False)
    return FoundFile(
        for_people(Path(entry.path)), entry.is_dir(), status.st_size, status.st_mtime, entry.is_symlink()
    )


def listed(path: Path) -> tuple[FoundFile, ...]:
    """Entries of a directory; one that vanishes meanwhile is left out."""
    result = []
    with os.scandir(path) as entries:
        for entry in entries:
            try:
                result.append(found(entry))
            except FileNotFoundError:
                continue
    return tuple(sorted(result, key=lambda one: (not one.is_dir, one.path.name)))


def globbed(root: Path, pattern: Glob, limit: int, budget: Budget) -> tuple[FoundFile, ...]:
    """The newest ``limit`` files that match."""
    os.scandir(root).close()  # says what is wrong with root itself; folders below are passed over
    matching = []
    for relative, entry in walk(root, pattern, budget):
        if pattern.matches(relative):
            try:
                one = found(entry)
            except FileNotFoundError:
                continue
            if not one.is_dir:  # a link to a folder
                matching.append(one)
    newest = heapq.nsmallest(limit, matching, key=lambda one: (-one.modified_at, one.path))
    if budget.spent:
        raise SearchTimeoutError(tuple(newest))
    return tuple(newest)
