"""A real core behind a real desktop on Qt's offscreen platform: what a person sets up counts at once."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QRadioButton
from pytestqt.qtbot import QtBot

from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.adapters.model_files import ModelFiles
from jarvis_desktop.adapters.settings_file import load_settings
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.app.core_thread import CoreThread
from jarvis_desktop.app.instance import Instance, Message, Reply
from jarvis_desktop.app.main import core_thread, receiver, served
from jarvis_desktop.app.options import Start, Surface
from jarvis_desktop.core.items.commands import Command, Quit
from jarvis_desktop.core.items.events import (
    Event,
    LevelHeard,
    Part,
    TroubleCleared,
    TroubleNoted,
    TurnStarted,
    VoiceStateChanged,
    WakeHeard,
)
from jarvis_desktop.core.items.fetching import FetchKind, FetchStage
from jarvis_desktop.core.items.setup import (
    BeginTrial,
    ChangeSetting,
    EndTrial,
    Fetch,
    FetchChanged,
    FinishSetup,
    RemoveModel,
    SettingsChanged,
    SetupLooked,
    Trial,
    TrialChanged,
)
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.ui.qt.desktop import Desktop
from jarvis_desktop.ui.qt.setup_window import SetupWindow
from tests.parts.audio import SoundServer
from tests.parts.speech import CACHE, WAV

WAIT_MS = 20_000
NOBODY = "http://127.0.0.1:9"
E = TypeVar("E", bound=Event)


class Walk:
    """One start of everything but the tray's own loop."""

    def __init__(self, home: Path, qtbot: QtBot) -> None:
        self.home, self._qtbot = home, qtbot
        settings, problems = load_settings(home)
        self.start = Start(home, settings, Catalog(Language.ENGLISH), problems)
        self.events: list[Event] = []
        self._ended = False
        self.desktop = Desktop(self.send, self.start.texts, settings.ui)
        self.instance = Instance(home)
        assert self.instance.claim()
        surface = Surface(self._deliver, self.send, shows_past=True, sets_up=True)
        receive = receiver(self.desktop.show_window, self.desktop.show_setup, self.send)
        main = served(self.start, SystemClock(), surface, self.instance, receive)
        self._core: CoreThread = core_thread(main, self.start, self._deliver)
        self._core.start()
        self.desktop._begin()

    def send(self, command: Command) -> None:
        self._core.post(command)

    def _deliver(self, event: Event) -> None:
        self.events.append(event)
        self.desktop.deliver(event)

    def seen(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    def until(self, holds: Callable[[], object]) -> None:
        self._qtbot.waitUntil(lambda: bool(holds()), timeout=WAIT_MS)

    def trial(self, trial: Trial) -> list[TrialChanged]:
        return [event for event in self.seen(TrialChanged) if event.trial is trial]

    @property
    def window(self) -> SetupWindow:
        self.until(lambda: self.desktop.setup.shown)
        assert self.desktop.setup.window is not None
        return self.desktop.setup.window

    @property
    def file(self) -> str:
        return (self.home / "settings.yaml").read_text("utf-8")

    def end(self) -> None:
        """Everything has ended within the time that quitting has."""
        if self._ended:
            return
        self.send(Quit())
        assert self._core.join(3.0)
        self.instance.release()
        self.desktop._end()
        self.desktop.idle.timer.stop()
        self._ended = True


@pytest.fixture
def walks(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[Callable[[str], Walk]]:
    """Starts in one home, given the first settings."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    begun: list[Walk] = []

    def begin(settings: str) -> Walk:
        work = f"model: {{host: '{NOBODY}'}}\nagent: {{working_directory: {tmp_path / 'work'}}}\n"
        (home / "settings.yaml").write_text(settings + work, "utf-8")
        begun.append(Walk(home, qtbot))
        return begun[-1]

    yield begin
    for walk in begun:
        walk.end()
        for window in walk.desktop.windows:
            window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    qapp.processEvents()


def test_somebody_new_chooses_korean_in_the_window_and_everything_speaks_it(
    walks: Callable[[str], Walk],
) -> None:
    walk = walks("# mine\nvoice: {enabled: false}\n")
    (korean,) = [b for b in walk.window.findChildren(QRadioButton) if b.text() == "한국어"]
    korean.click()
    walk.until(lambda: walk.start.texts.language is Language.KOREAN)
    walk.until(lambda: walk.window.windowTitle() != "" and "설정" in walk.window.windowTitle())
    walk.until(lambda: any(one.facts.settings["ui.language"] == "ko" for one in walk.seen(SetupLooked)))
    assert walk.file.startswith("# mine\nvoice: {enabled: false}\n")
    assert walk.file.endswith("ui:\n  language: ko\n")
    assert "설정 창에서" in walk.start.texts(
        "Voice is switched off. Switch it on in the setup window to talk."
    )


def test_a_file_edited_by_hand_counts_at_the_next_tick(walks: Callable[[str], Walk]) -> None:
    walk = walks("voice: {enabled: false}\nui: {language: en}\n")
    walk.until(lambda: walk.seen(SetupLooked))
    (walk.home / "settings.yaml").write_text("voice: {enabled: false}\nui: {language: ko, theme: dark}\n")
    walk.desktop.idle.tick()
    walk.until(lambda: walk.seen(SettingsChanged))
    walk.until(lambda: walk.start.texts.language is Language.KOREAN)
    (walk.home / "settings.yaml").write_text("ui: {language: [\n")
    walk.desktop.idle.tick()
    walk.until(lambda: any(trouble.part is Part.SETTINGS for trouble in walk.seen(TroubleNoted)))
    assert walk.start.texts.language is Language.KOREAN


def test_a_finished_setup_is_not_shown_again_until_somebody_asks_for_it(
    walks: Callable[[str], Walk],
) -> None:
    first = walks("voice: {enabled: false}\n")
    first.window.hide()
    first.send(FinishSetup())
    first.until(lambda: first.seen(SetupLooked)[-1].facts.first_time is False)
    assert Instance(first.home).tell(Message.SETUP) is Reply.TAKEN
    assert first.window.isVisible()
    first.window.hide()
    first.end()
    again = walks("voice: {enabled: false}\n")
    again.until(lambda: again.seen(SetupLooked))
    assert not again.desktop.setup.shown


@pytest.mark.real_audio
@pytest.mark.real_speech
def test_microphone_wake_word_and_loudspeaker_are_tried_out_and_voice_is_switched(
    # The server first: it must outlive the streams that a walk has open.
    sound_server: SoundServer,
    walks: Callable[[str], Walk],
    speech_models: ModelFiles,
    tmp_path: Path,
) -> None:
    def recordings() -> int:
        listed = sound_server.control("list", "source-outputs").splitlines()
        return sum("alsa" in line.lower() and "application.name" in line for line in listed)

    (tmp_path / "home" / "models").symlink_to(CACHE)
    assert speech_models.names
    walk = walks("ui: {language: en}\n")
    walk.until(lambda: any(state.ready for state in walk.seen(VoiceStateChanged)))
    walk.until(recordings)
    walk.send(BeginTrial(Trial.MICROPHONE))
    walk.until(lambda: len(walk.seen(LevelHeard)) > 5)
    walk.send(BeginTrial(Trial.WAKE_WORD))
    walk.until(lambda: walk.trial(Trial.WAKE_WORD))
    assert walk.trial(Trial.MICROPHONE) == [
        TrialChanged(Trial.MICROPHONE, running=True),
        TrialChanged(Trial.MICROPHONE, running=False),
    ]
    count = len(walk.seen(LevelHeard))
    walk.until(lambda: len(walk.seen(LevelHeard)) > count + 25)  # its first scores do not count
    with sound_server.play(WAV / "wake" / "flite_rms.wav"):
        walk.until(lambda: walk.seen(WakeHeard))
    walk.send(EndTrial(Trial.WAKE_WORD))
    walk.send(BeginTrial(Trial.LOUDSPEAKER))
    walk.until(lambda: len(walk.trial(Trial.LOUDSPEAKER)) == 2)
    assert walk.trial(Trial.LOUDSPEAKER)[-1].trouble == ""
    walk.send(ChangeSetting("voice.enabled", False))
    walk.until(lambda: recordings() == 0)
    walk.send(ChangeSetting("voice.enabled", True))
    walk.until(lambda: recordings() == 1)
    assert walk.seen(TurnStarted) == []


@pytest.mark.real_speech
def test_a_wake_word_that_is_fetched_while_jarvis_runs_is_heard_without_a_new_start(
    walks: Callable[[str], Walk], speech_models: ModelFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    def troubled_parts() -> set[Part]:
        """Parts that are in trouble now."""
        troubled: set[Part] = set()
        for event in walk.events:
            if isinstance(event, TroubleNoted):
                troubled.add(event.part)
            elif isinstance(event, TroubleCleared):
                troubled.discard(event.part)
        return troubled & {Part.WAKE_WORD, Part.TRANSCRIBER}

    assert speech_models.names
    monkeypatch.setenv("JARVIS_MODELS_MIRROR", str(CACHE))
    monkeypatch.setenv("PULSE_SERVER", "unix:/nonexistent")
    walk = walks("ui: {language: en}\n")
    walk.until(lambda: troubled_parts() == {Part.WAKE_WORD, Part.TRANSCRIBER})
    walk.send(Fetch(FetchKind.FILES, "wake"))
    walk.until(lambda: troubled_parts() == {Part.TRANSCRIBER})
    done = [one.state for one in walk.seen(FetchChanged)][-1]
    assert (done.name, done.stage, done.done_bytes == done.total_bytes) == ("wake", FetchStage.DONE, True)
    walk.until(lambda: any(f.name == "wake" and f.present for f in walk.seen(SetupLooked)[-1].facts.files))
    walk.send(RemoveModel(FetchKind.FILES, "wake"))
    walk.until(lambda: walk.seen(FetchChanged)[-1].state.stage is FetchStage.GONE)
