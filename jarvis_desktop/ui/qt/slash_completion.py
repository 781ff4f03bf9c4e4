"""What can be typed after a slash, over the input line: keys, mouse, and a screen reader's words for it."""

from collections.abc import Callable
from enum import Enum, auto

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QObject, QRect, Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QListView, QPlainTextEdit, QVBoxLayout, QWidget

from jarvis_desktop.core.items.skills import SkillHint, SkillsListed
from jarvis_desktop.core.items.slash import Choice, SlashChoices
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.slash.completing import behind_a_name, name_choices, skill_help
from jarvis_desktop.core.slash.parsing import SLASHES
from jarvis_desktop.core.slash.registry import descriptions
from jarvis_desktop.ui.qt.slash_rows import ChoiceDelegate, ChoiceModel, spoken
from jarvis_desktop.ui.qt.theme import Theme

MOST_ROWS = 8
GAP_PX = 6
_EDGE_PX = 6


class Taken(Enum):
    """What became of a key."""

    YES = auto()
    NO = auto()
    """The input line has it, as ever."""


class SlashCompletion(QFrame):
    """A list above the input line while a command is being typed. It never takes the focus.

    Nothing is put into the line but what a person takes with Tab, Enter or the mouse. While an input method
    composes, the list is hidden and every key is the input method's.
    """

    def __init__(
        self,
        field: QPlainTextEdit,
        theme: Theme,
        texts: Texts,
        composing: Callable[[], bool],
        ask: Callable[[str], None],
    ) -> None:
        """composing: whether an input method is; ask: fetches what may follow a line."""
        super().__init__(None)
        self.setObjectName("slash")
        self._field, self._texts = field, texts
        self._composing, self._ask = composing, ask
        self._anchor: QWidget | None = None
        self._put_away = False
        """Esc was pressed; it stays so until the line holds no command."""
        self._chosen = False
        """A person has moved to a row, so Enter takes it."""
        self._asked = ""
        self._skills: tuple[SkillHint, ...] = ()
        self._build(theme)
        self.hide()

    def _build(self, theme: Theme) -> None:
        self.model = ChoiceModel(self)
        self.list = QListView()
        self.list.setObjectName("slashList")
        self.list.setAccessibleIdentifier("composer.commands")
        self.list.setModel(self.model)
        self.list.setItemDelegate(ChoiceDelegate(theme, self.model, self.list))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.viewport().setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.clicked.connect(self._clicked)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column = QVBoxLayout(self)
        column.setContentsMargins(_EDGE_PX, _EDGE_PX, _EDGE_PX, _EDGE_PX)
        column.addWidget(self.list)
        self.retranslate()

    def retranslate(self) -> None:
        """Our own words in the language now in force."""
        self.list.setAccessibleName(self._texts("Commands that can be typed"))
        self.refresh()

    def stand_over(self, anchor: QWidget) -> None:
        """Lie on top of the anchor's window, just above it."""
        self._anchor = anchor
        self.setParent(anchor.window())
        anchor.installEventFilter(self)

    def put_away(self) -> None:
        """Say nothing about the command that stands in the line; keys are the line's."""
        self._put_away = bool(self._field.toPlainText())
        self.hide()

    # --- what is shown ------------------------------------------------------------------------

    @property
    def shown(self) -> bool:
        """The list can be seen."""
        return not self.isHidden()

    @property
    def current(self) -> Choice | None:
        """The row that is marked."""
        row = self.list.currentIndex().row()
        return self.model.choices[row] if self.shown and row >= 0 else None

    def refresh(self) -> None:
        """What is typed has changed, or an input method has begun or ended a syllable."""
        line = self._field.toPlainText()
        if line[:1] not in SLASHES or not line:
            self._put_away = False
        if self._composing() or self._put_away or "\n" in line:
            self.hide()
            return
        skills = (skill_help(one, self._texts) for one in self._skills)
        names = name_choices(line, (*descriptions(self._texts), *skills)) if line else ()
        if names:
            self._asked = ""
            self._show(names, mark=True)
        elif behind_a_name(line):
            self._ask_for(line)
        else:
            self.hide()

    def take(self, event: SlashChoices | SkillsListed) -> None:
        """The answer to what was asked, where the line has not left it behind; or which skills there are."""
        if isinstance(event, SkillsListed):
            self._skills = event.skills
            self.refresh()
            return
        line = self._field.toPlainText()
        if event.text != line or self._composing() or self._put_away:
            return
        if len(event.choices) == 1 and event.choices[0].text == line.rstrip():
            self.hide()  # all is typed, and a list of one would only be in the way
        else:
            self._show(event.choices, mark=False)

    def _ask_for(self, line: str) -> None:
        # Values may still fit until the next ones come, in a moment; names do not.
        if not self._asked or not line.startswith(self._asked):
            self.hide()
        self._asked = line
        self._ask(line)

    def _show(self, choices: tuple[Choice, ...], *, mark: bool) -> None:
        """mark: the first row is marked, and Enter takes it."""
        if not choices or not self._field.hasFocus() or self._anchor is None:
            self.hide()
            return
        fresh = choices != self.model.choices or not self.shown
        if fresh:
            self.model.show_choices(choices)
        self._chosen = mark
        if mark:
            self._mark(0 if fresh else max(0, self.list.currentIndex().row()))
        self._place()
        self.show()
        self.raise_()
        if fresh:
            self._say(self._count_text(len(choices), choices[0]))

    def _count_text(self, count: int, first: Choice) -> str:
        text = self._texts.plural("{count} suggestion. {first}", "{count} suggestions. {first}", count)
        return text.format(count=count, first=spoken(first))

    def _place(self) -> None:
        anchor, window = self._anchor, self.parentWidget()
        if anchor is None or window is None:
            return
        rows = min(MOST_ROWS, len(self.model.choices))
        height = rows * self.list.sizeHintForRow(0) + 2 * _EDGE_PX + 2
        top_left = anchor.mapTo(window, anchor.rect().topLeft())
        room = max(0, top_left.y() - 2 * GAP_PX)
        height = min(height, room)
        self.setGeometry(QRect(top_left.x(), top_left.y() - GAP_PX - height, anchor.width(), height))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Go where the input line goes."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move) and self.shown:
            self._place()
        return super().eventFilter(watched, event)

    # --- keys and mouse -----------------------------------------------------------------------

    def take_key(self, event: QKeyEvent) -> Taken:
        """What the key does to the list; most keys are the line's."""
        if not self.shown or self._composing() or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return Taken.NO
        match event.key():
            case Qt.Key.Key_Down | Qt.Key.Key_Up:
                self._step(1 if event.key() == Qt.Key.Key_Down else -1)
            case Qt.Key.Key_PageDown | Qt.Key.Key_PageUp:
                self._step(MOST_ROWS - 1 if event.key() == Qt.Key.Key_PageDown else 1 - MOST_ROWS)
            case Qt.Key.Key_Escape:
                self.put_away()
            case Qt.Key.Key_Tab:
                self._complete(self.current or self.model.choices[0])
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                return self._enter()
            case _:
                return Taken.NO
        return Taken.YES

    def _enter(self) -> Taken:
        """Enter takes a row that says more than the line; a line that is whole is sent."""
        choice = self.current
        if choice is None or not self._chosen or choice.text == self._field.toPlainText().strip():
            self.hide()
            return Taken.NO
        self._complete(choice)
        return Taken.YES

    def _step(self, step: int) -> None:
        count, row = len(self.model.choices), self.list.currentIndex().row()
        if abs(step) > 1:
            target = min(max(0, row + step), count - 1)
        elif row < 0:
            target = 0 if step > 0 else count - 1
        else:
            target = (row + step) % count
        self._mark(target)
        self._chosen = True
        self._say(spoken(self.model.choices[target]))

    def _mark(self, row: int) -> None:
        index = self.model.index(row)
        self.list.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.list.scrollTo(index)

    def _clicked(self, index: QModelIndex) -> None:
        self._complete(self.model.choices[index.row()])
        self._field.setFocus()

    def _complete(self, choice: Choice) -> None:
        """Put the choice into the line; a person can take it back with Ctrl+Z."""
        cursor = self._field.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(f"{choice.text} " if choice.goes_on else choice.text)
        self._field.setTextCursor(cursor)
        if not choice.goes_on:
            self.hide()

    def _say(self, text: str) -> None:
        event = QAccessibleAnnouncementEvent(self._field, text)
        event.setPoliteness(QAccessible.AnnouncementPoliteness.Polite)
        QAccessible.updateAccessibility(event)
