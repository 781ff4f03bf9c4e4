"""The two short sounds that are no speech."""

import wave
from collections.abc import Mapping
from pathlib import Path

from jarvis_desktop.core.items.speech import Sound

_PACKAGE = Path(__file__).parent.parent
CHIMES_DIR = next(
    (at for at in (_PACKAGE / "assets/chimes", _PACKAGE.parent / "assets/chimes") if at.is_dir()),
    _PACKAGE / "assets/chimes",
)
"""Inside an installed package, or beside it in a checkout."""

LISTENING = "listening"
"""Listening has begun."""
TROUBLE = "trouble"
"""That was not understood, or did not work."""


def load_chimes(folder: Path = CHIMES_DIR) -> Mapping[str, Sound]:
    """The chimes by name; one that is not there is silent."""
    return {name: _read(folder / f"{name}.wav") for name in (LISTENING, TROUBLE)}


def _read(path: Path) -> Sound:
    try:
        with wave.open(str(path), "rb") as file:
            return Sound(file.readframes(file.getnframes()), file.getframerate())
    except OSError:
        return Sound(b"")
