"""The setup window: steps at the side, one page at a time, Back, Skip and Next below."""

from dataclasses import replace

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QHideEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.items.events import CoreStopped, Event, LevelHeard
from jarvis_desktop.core.items.setup import (
    ChangeSetting,
    FinishSetup,
    LookAround,
    SetAutostart,
    SettingRefused,
    SetupLooked,
)
from jarvis_desktop.ui.qt.icons import app_icon
from jarvis_desktop.ui.qt.page import push, rename, say, to_the_front, wrapped
from jarvis_desktop.ui.qt.setup_chat_page import ChatPage
from jarvis_desktop.ui.qt.setup_chat_row import choosing
from jarvis_desktop.ui.qt.setup_done_page import DonePage
from jarvis_desktop.ui.qt.setup_page import SetupPage, SetupParts
from jarvis_desktop.ui.qt.setup_side import ORDER, StepList
from jarvis_desktop.ui.qt.setup_sound_page import SoundPage
from jarvis_desktop.ui.qt.setup_speech_page import SpeechPage
from jarvis_desktop.ui.qt.setup_start_page import StartPage
from jarvis_desktop.ui.qt.setup_wake_page import WakePage
from jarvis_desktop.ui.qt.setup_welcome_page import WelcomePage
from jarvis_desktop.ui.setup_steps import Progress, Step, news_in, progress, untold_trouble
from jarvis_desktop.ui.visible_text import visible

PAGES = {
    Step.WELCOME: WelcomePage,
    Step.SPEECH: SpeechPage,
    Step.SOUND: SoundPage,
    Step.WAKE: WakePage,
    Step.CHAT: ChatPage,
    Step.START: StartPage,
    Step.DONE: DonePage,
}
_EDGE_PX = 40
"""Room that a screen keeps around the window for its panel and the window's frame."""


class SetupWindow(QDialog):
    """Closing it at any time keeps everything that was done and skips the rest."""

    def __init__(self, parts: SetupParts) -> None:
        """``parts.go`` is not used: the window turns its own pages."""
        super().__init__(None)
        self._send_out = parts.send
        self._parts = replace(parts, send=self._send, go=self.go)
        self.step = Step.WELCOME
        self._later: set[Step] = set()
        self._seen: set[Step] = {Step.WELCOME}
        self._tells_looks = False
        self.setWindowIcon(app_icon())
        # A window of its own, to be minimised and found again while a download runs.
        self.setWindowFlags(Qt.WindowType.Window)
        self.setMinimumSize(640, 320)
        room = self.screen().availableGeometry()
        self.resize(min(880, room.width() - _EDGE_PX), min(690, room.height() - _EDGE_PX))
        # A dialog left to Qt is centred without its frame, and on a small screen its title bar is lost above.
        spare = room.size() - self.size() - QSize(_EDGE_PX, _EDGE_PX)
        self.move(room.topLeft() + QPoint(max(0, spare.width() // 2), max(0, spare.height() // 2)))
        self._frame = QHBoxLayout(self)
        self._frame.setContentsMargins(0, 0, 0, 0)
        self._build()
        parts.theme.changed.connect(self._restyle)
        for keys, turn in (("Ctrl+PgDown", self._next), ("Ctrl+PgUp", self._back)):
            QShortcut(QKeySequence(keys), self).activated.connect(turn)

    # --- building -----------------------------------------------------------------------------

    def _build(self) -> None:
        texts = self._parts.texts
        self.setWindowTitle(texts("Set up Jarvis"))
        self._body = QWidget()
        row = QHBoxLayout(self._body)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self._side = StepList(self._parts, self.step)
        self.steps, self.moving = self._side.steps, self._side.moving
        row.addWidget(self._side)
        right = QVBoxLayout()
        right.setSpacing(0)
        self.pages: dict[Step, SetupPage] = {}
        self._areas: dict[Step, QScrollArea] = {}
        self._stack = QStackedWidget()
        right.addWidget(self._stack, 1)
        right.addWidget(self._foot())
        row.addLayout(right, 1)
        self._frame.addWidget(self._body)
        # Only inside the dialog does it stay the default while other buttons come and go with the focus.
        self.next.setDefault(True)
        self._turn_to(self.step)
        self._show_all()

    def _foot(self) -> QWidget:
        texts = self._parts.texts
        foot = QWidget()
        foot.setObjectName("setupFoot")
        foot.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.notice = wrapped("", "setupNotice")
        self.later = push(texts("Do the rest &later"), "later", self.reject, "link")
        self.back = push(texts("&Back"), "back", self._back)
        self.skip = push(texts("&Skip"), "skip", self._skip)
        self.next = push("", "next", self._next, "primary")
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.later)
        row.addStretch(1)
        for button in (self.back, self.skip, self.next):
            row.addWidget(button)
        column = QVBoxLayout(foot)
        column.setContentsMargins(16, 8, 20, 10)
        column.addWidget(self.notice)
        column.addLayout(row)
        say(self.notice, "")
        return foot

    def retranslate(self) -> None:
        """Everything again in the language now in force; page, focus and what was skipped stay."""
        focused = self.focusWidget()
        identifier = focused.accessibleIdentifier() if focused is not None else ""
        shown, old = self.isVisible(), self._body
        if shown:
            self.pages[self.step].left()
        self._frame.removeWidget(old)
        self._build()
        old.hide()
        old.deleteLater()
        again = next(
            (w for w in self._body.findChildren(QWidget) if w.accessibleIdentifier() == identifier), None
        )
        if identifier and again is not None:
            again.setFocus()
        if shown:
            self.pages[self.step].entered()
        self._send_out(LookAround())

    # --- events -------------------------------------------------------------------------------

    def take(self, event: Event) -> None:
        """Show what happened; the picture has taken the event already."""
        come = self._parts.picture.take_wish()
        for command in choosing(come) if come is not None else ():
            self._send_out(command)
        self.pages[self.step].take(event)
        self._tell(event)
        if not isinstance(event, LevelHeard):
            self._show_all()

    def _tell(self, event: Event) -> None:
        """Say below the page what no control of it says."""
        told = news_in(event, self.step, self._parts.picture)
        match event:
            case SettingRefused(reason=reason):
                say(self.notice, visible(reason))
            case CoreStopped(text):
                say(self.notice, visible(text))
            case SetupLooked() if told or self._tells_looks:
                self._tells_looks = bool(told)
                say(self.notice, visible(told or ""))
            case _ if told is not None and not isinstance(event, SetupLooked):
                say(self.notice, visible(told))
            case _:
                pass

    def _send(self, command: Command) -> None:
        self._parts.picture.asked(command)
        self._send_out(command)
        if isinstance(command, ChangeSetting | SetAutostart):
            say(self.notice, "")
        else:
            # What is on its way shows at once; a setting waits for the core, or its control would jump back.
            self.pages[self.step].refresh()

    def _show_all(self) -> None:
        """List, line of downloads and buttons."""
        texts, picture = self._parts.texts, self._parts.picture
        self._side.show_picture(self._later, self._seen)
        last = self.step is Step.DONE
        rename(self.next, texts("&Finish") if last else texts("&Next"))
        self.back.setEnabled(self.step is not Step.WELCOME)
        open_still = progress(self.step, picture) in (Progress.MISSING, Progress.OPEN)
        self.skip.setVisible(open_still and not last)
        self.later.setVisible(not last)

    def _restyle(self) -> None:
        for page in self.pages.values():
            page.restyle()
        self._show_all()

    # --- turning pages ------------------------------------------------------------------------

    def go(self, step: Step) -> None:
        """Turn to ``step``."""
        if step is self.step:
            return
        shown = self.isVisible()
        if shown:
            self.pages[self.step].left()
        self.step = step
        # The last page tells of all of them, and the list beside it tells the same.
        self._seen |= set(ORDER) if step is Step.DONE else {step}
        self._turn_to(step)
        self._side.show_step(step)
        say(self.notice, visible(untold_trouble(step, self._parts.picture)))
        self._show_all()
        if shown:
            self.pages[step].entered()

    def _turn_to(self, step: Step) -> None:
        # A page is made when it is first looked at: most visits see two or three, and opening is quick.
        if step not in self.pages:
            self.pages[step] = PAGES[step](self._parts)
            self._areas[step] = _scrolled(self.pages[step])
            self._stack.addWidget(self._areas[step])
        self.pages[step].refresh()
        self._stack.setCurrentWidget(self._areas[step])

    def _next(self) -> None:
        if self.step is Step.DONE:
            self.reject()
        else:
            self._later.discard(self.step)
            self.go(ORDER[ORDER.index(self.step) + 1])

    def _skip(self) -> None:
        self._later.add(self.step)
        self.go(ORDER[ORDER.index(self.step) + 1])

    def _back(self) -> None:
        self.go(ORDER[max(0, ORDER.index(self.step) - 1)])

    # --- coming and going ---------------------------------------------------------------------

    def bring_forward(self, step: Step | None) -> None:
        """Show it in front, at ``step`` if one is named; a person asked for it."""
        if not self.isVisible():
            self._send_out(LookAround())
        if step is not None:
            self.go(step)
        to_the_front(self)
        self.next.setFocus()

    def showEvent(self, event: QShowEvent) -> None:
        """Trials run only while their page is seen."""
        super().showEvent(event)
        if not event.spontaneous():
            self.pages[self.step].refresh()
            self.pages[self.step].entered()

    def hideEvent(self, event: QHideEvent) -> None:
        """They end with it."""
        super().hideEvent(event)
        if not event.spontaneous():
            self.pages[self.step].left()
            self._parts.vanished()

    def reject(self) -> None:
        """Esc, X and “later”: the rest is skipped, what was done is kept, downloads go on."""
        self._send_out(FinishSetup())
        super().reject()


def _scrolled(page: SetupPage) -> QScrollArea:
    area = QScrollArea()
    area.setObjectName("setupScroll")
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    # The keyboard scrolls a page that has more text than controls.
    area.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    area.setAccessibleName(page.title.text())
    page.setMinimumWidth(1)
    area.setWidget(page)
    return area
