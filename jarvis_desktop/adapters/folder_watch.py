"""Tells at once when something in a folder changes; the fast path beside looking (decision 4)."""

import logging
from collections.abc import Callable
from pathlib import Path
from stat import S_ISDIR
from typing import TypeAlias

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver

log = logging.getLogger(__name__)

_OURS = frozenset({"opened", "closed_no_write"})
"""What looking does is no change."""
GOODBYE_S = 1.0
_Identity: TypeAlias = tuple[int, int]


class FolderWatch(FileSystemEventHandler):
    """Watches one folder. Where it cannot, looking has to do."""

    def __init__(self, folder: Path, changed: Callable[[], None], *, deep: bool = False) -> None:
        """changed: called on a thread of its own, often several times for one change; returns at once.

        deep: what happens below the folder counts as well.
        """
        self._folder = folder
        self._changed = changed
        self._deep = deep
        self._observer: BaseObserver | None = None
        self._watched: _Identity | None = None

    def keep_up(self) -> None:
        """Watch as soon as the folder is there, and anew when it is another one. May take milliseconds."""
        there = _identity(self._folder)
        if there == self._watched and (there is None or self._alive):
            return
        self.close()
        if there is None:
            return
        observer = Observer()
        try:
            observer.schedule(self, str(self._folder), recursive=self._deep)
            observer.start()
        except (OSError, RuntimeError) as error:
            # The system's watches or threads are used up; every turn looks all the same.
            log.warning("a folder cannot be watched", extra={"error": type(error).__name__})
            self._watched = there
            return
        self._observer, self._watched = observer, there

    @property
    def _alive(self) -> bool:
        """A watch whose folder was deleted has ended, even if a new one got its number."""
        return self._observer is None or all(one.is_alive() for one in self._observer.emitters)

    def close(self) -> None:
        """Watch no more."""
        observer, self._observer, self._watched = self._observer, None, None
        if observer is not None:
            observer.stop()
            observer.join(GOODBYE_S)

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Something happened in the folder; watchdog calls it."""
        if event.event_type not in _OURS:
            self._changed()


def _identity(folder: Path) -> _Identity | None:
    try:
        state = folder.stat()
    except OSError:
        return None
    return (state.st_dev, state.st_ino) if S_ISDIR(state.st_mode) else None
