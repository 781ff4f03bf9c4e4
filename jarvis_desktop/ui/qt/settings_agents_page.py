"""The page of agents: who there is, what each may use, and the files that say so."""

from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from jarvis_desktop.core.items.events import AgentsListed, Event
from jarvis_desktop.core.items.team_desk import (
    AgentCopied,
    AgentFact,
    CopyAgent,
    Folder,
    LookAtTeam,
    TeamLooked,
    TeamWishRefused,
)
from jarvis_desktop.core.items.trouble import Part, TroubleCleared, TroubleNoted
from jarvis_desktop.ui import agent_words
from jarvis_desktop.ui.qt.page import Card, say, wrapped
from jarvis_desktop.ui.qt.rows import plain_label
from jarvis_desktop.ui.qt.settings_page import SettingsPage, SettingsParts, Ways, push
from jarvis_desktop.ui.qt.settings_problems import ProblemList
from jarvis_desktop.ui.qt.settings_table import Columns, SettingsTable
from jarvis_desktop.ui.visible_text import Care, visible

_ROW_PX, _MOST_ROWS = 34, 8
_MOST_FACTS = 6


class AgentsPage(SettingsPage):
    """A table of all agents, delegates among them, and the chosen one below."""

    def __init__(self, parts: SettingsParts, ways: Ways) -> None:
        texts = parts.texts
        super().__init__(
            parts,
            ways,
            texts("Agents"),
            texts(
                "Who answers you, and whom they may ask. Each is a file; what you change counts from the "
                "next turn on."
            ),
        )
        self.agents: tuple[AgentFact, ...] = ()
        self._file = ""
        self.column.addLayout(self.file_row(Folder.TEAM))
        self.trouble = wrapped("", "setupNotice")
        say(self.trouble, "")
        titles = (texts("Name"), texts("What it is for"), texts("Whose file"))
        self.table = SettingsTable(
            texts("Agents"), "agents.list", Columns(titles, wide=1, spare={1: 360}), lambda _row: self._edit()
        )
        self.table.itemSelectionChanged.connect(self._choose)
        self.column.addWidget(self.trouble)
        self.column.addWidget(self.table)
        self._build_card()
        self.column.addStretch(1)
        self._show(())

    def _build_card(self) -> None:
        texts = self.parts.texts
        self.card = Card()
        self.name, self.purpose = wrapped("", "cardTitle"), wrapped("", "cardText")
        self.path = wrapped("", "cardFacts")
        inside = QWidget()
        grid = QGridLayout(inside)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setColumnStretch(1, 1)
        self.facts: list[tuple[QLabel, QLabel]] = []
        for row in range(_MOST_FACTS):
            pair = plain_label("", "cardFacts"), wrapped("", "cardText")
            grid.addWidget(pair[0], row, 0)
            grid.addWidget(pair[1], row, 1)
            self.facts.append(pair)
        self.problems = ProblemList(
            texts, texts("What is wrong in the file"), "agents.problems", self._to_problem
        )
        self.shipped = wrapped(
            texts("It comes with Jarvis. To change it, copy its file to your folder: yours takes its place."),
            "cardFacts",
        )
        self.edit = push(texts("Edit as YAML"), "agents.edit", self._edit)
        self.copy = push(texts("&Copy to my folder to change it"), "agents.copy", self._copy)
        for widget in (self.name, self.purpose, self.path, inside, self.problems, self.shipped):
            self.card.column.addWidget(widget)
        self.card.add_row(self.edit, self.copy)
        self.column.addWidget(self.card)

    # --- events -------------------------------------------------------------------------------

    def take(self, event: Event) -> None:
        """Show what happened."""
        match event:
            case TeamLooked(agents):
                self._show(agents)
            case AgentsListed() if self.isVisible():
                self.parts.look(LookAtTeam())
            case TroubleNoted(Part.TEAM) | TroubleCleared(Part.TEAM) if self.isVisible():
                self.parts.look(LookAtTeam())
            case TeamWishRefused(reason):
                say(self.trouble, visible(reason))
            case AgentCopied(file):
                self._file = file
                say(self.trouble, "")
                if self.isVisible():
                    self.ways.to_file(file, 0)
            case _:
                pass

    def entered(self) -> None:
        """Look anew."""
        self.parts.look(LookAtTeam())

    def closed(self) -> None:
        """What was refused was read."""
        say(self.trouble, "")

    # --- showing ------------------------------------------------------------------------------

    def _show(self, agents: tuple[AgentFact, ...]) -> None:
        self.agents = agents
        blocked = self.table.blockSignals(True)
        self.table.setRowCount(len(agents))
        for row, one in enumerate(agents):
            texts = self.parts.texts
            cells = agent_words.name_text(one), agent_words.purpose_text(one, texts)
            self.table.put(row, (*cells, agent_words.whose_text(one, texts)))
        files = [one.file for one in agents]
        self.table.choose(files.index(self._file) if self._file in files else 0)
        self.table.blockSignals(blocked)
        head = self.table.horizontalHeader().sizeHint().height()
        self.table.setFixedHeight(head + _ROW_PX * min(len(agents), _MOST_ROWS) + 6)
        self._show_chosen()

    def _chosen(self) -> AgentFact | None:
        row = self.table.currentRow()
        return self.agents[row] if 0 <= row < len(self.agents) else None

    def _show_chosen(self) -> None:
        fact, texts = self._chosen(), self.parts.texts
        self.card.setVisible(fact is not None)
        if fact is None:
            return
        name = agent_words.name_text(fact)
        self.name.setText(name)
        self.card.setAccessibleName(name)
        say(self.purpose, agent_words.purpose_text(fact, texts))
        file = visible(fact.file, Care.COMMAND)
        say(self.path, f"{file} · {agent_words.whose_text(fact, texts)}")
        rows = agent_words.facts_of(fact.card, texts) if fact.card else ()
        for number, labels in enumerate(self.facts):
            for label, text in zip(labels, rows[number] if number < len(rows) else ("", ""), strict=True):
                say(label, text)
        self.problems.show_problems(fact.problems)
        self.shipped.setVisible(not fact.own)
        self.edit.setVisible(fact.own)
        self.edit.setAccessibleName(texts("Edit as YAML: {name}").format(name=name))
        self.copy.setVisible(not fact.own)
        self.copy.setAccessibleName(texts("Copy to my folder to change it: {name}").format(name=name))

    # --- what a person does -------------------------------------------------------------------

    def _choose(self) -> None:
        fact = self._chosen()
        if fact is not None:
            self._file = fact.file
            self._show_chosen()

    def _edit(self) -> None:
        fact = self._chosen()
        if fact is not None and fact.own:
            self.ways.to_file(fact.file, 0)
        elif fact is not None:
            self.copy.setFocus()

    def _copy(self) -> None:
        fact = self._chosen()
        if fact is not None and not fact.own:
            self.parts.send(CopyAgent(fact.file))

    def _to_problem(self, line: int) -> None:
        fact = self._chosen()
        if fact is not None:
            self.ways.to_file(fact.file, line)
