"""Room on the disk for what is to be fetched, looked at before the first byte."""

import shutil
from pathlib import Path

from jarvis_desktop.core.items.errors import ModelFileError
from jarvis_desktop.core.ports import Texts

SPARE_BYTES = 8 << 20
"""What must be free besides: notes, folders, and a log that goes on."""
_UNITS = ("kB", "MB", "GB", "TB")


class NoRoomError(ModelFileError):
    """The disk is too small for what is to be fetched."""


def check_room(folder: Path, needed_bytes: int, texts: Texts) -> None:
    """Nothing happens where there is room.

    needed_bytes: what is still to come, and what lies beside it for a while.

    Raises:
        NoRoomError: there is less; it says how much, where, and what to do.
    """
    free_bytes = shutil.disk_usage(folder).free
    if free_bytes >= needed_bytes + SPARE_BYTES:
        return
    short = needed_bytes + SPARE_BYTES - free_bytes
    raise NoRoomError(
        texts(
            "There is not enough room in {folder}: {needed} are needed and {free} are free. "
            "Free {short} there, then go on; what has come is kept."
        ).format(
            folder=folder,
            needed=size_words(needed_bytes + SPARE_BYTES),
            free=size_words(free_bytes),
            short=size_words(short),
        )
    )


def size_words(count: float) -> str:
    """Bytes as people read them: ``0.5 kB``, ``148 MB``, ``1.1 GB``."""
    size = float(count)
    for unit in _UNITS:
        size /= 1000
        if size < 999.5 or unit == _UNITS[-1]:
            return f"{size:.1f} {unit}" if size < 9.95 else f"{size:.0f} {unit}"
    raise AssertionError
