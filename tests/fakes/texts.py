"""Texts without a catalogue: the msgid itself."""

from jarvis_desktop.core.items.speech import Language


class PlainTexts:
    """Fills ``Texts`` with the English msgids; says it is ``language``."""

    def __init__(self, language: Language = Language.ENGLISH) -> None:
        self.language = language

    def speak(self, language: Language) -> None:
        self.language = language

    def __call__(self, msgid: str) -> str:
        return msgid

    def plural(self, one: str, many: str, count: int) -> str:
        return one if count == 1 else many
