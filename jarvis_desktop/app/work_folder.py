"""The folder in which a new conversation works."""

import asyncio
import logging
from pathlib import Path

from jarvis_desktop.core.items.events import Part, TroubleNoted
from jarvis_desktop.core.ports import Emit, Texts

log = logging.getLogger(__name__)


async def work_folder(wanted: Path, texts: Texts, emit: Emit) -> Path:
    """The folder that the settings name, made when it is not there; else the person's own, which is said."""
    try:
        return await asyncio.to_thread(_made, wanted)
    except (OSError, RuntimeError) as error:
        log.warning("no working directory", extra={"error": type(error).__name__})
    text = texts(
        "settings.yaml: agent.working_directory is {folder}, which cannot be used as a folder; {home} is "
        "used instead. Name a folder that can be made or written."
    ).format(folder=wanted, home=Path.home())
    await emit(TroubleNoted(Part.SETTINGS, text))
    return Path.home()


def _made(wanted: Path) -> Path:
    """``wanted``, absolute, and there.

    Raises:
        OSError: it cannot be made.
        RuntimeError: it begins with the home of somebody unknown.
    """
    folder = wanted.expanduser().absolute()
    folder.mkdir(parents=True, exist_ok=True)
    return folder
