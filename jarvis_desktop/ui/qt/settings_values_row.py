"""One setting of the settings window: what it does, its control, and what there is to say about it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from jarvis_desktop.core.items.settings_desk import SettingNow
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.setting_fields import SettingField
from jarvis_desktop.ui import setting_words
from jarvis_desktop.ui.qt.page import mark, say, wrapped
from jarvis_desktop.ui.qt.settings_page import push
from jarvis_desktop.ui.qt.settings_values_controls import control_for
from jarvis_desktop.ui.setting_weaker import weaker_text
from jarvis_desktop.ui.visible_text import visible


@dataclass(frozen=True, slots=True)
class RowWays:
    """What a row can ask for."""

    change: Callable[[str, object], None]
    """Write this setting."""
    tried: Callable[[str], None]
    """Something is being written in the row with this name; say soon whether it could be a value."""
    uncover: Callable[[QWidget], None]
    """Bring a part of a row into view, if it is not."""
    to_text: Callable[[int], None]
    """The file's text, at a line."""


class SettingRow(QWidget):
    """Nothing is written before a person means it, and what they write is never taken away from them."""

    def __init__(self, field: SettingField, texts: Texts, ways: RowWays) -> None:
        super().__init__()
        self.field, self.texts, self._ways = field, texts, ways
        self.title = setting_words.title(field, texts)
        self.now: SettingNow | None = None
        self.dirty = False
        """What is shown was written here and counts nowhere yet."""
        self._waiting = 0
        """Changes that were asked for and are not answered yet."""
        self._sent: object = None
        self._asked: object = None
        self.setObjectName("settingRow")
        self.setAccessibleName(self.title)
        self.control = control_for(field, texts)
        self.control.typed.connect(self._typed)
        self.control.meant.connect(self._meant)
        self.control.setEnabled(False)
        self._build()

    def _build(self) -> None:
        texts, name = self.texts, self.field.name
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 0, 10)
        column.setSpacing(5)
        self.state = wrapped("", "cardState")
        self.reset = push(texts("Reset"), f"all.{name}.reset", self._reset, "link")
        self.reset.setAccessibleName(f"{texts('Reset')}: {self.title}")
        head = QHBoxLayout()
        head.addWidget(wrapped(self.title, "cardTitle"), 1)
        head.addWidget(self.state)
        head.addWidget(self.reset)
        self.state.setWordWrap(False)
        column.addLayout(head)
        column.addWidget(wrapped(texts(self.field.what), "cardText"))
        column.addWidget(self.control)
        column.addWidget(wrapped(setting_words.facts_text(self.field, texts), "cardFacts"))
        self.locked, self.needs = wrapped("", "cardState"), wrapped("", "cardState")
        self.problem, self.written = wrapped("", "cardWarning"), wrapped("", "cardWarning")
        self.show_line = push(texts("Show it in the file"), f"all.{name}.line", self._show_line, "link")
        self.show_line.setAccessibleName(f"{texts('Show it in the file')}: {self.title}")
        at_line = QHBoxLayout()
        at_line.addWidget(self.written, 1)
        at_line.addWidget(self.show_line, 0, Qt.AlignmentFlag.AlignTop)
        for widget in (self.locked, self.needs, self.problem):
            column.addWidget(widget)
            say(widget, "")
        say(self.written, "")
        self.show_line.hide()
        column.addLayout(at_line)
        column.addWidget(self._build_warning())
        self.reset.setVisible(False)
        for part in self.control.findChildren(QWidget):
            part.installEventFilter(self)

    def _build_warning(self) -> QFrame:
        texts, name = self.texts, self.field.name
        self.warning = QFrame()
        self.warning.setObjectName("trouble")
        self.possible = wrapped("", "")
        self.do_it = push(texts("Change it"), f"all.{name}.do", self._do_asked)
        self.leave = push(texts("Leave it as it is"), f"all.{name}.leave", self.take_back)
        for button in (self.do_it, self.leave):
            button.setAccessibleName(f"{button.text()}: {self.title}")
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.leave)
        buttons.addWidget(self.do_it)
        buttons.addStretch(1)
        column = QVBoxLayout(self.warning)
        column.setContentsMargins(14, 10, 14, 12)
        column.addWidget(self.possible)
        column.addLayout(buttons)
        self.warning.hide()
        return self.warning

    # --- what is told -------------------------------------------------------------------------

    def show_now(self, now: SettingNow, values: Mapping[str, object], titles: Mapping[str, str]) -> None:
        """The setting is like this; what is being written here stays."""
        texts, before = self.texts, self.now
        self.now = now
        self.control.setEnabled(not now.variable)
        if self._asked is not None and before is not None and before.value != now.value:
            # What was asked about was another change than this one would be now.
            self.take_back()
        if not self.dirty and not self._waiting and self._asked is None:
            self.control.show_value(now.value)
        elif self.dirty and before is not None and before.value != now.value:
            said = texts("It became {value} elsewhere meanwhile. Enter writes yours, Escape takes that one.")
            value = setting_words.value_text(self.field, now.value, texts)
            say(self.problem, said.format(value=visible(value)))
        variable = texts("Set by the environment variable {variable}, which wins over the file.")
        say(self.locked, variable.format(variable=now.variable) if now.variable else "")
        say(self.needs, setting_words.needs_text(now.name, values, titles, texts))
        say(self.written, visible(now.problem))
        self.show_line.setVisible(bool(now.problem) and bool(now.line))
        differs = self.control.settled(now.value) != self.control.settled(self.field.default)
        self.reset.setVisible((differs or bool(now.problem)) and not now.variable)
        self._describe()

    def show_tried(self, problem: str) -> None:
        """What is written could be a value, or why not."""
        if self.dirty:
            say(self.problem, visible(problem))
            self._describe()

    def show_changed(self) -> None:
        """It counts."""
        if self._waiting:
            self._waiting -= 1
            self._state(self.texts("Saved"), good=True)

    def show_refused(self, reason: str) -> None:
        """It was not written."""
        if not self._waiting:
            return
        self._waiting -= 1
        self._state("")
        say(self.problem, visible(reason))
        if self.control.is_typed:
            self.dirty = True
        elif self.now is not None:
            self.control.show_value(self.now.value)
        self._describe()

    def write(self, value: object) -> None:
        """As a person had written it before this row was made anew."""
        self.control.show_value(value)
        self._typed()

    # --- what a person does -------------------------------------------------------------------

    def _typed(self) -> None:
        if self.now is None:
            return
        self.dirty = self.control.value() != self.now.value
        self._state(self.texts("Not saved yet") if self.dirty else "")
        self._ask_not()
        if self.dirty:
            self._ways.tried(self.field.name)
        else:
            say(self.problem, "")
            self._describe()

    def _meant(self) -> None:
        if self.now is None or self.now.variable:
            return
        value = self.control.value()
        held = self._sent if self._waiting else self.now.value
        if value == self.control.settled(held):
            self.dirty = False
            self._state(self.state.text() if self._waiting else "")
            say(self.problem, "")
        elif self._asked != value or self._asked is None:
            self._wish(value)

    def _reset(self) -> None:
        if self.now is not None:
            self._ask_not()
            self.control.show_value(self.field.default)
            self._wish(self.field.default)

    def _wish(self, value: object) -> None:
        assert self.now is not None
        possible = weaker_text(self.field.name, self.now.value, value, self.texts)
        if possible:
            self._asked = value
            say(self.possible, possible)
            self.warning.show()
            self.leave.setFocus()
            self._ways.uncover(self.warning)
        else:
            self._send(value)

    def _send(self, value: object) -> None:
        self.dirty, self._sent = False, value
        self._waiting += 1
        self._ask_not()
        say(self.problem, "")
        self._state(self.texts("Saving…"))
        self._ways.change(self.field.name, value)

    def _do_asked(self) -> None:
        self.control.setFocus()
        self._send(self._asked)

    def take_back(self) -> None:
        """What is in force is shown again."""
        had_focus = self.warning.isAncestorOf(self.focusWidget() or self)
        self._ask_not()
        self.dirty = False
        self._state("")
        say(self.problem, "")
        if self.now is not None:
            self.control.show_value(self.now.value)
        if had_focus:
            self.control.setFocus()
        self._describe()

    def _ask_not(self) -> None:
        self._asked = None
        self.warning.hide()

    def _show_line(self) -> None:
        self._ways.to_text(self.now.line if self.now else 0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Escape takes back what was written, before it closes the window."""
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        if event.key() == Qt.Key.Key_Escape and (self.dirty or self._asked is not None):
            self.take_back()
            return True
        return super().eventFilter(watched, event)

    def _state(self, text: str, *, good: bool = False) -> None:
        say(self.state, text)
        mark(self.state, "good", on=good)

    def _describe(self) -> None:
        said = [self.texts(self.field.what)]
        said += [label.text() for label in (self.locked, self.needs, self.problem, self.written)]
        self.control.describe(" ".join(one for one in said if one))
