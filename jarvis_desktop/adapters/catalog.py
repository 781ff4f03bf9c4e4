"""Texts in the app's language, from gettext catalogues beside the code."""

import gettext
import locale
import os
from pathlib import Path

from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.voice.korean_particles import opened

LOCALE_DIR = Path(__file__).parent.parent / "locale"


class Catalog:
    """Fills ``Texts`` with one gettext catalogue, which may be exchanged for another language's."""

    def __init__(self, language: Language, locale_dir: Path = LOCALE_DIR) -> None:
        self._locale_dir = locale_dir
        # One value for both, so that another thread never sees a language with the other one's texts.
        self._held = (language, _translations(language, locale_dir))

    @property
    def language(self) -> Language:
        """The language in force."""
        return self._held[0]

    def speak(self, language: Language) -> None:
        """Every text from now on is in ``language``, for all who hold this catalogue."""
        self._held = (language, _translations(language, self._locale_dir))

    def __call__(self, msgid: str) -> str:
        """The text for ``msgid``."""
        return opened(self._held[1].gettext(msgid))

    def plural(self, one: str, many: str, count: int) -> str:
        """The form that fits ``count``."""
        return opened(self._held[1].ngettext(one, many, count))


def _translations(language: Language, locale_dir: Path) -> gettext.NullTranslations:
    # English is the language of the msgids, so it needs no catalogue.
    return gettext.translation(
        "jarvis", str(locale_dir), [language.value], fallback=language is Language.ENGLISH
    )


def app_language(wanted: str) -> Language:
    """The language that the setting ``ui.language`` means now."""
    return system_language() if wanted == "system" else Language(wanted)


def system_language() -> Language:
    """Korean where the system speaks Korean, English everywhere else.

    Looks at LC_ALL, LC_MESSAGES and LANG in POSIX order, then at the platform's own setting.
    """
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name)
        if value:
            return Language.KOREAN if value.lower().startswith("ko") else Language.ENGLISH
    native = locale.getlocale()[0] or ""
    return Language.KOREAN if native.lower().startswith("ko") else Language.ENGLISH
