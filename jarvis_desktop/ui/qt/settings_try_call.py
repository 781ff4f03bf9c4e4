"""The card that tells what would happen to a call, and why. Nothing is run."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout

from jarvis_desktop.core.items.decisions import VerdictKind
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.rule_desk import CallTried, TryCall
from jarvis_desktop.core.items.rules import Rule
from jarvis_desktop.core.policy.rules import SHELL_TOOL
from jarvis_desktop.ui import rule_words
from jarvis_desktop.ui.qt.page import Card, fill, mark, say, wrapped
from jarvis_desktop.ui.qt.rows import plain_label
from jarvis_desktop.ui.qt.settings_page import SettingsParts, Ways, area, choice, line, push, raw_text
from jarvis_desktop.ui.visible_text import Care, visible

DEBOUNCE_MS = 200
TOOLS = (SHELL_TOOL, "write_file", "edit_file", "read_file")


class TryCallCard(Card):
    """A command or path is typed, and what would become of it shows below while typing."""

    def __init__(self, parts: SettingsParts, ways: Ways) -> None:
        texts = parts.texts
        super().__init__(texts("Try it out"))
        self._parts, self._ways = parts, ways
        self._number = 0
        self._rule: Rule | None = None
        self._build()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DEBOUNCE_MS)
        self._timer.timeout.connect(self._ask)
        self.text.textChanged.connect(self._soon)
        self.folder.textChanged.connect(self._soon)
        self.tool.currentIndexChanged.connect(self._tool_chosen)

    def _build(self) -> None:
        texts = self._parts.texts
        intro = texts("Type a command, or a path for a tool that works on files. Nothing is run.")
        self.column.addWidget(wrapped(intro, "cardFacts"))
        self.tool = choice(texts("Tool"), "try.tool", self._soon)
        fill(self.tool, tuple((name, name) for name in TOOLS), SHELL_TOOL)
        self.tool.setMinimumContentsLength(9)
        self.folder = line(texts("Working folder"), "try.folder", texts("Working folder"), code=True)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.tool)
        row.addWidget(self.folder, 1)
        self.column.addLayout(row)
        self.text = area(texts("Command or path"), "try.text", "git status && rm -rf build", 2)
        self.column.addWidget(self.text)
        self.verdict = plain_label("", "verdict")
        self.reason = wrapped("", "cardText")
        self.source = wrapped("", "cardFacts")
        self.to_rule = push(texts("Show the rule"), "try.rule", self._show_rule, "link")
        answer = QHBoxLayout()
        answer.setSpacing(8)
        answer.addWidget(self.verdict)
        answer.addStretch(1)
        answer.addWidget(self.to_rule)
        self.column.addLayout(answer)
        self.column.addWidget(self.reason)
        self.column.addWidget(self.source)
        self._clear()

    def show_folder(self, folder: str) -> None:
        """Where calls usually run; shown while nothing else is written."""
        self.folder.setPlaceholderText(visible(folder, Care.COMMAND))

    def ask_again(self) -> None:
        """Rules or settings have changed."""
        if raw_text(self.text).strip():
            self._ask()

    def take(self, event: Event) -> None:
        """Show the answer to what is asked now; older answers are too late."""
        if not isinstance(event, CallTried) or event.number != self._number:
            return
        verdict, texts = event.verdict, self._parts.texts
        say(self.verdict, rule_words.verdict_text(verdict.kind, texts))
        self.verdict.setAccessibleName(f"{self.verdict.text()}. {event.reason}")
        for kind in VerdictKind:
            mark(self.verdict, kind.value, on=verdict.kind is kind)
        say(self.reason, visible(event.reason, Care.SOURCE))
        say(self.source, visible(rule_words.source_text(verdict.source, texts), Care.SOURCE))
        held = [rule for rule in verdict.rules if rule.file]
        self._rule = held[0] if held else None
        self.to_rule.setVisible(self._rule is not None)

    def _tool_chosen(self) -> None:
        is_command = self.tool.currentData() == SHELL_TOOL
        self.text.setPlaceholderText("git status && rm -rf build" if is_command else "notes/today.md")
        self._soon()

    def _soon(self) -> None:
        self._timer.start()

    def _ask(self) -> None:
        text = raw_text(self.text)
        self._number += 1
        if not text.strip():
            self._clear()
            return
        # A path has no line ends; a command may.
        text = text if self.tool.currentData() == SHELL_TOOL else text.strip()
        tool, folder = str(self.tool.currentData()), self.folder.text().strip()
        self._parts.send(TryCall(self._number, tool, text, folder))

    def _clear(self) -> None:
        for label in (self.verdict, self.reason, self.source):
            say(label, "")
        self.to_rule.hide()

    def _show_rule(self) -> None:
        if self._rule is not None:
            self._ways.to_rule(self._rule)
