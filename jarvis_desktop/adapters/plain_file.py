"""Bytes of the files that people keep for us: plain ones, of a size that people write."""

import errno
import os
from pathlib import Path

from jarvis_desktop.adapters.files_write import require_regular


def bytes_of(path: Path, most_bytes: int) -> bytes:
    """What is in a plain file. A pipe in its place is refused, not waited for.

    Raises:
        OSError: it cannot be read, is no plain file, or is larger than ``most_bytes``.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        require_regular(os.fstat(descriptor), path)
        # Before it is a file: the descriptor of a folder would be refused, and stay open.
        with open(descriptor, "rb", closefd=False) as file:
            content = file.read(most_bytes + 1)
    finally:
        os.close(descriptor)
    if len(content) > most_bytes:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return content
