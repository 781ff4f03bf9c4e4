"""The folder that holds everything of ours: ``JARVIS_HOME``, else ``~/.jarvis``."""

import os
from collections.abc import Mapping
from pathlib import Path

from jarvis_desktop.adapters.catalog import Catalog, system_language
from jarvis_desktop.core.items.errors import StorageError
from jarvis_desktop.core.ports import Texts

FOLDER_MODE = 0o700
"""Nobody else reads conversations and rules (decision 5)."""


def home_path(environ: Mapping[str, str] = os.environ) -> Path:
    """Where the folder is or would be; absolute, nothing is touched."""
    chosen = environ.get("JARVIS_HOME", "")
    return Path(os.path.abspath(Path(chosen).expanduser())) if chosen else Path.home() / ".jarvis"  # noqa: PTH100 - resolve() would follow the person's own links


def home_dir(texts: Texts | None = None, environ: Mapping[str, str] = os.environ) -> Path:
    """The folder, made when absent, readable by its owner alone.

    texts: for the error; without them the system's language, as the settings are not read yet.

    Raises:
        StorageError: it cannot be made or written.
    """
    texts = texts or Catalog(system_language())
    home = home_path(environ)
    try:
        home.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        if home.stat().st_mode & 0o777 != FOLDER_MODE:
            home.chmod(FOLDER_MODE)
        writable = os.access(home, os.W_OK | os.X_OK, effective_ids=os.access in os.supports_effective_ids)
    except OSError as error:
        raise StorageError(_sentence(texts, home, error.strerror or type(error).__name__)) from error
    if not writable:
        raise StorageError(_sentence(texts, home, texts("it is read-only")))
    return home


def _sentence(texts: Texts, home: Path, reason: str) -> str:
    return texts(
        "{folder} cannot be used: {reason}. Make it writable for you, or set JARVIS_HOME to another folder."
    ).format(folder=home, reason=reason)
