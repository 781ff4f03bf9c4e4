"""The card that adds a rule by form, and shows beforehand what the rule would mean."""

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QGridLayout, QHBoxLayout

from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.rule_desk import AddRule, PreviewRule, RuleAdded, RulePreviewed
from jarvis_desktop.core.items.rule_facts import Layer
from jarvis_desktop.core.items.rules import RuleLine
from jarvis_desktop.core.policy.rules import PATH_TOOLS, SHELL_TOOL, WHOLE_TOOL
from jarvis_desktop.ui import rule_words
from jarvis_desktop.ui.qt.page import Card, fill, say, wrapped
from jarvis_desktop.ui.qt.rows import plain_label
from jarvis_desktop.ui.qt.settings_page import SettingsParts, choice, line, push
from jarvis_desktop.ui.qt.theme import code_font
from jarvis_desktop.ui.visible_text import Care, visible

DEBOUNCE_MS = 200
TOOLS = (SHELL_TOOL, "write_file", "edit_file", "web_fetch", "web_search")


class AddRuleCard(Card):
    """Tool, pattern and layer; below them examples of what would pass and what would still ask."""

    def __init__(self, parts: SettingsParts) -> None:
        super().__init__(parts.texts("Add a rule"))
        self._parts = parts
        self._number = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DEBOUNCE_MS)
        self._timer.timeout.connect(self._ask)
        self._build()
        self.pattern.textChanged.connect(self._soon)
        self.pattern.returnPressed.connect(self._add)
        self.tool.currentIndexChanged.connect(self._tool_chosen)
        self._tool_chosen()

    def _build(self) -> None:
        texts = self._parts.texts
        self.tool = choice(texts("Tool"), "add.tool", self._soon)
        fill(self.tool, tuple((name, name) for name in TOOLS), SHELL_TOOL)
        self.tool.setMinimumContentsLength(9)
        self.pattern = line(texts("Pattern"), "add.pattern", "", code=True)
        self.layer = choice(texts("For whom"), "add.layer", self._soon)
        layers = ((texts("Only this agent"), Layer.AGENT.value), (texts("Every agent"), Layer.SHARED.value))
        fill(self.layer, layers, Layer.AGENT.value)
        self.add = push(texts("Add the rule"), "add.add", self._add)
        fields = QHBoxLayout()
        fields.setSpacing(8)
        fields.addWidget(self.tool)
        fields.addWidget(self.pattern, 1)
        self.column.addLayout(fields)
        self.column.addLayout(self._examples())
        self.warning = wrapped("", "cardWarning")
        self.column.addWidget(self.warning)
        end = QHBoxLayout()
        end.setSpacing(8)
        end.addWidget(self.layer)
        end.addStretch(1)
        end.addWidget(self.add)
        self.column.addLayout(end)
        self.done = wrapped("", "cardFacts")
        self.column.addWidget(self.done)
        for label in (self.warning, self.done):
            say(label, "")

    def _examples(self) -> QGridLayout:
        texts = self._parts.texts
        grid = QGridLayout()
        grid.setHorizontalSpacing(18)
        self._heads = (
            plain_label(texts("Would run unasked"), "offerKind"),
            plain_label(texts("Would still ask"), "offerKind"),
        )
        self.passes, self.asks = wrapped("", "cardText"), wrapped("", "cardText")
        for column, (head, label) in enumerate(zip(self._heads, (self.passes, self.asks), strict=True)):
            label.setFont(code_font(10))
            grid.addWidget(head, 0, column)
            grid.addWidget(label, 1, column, Qt.AlignmentFlag.AlignTop)
            grid.setColumnStretch(column, 1)
        self._show_examples("", "")
        return grid

    def take(self, event: Event) -> None:
        """Show what the rule would mean, or that it is there."""
        texts = self._parts.texts
        if isinstance(event, RulePreviewed) and event.number == self._number:
            self._show_examples(
                *("\n".join(_shown(one) for one in found) for found in (event.passes, event.asks))
            )
            say(self.warning, "\n".join(event.warnings))
        elif isinstance(event, RuleAdded):
            rule = rule_words.line_text(event.line)
            said = (
                texts("{rule} is in {file} and counts from now on.")
                if event.is_new
                else texts("{rule} was remembered already; {file} was left as it is.")
            )
            say(self.done, said.format(rule=rule, file=event.file))
            if event.is_new and event.line == self._line():
                self.pattern.clear()

    def _tool_chosen(self) -> None:
        tool = self.tool.currentData()
        hint = "git status" if tool == SHELL_TOOL else "~/notes/*"
        if tool in PATH_TOOLS:
            hint = "/home/…/notes/*"
        elif tool != SHELL_TOOL:
            self.pattern.setText(WHOLE_TOOL)
        if tool in (SHELL_TOOL, *PATH_TOOLS) and self.pattern.text() == WHOLE_TOOL:
            self.pattern.clear()
        self.pattern.setPlaceholderText(hint)
        self._soon()

    def _soon(self) -> None:
        # Qt would hand the text or the number over to the timer.
        self._timer.start()

    def _line(self) -> RuleLine:
        return RuleLine(str(self.tool.currentData()), self.pattern.text().strip())

    def _ask(self) -> None:
        self._number += 1
        if self.pattern.text().strip():
            say(self.done, "")
            self._parts.send(PreviewRule(self._number, self._line()))
        else:
            self._show_examples("", "")
            say(self.warning, "")

    def _show_examples(self, passes: str, asks: str) -> None:
        for head, label, text in zip(self._heads, (self.passes, self.asks), (passes, asks), strict=True):
            say(label, text)
            head.setVisible(bool(text))

    def _add(self) -> None:
        if self.pattern.text().strip():
            self._parts.send(AddRule(self._line(), Layer(self.layer.currentData())))
        else:
            self.pattern.setFocus()


def _shown(example: str) -> str:
    return visible(example, Care.COMMAND)
