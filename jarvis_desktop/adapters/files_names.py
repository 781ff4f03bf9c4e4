"""Names on disk are bytes; here they become paths that do not depend on the locale."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
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


@contextmanager
def name_for_libraries(folder: Path) -> Iterator[str]:
    """A name of ``folder`` that native code opens too, while this lasts.

    Native code takes names for UTF-8. In a locale that is not, Python keeps the bytes of a Korean name as
    half surrogates, or as other letters; the open folder has a name in plain letters.
    """
    name = str(folder)
    if os.fsencode(folder) == name.encode("utf-8", "surrogatepass"):
        yield name
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        yield f"/proc/self/fd/{opened}"
    finally:
        os.close(opened)
