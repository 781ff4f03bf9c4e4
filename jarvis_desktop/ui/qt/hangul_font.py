"""Says when Korean cannot be shown, because no font has Hangul."""

from PySide6.QtGui import QFontDatabase

from jarvis_desktop.core.items.events import Part, TroubleCleared, TroubleNoted
from jarvis_desktop.core.items.speech import Language

# Not a text of the catalogue: in Korean it would be the boxes that it is about.
NO_HANGUL = (
    "No font has Hangul, so Korean shows as boxes. Install one, on Debian and Ubuntu with: "
    "sudo apt install fonts-nanum. Until then, ui.language: en in settings.yaml shows English."
)


def hangul_trouble(language: Language) -> TroubleNoted | TroubleCleared:
    """Whether texts in this language can be read. Asks Qt for all fonts, which takes some milliseconds."""
    if language is not Language.KOREAN or QFontDatabase.families(QFontDatabase.WritingSystem.Korean):
        return TroubleCleared(Part.DISPLAY)
    return TroubleNoted(Part.DISPLAY, NO_HANGUL)
