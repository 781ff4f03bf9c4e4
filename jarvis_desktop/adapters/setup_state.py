"""Whether the setup of a home was finished, kept in ``setup.yaml``."""

from pathlib import Path

import yaml

from jarvis_desktop.adapters.files_write import write_whole

FILE_NAME = "setup.yaml"
_FINISHED = "finished"


class SetupState:
    """Everything here waits for the disk."""

    def __init__(self, home: Path) -> None:
        self._path = home / FILE_NAME

    def begin(self, *, used_before: bool) -> None:
        """There is a state. A home from before there was a setup, with something in it, needs none.

        Raises:
            OSError: it cannot be written.
        """
        if not self._path.exists():
            self._write(finished=used_before)

    @property
    def finished(self) -> bool:
        """It need not be shown by itself. A file that cannot be read says nothing, and shows it."""
        try:
            held = yaml.safe_load(self._path.read_text("utf-8"))
        except (OSError, UnicodeError, yaml.YAMLError):
            return False
        return isinstance(held, dict) and held.get(_FINISHED) is True

    def finish(self) -> None:
        """It is never shown by itself again.

        Raises:
            OSError: it cannot be written.
        """
        self._write(finished=True)

    def _write(self, *, finished: bool) -> None:
        write_whole(self._path, yaml.safe_dump({_FINISHED: finished}).encode())
