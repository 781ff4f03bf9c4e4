"""Texts in Korean for tests, from the mouth's own catalogue file."""

from pathlib import Path

from babel.messages.pofile import read_po

from jarvis_desktop.core.items.speech import Language

PO = Path(__file__).parents[3] / "jarvis_desktop" / "locale" / "ko" / "mouth.po"


class KoreanTexts:
    """Fills ``Texts`` straight from the .po file, so that no compiled catalogue is needed."""

    def __init__(self) -> None:
        self.language = Language.KOREAN
        with PO.open("rb") as file:
            self._catalog = read_po(file, locale="ko")

    def __call__(self, msgid: str) -> str:
        message = self._catalog.get(msgid)
        assert message is not None, f"no Korean for {msgid!r}"
        form = message.string if isinstance(message.string, str) else (message.string or ("",))[0]
        assert form
        return form

    def plural(self, one: str, many: str, count: int) -> str:
        return self(one)
