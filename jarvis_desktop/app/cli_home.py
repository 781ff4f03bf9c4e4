"""What a command that only looks knows of its person's home: folder, settings, texts. It makes nothing."""

import logging
from dataclasses import dataclass
from pathlib import Path

from jarvis_desktop.adapters.catalog import Catalog, system_language
from jarvis_desktop.adapters.home_dir import home_path
from jarvis_desktop.adapters.log_setup import set_up_logging
from jarvis_desktop.adapters.settings_file import load_settings
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.settings import Settings


@dataclass(frozen=True, slots=True)
class CliHome:
    """Where the command looks, and in which language it speaks."""

    folder: Path
    settings: Settings
    texts: Texts


def cli_home() -> CliHome:
    """The home of this command; log lines go to its log, if it has one."""
    folder = home_path()
    if folder.is_dir():
        set_up_logging(folder)
    else:
        # Without any handler records would go to the terminal.
        logging.getLogger().addHandler(logging.NullHandler())
    settings, _ = load_settings(folder)
    language = settings.ui.language
    return CliHome(
        folder, settings, Catalog(system_language() if language == "system" else Language(language))
    )
