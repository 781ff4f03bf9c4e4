"""The page of remembered rules: what is remembered, since when, used how often; and forgetting it."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout

from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.rule_desk import (
    LookAtRules,
    RevokeRule,
    RuleRestored,
    RuleRevoked,
    RulesLooked,
    UndoRevoke,
)
from jarvis_desktop.core.items.rule_facts import AuditFilter, HeldRule, RuleFacts
from jarvis_desktop.core.items.rules import Rule
from jarvis_desktop.core.items.setup import SettingsChanged
from jarvis_desktop.core.items.team_desk import Folder
from jarvis_desktop.ui import rule_words
from jarvis_desktop.ui.qt.icons import line_icon
from jarvis_desktop.ui.qt.page import say, wrapped
from jarvis_desktop.ui.qt.settings_add_rule import AddRuleCard
from jarvis_desktop.ui.qt.settings_page import SettingsPage, SettingsParts, Ways, push
from jarvis_desktop.ui.qt.settings_sheet import SHARED_FILE
from jarvis_desktop.ui.qt.settings_table import Columns, SettingsTable
from jarvis_desktop.ui.qt.settings_try_call import TryCallCard
from jarvis_desktop.ui.visible_text import Care, visible

_MOST_PX, _LEAST_PX = 330, 150


class RulesPage(SettingsPage):
    """A table of rules, what is to be said about the one that is chosen, and below it two cards."""

    def __init__(self, parts: SettingsParts, ways: Ways) -> None:
        texts = parts.texts
        super().__init__(
            parts,
            ways,
            texts("Rules"),
            texts("What runs without asking, because you said “Always allow” or wrote it down yourself."),
        )
        self.facts: RuleFacts | None = None
        self._gone: list[tuple[str, Rule]] = []
        """Revoked while the window is open, the last one last."""
        self._wanted: Rule | None = None
        self._back = False
        """The keyboard goes back to the table as soon as there is something in it."""
        self._build()

    def _build(self) -> None:
        texts = self.parts.texts
        titles = (texts("Tool"), texts("Pattern"), texts("For whom"), texts("Since"), texts("Last used"))
        columns = Columns((*titles, texts("Used")), wide=1, spare={3: 640, 2: 520, 4: 420})
        self.table = SettingsTable(
            texts("Remembered rules"), "rules", columns, lambda _row: self._decisions()
        )
        self.table.itemSelectionChanged.connect(self._show_chosen)
        delete = QShortcut(QKeySequence(Qt.Key.Key_Delete), self.table)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self._revoke)
        # Fields of text take these keys for themselves.
        undo = QShortcut(QKeySequence.StandardKey.Undo, self)
        undo.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        undo.activated.connect(self._undo)
        self.empty = wrapped("", "setupHint")
        self.about = wrapped("", "cardFacts")
        self.warning = wrapped("", "cardWarning")
        self.problems = wrapped("", "setupNotice")
        self.try_call, self.add_rule = TryCallCard(self.parts, self.ways), AddRuleCard(self.parts)
        self.column.addLayout(self.file_row(Folder.HOME, SHARED_FILE))
        self.column.addWidget(self.problems)
        self.column.addWidget(self.empty)
        self.column.addWidget(self.table)
        self.column.addWidget(self.about)
        self.column.addWidget(self.warning)
        self.column.addLayout(self._buttons())
        self.column.addWidget(self._undo_bar())
        self.column.addWidget(self.try_call)
        self.column.addWidget(self.add_rule)
        self.column.addStretch(1)
        for label in (self.empty, self.about, self.warning, self.problems):
            say(label, "")
        self._show_chosen()

    def _buttons(self) -> QHBoxLayout:
        texts = self.parts.texts
        self.revoke = push(texts("&Revoke"), "revoke", self._revoke)
        self.decisions = push(texts("&Decisions"), "decisions", self._decisions)
        self.origin = push(texts("&Origin"), "origin", self._origin)
        self.edit = push(texts("&Edit"), "edit", self._edit)
        for button, tip in (
            (self.decisions, texts("The decisions that this rule allowed")),
            (self.origin, texts("The decision that made this rule")),
            (self.edit, texts("Edit the file that holds this rule")),
        ):
            button.setToolTip(tip)
            button.setAccessibleDescription(tip)
        row = QHBoxLayout()
        row.setSpacing(8)
        for button in (self.revoke, self.decisions, self.origin, self.edit):
            row.addWidget(button)
        row.addStretch(1)
        return row

    def _undo_bar(self) -> QFrame:
        self.bar = QFrame()
        self.bar.setObjectName("notice")
        self.gone = wrapped("", "cardText")
        self.undo = push(self.parts.texts("&Undo"), "undo", self._undo, "link")
        row = QHBoxLayout(self.bar)
        row.setContentsMargins(14, 6, 8, 6)
        row.addWidget(self.gone, 1)
        row.addWidget(self.undo)
        self.bar.hide()
        return self.bar

    # --- events -------------------------------------------------------------------------------

    def take(self, event: Event) -> None:
        """Show what happened."""
        self.try_call.take(event)
        self.add_rule.take(event)
        match event:
            case RulesLooked(facts):
                if facts != self.facts:
                    self.facts = facts
                    self._show_facts(facts)
            case RuleRevoked(rule, undo_id):
                self._gone.append((undo_id, rule))
                self._show_gone()
            case RuleRestored(rule, undo_id):
                self._gone = [one for one in self._gone if one[0] != undo_id]
                self._wanted = rule
                self._back = self.undo.hasFocus()
                self._show_gone()
            case SettingsChanged():
                self.try_call.ask_again()
            case _:
                pass

    def entered(self) -> None:
        """Look anew."""
        self.parts.look(LookAtRules())

    def closed(self) -> None:
        """What was revoked stays so; a window that opens later offers no undo of it."""
        self._gone.clear()
        self._show_gone()

    def restyle(self) -> None:
        """The warning signs have the theme's colour."""
        if self.facts is not None:
            self._show_facts(self.facts)

    def show_rule(self, rule: Rule) -> None:
        """Choose ``rule``, now or as soon as it is listed."""
        self._wanted = rule
        if self.facts is not None:
            self._choose(self.facts, None, 0)
        self.table.setFocus()

    # --- showing ------------------------------------------------------------------------------

    def _show_facts(self, facts: RuleFacts) -> None:
        texts = self.parts.texts
        before, row, focused = self._chosen(), self.table.currentRow(), self.table.hasFocus()
        self.table.setRowCount(len(facts.rules))
        sign = line_icon("warning", self.parts.theme.colours.warning)
        for number, held in enumerate(facts.rules):
            self.table.put(number, self._cells(held), held.warning, sign if held.warning else None)
        height = self.table.horizontalHeader().sizeHint().height() + 34 * len(facts.rules) + 6
        self.table.setFixedHeight(max(_LEAST_PX, min(_MOST_PX, height)))
        self.table.setVisible(bool(facts.rules))
        if focused and not facts.rules:
            # What hides gives the keyboard to anybody; here the next thing to do is to take it back.
            self.undo.setFocus()
        elif self._back and facts.rules:
            self._back = False
            self.table.setFocus()
        nothing = texts("Nothing is remembered yet: everything that needs approval is asked about.")
        say(self.empty, "" if facts.rules else nothing)
        say(self.problems, "\n".join(self._problem_lines(facts)))
        self.try_call.show_folder(facts.folder)
        self._choose(facts, before, row)
        self._show_chosen()
        self.try_call.ask_again()

    def _cells(self, held: HeldRule) -> tuple[str, ...]:
        line, use = held.rule.line, held.use
        return (
            visible(line.tool, Care.COMMAND),
            visible(line.pattern, Care.COMMAND),
            rule_words.layer_text(held.rule, self.parts.texts),
            rule_words.since_text(held, self.parts.texts),
            rule_words.day_text(use.used_at),
            f"{use.count:,}",
        )

    def _problem_lines(self, facts: RuleFacts) -> list[str]:
        texts = self.parts.texts
        found = [facts.trouble] if facts.trouble else []
        for file in facts.files:
            found += [
                texts("{file}, line {line}: {problem}").format(
                    file=file.file, line=problem.line, problem=visible(problem.text, Care.SOURCE)
                )
                for problem in file.problems
                if not problem.is_warning
            ]
        return found

    def _choose(self, facts: RuleFacts, before: HeldRule | None, row: int) -> None:
        """The rule that was asked for, or the one that was chosen; else what stands in its place now."""
        rules = [held.rule for held in facts.rules]
        for wanted in (self._wanted, before.rule if before else None):
            same = [number for number, rule in enumerate(rules) if wanted and _same(rule, wanted)]
            if same:
                self._wanted = None
                self.table.choose(same[0])
                return
        self.table.choose(min(max(row, 0), len(rules) - 1))

    def _chosen(self) -> HeldRule | None:
        row = self.table.currentRow()
        shown = self.facts.rules if self.facts is not None else ()
        return shown[row] if 0 <= row < len(shown) else None

    def _show_chosen(self) -> None:
        held, texts = self._chosen(), self.parts.texts
        say(self.about, "" if held is None else rule_words.origin_text(held, texts))
        say(self.warning, held.warning if held is not None else "")
        for button in (self.revoke, self.decisions, self.edit):
            button.setEnabled(held is not None)
        self.origin.setEnabled(held is not None and held.use.made_by is not None)
        rule = rule_words.line_text(held.rule.line) if held is not None else ""
        self.revoke.setAccessibleName(texts("Revoke: {rule}").format(rule=rule) if rule else texts("Revoke"))

    def _show_gone(self) -> None:
        self.bar.setVisible(bool(self._gone))
        if not self._gone:
            return
        texts, rule = self.parts.texts, rule_words.line_text(self._gone[-1][1].line)
        said = texts("Revoked: {rule}. From the next call on it is asked about again.").format(rule=rule)
        more = len(self._gone) - 1
        if more:
            said += " " + texts.plural("({count} more before it)", "({count} more before it)", more).format(
                count=more
            )
        say(self.gone, said)
        self.undo.setAccessibleName(texts("Put back: {rule}").format(rule=rule))

    # --- doing --------------------------------------------------------------------------------

    def _revoke(self) -> None:
        held = self._chosen()
        if held is not None:
            self.parts.send(RevokeRule(held.rule))

    def _undo(self) -> None:
        if self._gone:
            self.parts.send(UndoRevoke(self._gone[-1][0]))

    def _decisions(self) -> None:
        held = self._chosen()
        if held is not None:
            self.ways.to_decisions(AuditFilter(rule=held.rule))

    def _origin(self) -> None:
        held = self._chosen()
        if held is not None and held.use.made_by is not None:
            self.ways.to_decisions(AuditFilter(entry_id=held.use.made_by))

    def _edit(self) -> None:
        held = self._chosen()
        if held is not None:
            self.ways.to_file(held.rule.file, held.rule.number)


def _same(rule: Rule, wanted: Rule) -> bool:
    return rule.file == wanted.file and rule.line == wanted.line
