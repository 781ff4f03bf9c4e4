"""Names on disk are bytes; here they become paths that do not depend on the locale."""

import os
from pathlib import Path


def on_disk(path: Path) -> Path:
    """The path to hand to the system: its name there is UTF-8, also where the locale says ASCII.

    Raises:
        ValueError: no such name can exist (a NUL, half a surrogate pair).
    """
    name = os.fsdecode(str(path).encode("utf-8", "surrogateescape"))
    if "\0" in name:
        raise ValueError("a path cannot hold a NUL character")
    return Path(name)


def for_people(path: Path) -> Path:
    """The path as text that people and models know; the inverse of ``on_disk``."""
    return Path(os.fsencode(path).decode("utf-8", "surrogateescape"))
