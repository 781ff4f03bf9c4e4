"""Texts in the app's language, from gettext catalogues beside the code."""

import gettext
import locale
import os
from pathlib import Path

from jarvis_desktop.core.items.speech import Language

LOCALE_DIR = Path(__file__).parent.parent / "locale"


class Catalog:
    """Fills ``Texts`` with one gettext catalogue."""

    def __init__(self, language: Language, locale_dir: Path = LOCALE_DIR) -> None:
        self._language = language
        # English is the language of the msgids, so it needs no catalogue.
        self._translations = gettext.translation(
            "jarvis", str(locale_dir), [language.value], fallback=language is Language.ENGLISH
        )

    @property
    def language(self) -> Language:
        """The language in force."""
        return self._language

    def __call__(self, msgid: str) -> str:
        """The text for ``msgid``."""
        return self._translations.gettext(msgid)

    def plural(self, one: str, many: str, count: int) -> str:
        """The form that fits ``count``."""
        return self._translations.ngettext(one, many, count)


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
