"""Writing a file so that there is always a whole one: the old or the new."""

import errno
import os
import stat
from pathlib import Path
from secrets import token_hex


def write_whole(path: Path | str, content: bytes, *, durable: bool = True) -> None:
    """Replace the content of ``path`` in one step; a link's target is replaced, the link stays.

    Missing parents are made; mode and owner are kept where possible. Other hard links keep the old
    content: the price of one step.

    durable: it is on the disk when this returns. Otherwise a crash of ours leaves a whole file, and a power
    cut may leave the old one.

    Raises:
        OSError: not writable, not a regular file, no space …; then nothing has changed.
    """
    # Text, and no Path: making those costs more than writing a small file (experiments/goal_store.py).
    target = os.fspath(path)
    if os.path.islink(target):  # noqa: PTH114 - as above
        target = os.path.realpath(target)  # resolve() stumbles over links that lead in a circle
    present = regular_stat(target)
    if present and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), target)
    folder = os.path.dirname(target) or "."  # noqa: PTH120 - as above
    draft = f"{folder}/.{token_hex(8)}.tmp"
    descriptor = _new_file(draft, folder, 0o600 if present else 0o666)
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123 - an open descriptor has no path
            if present:
                keep_owner_and_mode(descriptor, present)
            file.write(content)
            file.flush()
            if durable:
                os.fsync(descriptor)
        os.replace(draft, target)  # noqa: PTH105 - as above
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
    if durable:
        sync_folder(Path(folder))


def _new_file(path: str, folder: str, mode: int) -> int:
    """An open one; its folder is made when it is missing, which is rare."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    try:
        return os.open(path, flags, mode)
    except FileNotFoundError:
        Path(folder).mkdir(parents=True, exist_ok=True)
        return os.open(path, flags, mode)


def regular_stat(target: Path | str) -> os.stat_result | None:
    """What is there; nothing when the file does not exist.

    Raises:
        OSError: a directory, device, pipe or socket is there.
    """
    try:
        present = os.stat(target)  # noqa: PTH116 - as above
    except FileNotFoundError:
        return None
    require_regular(present, target)
    return present


def require_regular(found: os.stat_result, path: Path | str) -> None:
    """Refuse everything that is not a plain file.

    Raises:
        OSError: EISDIR for a directory, EINVAL for devices, pipes and sockets.
    """
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", str(path))


def keep_owner_and_mode(descriptor: int, present: os.stat_result) -> None:
    """Give the new file what the old one had. Owner first: changing it clears set-user-id bits."""
    made = os.fstat(descriptor)
    if (made.st_uid, made.st_gid) != (present.st_uid, present.st_gid):
        try:
            os.fchown(descriptor, present.st_uid, present.st_gid)
        except PermissionError:
            os.fchmod(descriptor, stat.S_IMODE(present.st_mode) & 0o777)
            return
    os.fchmod(descriptor, stat.S_IMODE(present.st_mode))


def sync_folder(folder: Path) -> None:
    """The new name survives a power cut; file systems that cannot promise it are left alone."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    except OSError:
        return
    finally:
        os.close(descriptor)
