"""The page of microphone and loudspeaker, with a live test of both."""

from PySide6.QtCore import QTimer

from jarvis_desktop.core.items.events import Event, LevelHeard, Part
from jarvis_desktop.core.items.setup import (
    BeginTrial,
    EndTrial,
    LookAround,
    SettingsChanged,
    Trial,
    TrialChanged,
)
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.qt.header import LevelMeter
from jarvis_desktop.ui.qt.page import Card, choice, fill, push, rename, say, wrapped
from jarvis_desktop.ui.qt.setup_page import SetupPage, SetupParts

SILENT_MS = 4000
"""Silence for this long is worth a hint."""


class SoundPage(SetupPage):
    """Which devices, and whether they work."""

    def __init__(self, parts: SetupParts) -> None:
        texts = parts.texts
        super().__init__(
            parts,
            texts("Microphone and loudspeaker"),
            texts(
                "Speak: the bars move while Jarvis hears something. Nothing is recorded or understood here."
            ),
        )
        self._waited = self._begun = self._shown = self._resumes = False
        self._silence = QTimer(self)
        self._silence.setSingleShot(True)
        self._silence.setInterval(SILENT_MS)
        self._silence.timeout.connect(self._still_silent)
        self._microphone_card()
        self._loudspeaker_card()
        self.column.addStretch(1)
        self.refresh()

    def _microphone_card(self) -> None:
        texts = self.parts.texts
        card = Card(texts("Microphone"))
        self.microphone = choice(texts("Microphone"), "microphone", self._microphone_chosen)
        card.column.addWidget(self.microphone)
        self.meter = LevelMeter(self.parts.theme, texts)
        card.add_row(self.meter)
        self.heard = wrapped("", "cardText")
        card.column.addWidget(self.heard)
        self.again = push("", "try_microphone", self._begin)
        self.look = push(texts("Look again"), "look_again", self._look_again)
        card.add_row(self.again, self.look)
        self.column.addWidget(card)

    def _loudspeaker_card(self) -> None:
        texts = self.parts.texts
        card = Card(texts("Loudspeaker"))
        self.loudspeaker = choice(texts("Loudspeaker"), "loudspeaker", self._loudspeaker_chosen)
        card.column.addWidget(self.loudspeaker)
        self.play = push(texts("Play a sound"), "play", self._play)
        self.played = wrapped("", "cardText")
        card.add_row(self.play)
        card.column.addWidget(self.played)
        self.column.addWidget(card)

    # --- what happens -------------------------------------------------------------------------

    def take(self, event: Event) -> None:
        """The level as well."""
        if isinstance(event, LevelHeard):
            self.meter.heard(event.level)
            self._show_heard()
        else:
            super().take(event)
            if isinstance(event, SettingsChanged) and "voice.input_device" in event.changed:
                self._begun = False  # what ran listened to the other one
            played = (
                isinstance(event, TrialChanged) and event.trial is Trial.LOUDSPEAKER and not event.running
            )
            if played and self._resumes:
                self._begun = self._resumes = False
            self._begin_when_possible()

    def entered(self) -> None:
        """Listen to the microphone, as long as the page is shown."""
        self._shown = True
        self._begin_when_possible()

    def left(self) -> None:
        """Enough."""
        self._silence.stop()
        self._shown = self._begun = self._resumes = False
        self.parts.send(EndTrial(Trial.MICROPHONE))

    def refresh(self) -> None:
        """Show the devices and what the tests say."""
        texts, picture = self.parts.texts, self.parts.picture
        for box, name in ((self.microphone, "microphones"), (self.loudspeaker, "loudspeakers")):
            setting = "voice.input_device" if box is self.microphone else "voice.output_device"
            chosen = picture.setting(setting)
            fill(box, _devices(self._devices(name), chosen, texts), chosen)
            box.setEnabled(bool(self._devices(name)) or bool(chosen))
        there = bool(self._devices("microphones"))
        running = picture.running(Trial.MICROPHONE)
        self.meter.setVisible(there and running)
        self.again.setVisible(there and not running and Trial.MICROPHONE in picture.trials)
        rename(self.again, texts("Try the microphone"))
        self.play.setEnabled(bool(self._devices("loudspeakers")) and not picture.running(Trial.LOUDSPEAKER))
        self._show_heard()
        say(self.played, self._played_text())

    def restyle(self) -> None:
        """The meter is drawn by hand."""
        self.meter.update()

    def _devices(self, name: str) -> tuple[str, ...]:
        facts = self.parts.picture.facts
        if facts is None:
            return ()
        return facts.microphones if name == "microphones" else facts.loudspeakers

    def _show_heard(self) -> None:
        text = self._heard_text()
        if text != self.heard.text():
            say(self.heard, text)

    def _heard_text(self) -> str:
        texts, picture = self.parts.texts, self.parts.picture
        if picture.facts is None:
            return texts("Looking at this computer…")
        if not picture.facts.microphones:
            return texts(
                "No microphone was found. Plug one in and press “Look again”; until then you can type."
            )
        if picture.trouble_of(Trial.MICROPHONE):
            return picture.trouble_of(Trial.MICROPHONE)
        return self._level_text() if picture.running(Trial.MICROPHONE) else ""

    def _level_text(self) -> str:
        texts = self.parts.texts
        # A trouble that is told already is below: a loud moment before it does not make it good.
        quiet = Part.MICROPHONE in self.parts.picture.troubles
        if self.parts.picture.heard_sound and not quiet:
            return texts("Good: Jarvis hears this microphone.")
        if self._waited or quiet:
            return texts(
                "Nothing is heard. Speak louder, choose another microphone, or turn this one up in the "
                "system's sound settings."
            )
        return texts("Say something…")

    def _played_text(self) -> str:
        texts, picture = self.parts.texts, self.parts.picture
        if picture.facts is not None and not picture.facts.loudspeakers:
            return texts("No loudspeaker was found. Jarvis answers in the window all the same.")
        if picture.running(Trial.LOUDSPEAKER):
            return texts("Playing…")
        if picture.trouble_of(Trial.LOUDSPEAKER):
            return picture.trouble_of(Trial.LOUDSPEAKER)
        if Trial.LOUDSPEAKER in picture.trials:
            return texts("Did you hear it? If not, choose another loudspeaker or turn the volume up.")
        return ""

    # --- what a person does -------------------------------------------------------------------

    def _begin_when_possible(self) -> None:
        if self._shown and not self._begun and self._devices("microphones"):
            self._begin()

    def _begin(self) -> None:
        self._waited, self._begun = False, True
        self.meter.quiet()
        self._silence.start()
        self.parts.send(BeginTrial(Trial.MICROPHONE))

    def _still_silent(self) -> None:
        self._waited = True
        self._show_heard()

    def _look_again(self) -> None:
        self.parts.send(LookAround())

    def _play(self) -> None:
        # Two trials never run side by side: the microphone's ends here and goes on afterwards.
        self._resumes = self.parts.picture.running(Trial.MICROPHONE)
        self.parts.send(BeginTrial(Trial.LOUDSPEAKER))

    def _microphone_chosen(self) -> None:
        self.change("voice.input_device", self.microphone.currentData())

    def _loudspeaker_chosen(self) -> None:
        self.change("voice.output_device", self.loudspeaker.currentData())


def _devices(found: tuple[str, ...], chosen: str, texts: Texts) -> tuple[tuple[str, object], ...]:
    """What the box offers: the default, what was found, and what is set although it is not there."""
    gone = () if not chosen or chosen in found else (chosen,)
    missing = tuple((texts("{device} (not connected)").format(device=name), name) for name in gone)
    return ((texts("Like the system"), ""), *((name, name) for name in found), *missing)
