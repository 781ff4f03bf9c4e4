"""The card of what was taught: a list, and below it the one that is chosen, to be changed or forgotten."""

from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QWidget

from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.ids import AgentId
from jarvis_desktop.core.items.memory import MOST_PATTERN_CHARS, TaskPattern
from jarvis_desktop.core.items.memory_desk import ChangePattern, ForgetPattern, PatternChanged
from jarvis_desktop.ui import memory_words, rule_words
from jarvis_desktop.ui.qt.page import Card, say, wrapped
from jarvis_desktop.ui.qt.rows import plain_label
from jarvis_desktop.ui.qt.settings_memory_forget import UndoBar
from jarvis_desktop.ui.qt.settings_page import SettingsParts, area, line, push, raw_text
from jarvis_desktop.ui.qt.settings_table import Columns, SettingsTable
from jarvis_desktop.ui.visible_text import Care, one_line, visible

_ROW_PX, _MOST_ROWS = 34, 5
_CHARS, _KEYWORD_CHARS = 120, 36


class PatternsCard(Card):
    """Ways of working that stand before the turns they fit."""

    def __init__(self, parts: SettingsParts) -> None:
        texts = parts.texts
        super().__init__(texts("What you taught"))
        self._parts = parts
        self.patterns: tuple[TaskPattern, ...] = ()
        self._editing = 0
        self.empty = wrapped(
            texts("Nothing yet. Say how you want a kind of task done from now on, and it is kept here."),
            "cardFacts",
        )
        columns = Columns(
            (texts("Name"), texts("For requests with"), texts("For whom"), texts("Since")),
            wide=0,
            spare={3: 560, 2: 460, 1: 420},
        )
        self.table = SettingsTable(
            texts("What you taught"), "memory.patterns", columns, lambda _row: self._edit()
        )
        self.table.itemSelectionChanged.connect(self._show_chosen)
        delete = QShortcut(QKeySequence(Qt.Key.Key_Delete), self.table)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self._forget)
        self.about = wrapped("", "cardText")
        self.change = push(texts("&Change…"), "memory.pattern.change", self._edit)
        self.forget = push(texts("&Forget"), "memory.pattern.forget", self._forget)
        note = texts("The turn in which it was taught is forgotten with it.")
        self.forget.setToolTip(note)
        self.forget.setAccessibleDescription(note)
        self.column.addWidget(self.empty)
        self.column.addWidget(self.table)
        self.column.addWidget(self.about)
        self.buttons = QWidget()
        row = QHBoxLayout(self.buttons)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.change)
        row.addWidget(self.forget)
        row.addStretch(1)
        self.column.addWidget(self.buttons)
        self.undo_bar = UndoBar(parts, ForgetPattern)
        self.column.addWidget(self.undo_bar)
        self._build_editor()
        self.show_patterns((), {})

    def _build_editor(self) -> None:
        texts = self._parts.texts
        self.name = line(texts("Name"), "memory.pattern.name", texts("Name"))
        self.name.setMaxLength(80)
        hint = texts("Words of requests, with commas: 날씨, weather")
        self.keywords = line(texts("Words of requests"), "memory.pattern.keywords", hint)
        self.content = area(texts("What to do"), "memory.pattern.content", texts("What to do"), 5)
        self.content.setFont(self.font())
        self.content.textChanged.connect(self._count)
        self.counter = plain_label("", "counter")
        self.save = push(texts("&Save"), "memory.pattern.save", self._save, "primary")
        self.cancel = push(texts("Cancel"), "memory.pattern.cancel", self._close)
        self.editor = QWidget()
        inside = Card()
        for widget in (self.name, self.keywords, self.content):
            inside.column.addWidget(widget)
        inside.add_row(self.save, self.cancel).addWidget(self.counter)
        column = QHBoxLayout(self.editor)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(inside)
        self.column.addWidget(self.editor)
        self.editor.hide()

    # --- showing ------------------------------------------------------------------------------

    def take(self, event: Event) -> None:
        """Show what happened."""
        self.undo_bar.take(event)
        if isinstance(event, PatternChanged) and event.pattern.number == self._editing:
            self._close()

    def show_patterns(self, patterns: tuple[TaskPattern, ...], names: Mapping[AgentId, str]) -> None:
        """These are taught now."""
        before, row = self._chosen(), self.table.currentRow()
        self.patterns = patterns
        self.table.setRowCount(len(patterns))
        for number, one in enumerate(patterns):
            self.table.put(number, self._cells(one, names))
        head = self.table.horizontalHeader().sizeHint().height()
        self.table.setFixedHeight(head + _ROW_PX * min(len(patterns), _MOST_ROWS) + 6)
        self.table.setVisible(bool(patterns))
        self.buttons.setVisible(bool(patterns) and not self._editing)
        self.empty.setVisible(not patterns)
        numbers = [one.number for one in patterns]
        same = numbers.index(before.number) if before is not None and before.number in numbers else row
        self.table.choose(min(max(same, 0), len(patterns) - 1))
        if self._editing not in numbers:
            self._close()
        self._show_chosen()

    def _cells(self, pattern: TaskPattern, names: Mapping[AgentId, str]) -> tuple[str, ...]:
        return (
            one_line(pattern.name, _CHARS),
            one_line(", ".join(pattern.keywords), _KEYWORD_CHARS),
            memory_words.agent_text(pattern.agent_id, names),
            rule_words.day_text(pattern.taught_at),
        )

    def _chosen(self) -> TaskPattern | None:
        row = self.table.currentRow()
        return self.patterns[row] if 0 <= row < len(self.patterns) else None

    def _show_chosen(self) -> None:
        pattern = self._chosen()
        say(self.about, "" if pattern is None or self._editing else visible(pattern.content))
        name = "" if pattern is None else visible(pattern.name, Care.COMMAND)
        texts = self._parts.texts
        self.forget.setAccessibleName(texts("Forget: {name}").format(name=name))
        self.change.setAccessibleName(texts("Change: {name}").format(name=name))

    # --- doing --------------------------------------------------------------------------------

    def _edit(self) -> None:
        pattern = self._chosen()
        if pattern is None:
            return
        self._editing = pattern.number
        self.name.setText(pattern.name)
        self.keywords.setText(", ".join(pattern.keywords))
        self.content.setPlainText(pattern.content)
        self._count()
        for widget in (self.about, self.buttons):
            widget.hide()
        self.editor.show()
        self.name.setFocus()

    def _count(self) -> None:
        count = len(raw_text(self.content))
        self.counter.setText(f"{count:,} / {MOST_PATTERN_CHARS:,}")
        self.save.setEnabled(0 < count <= MOST_PATTERN_CHARS)

    def _save(self) -> None:
        pattern = next((one for one in self.patterns if one.number == self._editing), None)
        name, content = self.name.text().strip(), raw_text(self.content).strip()
        keywords = tuple(
            dict.fromkeys(word.strip() for word in self.keywords.text().split(",") if word.strip())
        )
        if pattern is not None and name and content:
            changed = replace(pattern, name=name, keywords=keywords, content=content)
            self._parts.send(ChangePattern(changed))

    def _close(self) -> None:
        had_focus = self.editor.isAncestorOf(self.focusWidget()) if self.focusWidget() else False
        self._editing = 0
        self.editor.hide()
        self.buttons.setVisible(bool(self.patterns))
        self._show_chosen()
        if had_focus:
            self.change.setFocus()

    def _forget(self) -> None:
        pattern = self._chosen()
        if pattern is not None:
            self._parts.send(ForgetPattern(pattern.number))
