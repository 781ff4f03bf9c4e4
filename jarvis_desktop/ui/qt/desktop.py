"""The desktop front end: events in, commands out, everything else is looks."""

from collections.abc import Callable
from datetime import UTC, datetime

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QMessageBox

from jarvis_desktop.core.items.commands import Attach, Command, Detach, Quit
from jarvis_desktop.core.items.events import Event, LevelHeard
from jarvis_desktop.core.items.ids import QuestionId, WindowId, fresh_id
from jarvis_desktop.core.items.setup import SettingsChanged
from jarvis_desktop.core.items.slash import QuitAsked
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.settings import UiSettings
from jarvis_desktop.ui.picture import Picture
from jarvis_desktop.ui.qt.application import QtTexts, application
from jarvis_desktop.ui.qt.bridge import Bridge
from jarvis_desktop.ui.qt.close_box import close_box
from jarvis_desktop.ui.qt.hangul_font import hangul_trouble
from jarvis_desktop.ui.qt.idle_timer import IdleTimer
from jarvis_desktop.ui.qt.main_window import MainWindow, WindowParts
from jarvis_desktop.ui.qt.notice_board import BoardParts, NoticeBoard
from jarvis_desktop.ui.qt.question_desk import DeskParts, Place, QuestionDesk
from jarvis_desktop.ui.qt.settings_desk import SettingsDesk
from jarvis_desktop.ui.qt.settings_page import SettingsParts
from jarvis_desktop.ui.qt.setup_desk import SetupDesk
from jarvis_desktop.ui.qt.setup_page import SetupParts
from jarvis_desktop.ui.qt.theme import Theme, theme_name
from jarvis_desktop.ui.qt.tray import Tray, TrayActions
from jarvis_desktop.ui.qt.unix_signals import UnixSignals
from jarvis_desktop.ui.setup_steps import Step

TRAY_GRACE_MS = 5000
"""A hidden start waits this long for a tray (panels start late at login) before it opens a window."""


def local_now() -> datetime:
    """Wall clock, timezone-aware."""
    return datetime.now(UTC).astimezone()


class Desktop:
    """Windows, tray and dialogs. Made and run in the main thread; ``deliver`` may come from any."""

    tray_grace_ms = TRAY_GRACE_MS

    def __init__(
        self,
        send: Callable[[Command], None],
        texts: Texts,
        settings: UiSettings,
        *,
        start_hidden: bool = False,
        now: Callable[[], datetime] = local_now,
        input_limit: int = 10_000,
    ) -> None:
        self._send_out, self._texts = send, texts
        self._start_hidden = start_hidden
        self._input_limit = input_limit
        self._tray_id = WindowId(fresh_id())
        self._box: QMessageBox | None = None
        self._ended = False
        self._looping = False
        self.app = application()
        self._language = texts.language
        self._qt_texts = QtTexts(self.app)
        self._qt_texts.speak(texts.language)
        self.theme = Theme(self.app, settings.theme)
        self.picture = Picture()
        self.bridge = Bridge(self._take)
        self.idle = IdleTimer(send, now)
        self.windows: list[MainWindow] = []
        self.desk = QuestionDesk(DeskParts(self.send, self.theme, texts, self.picture, self._places, now))
        self.settings = SettingsDesk(
            SettingsParts(
                *(self.send, self._send_out, self.theme, texts, self.picture.setup),
                *(self.desk.disturbed, self._write),
            )
        )
        self.tray = Tray(
            texts,
            self.picture,
            TrayActions(
                *(self.send, self._open, self._recall_oldest, self._open_setup),
                *(self.settings.open_settings, self.settings.open_agenda, self.quit, self._tray_presence),
            ),
        )
        self.setup = SetupDesk(
            SetupParts(self.send, self.theme, texts, self.picture.setup, self._set_up, self.desk.disturbed),
            by_itself=not start_hidden,
        )
        self.board = NoticeBoard(
            BoardParts(
                texts, self.tray, self.picture, self.bridge.order, self.send, self._recall, self._open, now
            ),
            setup_shown=lambda: self.setup.shown,
        )
        self.open_window(show=False)

    # --- the border, from any thread ----------------------------------------------------------

    def deliver(self, event: Event) -> None:
        """Show ``event`` soon; from any thread."""
        self.bridge.deliver(event)

    def show_window(self) -> None:
        """Bring the window forward; from any thread. A second start arrives here."""
        self.bridge.order(self._open)

    def show_setup(self, step: Step | None = None) -> None:
        """Open the setup window, at ``step`` if one is named; from any thread."""
        self.bridge.order(lambda: self._set_up(step))

    def stop(self) -> None:
        """End ``main``; from any thread."""
        self.bridge.order(self._end)

    def main(self) -> int:
        """Run until the end; the exit status comes back. Call it in the main thread."""
        signals = UnixSignals(self.quit)
        QTimer.singleShot(0, self._begin)
        self._looping = True
        try:
            return self.app.exec()
        finally:
            self._looping = False
            signals.close()

    # --- in the window's thread ---------------------------------------------------------------

    def send(self, command: Command) -> None:
        """Pass a person's command on."""
        self.idle.touched()
        self._send_out(command)

    def open_window(self, *, show: bool = True) -> MainWindow:
        """One more window of the same conversation."""
        parts = WindowParts(
            send=self.send,
            theme=self.theme,
            texts=self._texts,
            picture=self.picture,
            input_limit=self._input_limit,
            show_question=self._recall,
            set_up=self._set_up,
            settings=self.settings.open_settings,
            agenda=self.settings.open_agenda,
            closing=self._closing,
            presence=self._windows_changed,
            quit=self.quit,
        )
        window = MainWindow(WindowId(fresh_id()), parts)
        window.composer.typed.connect(self.idle.typed)
        self.windows.append(window)
        if show:
            window.show()
        return window

    def quit(self) -> None:
        """A person wants the program to end."""
        if not self._ended:
            self._send_out(Quit())
        self._end()

    def _begin(self) -> None:
        if self._ended:
            return
        self.tray.start()
        if not self._start_hidden:
            self.windows[0].show()
            if self.setup.shown:
                # Asked for before the loop ran: the window that has just come must not lie on top of it.
                self.setup.open()
        elif not self.tray.present:
            QTimer.singleShot(self.tray_grace_ms, self._show_if_unreachable)
        QTimer.singleShot(0, lambda: self._take(hangul_trouble(self._language)))

    def _end(self) -> None:
        if self._ended:
            return
        self._ended = True
        self.desk.close_all()
        self.setup.close()
        self.settings.close()
        for window in self.windows:
            window.hide()
        self.tray.stop()
        if self._looping:
            self.app.exit(0)  # not quit(): that asks the windows, which refuse to close

    def _take(self, event: Event) -> None:
        if self._ended:
            return
        self.picture.take(event)
        self.desk.take(event)  # first: a question is on its way to the screen while the windows follow
        for window in self.windows:
            window.take(event)
        self.setup.take(event)
        self.settings.take(event)
        if isinstance(event, LevelHeard):
            return
        if isinstance(event, SettingsChanged):
            self._live(event)
        if isinstance(event, QuitAsked):
            self.quit()
            return
        self.tray.show_picture()
        self.board.take(event, looked_at=self._looked_at)

    def _live(self, event: SettingsChanged) -> None:
        """Take over what a person has just set."""
        if "ui.theme" in event.changed:
            self.theme.choose(theme_name(event.changed["ui.theme"]))
        limit = event.changed.get("security.input_max_length")
        if isinstance(limit, int):
            self._input_limit = limit
            for window in self.windows:
                window.composer.allow(limit)
        if self._texts.language is not self._language:
            self.retranslate()

    def retranslate(self) -> None:
        """Everything on screen speaks the language of ``texts``; nothing typed, open or waiting is lost."""
        self._language = self._texts.language
        self._take(hangul_trouble(self._language))
        self._qt_texts.speak(self._language)
        self.tray.retranslate()
        for window in self.windows:
            window.retranslate()
        self.desk.retranslate()
        self.board.retranslate()
        self.setup.retranslate()
        self.settings.retranslate()

    @property
    def _looked_at(self) -> bool:
        return any(not one.isMinimized() for one in self._shown_windows())

    def _shown_windows(self) -> tuple[MainWindow, ...]:
        return tuple(window for window in self.windows if window.attached)

    def _places(self) -> tuple[Place, ...]:
        shown = self._shown_windows()
        if shown:
            return tuple(Place(window.window_id, window.frameGeometry()) for window in shown)
        return (Place(self._tray_id, self.app.primaryScreen().availableGeometry()),)

    def _recall(self, question_id: QuestionId) -> None:
        self.desk.recall(question_id)

    def _recall_oldest(self) -> None:
        self.desk.recall()

    def _open_setup(self) -> None:
        # Qt's actions would hand a boolean over to an optional argument.
        self._set_up()

    def _set_up(self, step: Step | None = None) -> None:
        if not self._ended:
            for window in self.windows:
                window.composer.setFocus()  # there a person goes on when the setup is closed
            self.setup.open(step)

    def _open(self) -> None:
        if not self._ended:
            shown = self._shown_windows() or (self.windows[0],)
            shown[0].bring_forward()

    def _write(self, text: str) -> None:
        self._open()
        for window in self._shown_windows()[:1]:
            window.composer.give_back(text)

    def _windows_changed(self) -> None:
        if not self._ended:
            self.desk.disturbed()
            self.desk.sync()
            self.board.look(looked_at=self._looked_at)

    def _tray_presence(self, present: bool) -> None:  # noqa: FBT001 - a callback with one meaning
        if present:
            self._send_out(Attach(self._tray_id))
            return
        # The window first: with no place left at all, open questions would be denied at once.
        self._show_if_unreachable()
        self._send_out(Detach(self._tray_id))

    def _show_if_unreachable(self) -> None:
        if not self._ended and not self.tray.present and not self._shown_windows():
            self.windows[0].show()

    def _closing(self, window: MainWindow) -> None:
        if len(self._shown_windows()) > 1 or self.tray.present:
            window.hide()
            if window is not self.windows[0]:
                self.windows.remove(window)
                window.deleteLater()
        else:
            self._box = close_box(window, self._texts, self.quit)
