"""Looks at the disk for a room; what may not be looked at is not there, since a command may not either."""

from os import fspath
from pathlib import Path


def is_folder(path: str | Path) -> bool:
    """A folder that can be reached."""
    try:
        return Path(path).is_dir()
    except OSError:
        return False


def is_there(path: str | Path) -> bool:
    """Something that can be reached."""
    try:
        return Path(path).exists()
    except OSError:
        return False


def entries(folder: str) -> list[str]:
    """Paths of what is in ``folder``."""
    try:
        return [fspath(entry) for entry in Path(folder).iterdir()]
    except OSError:
        return []
