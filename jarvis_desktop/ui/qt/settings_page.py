"""What all pages of the settings window are made of."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QPlainTextEdit, QPushButton, QWidget

from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.rule_facts import AuditFilter
from jarvis_desktop.core.items.rules import Rule
from jarvis_desktop.core.items.team_desk import Folder
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.qt.page import Page
from jarvis_desktop.ui.qt.page import choice as setup_choice
from jarvis_desktop.ui.qt.page import push as setup_push
from jarvis_desktop.ui.qt.theme import Theme, code_font
from jarvis_desktop.ui.setup_picture import SetupPicture


class Place(StrEnum):
    """The pages, in the order of the list at the side."""

    ALL = "all"
    LOOK = "look"
    CHAT = "chat"
    SPEECH = "speech"
    SOUND = "sound"
    WAKE = "wake"
    START = "start"
    AGENTS = "agents"
    AGENDA = "agenda"
    EXTENSIONS = "extensions"
    SERVERS = "servers"
    RULES = "rules"
    FILES = "files"
    DANGER = "danger"
    AUDIT = "audit"
    MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class SettingsParts:
    """What the settings window and its pages work with."""

    send: Callable[[Command], None]
    """A person did something."""
    look: Callable[[Command], None]
    """The window itself wants to know something: nobody touched anything."""
    theme: Theme
    texts: Texts
    picture: SetupPicture
    """Of the setup: some pages are the same there and here."""
    vanished: Callable[[], None]
    """Called after the window went away: the focus may fall on a question by itself."""
    compose: Callable[[str], None]
    """Writes a text into the input line of the conversation, for a person to send or to change."""


@dataclass(frozen=True, slots=True)
class Ways:
    """How one page leads to another."""

    to_rule: Callable[[Rule], None]
    to_decisions: Callable[[AuditFilter], None]
    to_file: Callable[[str, int | str], None]
    """A file that pages edit, at a line, or where a name stands at the beginning of a line."""
    to_place: Callable[[Place], None]
    to_folder: Callable[[Folder], None]
    """Shown by the desktop's own program, once it is there."""


class SettingsPage(Page):
    """A page of the settings."""

    def __init__(self, parts: SettingsParts, ways: Ways, title: str, intro: str) -> None:
        super().__init__(title, intro)
        self.parts, self.ways = parts, ways

    def take(self, event: Event) -> None:
        """Show what happened."""

    def left(self) -> None:
        """Another page is being looked at, or the window is gone."""

    def closed(self) -> None:
        """The window is gone."""

    def file_row(self, folder: Folder, file: str = "", at: int | str = 0) -> QHBoxLayout:
        """Buttons that lead to what is behind the page: a folder, and the text of a file if one is named."""
        texts = self.parts.texts
        row = QHBoxLayout()
        row.setSpacing(8)
        name = type(self).__name__.removesuffix("Page").lower()
        self.folder_button = push(
            texts("Open the folder"), f"{name}.folder", lambda: self.ways.to_folder(folder)
        )
        row.addWidget(self.folder_button)
        if file:
            self.text_button = push(
                texts("Edit as YAML"), f"{name}.text", lambda: self.ways.to_file(file, at)
            )
            row.addWidget(self.text_button)
        row.addStretch(1)
        return row

    def typed(self) -> Mapping[str, object]:
        """What a person has written or chosen here, so that a page in another language can take it over."""
        return {
            field.accessibleIdentifier(): _value(field)
            for kind in (QLineEdit, QPlainTextEdit, QComboBox)
            for field in self.findChildren(kind)
            if field.accessibleIdentifier() and not getattr(field, "isReadOnly", bool)()
        }

    def take_over(self, typed: Mapping[str, object]) -> None:
        """What was written on the page before this one is here."""
        for kind in (QLineEdit, QPlainTextEdit, QComboBox):
            for field in self.findChildren(kind):
                value = typed.get(field.accessibleIdentifier())
                if isinstance(field, QComboBox) and isinstance(value, int):
                    field.setCurrentIndex(value)
                elif isinstance(field, QLineEdit) and isinstance(value, str):
                    field.setText(value)
                elif isinstance(field, QPlainTextEdit) and isinstance(value, str):
                    field.setPlainText(value)


def _value(field: QWidget) -> object:
    if isinstance(field, QComboBox):
        return field.currentIndex()
    return field.text() if isinstance(field, QLineEdit) else raw_text(field)


def raw_text(field: QWidget) -> str:
    """The text of an editor, character by character: ``toPlainText`` turns some spaces into others."""
    assert isinstance(field, QPlainTextEdit)
    return field.document().toRawText().replace("\u2029", "\n")


def push(text: str, identifier: str, pressed: Callable[[], None], kind: str = "") -> QPushButton:
    """A button; ``kind`` as in the style sheet."""
    button = setup_push(text, identifier, pressed, kind)
    button.setAccessibleIdentifier(f"settings.{identifier}")
    button.setAutoDefault(False)
    return button


def choice(name: str, identifier: str, chosen: Callable[[], None]) -> QComboBox:
    """A box with a choice."""
    box = setup_choice(name, identifier, chosen)
    box.setAccessibleIdentifier(f"settings.{identifier}")
    return box


def line(name: str, identifier: str, hint: str, *, code: bool = False) -> QLineEdit:
    """A field of one line."""
    field = QLineEdit()
    field.setAccessibleName(name)
    field.setAccessibleIdentifier(f"settings.{identifier}")
    field.setObjectName(identifier)
    field.setPlaceholderText(hint)
    if code:
        field.setFont(code_font(10.5))
    return field


def area(name: str, identifier: str, hint: str, lines: int) -> QPlainTextEdit:
    """A field of a few lines; Tab leaves it."""
    field = QPlainTextEdit()
    field.setObjectName("detail")
    field.setAccessibleName(name)
    field.setAccessibleIdentifier(f"settings.{identifier}")
    field.setPlaceholderText(hint)
    field.setTabChangesFocus(True)
    field.setFont(code_font(10.5))
    field.setFixedHeight(lines * field.fontMetrics().lineSpacing() + 26)
    return field
