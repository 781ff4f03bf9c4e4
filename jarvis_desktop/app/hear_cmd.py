"""``jarvis-desktop hear``: the real ears on WAV files."""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from jarvis_desktop.adapters.model_files import ModelFiles
from jarvis_desktop.app.ears_parts import load_parts
from jarvis_desktop.app.hear import HearSettings, hear
from jarvis_desktop.app.main import prepare
from jarvis_desktop.app.options import MODELS_NAME


def hear_files(files: Sequence[Path], *, need_wake: bool) -> int:
    """Print one JSON line per event in the files; 0 when all could be read.

    Raises:
        UserFixableError: a file cannot be read as sound, or a model is missing.
    """
    start = prepare()

    async def work() -> None:
        parts = await load_parts(ModelFiles(start.home / MODELS_NAME, texts=start.texts), start.texts)
        await hear(files, HearSettings(start.settings.voice, need_wake), parts, _print_line)

    asyncio.run(work())
    return 0


def _print_line(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
