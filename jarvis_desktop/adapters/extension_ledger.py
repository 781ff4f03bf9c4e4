"""Which code of their own people let run, in ``~/.jarvis/extensions.yaml``; no tool call can write it."""

import difflib
import errno
import fcntl
import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from jarvis_desktop.adapters.files_write import write_whole
from jarvis_desktop.adapters.plain_file import bytes_of
from jarvis_desktop.core.items.errors import ExtensionRefusedError
from jarvis_desktop.core.items.extensions import ExtensionKind, ExtensionState
from jarvis_desktop.core.ports import Texts

log = logging.getLogger(__name__)

FILE_NAME = "extensions.yaml"
MOST_BYTES = 32_000_000
"""The sources of everything enabled are in it."""
HEAD = "# Written by Jarvis: the code of yours that you let run, as it was then.\n"

Key: TypeAlias = tuple[ExtensionKind, str]
_Stamp: TypeAlias = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Enabled:
    """What a person said about one extension."""

    digest: str
    """Of what was shown then; empty for what was only switched off."""
    read_only: frozenset[str] = frozenset()
    """Its tools that run unasked."""
    source: str = ""
    """As it was shown, so that a change can be shown as one."""
    off: bool = False


@dataclass(frozen=True, slots=True)
class LedgerRead:
    """The ledger as it is now."""

    entries: Mapping[Key, Enabled] = field(default_factory=dict)
    problem: str = ""
    """In the app's language: why nothing in it counts."""


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=False)

    kind: ExtensionKind
    name: str
    digest: str
    read_only: tuple[str, ...] = ()
    source: str = ""
    off: bool = False


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    extensions: tuple[_Entry, ...] = ()


class ExtensionLedger:
    """Looked at whenever somebody wants to know; everything here waits for the disk. Any thread."""

    def __init__(self, home: Path, texts: Texts) -> None:
        self._path = home / FILE_NAME
        self._texts = texts
        self._known: tuple[_Stamp, LedgerRead] | None = None

    def read(self) -> LedgerRead:
        """What counts now. A ledger that cannot be read enables nothing. Never raises."""
        try:
            stamp = _stamp(self._path)
            if stamp is None:
                return LedgerRead()
            known = self._known
            if known is None or known[0] != stamp:
                known = self._known = (stamp, self._read())
        except OSError as error:
            return self._broken(error.strerror or type(error).__name__)
        return known[1]

    def enable(self, key: Key, digest: str, source: str, read_only: frozenset[str] = frozenset()) -> None:
        """From now on it may run, as long as it has this digest.

        Raises:
            ExtensionRefusedError: the ledger is broken or cannot be written; it is as it was.
        """
        self._change(key, Enabled(digest, read_only, source))

    def disable(self, key: Key) -> None:
        """From now on it may not run. What was known of it stays, to show changes by.

        Raises:
            ExtensionRefusedError: the ledger is broken or cannot be written; it is as it was.
        """
        before = self.read().entries.get(key, Enabled(""))
        self._change(key, Enabled(before.digest, before.read_only, before.source, off=True))

    def forget(self, key: Key) -> None:
        """Nothing is known of it any more: should it come back as it was, it waits for a person.

        Raises:
            ExtensionRefusedError: the ledger is broken or cannot be written; it is as it was.
        """
        self._change(key, None)

    def _change(self, key: Key, entry: Enabled | None) -> None:
        try:
            with _alone(self._path.parent):
                read = self.read()
                if read.problem:
                    raise ExtensionRefusedError(read.problem)
                others = {one: known for one, known in read.entries.items() if one != key}
                written = _written(others if entry is None else {**others, key: entry})
                if not self._path.exists():  # for its owner alone from the first moment
                    os.close(os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
                write_whole(self._path, written)
        except OSError as error:
            raise ExtensionRefusedError(
                self._texts("{file} could not be written ({reason}); nothing was changed.").format(
                    file=self._path, reason=error.strerror or type(error).__name__
                )
            ) from error

    def _read(self) -> LedgerRead:
        try:
            held = yaml.load(bytes_of(self._path, MOST_BYTES), _LOADER)  # noqa: S506 - a safe loader
            file = _File.model_validate(held or {})
        except (yaml.YAMLError, ValidationError, UnicodeError, RecursionError) as error:
            log.warning("the ledger of extensions is broken", extra={"error": type(error).__name__})
            return self._broken(_place(error))
        entries = {
            (one.kind, one.name): Enabled(one.digest, frozenset(one.read_only), one.source, one.off)
            for one in file.extensions
        }
        if len(entries) < len(file.extensions):
            return self._broken(self._texts("an extension is in it twice"))
        return LedgerRead(entries)

    def _broken(self, reason: str) -> LedgerRead:
        text = self._texts(
            "{file} cannot be read ({reason}), so no tool, plugin or server of yours runs. Mend the file, or "
            "delete it and enable again what you want."
        )
        return LedgerRead({}, text.format(file=self._path, reason=reason))


_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def state_of(entry: Enabled | None, digest: str) -> ExtensionState:
    """Whether what has ``digest`` now counts, as far as people's wishes go."""
    if entry is None:
        return ExtensionState.WAITING
    if entry.off:
        return ExtensionState.OFF
    if entry.digest == digest:
        return ExtensionState.ENABLED
    return ExtensionState.CHANGED if entry.digest else ExtensionState.WAITING


def changes_of(entry: Enabled | None, digest: str, source: str, name: str) -> str:
    """Unified diff from what was enabled to ``source``; empty when nothing was, or it is the same."""
    if entry is None or not entry.digest or entry.digest == digest:
        return ""
    before, after = _lines(entry.source), _lines(source)
    return "\n".join(difflib.unified_diff(before, after, name, name, lineterm=""))


def _lines(text: str) -> list[str]:
    """Only a line feed ends one: other characters that do so for a screen do not end a comment in Python."""
    return text.removesuffix("\n").split("\n")


def _written(entries: Mapping[Key, Enabled]) -> bytes:
    """The whole file.

    Raises:
        OSError: it would be too large to be read again, and nothing would run any more.
    """
    held = [
        {
            "kind": kind.value,
            "name": name,
            "digest": one.digest,
            "read_only": sorted(one.read_only),
            "off": one.off,
            "source": one.source,
        }
        for (kind, name), one in sorted(entries.items())
    ]
    written = (HEAD + yaml.safe_dump({"extensions": held}, allow_unicode=True, sort_keys=False)).encode()
    if len(written) > MOST_BYTES:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    return written


def _stamp(path: Path) -> _Stamp | None:
    try:
        state = path.stat()
    except FileNotFoundError:
        return None
    return (state.st_mtime_ns, state.st_size, state.st_ino, state.st_ctime_ns)


def _place(error: Exception) -> str:
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        return f"line {error.problem_mark.line + 1}: {error.problem or 'YAML'}"
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False)[0]
        return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
    return type(error).__name__


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """No other process of ours changes the ledger meanwhile."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
