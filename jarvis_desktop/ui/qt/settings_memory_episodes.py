"""The card of remembered turns: filters, the newest or best ones, and everything about the chosen one."""

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QWidget

from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.ids import AgentId
from jarvis_desktop.core.items.memory import Episode, Recall
from jarvis_desktop.core.items.memory_desk import ChangeEpisode, EpisodeChanged, ForgetEpisode, MemoryLooked
from jarvis_desktop.core.items.turn import TurnEnd
from jarvis_desktop.ui import memory_words
from jarvis_desktop.ui.qt.page import Card, fill, say, wrapped
from jarvis_desktop.ui.qt.rows import plain_label
from jarvis_desktop.ui.qt.settings_filters import FilterRow
from jarvis_desktop.ui.qt.settings_memory_forget import UndoBar
from jarvis_desktop.ui.qt.settings_page import SettingsParts, area, choice, line, push, raw_text
from jarvis_desktop.ui.qt.settings_table import Columns, SettingsTable
from jarvis_desktop.ui.visible_text import Care, visible

DEBOUNCE_MS = 250
_TABLE_PX = 190
_DAY_S = 86_400


class EpisodesCard(Card):
    """Turns as they are remembered."""

    def __init__(
        self, parts: SettingsParts, look: Callable[[], None], further: Callable[[int], None]
    ) -> None:
        """look: asks for what the filters want now; further: for what is older than a number."""
        super().__init__(parts.texts("Remembered turns"))
        self._parts, self._look, self._further = parts, look, further
        self.shown: list[Episode] = []
        self._names: dict[AgentId, str] = {}
        self._editing = 0
        self._build_filters()
        self._build_table()
        self._build_detail()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DEBOUNCE_MS)
        self._timer.timeout.connect(look)
        self.text.textChanged.connect(self._timer.start)
        self._show_chosen()

    def _build_filters(self) -> None:
        texts = self._parts.texts
        self.text = line(
            texts("Search in turns"), "memory.text", texts("Search: 날씨, weather, a file name…")
        )
        self.agent = choice(texts("Answered by"), "memory.agent", self._look)
        self.tool = choice(texts("Tool"), "memory.tool", self._look)
        self.outcome = choice(texts("Outcome"), "memory.outcome", self._look)
        self.since = choice(texts("Period"), "memory.since", self._look)
        fill(self.agent, ((texts("All agents"), ""),), "")
        fill(self.tool, ((texts("All tools"), ""),), "")
        outcomes = tuple((memory_words.outcome_text(one, texts), one.value) for one in TurnEnd)
        fill(self.outcome, ((texts("All outcomes"), ""), *outcomes), "")
        spans = (
            (texts("Any time"), 0),
            (texts("Last 24 hours"), _DAY_S),
            (texts("Last 7 days"), 7 * _DAY_S),
            (texts("Last 30 days"), 30 * _DAY_S),
        )
        fill(self.since, spans, 0)
        self.column.addWidget(self.text)
        self.column.addWidget(FilterRow(self.agent, self.tool, self.outcome, self.since))

    def _build_table(self) -> None:
        texts = self._parts.texts
        titles = (texts("When"), texts("Request"), texts("Outcome"), texts("Answered by"))
        columns = Columns(titles, wide=1, spare={3: 560, 2: 440})
        self.table = SettingsTable(
            texts("Remembered turns"), "memory.episodes", columns, lambda _row: self._edit()
        )
        self.table.setFixedHeight(_TABLE_PX)
        self.table.itemSelectionChanged.connect(self._show_chosen)
        delete = QShortcut(QKeySequence(Qt.Key.Key_Delete), self.table)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self._forget)
        self.count = plain_label("", "cardFacts")
        self.more = push(texts("Show &more"), "memory.more", self._show_more, "link")
        self.column.addWidget(self.table)
        row = QHBoxLayout()
        row.addWidget(self.count, 1)
        row.addWidget(self.more)
        self.column.addLayout(row)

    def _build_detail(self) -> None:
        texts = self._parts.texts
        self.request = area(texts("The request, as it is remembered"), "memory.request", "", 3)
        self.reply = area(texts("The answer, as it is remembered"), "memory.reply", "", 3)
        for field in (self.request, self.reply):
            field.setFont(self.font())
        self.facts = wrapped("", "cardFacts")
        self.edit = push(texts("C&hange…"), "memory.change", self._edit)
        self.forget = push(texts("F&orget"), "memory.forget", self._forget)
        note = texts("It also leaves the conversation, and its decisions lose their text.")
        self.forget.setToolTip(note)
        self.forget.setAccessibleDescription(note)
        self.save = push(texts("Sa&ve"), "memory.save", self._save, "primary")
        self.cancel = push(texts("Cancel"), "memory.cancel", self._close)
        self.note = wrapped(
            texts("Only what is recalled changes; the conversation stays as it was."), "cardFacts"
        )
        self.detail = QWidget()
        inside = Card()
        for widget in (self.request, self.reply, self.facts, self.note):
            inside.column.addWidget(widget)
        inside.add_row(self.edit, self.forget, self.save, self.cancel)
        row = QHBoxLayout(self.detail)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(inside)
        self.undo_bar = UndoBar(self._parts, ForgetEpisode)
        self.column.addWidget(self.undo_bar)
        self.column.addWidget(self.detail)
        self._let_edit(on=False)

    # --- showing ------------------------------------------------------------------------------

    def wanted(self, limit: int, before: int | None) -> Recall:
        """What the filters say."""
        agent, outcome = str(self.agent.currentData() or ""), str(self.outcome.currentData() or "")
        return Recall(
            text=self.text.text().strip(),
            tool=str(self.tool.currentData() or ""),
            outcome=TurnEnd(outcome) if outcome else None,
            agent_id=AgentId(agent) if agent else None,
            limit=limit,
            before=before,
        )

    @property
    def within_s(self) -> int:
        """How far back the filters want to look; 0 for any time."""
        return int(self.since.currentData() or 0)

    def take(self, event: Event) -> None:
        """Show what happened."""
        self.undo_bar.take(event)
        if isinstance(event, EpisodeChanged) and event.episode.number == self._editing:
            self._close()

    def show_episodes(self, looked: MemoryLooked, most: int, *, more: bool) -> None:
        """What was found; ``more`` of it than was there before, or anew."""
        texts, found = self._parts.texts, looked.found.episodes
        self._names = dict(looked.names)
        self._fill_filters(looked)
        chosen, begin = self._chosen(), len(self.shown) if more else 0
        self.shown = [*(self.shown if more else ()), *found[:most]]
        self.table.setRowCount(len(self.shown))
        for row, episode in enumerate(self.shown[begin:], begin):
            self.table.put(row, memory_words.episode_cells(episode, self._names, texts))
        self.table.setVisible(bool(self.shown))
        # What was searched for comes ranked, and only the best of it.
        self.more.setVisible(len(found) > most and not self.text.text().strip())
        said = texts("{shown} of {total} turns").format(
            shown=f"{len(self.shown):,}", total=f"{looked.found.total:,}"
        )
        self.count.setText(said if looked.found.total else texts("No turn is remembered yet."))
        numbers = [one.number for one in self.shown]
        same = numbers.index(chosen.number) if chosen is not None and chosen.number in numbers else 0
        if self._editing not in numbers:
            self._close()
        self.table.choose(begin if more else same)
        self._show_chosen()

    def _fill_filters(self, looked: MemoryLooked) -> None:
        texts = self._parts.texts
        agents = ((visible(name, Care.COMMAND), str(one)) for one, name in looked.names.items())
        fill(self.agent, ((texts("All agents"), ""), *agents), self.agent.currentData() or "")
        tools = ((visible(one, Care.COMMAND), one) for one in looked.found.tools)
        fill(self.tool, ((texts("All tools"), ""), *tools), self.tool.currentData() or "")

    def _chosen(self) -> Episode | None:
        row = self.table.currentRow()
        return self.shown[row] if 0 <= row < len(self.shown) else None

    def _show_chosen(self) -> None:
        episode, texts = self._chosen(), self._parts.texts
        self.detail.setVisible(episode is not None)
        if episode is None or (self._editing and self._editing == episode.number):
            return
        self._let_edit(on=False)
        self.request.setPlainText(visible(str(episode.request)))
        self.reply.setPlainText(visible(str(episode.reply)))
        say(self.facts, memory_words.episode_facts(episode, self._names, texts))

    # --- doing --------------------------------------------------------------------------------

    def _let_edit(self, *, on: bool) -> None:
        for field in (self.request, self.reply):
            field.setReadOnly(not on)
        for widget in (self.save, self.cancel, self.note):
            widget.setVisible(on)
        for widget in (self.edit, self.forget):
            widget.setVisible(not on)

    def _edit(self) -> None:
        episode = self._chosen()
        if episode is not None:
            self._editing = episode.number
            self.request.setPlainText(str(episode.request))
            self.reply.setPlainText(str(episode.reply))
            self._let_edit(on=True)
            self.request.setFocus()

    def _save(self) -> None:
        if self._editing:
            self._parts.send(ChangeEpisode(self._editing, raw_text(self.request), raw_text(self.reply)))

    def _close(self) -> None:
        was_open, self._editing = bool(self._editing), 0
        if was_open:
            self._show_chosen()
            self.edit.setFocus()

    def _forget(self) -> None:
        episode = self._chosen()
        if episode is not None and not self._editing:
            self._parts.send(ForgetEpisode(episode.number))

    def _show_more(self) -> None:
        if self.shown:
            self._further(self.shown[-1].number)
