"""The window: header, strips, conversation, input line, and the activity at the side."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QCloseEvent, QHideEvent, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QMainWindow, QVBoxLayout, QWidget

from jarvis_desktop.core.items.commands import (
    Attach,
    Command,
    Detach,
    Interrupt,
    NewConversation,
    SubmitTurn,
    TalkNow,
)
from jarvis_desktop.core.items.events import (
    AnswerRefused,
    ConversationOpened,
    Event,
    RequestRefused,
    TurnQueued,
    TurnStarted,
)
from jarvis_desktop.core.items.ids import QuestionId, WindowId
from jarvis_desktop.core.items.skills import SkillsListed
from jarvis_desktop.core.items.slash import AskChoices, SlashAnswered, SlashChoices
from jarvis_desktop.core.items.turn import Origin
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui import words
from jarvis_desktop.ui.picture import Picture
from jarvis_desktop.ui.qt.activity_panel import ActivityPanel
from jarvis_desktop.ui.qt.composer import Composer
from jarvis_desktop.ui.qt.header import Header, HeaderWays
from jarvis_desktop.ui.qt.icons import app_icon
from jarvis_desktop.ui.qt.page import to_the_front
from jarvis_desktop.ui.qt.rows import COLUMN_PX
from jarvis_desktop.ui.qt.setup_strip import FetchStrip
from jarvis_desktop.ui.qt.strips import Strips
from jarvis_desktop.ui.qt.theme import Theme
from jarvis_desktop.ui.qt.transcript_view import TranscriptView
from jarvis_desktop.ui.setup_steps import Step
from jarvis_desktop.ui.visible_text import visible


@dataclass(frozen=True, slots=True)
class WindowParts:
    """What a window works with."""

    send: Callable[[Command], None]
    theme: Theme
    texts: Texts
    picture: Picture
    input_limit: int
    show_question: Callable[[QuestionId], None]
    set_up: Callable[[Step | None], None]
    """Opens the setup window, at a page if one is named."""
    settings: Callable[[], None]
    agenda: Callable[[], None]
    closing: Callable[["MainWindow"], None]
    """Called instead of closing: hides, asks, or really closes."""
    presence: Callable[[], None]
    """Called after the window appeared or vanished."""
    quit: Callable[[], None]


class MainWindow(QMainWindow):
    """One window of the open conversation; attached while it is shown."""

    def __init__(self, window_id: WindowId, parts: WindowParts) -> None:
        super().__init__()
        self.window_id, self._parts = window_id, parts
        self._on_its_way, self._attached, self._stale = "", False, False
        """The conversation still shows texts of ours in an earlier language."""
        self.setWindowTitle("Jarvis")
        self.setWindowIcon(app_icon())
        self.resize(1000, 720)
        self.setMinimumSize(460, 420)
        self._build()
        self._add_shortcuts()
        parts.theme.changed.connect(self._restyle)
        self._show_picture()

    def _build(self) -> None:
        parts = self._parts
        ways = HeaderWays(self._toggle_activity, lambda: parts.set_up(None), parts.settings, parts.agenda)
        self.header = Header(parts.theme, parts.texts, parts.send, ways)
        self.strips = Strips(parts.theme, parts.texts, parts.show_question, parts.set_up, parts.send)
        self.downloads = FetchStrip(parts.theme, parts.texts, parts.set_up)
        self.composer = Composer(
            parts.theme,
            parts.texts,
            limit=parts.input_limit,
            submit=self._submit,
            interrupt=self._interrupt,
            ask_choices=lambda text: parts.send(AskChoices(text, self.window_id)),
        )
        self.transcript = self._new_view()
        self.composer.setMaximumWidth(COLUMN_PX + 24)
        bottom = QHBoxLayout()
        bottom.setContentsMargins(18, 4, 18, 16)
        bottom.addStretch(1)
        bottom.addWidget(self.composer, 1000)
        bottom.addStretch(1)
        middle = QWidget()
        self._column = column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (self.header, self.strips, self.downloads):
            column.addWidget(part)
        column.addWidget(self.transcript, 1)
        column.addLayout(bottom)
        self.setCentralWidget(middle)
        self.composer.completion.stand_over(self.composer)
        self._add_dock()
        self.composer.setFocus()

    def _new_view(self) -> TranscriptView:
        return TranscriptView(self._parts.theme, self._parts.texts, self._submit, self.composer.begin)

    def _add_dock(self) -> None:
        self.dock = QDockWidget(self)
        self.dock.setObjectName("activityDock")
        self.dock.setTitleBarWidget(QWidget())
        self.dock.setFeatures(QDockWidget.DockWidgetFeature.DockWidgetClosable)
        self.dock.setMinimumWidth(270)
        self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.dock)
        self._fill_dock()

    def _fill_dock(self, shown_kind: int = 0) -> None:
        """The activity so far, in a list of the language now in force."""
        parts = self._parts
        self.dock.setWindowTitle(parts.texts("Activity"))
        self.activity = ActivityPanel(parts.theme, parts.texts)
        self.dock.setWidget(self.activity)
        for line in parts.picture.activity:
            self.activity.add(line)
        self.activity.filter.setCurrentIndex(shown_kind)

    def _add_shortcuts(self) -> None:
        parts, texts = self._parts, self._parts.texts
        for text, keys, action in (
            (texts("New conversation"), "Ctrl+N", lambda: parts.send(NewConversation())),
            (texts("Talk now"), "Ctrl+Space", lambda: parts.send(TalkNow())),
            (texts("Copy the last answer"), "Ctrl+Shift+C", self._copy_last),
            (texts("Show or hide the activity"), "Ctrl+Shift+A", self._toggle_activity),
            (texts("Agenda"), "Ctrl+Shift+G", parts.agenda),
            (texts("Close the window"), "Ctrl+W", self.close),
            (texts("Set up"), "Ctrl+,", lambda: parts.set_up(None)),
            (texts("Settings and rules"), "Ctrl+Alt+,", parts.settings),
            (texts("Quit"), "Ctrl+Q", parts.quit),
        ):
            shortcut = QAction(text, self)
            shortcut.setShortcut(QKeySequence(keys))
            shortcut.triggered.connect(action)
            self.addAction(shortcut)

    # --- events -------------------------------------------------------------------------------

    def take(self, event: Event) -> None:
        """Show what happened; the picture has taken the event already."""
        match event:
            case ConversationOpened():
                if event.window_id in (None, self.window_id):
                    self._opened(event)
            case AnswerRefused():
                if event.window_id in (None, self.window_id):
                    self.strips.notice(words.fate_text(event.fate, self._parts.texts))
            case SlashChoices() | SkillsListed() if event.window_id in (None, self.window_id):
                self.composer.completion.take(event)
            case RequestRefused(errand=""):
                self._on_its_way = ""
                self.composer.give_back(event.text)
                self.strips.notice(visible(event.reason))
            case _:
                self._take_work(event)

    def _take_work(self, event: Event) -> None:
        if isinstance(event, TurnStarted | TurnQueued | SlashAnswered):
            self._on_its_way = ""
        if ended := words.ended_elsewhere(event, self.window_id, self._parts.texts):
            self.strips.notice(ended)
        if not self._parts.picture.agents.is_elsewhere(event):
            self.transcript.take(event)
        self.activity.take(event)
        self.strips.take(event)
        self.header.take(event)
        self._show_picture()

    def _opened(self, event: ConversationOpened) -> None:
        if self._stale:
            self._stale = False
            old = self.transcript
            self.transcript = self._new_view()
            self._column.replaceWidget(old, self.transcript)
            self._column.setStretchFactor(self.transcript, 1)
            old.hide()
            old.deleteLater()
        picture = self._parts.picture
        self.transcript.open(event, picture.turn, picture.agents.card)
        self.composer.show_agent(picture.agents.other_name(self._parts.texts))
        self._show_picture()

    def _show_picture(self) -> None:
        picture = self._parts.picture
        self.downloads.show_picture(picture.setup)
        self.header.show_picture(picture)
        if picture.stopped:
            self._stop(picture.stopped)
        self.strips.show_troubles(picture.troubles)
        self.strips.show_advice(picture.advice)
        self.strips.show_questions(picture.questions)
        self.composer.set_busy(picture.turn is not None)
        self.transcript.greeting.show_ways(words.ways_to_begin(picture, self._parts.texts))

    def _stop(self, text: str) -> None:
        """The core has ended: a request on its way to it comes back, and no other leaves."""
        self.strips.show_stopped(text)
        self.composer.turn_off()
        self.composer.give_back(self._on_its_way)
        self._on_its_way = ""

    def _submit(self, text: str) -> None:
        self._on_its_way = text
        self.transcript.follow()
        self._parts.send(SubmitTurn(text, Origin.TYPED))

    def _interrupt(self) -> None:
        self._parts.send(Interrupt())

    def _copy_last(self) -> None:
        self.transcript.copy_last()

    def _toggle_activity(self) -> None:
        self.dock.setVisible(self.dock.isHidden())

    def _restyle(self) -> None:
        for part in (self.header, self.strips, self.transcript, self.composer, self.activity):
            part.restyle()

    def retranslate(self) -> None:
        """Our own words in the language now in force; what is typed, shown and waited for stays."""
        self.header.retranslate()
        self.strips.retranslate(self._parts.picture.questions)
        self.downloads.retranslate()
        self.composer.retranslate()
        shown_kind, old = self.activity.filter.currentIndex(), self.activity
        self._fill_dock(shown_kind)
        old.deleteLater()
        for shortcut in self.actions():
            self.removeAction(shortcut)
            shortcut.deleteLater()
        self._add_shortcuts()
        self._show_picture()
        # The conversation stays as it is until the core has sent it once more: it knows every line.
        self._stale = True
        if self._attached:
            self._parts.send(Attach(self.window_id))

    # --- coming and going ---------------------------------------------------------------------

    @property
    def attached(self) -> bool:
        """The core was told that this window is a place to answer."""
        return self._attached

    def bring_forward(self) -> None:
        """Show it in front; a person asked for it."""
        to_the_front(self)
        self.composer.setFocus()

    def showEvent(self, event: QShowEvent) -> None:
        """It is a place to answer now."""
        super().showEvent(event)
        if not event.spontaneous() and not self._attached:
            self._attached = True
            self._parts.send(Attach(self.window_id))
            self._parts.presence()

    def hideEvent(self, event: QHideEvent) -> None:
        """It is none any more; a minimised window still is."""
        super().hideEvent(event)
        if not event.spontaneous() and self._attached:
            self._attached = False
            self._parts.send(Detach(self.window_id))
            self._parts.presence()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Where there is a tray the window goes there; otherwise a person is asked."""
        event.ignore()
        self._parts.closing(self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc stops speech and request, wherever the focus is."""
        if event.key() == Qt.Key.Key_Escape:
            self._interrupt()
        else:
            super().keyPressEvent(event)
