"""Forgetting: the bar that takes it back for a few seconds, and the card that forgets everything."""

from collections.abc import Mapping

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.ids import AgentId
from jarvis_desktop.core.items.memory_desk import (
    Erased,
    ForgetBegun,
    ForgetEpisode,
    ForgetEverything,
    ForgetPattern,
    ForgetUndone,
    MemoryWishRefused,
    UndoForget,
)
from jarvis_desktop.ui.qt.page import Card, fill, say, wrapped
from jarvis_desktop.ui.qt.settings_page import SettingsParts, choice, push
from jarvis_desktop.ui.visible_text import Care, visible

_SECOND_MS = 1000


class UndoBar(QFrame):
    """What counts no more, and how long that can still be taken back."""

    def __init__(self, parts: SettingsParts, kind: type[ForgetEpisode] | type[ForgetPattern]) -> None:
        """kind: which wishes it is about; it stands where they are made, so that it is seen."""
        super().__init__()
        self._parts, self._kind = parts, kind
        self._leaving: list[ForgetEpisode | ForgetPattern] = []
        """The last one last."""
        self._left_s = 0
        self.setObjectName("notice")
        self.said = wrapped("", "cardText")
        name = "memory.undo" if kind is ForgetEpisode else "memory.pattern.undo"
        self.undo = push(parts.texts("&Undo"), name, self._undo, "link")
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 6, 8, 6)
        row.addWidget(self.said, 1)
        row.addWidget(self.undo)
        self._timer = QTimer(self)
        self._timer.setInterval(_SECOND_MS)
        self._timer.timeout.connect(self._count)
        self.hide()

    def take(self, event: Event) -> None:
        """Show what happened."""
        match event:
            case ForgetBegun(wish, seconds) if isinstance(wish, self._kind):
                self._leaving.append(wish)
                self._left_s = seconds
                self._timer.start()
                self._show()
            case ForgetUndone(wish):
                self._leaving = [one for one in self._leaving if one != wish]
                self._show()
            case Erased(wishes=wishes, everything=everything):
                self._leaving = [] if everything else [one for one in self._leaving if one not in wishes]
                self._show()
            case MemoryWishRefused() if not self._left_s:
                # The page says that bytes may be left; they are tried again.
                self._leaving = []
                self._show()
            case _:
                pass

    def _count(self) -> None:
        self._left_s = max(0, self._left_s - 1)
        self._show()

    def _show(self) -> None:
        self.setVisible(bool(self._leaving))
        if not self._leaving:
            self._timer.stop()
            return
        texts = self._parts.texts
        episode = isinstance(self._leaving[-1], ForgetEpisode)
        what = texts("The turn is forgotten.") if episode else texts("What was taught is forgotten.")
        if self._left_s:
            when = texts.plural(
                "In {count} second it is deleted from every file.",
                "In {count} seconds it is deleted from every file.",
                self._left_s,
            ).format(count=self._left_s)
        else:
            when = texts("It is being deleted from every file.")
        self.undo.setEnabled(bool(self._left_s))
        say(self.said, f"{what} {when}")

    def _undo(self) -> None:
        if self._leaving:
            self._parts.send(UndoForget(self._leaving[-1]))


class EverythingCard(Card):
    """Forgets all of one agent, or all there is, after one more question."""

    def __init__(self, parts: SettingsParts) -> None:
        texts = parts.texts
        super().__init__(texts("Forget everything"))
        self._parts = parts
        self.column.addWidget(
            wrapped(
                texts(
                    "Deletes what was said, done and taught from every file of Jarvis: conversations, "
                    "memory, activity, what goals found and told, and copies of the database. Rules, "
                    "settings, goals and schedules stay, so a goal may tell you again what it told before. "
                    "Of the decisions stays what was decided, without its text."
                ),
                "cardFacts",
            )
        )
        self.whose = choice(texts("Whose memory"), "memory.whose", self.ask_not)
        self.begin = push(texts("Forget &everything…"), "memory.everything", self._ask)
        self.add_row(self.whose, self.begin)
        self.sure = QWidget()
        self.question = wrapped("", "cardWarning")
        self.yes = push(texts("&Delete it for good"), "memory.sure", self._forget)
        self.no = push(texts("&Keep it"), "memory.keep", self.ask_not)
        row = QHBoxLayout(self.sure)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.question, 1)
        row.addWidget(self.yes)
        row.addWidget(self.no)
        self.column.addWidget(self.sure)
        self.sure.hide()
        self.show_agents({})

    def show_agents(self, names: Mapping[AgentId, str]) -> None:
        """Whose memory there is."""
        everybody = (self._parts.texts("of all agents"), "")
        agents = ((visible(name, Care.COMMAND), str(agent_id)) for agent_id, name in names.items())
        fill(self.whose, (everybody, *agents), self.whose.currentData() or "")

    def ask_not(self) -> None:
        """The question is put away."""
        had_focus = self.yes.hasFocus() or self.no.hasFocus()
        self.sure.hide()
        if had_focus:
            self.begin.setFocus()

    def _ask(self) -> None:
        texts, whose = self._parts.texts, self.whose.currentText()
        asked = texts("Delete everything {whose}? A turn that runs is stopped. This cannot be undone.")
        if self.whose.currentData():
            asked = texts("Delete everything of {whose}? A turn that runs is stopped. This cannot be undone.")
        say(self.question, asked.format(whose=whose))
        self.sure.show()
        # Whoever presses Enter twice must not have deleted everything.
        self.no.setFocus()

    def _forget(self) -> None:
        agent = self.whose.currentData()
        self.ask_not()
        self._parts.send(ForgetEverything(AgentId(agent) if agent else None))
