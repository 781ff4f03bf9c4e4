"""The page of MCP servers: what each brings and whether it works; adding, enabling and removing them."""

from collections.abc import Sequence

from PySide6.QtWidgets import QFileDialog, QWidget

from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.extensions import (
    Extension,
    ExtensionKind,
    ExtensionsLooked,
    ExtensionState,
    ExtensionWishRefused,
    ImportServers,
    RemoveServer,
)
from jarvis_desktop.core.items.settings_desk import FILE
from jarvis_desktop.core.items.team_desk import Folder
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui import extension_words
from jarvis_desktop.ui.qt.page import Card, say, wrapped
from jarvis_desktop.ui.qt.picked_text import PickedText
from jarvis_desktop.ui.qt.settings_extension_list import ExtensionListPage
from jarvis_desktop.ui.qt.settings_page import SettingsParts, Ways, area, push, raw_text
from jarvis_desktop.ui.qt.settings_table import Columns
from jarvis_desktop.ui.visible_text import one_line

SECTION = "mcp_servers"
EXAMPLE = '{"mcpServers": {"time": {"command": "uvx", "args": ["mcp-server-time"]}}}'
_ADDRESS_CHARS = 60
_ADDRESS_LINES = ("command:", "url:")


class ServersPage(ExtensionListPage):
    """Programs and addresses that bring tools; each waits until a person has enabled it."""

    kinds = (ExtensionKind.SERVER,)
    called = "servers"

    def __init__(self, parts: SettingsParts, ways: Ways) -> None:
        texts = parts.texts
        super().__init__(
            parts,
            ways,
            texts("MCP servers"),
            texts(
                "Programs and addresses that bring tools of others. Each starts only after you enabled it, "
                "and its tools ask before they run until you allow more."
            ),
        )
        self._importing = ""
        self._had: set[str] = set()
        self.remove = push(texts("Re&move"), "servers.remove", self._remove)
        self.card.buttons.insertWidget(2, self.remove)
        self.column.insertLayout(2, self.file_row(Folder.HOME, FILE, SECTION))
        self.picked = PickedText(self)
        self.picked.read.connect(self.pasted.setPlainText)
        self.picked.failed.connect(self._not_read)

    def columns(self, texts: Texts) -> Columns:
        """State and address of each."""
        titles = (texts("Name"), texts("State"), texts("Program or address"), texts("Tools"))
        return Columns(titles, wide=2, spare={3: 480})

    def cells(self, extension: Extension) -> tuple[str, ...]:
        """One server."""
        state = extension_words.state_text(extension.state, self.parts.texts)
        return self.named(extension), state, _address(extension), str(len(extension.offers) or "–")

    def empty_text(self, texts: Texts) -> str:
        """There is no server."""
        return texts("You have added none yet. Paste below what the page of a server says.")

    def more(self) -> Sequence[QWidget]:
        """Adding by the JSON that pages of servers show."""
        texts = self.parts.texts
        card = Card(texts("Add servers"))
        told = texts(
            "Pages of MCP servers show a piece of JSON with “mcpServers”. Paste it here, or choose a file "
            "that holds it. What is added waits until you enable it. More in {page}."
        ).format(page="docs/mcp.md")
        card.column.addWidget(wrapped(told, "cardText"))
        self.pasted = area(texts("JSON with mcpServers"), "servers.pasted", EXAMPLE, 6)
        self.pasted.textChanged.connect(self._typed)
        self.import_state = wrapped("", "cardState")
        self.add = push(texts("&Add"), "servers.add", self._import, "primary")
        self.pick = push(texts("Choose a &file…"), "servers.pick", self._pick)
        card.column.addWidget(self.pasted)
        card.column.addWidget(self.import_state)
        card.add_row(self.add, self.pick)
        say(self.import_state, "")
        self.add.setEnabled(False)
        return (card,)

    # --- events -------------------------------------------------------------------------------

    def take(self, event: Event) -> None:
        """Show what happened."""
        super().take(event)
        match event:
            case ExtensionWishRefused(kind=ExtensionKind.SERVER, name=""):
                self._importing = ""
                say(self.import_state, "")
                self._typed()
            case ExtensionsLooked() if self._importing and self._names() - self._had:
                # What was added stands in the list; what was typed meanwhile stays.
                if raw_text(self.pasted) == self._importing:
                    self.pasted.clear()
                self._importing = ""
                say(self.import_state, self.parts.texts("Added. Each waits for you in the list above."))
            case _:
                pass

    def _names(self) -> set[str]:
        return {one.name for one in self.extensions if one.state is not ExtensionState.GONE}

    # --- what a person does -------------------------------------------------------------------

    def _typed(self) -> None:
        self.add.setEnabled(bool(raw_text(self.pasted).strip()) and not self._importing)

    def _import(self) -> None:
        text = raw_text(self.pasted)
        if text.strip() and not self._importing:
            self._importing, self._had = text, self._names()
            say(self.trouble, "")
            say(self.import_state, self.parts.texts("Adding…"))
            self._typed()
            self.parts.send(ImportServers(text))

    def _pick(self) -> None:
        texts = self.parts.texts
        wanted = f"JSON (*.json);;{texts('All files')} (*)"
        path, _ = QFileDialog.getOpenFileName(self, texts("JSON with mcpServers"), "", wanted)
        if path:
            self.picked.begin(path)

    def _not_read(self, why: str) -> None:
        texts = self.parts.texts
        said = texts("The file could not be read: {why}.").format(why=why)
        say(self.import_state, said if why else texts("The file is no text, or larger than 1 MB."))

    def _show_chosen(self) -> None:
        super()._show_chosen()
        chosen = self.card.extension
        self.remove.setVisible(chosen is not None and chosen.state is not ExtensionState.GONE)

    def _remove(self) -> None:
        if self.card.extension is not None:
            self.card.refuse("")
            self.parts.send(RemoveServer(self.card.extension.name))


def _address(extension: Extension) -> str:
    """The line of its definition that says what it is."""
    for line in extension.source.splitlines():
        words = line.strip().strip(",").replace('"', "")
        if words.startswith(_ADDRESS_LINES):
            return one_line(words.partition(":")[2].strip(), _ADDRESS_CHARS)
    return "–"
