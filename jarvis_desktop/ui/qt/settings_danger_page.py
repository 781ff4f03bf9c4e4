"""The page of the danger list: what is refused without asking, and patterns of one's own."""

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QListWidget, QListWidgetItem

from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.rule_desk import DangerTried, LookAtRules, RulesLooked, TryDanger
from jarvis_desktop.core.items.rule_facts import RuleFacts
from jarvis_desktop.core.items.settings_desk import FILE as SETTINGS_FILE
from jarvis_desktop.core.items.setup import ChangeSetting, SettingRefused, SettingsChanged
from jarvis_desktop.core.items.team_desk import Folder
from jarvis_desktop.ui import rule_words
from jarvis_desktop.ui.qt.page import Card, mark, say, wrapped
from jarvis_desktop.ui.qt.settings_page import SettingsPage, SettingsParts, Ways, line, push
from jarvis_desktop.ui.qt.theme import code_font
from jarvis_desktop.ui.visible_text import Care, visible

DEBOUNCE_MS = 200
SETTING = "security.dangerous_commands"
_LIST_PX = 110


class DangerPage(SettingsPage):
    """A tick for each built-in entry, a list of one's own, and a field that tries one out."""

    def __init__(self, parts: SettingsParts, ways: Ways) -> None:
        texts = parts.texts
        super().__init__(
            parts,
            ways,
            texts("Danger list"),
            texts("Commands like these never run, whatever the rules say, and nobody is asked."),
        )
        self.entries: tuple[str, ...] | None = None
        self._problems: tuple[str, ...] = ()
        self._number = 0
        self._usable = False
        self.trouble = wrapped("", "setupNotice")
        self.column.addWidget(self.trouble)
        say(self.trouble, "")
        self.column.addLayout(self.file_row(Folder.HOME, SETTINGS_FILE, "security"))
        self._build_ticks()
        self._build_own()
        self.column.addStretch(1)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DEBOUNCE_MS)
        self._timer.timeout.connect(self._try)
        self.pattern.textChanged.connect(self._pattern_edited)
        self.sample.textChanged.connect(self._soon)

    def _build_ticks(self) -> None:
        texts = self.parts.texts
        card = Card(texts("Known to be dangerous"))
        self.ticks: dict[str, QCheckBox] = {}
        for name, wording in rule_words.DETECTORS.items():
            tick = QCheckBox(wording(texts))
            tick.setAccessibleIdentifier(f"settings.danger.{name}")
            tick.setToolTip(name)
            tick.setChecked(True)
            tick.setEnabled(name != rule_words.ALWAYS_ON)
            tick.clicked.connect(self._ticked)
            self.ticks[name] = tick
            card.column.addWidget(tick)
        self.column.addWidget(card)

    def _build_own(self) -> None:
        texts = self.parts.texts
        card = Card(texts("Your own"))
        intro = texts(
            "A regular expression, looked for anywhere in a command, in any case. Note that | means “or”: "
            "write curl.*[|].*sh, not curl | sh."
        )
        card.column.addWidget(wrapped(intro, "cardFacts"))
        self.own = QListWidget()
        self.own.setObjectName("problems")
        self.own.setAccessibleName(texts("Your own dangerous commands"))
        self.own.setAccessibleIdentifier("settings.danger.own")
        self.own.setFont(code_font(10.5))
        self.own.setMaximumHeight(_LIST_PX)
        self.own.itemSelectionChanged.connect(self._show_buttons)
        card.column.addWidget(self.own)
        self.remove = push(texts("Re&move"), "danger.remove", self._remove)
        self.pattern = line(texts("Regular expression"), "danger.pattern", r"git\s+push.*--force", code=True)
        self.pattern.returnPressed.connect(self._add)
        self.sample = line(
            texts("A command to try it on"), "danger.sample", texts("A command to try it on"), code=True
        )
        self.add = push(texts("&Add"), "danger.add", self._add)
        self.found = wrapped("", "cardState")
        for widgets in ((self.pattern, self.add), (self.sample, self.remove)):
            row = QHBoxLayout()
            row.setSpacing(8)
            row.addWidget(widgets[0], 1)
            row.addWidget(widgets[1])
            card.column.addLayout(row)
        card.column.addWidget(self.found)
        say(self.found, "")
        self.column.addWidget(card)
        self._show_buttons()

    # --- events -------------------------------------------------------------------------------

    def take(self, event: Event) -> None:
        """Show what happened."""
        match event:
            case RulesLooked(facts):
                self._take_facts(facts)
            case SettingsChanged(changed) if SETTING in changed:
                self.parts.look(LookAtRules())
            case SettingRefused(name) if name == SETTING:
                # The ticks go back to what is in force; the window says why.
                self._show_entries()
            case DangerTried() if event.number == self._number:
                self._show_trial(event)
            case _:
                pass

    def entered(self) -> None:
        """Look anew."""
        self.parts.look(LookAtRules())

    def _take_facts(self, facts: RuleFacts) -> None:
        if (facts.danger, facts.danger_problems) != (self.entries, self._problems):
            self.entries, self._problems = facts.danger, facts.danger_problems
            self._show_entries()

    def _show_entries(self) -> None:
        texts, entries = self.parts.texts, self.entries or ()
        for name, tick in self.ticks.items():
            tick.setChecked(name in entries or name == rule_words.ALWAYS_ON)
        chosen = self.own.currentRow()
        self.own.clear()
        for entry in self._own_entries():
            item = QListWidgetItem(visible(entry, Care.COMMAND))
            item.setData(Qt.ItemDataRole.UserRole, entry)
            self.own.addItem(item)
        self.own.setCurrentRow(min(chosen, self.own.count() - 1))
        self.own.setVisible(bool(self.own.count()))
        said = [
            texts(
                "{problem}. Until it is mended, the whole list holds and every command is asked about."
            ).format(problem=rule_words.danger_problem(problem, texts))
            for problem in self._problems
        ]
        say(self.trouble, "\n".join(said))
        self._show_buttons()

    def _show_trial(self, tried: DangerTried) -> None:
        texts = self.parts.texts
        self._usable = not tried.problem
        if tried.problem:
            said = texts("This cannot be used: {problem}").format(
                problem=rule_words.danger_problem(tried.problem, texts)
            )
        elif not self.sample.text():
            said = ""
        elif tried.found:
            said = texts("It would refuse this command: it finds “{part}”.").format(
                part=visible(tried.found, Care.COMMAND)
            )
        else:
            said = texts("It would not stop this command.")
        say(self.found, said)
        mark(self.found, "good", on=bool(tried.found))
        self._show_buttons()

    def _show_buttons(self) -> None:
        self.add.setEnabled(self._usable)
        self.remove.setEnabled(self.own.currentRow() >= 0)
        self.remove.setVisible(bool(self.own.count()))

    # --- doing --------------------------------------------------------------------------------

    def _own_entries(self) -> tuple[str, ...]:
        return tuple(entry for entry in self.entries or () if entry not in rule_words.DETECTORS)

    def _ticked(self) -> None:
        if self.entries is None:
            return
        kept = tuple(
            name for name, tick in self.ticks.items() if tick.isChecked() and name != rule_words.ALWAYS_ON
        )
        always = (rule_words.ALWAYS_ON,) if rule_words.ALWAYS_ON in self.entries else ()
        self._change((*kept, *always, *self._own_entries()))

    def _pattern_edited(self) -> None:
        # What has not been tried yet is not added.
        self._usable = False
        self._show_buttons()
        self._timer.start()

    def _soon(self) -> None:
        self._timer.start()

    def _try(self) -> None:
        self._number += 1
        if self.pattern.text().strip():
            self.parts.send(TryDanger(self._number, self.pattern.text(), self.sample.text()))
        else:
            say(self.found, "")

    def _add(self) -> None:
        entry = self.pattern.text()
        if self._usable and self.entries is not None and entry not in self.entries:
            self._change((*self.entries, entry))
            self.pattern.clear()

    def _remove(self) -> None:
        item = self.own.currentItem()
        if item is not None and self.entries is not None:
            gone = str(item.data(Qt.ItemDataRole.UserRole))
            self._change(tuple(entry for entry in self.entries if entry != gone))

    def _change(self, entries: tuple[str, ...]) -> None:
        self.parts.send(ChangeSetting(SETTING, entries))
