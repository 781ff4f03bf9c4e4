"""The tray icon: says the state by shape, colour and words, and is a place to answer from."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer
from PySide6.QtDBus import QDBusConnection, QDBusServiceWatcher
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from jarvis_desktop.core.items.commands import Command, SetMuted, TalkNow
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui import setup_words, words
from jarvis_desktop.ui.picture import Face, Picture
from jarvis_desktop.ui.qt.agent_menu import AgentMenu
from jarvis_desktop.ui.qt.icons import app_icon, face_icon

_WATCHER = "org.kde.StatusNotifierWatcher"
_LOOK_MS = 3000
"""How often to look for a tray of the older kind, which announces nothing."""
_BUBBLE_MS = 10_000


@dataclass(frozen=True, slots=True)
class TrayActions:
    """What the tray can ask for."""

    send: Callable[[Command], None]
    open_window: Callable[[], None]
    show_question: Callable[[], None]
    set_up: Callable[[], None]
    settings: Callable[[], None]
    agenda: Callable[[], None]
    quit: Callable[[], None]
    presence: Callable[[bool], None]
    """Called when the icon appears or vanishes."""


class Tray(QObject):
    """An icon that appears as soon as the desktop has a tray, also when the panel starts late."""

    def __init__(self, texts: Texts, picture: Picture, actions: TrayActions) -> None:
        super().__init__()
        self._texts = texts
        self._picture = picture
        self._actions = actions
        self._icon: QSystemTrayIcon | None = None
        self._face: Face | None = None
        self._bubble_pressed: Callable[[], None] = actions.open_window
        self._build_menu()
        # A panel that starts after us never shows an item that was registered before it came:
        # the item has to be made anew.
        self._watcher = QDBusServiceWatcher(
            _WATCHER,
            QDBusConnection.sessionBus(),
            QDBusServiceWatcher.WatchModeFlag.WatchForRegistration
            | QDBusServiceWatcher.WatchModeFlag.WatchForUnregistration,
            self,
        )
        self._watcher.serviceRegistered.connect(self._renew)
        self._watcher.serviceUnregistered.connect(self._look)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._look)

    def _build_menu(self) -> None:
        actions = self._actions
        self.menu = QMenu()
        self.state, self.downloads = self.menu.addAction(""), self.menu.addAction("")
        self.state.setEnabled(False)
        self.downloads.setEnabled(False)
        self.menu.addSeparator()
        self.open = self._add(actions.open_window)
        self.question = self._add(actions.show_question)
        self.talk = self._add(lambda: actions.send(TalkNow()))
        self.mute = self._add(lambda: actions.send(SetMuted(self.mute.isChecked())))
        self.mute.setCheckable(True)
        self.agents = AgentMenu(self._texts, actions.send)
        self._agents_entry = self.menu.addMenu(self.agents)
        self.menu.addSeparator()
        self.agenda = self._add(actions.agenda)
        self.settings = self._add(actions.settings)
        self.setup = self._add(actions.set_up)
        self.quit = self._add(actions.quit)
        self.retranslate()

    def retranslate(self) -> None:
        """The menu in the language now in force."""
        texts = self._texts
        self.open.setText(texts("Open Jarvis"))
        self.question.setText(texts("Look at the open question"))
        self.talk.setText(texts("Talk now"))
        self.mute.setText(texts("Mute"))
        self.agenda.setText(texts("Agenda…"))
        self.settings.setText(texts("Settings…"))
        self.setup.setText(texts("Set up…"))
        self.quit.setText(texts("Quit"))
        self.show_picture()

    def _add(self, triggered: Callable[[], None]) -> QAction:
        action = self.menu.addAction("")
        action.triggered.connect(triggered)
        return action

    def start(self) -> None:
        """Appear if there is a tray, and keep looking for one."""
        self._look()
        self._timer.start(_LOOK_MS)

    def stop(self) -> None:
        """Vanish for good."""
        self._timer.stop()
        self._drop()

    @property
    def present(self) -> bool:
        """The icon is in a tray."""
        return self._icon is not None

    @property
    def tool_tip(self) -> str:
        """What the icon says when pointed at."""
        return self._icon.toolTip() if self._icon is not None else ""

    def show_picture(self) -> None:
        """Show the present state."""
        picture, texts = self._picture, self._texts
        text = words.picture_text(picture, texts)
        self.state.setText(text.split("\n")[0])
        moving = setup_words.moving_text(picture.setup, texts)
        self.downloads.setText(moving)
        self.downloads.setVisible(bool(moving))
        self.question.setVisible(bool(picture.questions))
        self.agents.show_agents(picture.agents)
        self._agents_entry.setVisible(len(picture.agents.listed) > 1)
        self.mute.setChecked(picture.muted)
        self.talk.setEnabled(not picture.muted)
        if self._icon is None:
            return
        # "<" would make tool tips rich text; nothing of ours needs it.
        tip = "\n".join(filter(None, (f"Jarvis · {text}", moving))).replace("<", "‹").replace(">", "›")
        if tip != self._icon.toolTip():
            self._icon.setToolTip(tip)
        if picture.face is not self._face:
            self._face = picture.face
            self._icon.setIcon(face_icon(picture.face))

    def bubble(self, title: str, text: str, pressed: Callable[[], None]) -> None:
        """Say something beside the tray, without signs that could be markup: some desktops read it."""
        if self._icon is not None:
            self._bubble_pressed = pressed
            # Our own icon, since Qt's stock ones replace the tray icon while the bubble is up.
            self._icon.showMessage(title, text, app_icon(), _BUBBLE_MS)

    def _bubble_clicked(self) -> None:
        self._bubble_pressed()

    def _look(self) -> None:
        available = QSystemTrayIcon.isSystemTrayAvailable()
        if available and self._icon is None:
            self._make()
        elif not available and self._icon is not None:
            self._drop()
            self._actions.presence(False)

    def _renew(self) -> None:
        was = self._icon is not None
        self._drop()
        if QSystemTrayIcon.isSystemTrayAvailable():
            self._make(announce=not was)
        elif was:
            self._actions.presence(False)

    def _make(self, *, announce: bool = True) -> None:
        self._icon = QSystemTrayIcon(face_icon(self._picture.face), self)
        self._face = self._picture.face
        self._icon.setContextMenu(self.menu)
        self._icon.activated.connect(self._activated)
        self._icon.messageClicked.connect(self._bubble_clicked)
        self.show_picture()
        self._icon.show()
        if announce:
            self._actions.presence(True)

    def _drop(self) -> None:
        if self._icon is not None:
            self._icon.hide()
            self._icon.deleteLater()
            self._icon = None

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason in (QSystemTrayIcon.ActivationReason.Trigger, QSystemTrayIcon.ActivationReason.DoubleClick):
            self._actions.open_window()
        elif reason is QSystemTrayIcon.ActivationReason.MiddleClick:
            self._actions.send(TalkNow())
