"""What was found of Ollama, and the one thing that can be done about it."""

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QLineEdit, QPushButton

from jarvis_desktop.core.items.setup import AllowRemoteModel, LookAround, OllamaPresence, StartOllama
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.qt.page import Card, push, rename, say, wrapped
from jarvis_desktop.ui.qt.setup_page import SetupParts
from jarvis_desktop.ui.visible_text import one_line

PAGE = "https://ollama.com/download"
COMMAND = "curl -fsSL https://ollama.com/install.sh | sh"


class OllamaBox(Card):
    """One sentence or two, and a button that fits."""

    def __init__(self, parts: SetupParts) -> None:
        texts = parts.texts
        super().__init__(texts("Ollama"))
        self._parts = parts
        self.text = wrapped("", "cardText")
        self.column.addWidget(self.text)
        self.warning = wrapped("", "cardWarning")
        self.column.addWidget(self.warning)
        self.page, self.copy_page = self._copied(PAGE, texts("Ollama's page"), "page")
        self.command, self.copy_command = self._copied(
            COMMAND, texts("Command that installs Ollama"), "command"
        )
        self.start = push(texts("Start Ollama"), "start_ollama", lambda: parts.send(StartOllama()), "primary")
        self.visit = push(texts("Open the page"), "visit", self._visit)
        self.allow = push("", "allow_remote", self._allow)
        self.again = push(texts("Look again"), "look_again", lambda: parts.send(LookAround()))
        self.add_row(self.start, self.visit, self.allow, self.again)
        self.refresh()

    def _copied(self, text: str, name: str, identifier: str) -> tuple[QLineEdit, QPushButton]:
        texts = self._parts.texts
        field = QLineEdit(text)
        field.setReadOnly(True)
        field.setObjectName("copied")
        field.setAccessibleName(name)
        field.setAccessibleIdentifier(f"setup.{identifier}")
        copy = push(texts("Copy"), f"copy_{identifier}", lambda: QGuiApplication.clipboard().setText(text))
        copy.setAccessibleName(texts("Copy: {what}").format(what=name))
        row = self.add_row(field, copy, stretch=False)
        row.setStretch(0, 1)
        return field, copy

    def refresh(self) -> None:
        """Show what was found."""
        texts, picture = self._parts.texts, self._parts.picture
        found = picture.facts.ollama if picture.facts is not None else None
        say(self.text, self._found_text())
        self.start.setVisible(found is OllamaPresence.STOPPED)
        self.start.setEnabled(not picture.working)
        rename(self.start, texts("Starting…") if picture.working else texts("Start Ollama"))
        absent = found is OllamaPresence.ABSENT
        for part in (self.page, self.copy_page, self.command, self.copy_command, self.visit):
            part.setVisible(absent)
        asks = found is OllamaPresence.REMOTE_UNASKED
        host = one_line(picture.facts.consent, 120) if picture.facts is not None else ""
        say(self.warning, _remote_warning(host, texts) if asks else "")
        self.allow.setVisible(asks)
        self.allow.setEnabled(not picture.working)
        rename(self.allow, texts("Allow it"), host)
        self.again.setVisible(found is not None and found is not OllamaPresence.RUNNING)

    def _found_text(self) -> str:
        texts, facts = self._parts.texts, self._parts.picture.facts
        if facts is None:
            return texts("Looking at this computer…")
        if facts.ollama is OllamaPresence.ABSENT:
            # The core's sentence spells address and command out; here both stand below, to be copied.
            return texts("Ollama is not installed. Get it from its page, or on Linux with this one command.")
        return facts.ollama_text

    def _visit(self) -> None:
        QDesktopServices.openUrl(QUrl(PAGE))

    def _allow(self) -> None:
        # Exactly what was shown is agreed to; the core refuses when it is another place by now.
        facts = self._parts.picture.facts
        if facts is not None:
            self._parts.send(AllowRemoteModel(facts.consent))


def _remote_warning(host: str, texts: Texts) -> str:
    return texts(
        "Everything you say to Jarvis would be sent to {host}, which is not this computer. Nothing is sent "
        "before you allow it."
    ).format(host=host)
