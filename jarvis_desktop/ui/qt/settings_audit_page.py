"""The page of decisions: what was asked for, who or what decided, and what came of it."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout

from jarvis_desktop.core.items.audit import AuditEntry, Outcome
from jarvis_desktop.core.items.decisions import AnsweredBy
from jarvis_desktop.core.items.events import Event, QuestionSettled, ToolFinished
from jarvis_desktop.core.items.rule_desk import AuditExported, AuditLooked, ExportAudit, LookAtAudit
from jarvis_desktop.core.items.rule_facts import AuditFilter
from jarvis_desktop.core.items.rules import Rule
from jarvis_desktop.ui import rule_words
from jarvis_desktop.ui.qt.page import fill, say, wrapped
from jarvis_desktop.ui.qt.rows import plain_label
from jarvis_desktop.ui.qt.settings_filters import FilterRow
from jarvis_desktop.ui.qt.settings_page import SettingsPage, SettingsParts, Ways, area, choice, line, push
from jarvis_desktop.ui.qt.settings_table import Columns, SettingsTable
from jarvis_desktop.ui.visible_text import Care, one_line, visible

DEBOUNCE_MS = 250
_LINE_CHARS = 160
_TABLE_PX = 150
_DAY_S = 86_400
_FIRST_PAGE = 200
"""Rows up to which the list is read anew when something was decided."""


class AuditPage(SettingsPage):
    """Filters above, the newest decisions below them, and everything about the one that is chosen."""

    def __init__(self, parts: SettingsParts, ways: Ways) -> None:
        texts = parts.texts
        super().__init__(
            parts,
            ways,
            texts("Decisions"),
            texts("Every decision about a tool, newest first. Entries are only ever added."),
        )
        self.entries: list[AuditEntry] = []
        self._narrow = AuditFilter()
        """The rule or the entry that another page asked for."""
        self._number = 0
        self._after: int | None = None
        self._asked_after: int | None = None
        self._build_filters()
        self._build_table()
        self._build_detail()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DEBOUNCE_MS)
        self._timer.timeout.connect(self._look)
        self.text.textChanged.connect(self._soon)
        self._show_chosen()

    def _build_filters(self) -> None:
        texts = self.parts.texts
        self.tool = choice(texts("Tool"), "audit.tool", self._look)
        self.outcome = choice(texts("Outcome"), "audit.outcome", self._look)
        self.by = choice(texts("Decided by"), "audit.by", self._look)
        self.since = choice(texts("Period"), "audit.since", self._look)
        fill(self.tool, ((texts("All tools"), ""),), "")
        outcomes = tuple((rule_words.outcome_text(one, texts), one.value) for one in Outcome)
        fill(self.outcome, ((texts("All outcomes"), ""), *outcomes), "")
        roads = tuple((rule_words.by_text(one, texts), one.value) for one in AnsweredBy)
        fill(self.by, ((texts("By anyone"), ""), *roads), "")
        spans = (
            (texts("Any time"), 0),
            (texts("Last hour"), 3600),
            (texts("Last 24 hours"), _DAY_S),
            (texts("Last 7 days"), 7 * _DAY_S),
            (texts("Last 30 days"), 30 * _DAY_S),
        )
        fill(self.since, spans, 0)
        self.column.addWidget(FilterRow(self.tool, self.outcome, self.by, self.since))
        self.text = line(
            texts("Text in the command or path"), "audit.text", texts("Text in the command or path")
        )
        self.export = push(texts("E&xport…"), "audit.export", self._choose_file)
        below = QHBoxLayout()
        below.setSpacing(8)
        below.addWidget(self.text, 1)
        below.addWidget(self.export)
        self.column.addLayout(below)
        self.column.addWidget(self._narrow_bar())

    def _narrow_bar(self) -> QFrame:
        self.narrow = QFrame()
        self.narrow.setObjectName("notice")
        self.narrowed = wrapped("", "cardText")
        self.all = push(self.parts.texts("Show &all"), "audit.all", self._show_all, "link")
        row = QHBoxLayout(self.narrow)
        row.setContentsMargins(14, 6, 8, 6)
        row.addWidget(self.narrowed, 1)
        row.addWidget(self.all)
        self.narrow.hide()
        return self.narrow

    def _build_table(self) -> None:
        texts = self.parts.texts
        titles = (texts("When"), texts("Tool"), texts("What"), texts("Outcome"), texts("Decided by"))
        columns = Columns(titles, wide=2, spare={4: 600, 1: 440})
        self.table = SettingsTable(texts("Decisions"), "audit", columns, lambda _row: self._to_rule())
        self.table.setMinimumHeight(_TABLE_PX)
        self.table.itemSelectionChanged.connect(self._show_chosen)
        self.count = plain_label("", "cardFacts")
        self.more = push(texts("Show &more"), "audit.more", self._show_more, "link")
        self.column.addWidget(self.table, 1)
        row = QHBoxLayout()
        row.addWidget(self.count, 1)
        row.addWidget(self.more)
        self.column.addLayout(row)

    def _build_detail(self) -> None:
        texts = self.parts.texts
        self.detail = area(texts("What was decided about"), "audit.detail", "", 3)
        self.detail.setReadOnly(True)
        self.facts = wrapped("", "cardText")
        self.to_rule = push(texts("Show the &rule"), "audit.rule", self._to_rule)
        self.done = wrapped("", "cardFacts")
        self.column.addWidget(self.detail)
        self.column.addWidget(self.facts)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.to_rule)
        row.addWidget(self.done, 1)
        self.column.addLayout(row)

    # --- events -------------------------------------------------------------------------------

    def take(self, event: Event) -> None:
        """Show what happened."""
        if isinstance(event, AuditLooked) and event.number == self._number:
            self._take_page(event)
        elif isinstance(event, QuestionSettled | ToolFinished) and self.isVisible():
            # A list that was unrolled further down stays as it is: it would jump under the reader's eyes.
            if len(self.entries) <= _FIRST_PAGE:
                self._timer.start()
        elif isinstance(event, AuditExported):
            said = self.parts.texts.plural(
                "{count} decision is in {file}.", "{count} decisions are in {file}.", event.count
            )
            say(self.done, said.format(count=event.count, file=visible(event.path, Care.COMMAND)))

    def entered(self) -> None:
        """Look anew."""
        self._look()

    def narrow_to(self, wanted: AuditFilter) -> None:
        """Only the decisions of a rule, or one of them; every other filter is off."""
        self._narrow = wanted
        for box in (self.tool, self.outcome, self.by, self.since):
            box.setCurrentIndex(0)
        self.text.clear()
        self._look()
        self.table.setFocus()

    def _take_page(self, page: AuditLooked) -> None:
        texts = self.parts.texts
        fill(
            self.tool,
            ((texts("All tools"), ""), *((visible(one, Care.COMMAND), one) for one in page.tools)),
            self.tool.currentData(),
        )
        first, chosen = self._asked_after is None, self._chosen()
        if first:
            self.entries = []
        begin, self._after = len(self.entries), page.after
        self.entries += page.entries
        self.table.setRowCount(len(self.entries))
        for row, entry in enumerate(page.entries, begin):
            self.table.put(row, self._cells(entry))
        shown = texts("{shown} of {total} decisions").format(
            shown=f"{len(self.entries):,}", total=f"{page.total:,}"
        )
        self.count.setText(shown if page.total else texts("No decisions are on record."))
        self.more.setVisible(self._after is not None)
        self.export.setEnabled(bool(page.total))
        ids = [entry.entry_id for entry in self.entries]
        same = ids.index(chosen.entry_id) if chosen is not None and chosen.entry_id in ids else 0
        self.table.choose(same if first else begin)
        self._show_chosen()

    def _cells(self, entry: AuditEntry) -> tuple[str, ...]:
        texts = self.parts.texts
        return (
            rule_words.short_time(entry.at),
            visible(entry.subject.tool, Care.COMMAND),
            one_line(rule_words.shown_text(entry, texts), _LINE_CHARS),
            rule_words.outcome_text(entry.outcome, texts),
            rule_words.by_text(entry.ground.by, texts),
        )

    def _show_chosen(self) -> None:
        entry, texts = self._chosen(), self.parts.texts
        self.detail.setVisible(entry is not None)
        self.detail.setPlainText(visible(rule_words.shown_text(entry, texts), Care.COMMAND) if entry else "")
        say(self.facts, rule_words.entry_facts(entry, texts) if entry else "")
        self.to_rule.setVisible(entry is not None and _rule_of(entry) is not None)

    def _chosen(self) -> AuditEntry | None:
        row = self.table.currentRow()
        return self.entries[row] if 0 <= row < len(self.entries) else None

    # --- doing --------------------------------------------------------------------------------

    def wanted(self) -> AuditFilter:
        """What the filters say."""
        outcome, by = self.outcome.currentData(), self.by.currentData()
        return AuditFilter(
            tool=str(self.tool.currentData() or ""),
            outcome=Outcome(outcome) if outcome else None,
            by=AnsweredBy(by) if by else None,
            text=self.text.text().strip(),
            within_s=self.since.currentData() or None,
            rule=self._narrow.rule,
            entry_id=self._narrow.entry_id,
        )

    def _soon(self) -> None:
        self._timer.start()

    def _look(self) -> None:
        texts, narrow = self.parts.texts, self._narrow
        self.narrow.setVisible(narrow != AuditFilter())
        if narrow.rule is not None:
            rule = rule_words.line_text(narrow.rule.line)
            say(self.narrowed, texts("Only what this rule allowed: {rule}").format(rule=rule))
        elif narrow.entry_id is not None:
            say(self.narrowed, texts("Only the decision that made the rule"))
        self._ask(None)

    def _ask(self, after: int | None) -> None:
        self._number += 1
        self._asked_after = after
        self.parts.look(LookAtAudit(self._number, self.wanted(), after))

    def _show_more(self) -> None:
        if self._after is not None:
            self._ask(self._after)

    def _show_all(self) -> None:
        self._narrow = AuditFilter()
        self._look()
        self.table.setFocus()

    def _to_rule(self) -> None:
        entry = self._chosen()
        rule = _rule_of(entry) if entry else None
        if rule is not None:
            self.ways.to_rule(rule)

    def _choose_file(self) -> None:
        texts = self.parts.texts
        self.chooser = QFileDialog(self, texts("Export decisions"))
        self.chooser.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        self.chooser.setNameFilter(texts("JSON lines (*.jsonl)"))
        self.chooser.setDefaultSuffix("jsonl")
        self.chooser.selectFile("jarvis-decisions.jsonl")
        self.chooser.fileSelected.connect(self.export_to)
        self.chooser.open()

    def export_to(self, path: str) -> None:
        """Everything that passes the filters goes into a file."""
        self.parts.send(ExportAudit(self.wanted(), path))


def _rule_of(entry: AuditEntry) -> Rule | None:
    """The rule that allowed the call, or the first one that the decision made."""
    if entry.ground.rules:
        return next((rule for rule in entry.ground.rules if rule.file), None)
    made = entry.ground.saved
    return Rule(made[0], f"approvals/{entry.subject.agent_id}.yaml") if made else None
