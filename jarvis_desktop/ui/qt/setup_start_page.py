"""The page of the beginnings: with the session, by a key, and where Jarvis is found again."""

from PySide6.QtWidgets import QCheckBox

from jarvis_desktop.core.items.setup import AddToMenu, SetAutostart, SetupFacts
from jarvis_desktop.ui.qt.page import Card, push, say, wrapped
from jarvis_desktop.ui.qt.setup_hotkey_field import HotkeyField
from jarvis_desktop.ui.qt.setup_page import SetupPage, SetupParts


class StartPage(SetupPage):
    """Autostart, hotkey, and the ways back."""

    def __init__(self, parts: SetupParts) -> None:
        texts = parts.texts
        super().__init__(
            parts,
            texts("Start and keys"),
            texts("How Jarvis begins, and how you call it without saying its name."),
        )
        start = Card(texts("Start"))
        self.autostart = QCheckBox(texts("Start Jarvis when I log in"))
        self.autostart.setAccessibleIdentifier("setup.autostart")
        self.autostart.clicked.connect(self._autostart_changed)
        start.column.addWidget(self.autostart)
        start.column.addWidget(
            wrapped(texts("It starts quietly in the tray. Off unless you turn it on."), "cardFacts")
        )
        self.autostart_trouble = wrapped("", "cardWarning")
        start.column.addWidget(self.autostart_trouble)
        self.column.addWidget(start)
        self._key_card()
        self._found_card()
        self.column.addStretch(1)
        self.refresh()

    def _key_card(self) -> None:
        texts = self.parts.texts
        card = Card(texts("A key from anywhere"))
        card.column.addWidget(
            wrapped(texts("These keys begin listening, whichever program you are in."), "cardText")
        )
        self.hotkey = HotkeyField(texts)
        self.hotkey.chosen.connect(lambda keys: self.change("ui.hotkey", keys))
        self.clear = push(texts("No key"), "clear_hotkey", lambda: self.change("ui.hotkey", ""))
        row = card.add_row(self.hotkey, self.clear, stretch=False)
        row.setStretch(0, 1)
        self.trouble = wrapped("", "cardWarning")
        card.column.addWidget(self.trouble)
        self.column.addWidget(card)

    def _found_card(self) -> None:
        texts = self.parts.texts
        card = Card(texts("Where you find Jarvis again"))
        card.add_point(texts("In the tray: a click opens the window, the menu mutes, sets up and quits."))
        self.listed, self.typed = card.add_point(""), card.add_point("")
        self.add = push(texts("Add to the list of programs"), "add_to_menu", self._add_to_menu)
        card.add_row(self.add)
        self.add_trouble = wrapped("", "cardWarning")
        card.column.addWidget(self.add_trouble)
        self.column.addWidget(card)

    def refresh(self) -> None:
        """Show what is set and what is in the way."""
        picture = self.parts.picture
        facts = picture.facts
        self.autostart.setChecked(facts is not None and facts.autostart)
        self.autostart.setEnabled(facts is not None)
        self._show_found(facts)
        say(self.autostart_trouble, picture.refused.get("autostart", ""))
        keys = picture.setting("ui.hotkey")
        if self.hotkey.text() != keys:
            self.hotkey.setText(keys)
        self.clear.setEnabled(bool(keys))
        trouble = facts.hotkey_trouble if facts is not None else ""
        say(self.trouble, picture.refused.get("ui.hotkey", "") or trouble)

    def _show_found(self, facts: SetupFacts | None) -> None:
        texts = self.parts.texts
        listed = facts is not None and facts.in_menu
        no = texts("Not in the list of programs yet.")
        say(self.listed, texts("In the list of programs, under “Jarvis”.") if listed else no)
        self.add.setVisible(facts is not None and not listed)
        say(self.add_trouble, "" if listed else self.parts.picture.refused.get("menu", ""))
        how = texts("In a terminal: “{command}” starts it, “{command} setup” opens this window again.")
        say(self.typed, how.format(command=facts.command if facts is not None else "jarvis-desktop"))

    def _add_to_menu(self) -> None:
        self.parts.send(AddToMenu())

    def _autostart_changed(self) -> None:
        # The core has the last word: the next look sets the box.
        self.parts.send(SetAutostart(self.autostart.isChecked()))
