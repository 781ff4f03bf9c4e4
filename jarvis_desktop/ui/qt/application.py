"""The one ``QApplication``, and Qt's own texts in the app's language."""

import sys

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.ui.qt.icons import app_icon


def application() -> QApplication:
    """The application that runs, made if there is none yet."""
    running = QApplication.instance()
    app = running if isinstance(running, QApplication) else QApplication(sys.argv[:1])
    app.setApplicationName("Jarvis")
    app.setApplicationDisplayName("Jarvis")
    app.setDesktopFileName("jarvis-desktop")
    app.setWindowIcon(app_icon())
    # Dialogs come and go while only the tray is there.
    app.setQuitOnLastWindowClosed(False)
    return app


class QtTexts:
    """Qt's own texts (copy, paste …), in a language that can change."""

    def __init__(self, app: QApplication) -> None:
        self._app = app
        self._translator: QTranslator | None = None

    def speak(self, language: Language) -> None:
        """Use ``language`` from now on; widgets made earlier keep theirs."""
        if self._translator is not None:
            self._app.removeTranslator(self._translator)
            self._translator = None
        if language is Language.KOREAN:
            translator = QTranslator(self._app)
            where = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
            if translator.load(QLocale(QLocale.Language.Korean), "qtbase", "_", where):
                self._app.installTranslator(translator)
                self._translator = translator
