"""Texts in Korean for tests, from the mouth's own catalogue files."""

from pathlib import Path

from babel.messages.pofile import read_po

from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.voice.korean_particles import opened

FOLDER = Path(__file__).parents[3] / "jarvis_desktop" / "locale" / "ko"
FILES = ("mouth.po", "spoken.po")


class KoreanTexts:
    """Fills ``Texts`` straight from the .po files, so that no compiled catalogue is needed."""

    def __init__(self) -> None:
        self.language = Language.KOREAN
        self._catalogs = []
        for name in FILES:
            with (FOLDER / name).open("rb") as file:
                self._catalogs.append(read_po(file, locale="ko"))

    def __call__(self, msgid: str) -> str:
        message = next((found for one in self._catalogs if (found := one.get(msgid)) is not None), None)
        assert message is not None, f"no Korean for {msgid!r}"
        form = message.string if isinstance(message.string, str) else (message.string or ("",))[0]
        assert form
        return opened(form)

    def plural(self, one: str, many: str, count: int) -> str:
        return self(one)
