"""Pages of the setup that are pages of the settings too: the same widgets, at home in both windows."""

from collections.abc import Mapping
from dataclasses import replace

from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.setup import ChangeSetting, LookAround, SetAutostart
from jarvis_desktop.ui.qt.page import say, wrapped
from jarvis_desktop.ui.qt.settings_page import Place, SettingsPage, SettingsParts, Ways
from jarvis_desktop.ui.qt.setup_chat_page import ChatPage
from jarvis_desktop.ui.qt.setup_chat_row import choosing
from jarvis_desktop.ui.qt.setup_look_page import LookPage
from jarvis_desktop.ui.qt.setup_page import SetupPage, SetupParts
from jarvis_desktop.ui.qt.setup_sound_page import SoundPage
from jarvis_desktop.ui.qt.setup_speech_page import SpeechPage
from jarvis_desktop.ui.qt.setup_start_page import StartPage
from jarvis_desktop.ui.qt.setup_wake_page import WakePage
from jarvis_desktop.ui.setup_steps import Step, news_in, untold_trouble
from jarvis_desktop.ui.visible_text import visible

PLACE_OF: Mapping[Step, Place] = {
    Step.WELCOME: Place.LOOK,
    Step.SPEECH: Place.SPEECH,
    Step.SOUND: Place.SOUND,
    Step.WAKE: Place.WAKE,
    Step.CHAT: Place.CHAT,
    Step.START: Place.START,
}
STEP_OF: Mapping[Place, Step] = {place: step for step, place in PLACE_OF.items()}


class SetPage(SettingsPage):
    """A page of the setup with what the setup's window says below its pages above it."""

    inside: type[LookPage | SpeechPage | SoundPage | WakePage | ChatPage | StartPage]
    step: Step

    def __init__(self, parts: SettingsParts, ways: Ways) -> None:
        within = SetupParts(
            parts.send,
            parts.theme,
            parts.texts,
            parts.picture,
            lambda step: ways.to_place(PLACE_OF[step]),
            parts.vanished,
        )
        self.page: SetupPage = self.inside(replace(within, send=self._send))
        super().__init__(parts, ways, self.page.title.text(), self.page.intro.text())
        self.page.title.hide()
        self.page.intro.hide()
        self.page.column.setContentsMargins(0, 0, 0, 0)
        self.notice = wrapped("", "setupNotice")
        say(self.notice, "")
        self.column.addWidget(self.notice)
        self.column.addWidget(self.page, 1)

    # --- events -------------------------------------------------------------------------------

    def take(self, event: Event) -> None:
        """Show what happened; the picture has taken the event already."""
        come = self.parts.picture.take_wish()
        for command in choosing(come) if come is not None else ():
            self.parts.send(command)
        self.page.take(event)
        told = news_in(event, self.step, self.parts.picture)
        if told is not None:
            say(self.notice, visible(told))

    def entered(self) -> None:
        """Look anew: devices come and go."""
        say(self.notice, visible(untold_trouble(self.step, self.parts.picture)))
        self.page.refresh()
        self.page.entered()
        self.parts.look(LookAround())

    def left(self) -> None:
        """What is being tried out ends."""
        self.page.left()

    def restyle(self) -> None:
        """Draw what has colours of its own in the theme's."""
        self.page.restyle()

    def typed(self) -> Mapping[str, object]:
        """Nothing is written here: every choice counts at once."""
        return {}

    def _send(self, command: Command) -> None:
        self.parts.picture.asked(command)
        self.parts.send(command)
        if isinstance(command, ChangeSetting | SetAutostart):
            say(self.notice, "")
        else:
            # What is on its way shows at once; a setting waits for the core, or its control would jump back.
            self.page.refresh()


class LookSettings(SetPage):
    """Languages and look."""

    inside, step = LookPage, Step.WELCOME


class SpeechSettings(SetPage):
    """The models of ears and mouth."""

    inside, step = SpeechPage, Step.SPEECH


class SoundSettings(SetPage):
    """Microphone and loudspeaker."""

    inside, step = SoundPage, Step.SOUND


class WakeSettings(SetPage):
    """The wake word, and how certain Jarvis must be."""

    inside, step = WakePage, Step.WAKE


class ChatSettings(SetPage):
    """The model that answers, and how fast it is here."""

    inside, step = ChatPage, Step.CHAT


class StartSettings(SetPage):
    """How Jarvis begins, and the key that calls it."""

    inside, step = StartPage, Step.START
