"""The command ``jarvis-desktop`` of a terminal: a link in ``~/.local/bin`` to this installation."""

import os
from collections.abc import Mapping
from pathlib import Path

import jarvis_desktop
from jarvis_desktop.adapters.desktop_entry import APP_ID, own_command

_CHECKOUT = Path(jarvis_desktop.__file__).parents[1]


class ShellCommand:
    """The link, and what it leads to. Whatever else has its name is somebody else's and stays."""

    def __init__(self, environ: Mapping[str, str] = os.environ, checkout: Path = _CHECKOUT) -> None:
        """checkout: the folder above the package; its ``run``, if it has one, installs what is missing."""
        self.place = Path(environ.get("HOME") or Path.home()) / ".local/bin" / APP_ID
        self._path = environ.get("PATH", "")
        started = checkout / "run"
        self.target = started if os.access(started, os.X_OK) else Path(own_command()[0])

    @property
    def is_ours(self) -> bool:
        """It is there and leads here."""
        return self.place.is_symlink() and self.place.readlink() == self.target

    @property
    def is_found(self) -> bool:
        """A terminal like this one looks for commands where it lies."""
        return str(self.place.parent) in self._path.split(os.pathsep)

    def install(self) -> None:
        """It is there.

        Raises:
            FileExistsError: something else has its name.
            OSError: its folder cannot be written.
        """
        if self.is_ours:
            return
        self.place.parent.mkdir(parents=True, exist_ok=True)
        self.place.symlink_to(self.target)

    def remove(self) -> bool:
        """It is gone; whether it was there.

        Raises:
            OSError: its folder cannot be written.
        """
        if not self.is_ours:
            return False
        self.place.unlink()
        return True
