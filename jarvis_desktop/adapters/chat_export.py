"""A person's own copies of conversations: new files only, and none in our own folder."""

import asyncio
import os
from itertools import count
from pathlib import Path

from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.ports import Texts


class ChatExports:
    """Fills ``Exports``."""

    def __init__(self, home: Path, texts: Texts) -> None:
        self._home, self._texts = home, texts

    async def write(self, path: Path, text: str) -> None:
        """A new file, readable by its owner alone; missing folders are made.

        Raises:
            UserFixableError: there is a file already, the place is our own folder, or it cannot be written.
        """
        await asyncio.to_thread(self._write, path, text.encode("utf-8", "replace"))

    async def free(self, path: Path) -> Path:
        """``path``, or one like it with a number that nothing is called by yet."""
        return await asyncio.to_thread(_free, path)

    def _write(self, path: Path, content: bytes) -> None:
        try:
            # Links are followed first: one in a harmless place may lead into our folder.
            folder = Path(os.path.realpath(path.parent))
            if folder.is_relative_to(os.path.realpath(self._home)):
                raise UserFixableError(self._ours(path))
            folder.mkdir(parents=True, exist_ok=True)
            if os.path.lexists(folder / path.name):
                raise UserFixableError(self._there(path))
            _write_new(folder / path.name, content)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or type(error).__name__
            text = self._texts("{path} could not be written: {reason}. Name another place.")
            raise UserFixableError(text.format(path=path, reason=reason)) from error

    def _ours(self, path: Path) -> str:
        text = self._texts(
            "{path} lies in Jarvis's own folder, where nothing is put for you. Name another place."
        )
        return text.format(path=path)

    def _there(self, path: Path) -> str:
        text = self._texts("{path} is there already and is not written over. Free is: {free}")
        return text.format(path=path, free=_free(path).name)


def _write_new(path: Path, content: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123 - an open descriptor has no path
            file.write(content)
            file.flush()
            os.fsync(descriptor)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _free(path: Path) -> Path:
    names = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in count(2))
    return path if not os.path.lexists(path) else next(one for one in names if not os.path.lexists(one))
