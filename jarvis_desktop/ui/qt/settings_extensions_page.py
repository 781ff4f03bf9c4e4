"""The page of tools, skills and plugins that people add: what there is, and how one is added."""

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QWidget

from jarvis_desktop.core.items.extensions import Extension, ExtensionKind
from jarvis_desktop.core.items.team_desk import Folder
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui import extension_words
from jarvis_desktop.ui.qt.page import Card, wrapped
from jarvis_desktop.ui.qt.settings_extension_list import ExtensionListPage
from jarvis_desktop.ui.qt.settings_page import SettingsParts, Ways, push
from jarvis_desktop.ui.qt.settings_table import Columns

FOLDERS = {
    ExtensionKind.TOOL: Folder.TOOLS,
    ExtensionKind.SKILL: Folder.SKILLS,
    ExtensionKind.PLUGIN: Folder.PLUGINS,
}


class ExtensionsPage(ExtensionListPage):
    """Files of one's own; code waits there until a person has read and enabled it."""

    kinds = tuple(FOLDERS)
    called = "extensions"

    def __init__(self, parts: SettingsParts, ways: Ways) -> None:
        texts = parts.texts
        super().__init__(
            parts,
            ways,
            texts("Extensions"),
            texts(
                "Tools, skills and plugins that you add as files. Code runs only after you enabled it here, "
                "and what changes afterwards waits anew."
            ),
        )

    def columns(self, texts: Texts) -> Columns:
        """Kind and state of each."""
        titles = (texts("Name"), texts("Kind"), texts("State"), texts("What it brings"))
        return Columns(titles, wide=3, spare={1: 480})

    def cells(self, extension: Extension) -> tuple[str, ...]:
        """One file."""
        texts = self.parts.texts
        return (
            self.named(extension),
            extension_words.kind_text(extension.kind, texts),
            extension_words.state_text(extension.state, texts),
            extension_words.offers_text(extension, texts),
        )

    def empty_text(self, texts: Texts) -> str:
        """There is no file."""
        return texts("You have added none yet. Below stands how that is done.")

    def more(self) -> Sequence[QWidget]:
        """How one of each kind is added."""
        texts = self.parts.texts
        card = Card(texts("Add one"))
        self.folders = {}
        for kind, told in extension_words.how_to_add(texts).items():
            card.column.addWidget(wrapped(told, "cardText"))
            button = push(texts("Open the folder"), f"extensions.folder.{kind}", self._opens(FOLDERS[kind]))
            name = extension_words.kind_text(kind, texts)
            button.setAccessibleName(texts("Open the folder: {name}").format(name=name))
            self.folders[kind] = button
            card.add_row(button)
        return (card,)

    def _opens(self, folder: Folder) -> Callable[[], None]:
        return lambda: self.ways.to_folder(folder)
