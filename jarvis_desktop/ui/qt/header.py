"""The strip on top: who is talked with, what is going on, the level at the microphone, mute and talk."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from jarvis_desktop.core.items.commands import Command, NewConversation, SetMuted, TalkNow
from jarvis_desktop.core.items.events import (
    Event,
    LevelHeard,
    NothingHeard,
    Transcribed,
    VoiceState,
    VoiceStateChanged,
    WakeHeard,
)
from jarvis_desktop.core.items.speech import ListenFor
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui import words
from jarvis_desktop.ui.picture import Face, Picture
from jarvis_desktop.ui.qt.agent_picker import AgentPicker
from jarvis_desktop.ui.qt.icons import face_icon, line_icon
from jarvis_desktop.ui.qt.one_line_label import OneLineLabel
from jarvis_desktop.ui.qt.theme import Theme
from jarvis_desktop.ui.visible_text import one_line

_HEARD_MS = 8000
"""How long the heard text stays in the strip."""


class LevelMeter(QWidget):
    """A row of bars: the loudness of the last two seconds, newest on the right."""

    BARS = 24

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__()
        self._theme = theme
        self.levels: deque[float] = deque([0.0] * self.BARS, maxlen=self.BARS)
        self.setFixedSize(self.BARS * 5, 26)
        self.setAccessibleName(texts("Level at the microphone"))

    def heard(self, level: float) -> None:
        """One more measurement, 0 to 1."""
        self.levels.append(min(1.0, max(0.0, level)))
        self.update()

    def quiet(self) -> None:
        """Forget the measurements."""
        self.levels.extend([0.0] * self.BARS)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bars."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.colours.accent))
        for index, level in enumerate(self.levels):
            height = max(3.0, level * self.height())
            painter.drawRoundedRect(
                index * 5 + 1, round((self.height() - height) / 2), 3, round(height), 1.5, 1.5
            )
        painter.end()


@dataclass(frozen=True, slots=True)
class HeaderWays:
    """Where its buttons lead."""

    toggle_activity: Callable[[], None]
    set_up: Callable[[], None]
    settings: Callable[[], None]
    agenda: Callable[[], None]


class Header(QFrame):
    """Face, state line, meter and buttons."""

    def __init__(
        self,
        theme: Theme,
        texts: Texts,
        send: Callable[[Command], None],
        ways: HeaderWays,
    ) -> None:
        super().__init__()
        self.setObjectName("header")
        self._theme = theme
        self._texts = texts
        self._send = send
        self._heard = ""
        self._picture = Picture()
        self._forget = QTimer(self)
        self._forget.setSingleShot(True)
        self._forget.timeout.connect(self._forget_heard)
        self._build(ways)
        self.retranslate()
        self.restyle()

    def _build(self, ways: HeaderWays) -> None:
        self._face = QLabel()
        self._face.setFixedSize(34, 34)
        self.agent = AgentPicker(self._theme, self._texts, self._send)
        self.state = OneLineLabel("", "headerState")
        self.state.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.state.setAccessibleIdentifier("header.state")
        self.meter = LevelMeter(self._theme, self._texts)
        self.meter.hide()
        self.talk = self._button("talk", lambda: self._send(TalkNow()))
        self.mute = self._button("mute", self._mute_pressed)
        self.mute.setCheckable(True)
        self.fresh = self._button("new", lambda: self._send(NewConversation()))
        self.agenda = self._button("agenda", ways.agenda)
        self.activity = self._button("toggleActivity", ways.toggle_activity)
        self.settings = self._button("settings", ways.settings)
        self.setup = self._button("setup", ways.set_up)
        words_column = QVBoxLayout()
        words_column.setSpacing(1)
        # The button itself runs from right to left, which would turn "left" round.
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute
        words_column.addWidget(self.agent, 0, left)
        words_column.addWidget(self.state)
        row = QHBoxLayout(self)
        row.setContentsMargins(18, 10, 14, 10)
        row.setSpacing(6)
        row.addWidget(self._face)
        row.addSpacing(6)
        row.addLayout(words_column, 1)
        row.addWidget(self.meter)
        row.addSpacing(8)
        for button in (self.talk, self.mute, self.fresh, self.agenda, self.activity):
            row.addWidget(button)
        for button in (self.settings, self.setup):
            row.addWidget(button)

    def retranslate(self) -> None:
        """All texts in the language now in force."""
        texts = self._texts
        self.meter.setAccessibleName(texts("Level at the microphone"))
        for button, text in (
            (self.talk, texts("Talk now")),
            (self.mute, texts("Mute the microphone")),
            (self.fresh, texts("New conversation")),
            (self.agenda, texts("Agenda")),
            (self.activity, texts("Show or hide the activity")),
            (self.settings, texts("Settings and rules")),
            (self.setup, texts("Set up")),
        ):
            button.setAccessibleName(text)
            button.setToolTip(text)
        self._heard = ""
        self.show_picture(self._picture)

    def _button(self, name: str, pressed: Callable[[], None]) -> QToolButton:
        button = QToolButton()
        button.setObjectName(name)
        button.setAccessibleIdentifier(f"header.{name}")
        button.setIconSize(QSize(20, 20))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(pressed)
        return button

    def take(self, event: Event) -> None:
        """Show what the ears do."""
        match event:
            case LevelHeard():
                self.meter.heard(event.level)
            case Transcribed():
                self._show_heard(f"“{one_line(event.text, 90)}”")
            case NothingHeard():
                self._show_heard(words.nothing_text(event.reason, self._texts))
            case WakeHeard():
                self._show_heard("")
            case VoiceStateChanged() if event.state is VoiceState.LISTENING:
                self._show_heard("")
                self.meter.quiet()
            case _:
                pass

    def show_picture(self, picture: Picture) -> None:
        """Show the state."""
        self._picture = picture
        self.agent.show_agents(picture.agents)
        face = picture.face
        self._face.setPixmap(face_icon(face).pixmap(34, 34))
        self._face.setAccessibleName(words.state_text(self._picture, self._texts))
        hears = picture.voice is VoiceState.LISTENING or (
            picture.voice is VoiceState.ASKING and picture.listen_for is ListenFor.ANSWER
        )
        self.meter.setVisible(hears)
        self.state.show_line(self._state_text(face))
        self.mute.setChecked(picture.muted)
        self.talk.setEnabled(not picture.muted)
        self._mute_icon()

    def _state_text(self, face: Face) -> str:
        if self._picture.voice is VoiceState.TRANSCRIBING:
            return self._texts("Understanding what you said…")
        if self._heard and face is not Face.LISTENING and not self._picture.stopped:
            return self._heard
        return words.state_text(self._picture, self._texts)

    def _show_heard(self, text: str) -> None:
        self._heard = text
        self._forget.start(_HEARD_MS)
        self.state.show_line(self._state_text(self._picture.face))

    def _forget_heard(self) -> None:
        self._heard = ""
        self.state.show_line(self._state_text(self._picture.face))

    def _mute_pressed(self) -> None:
        # The core has the last word: VoiceStateChanged sets the button.
        self._send(SetMuted(self.mute.isChecked()))

    def _mute_icon(self) -> None:
        colours = self._theme.colours
        muted = self._picture.muted
        self.mute.setIcon(line_icon("mic-off", colours.danger if muted else colours.text))
        self.mute.setToolTip(
            self._texts("Turn the microphone on") if muted else self._texts("Mute the microphone")
        )

    def restyle(self) -> None:
        """Draw the icons in the theme's colours."""
        colours = self._theme.colours
        self.talk.setIcon(line_icon("mic", colours.text, colours.faint))
        self.fresh.setIcon(line_icon("plus", colours.text))
        self.agenda.setIcon(line_icon("agenda", colours.text))
        self.activity.setIcon(line_icon("list", colours.text))
        self.settings.setIcon(line_icon("shield", colours.text))
        self.setup.setIcon(line_icon("setup", colours.text))
        self.agent.restyle()
        self._mute_icon()
        self.meter.update()
