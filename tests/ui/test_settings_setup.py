"""Pages of the setup in the settings window: the same widgets, and trials only while they are seen."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.items.events import LevelHeard, Part, TroubleCleared, TroubleNoted, WakeHeard
from jarvis_desktop.core.items.fetching import FetchKind, FetchStage, FetchState
from jarvis_desktop.core.items.setup import (
    Backend,
    BeginTrial,
    ChangeSetting,
    EndTrial,
    FetchChanged,
    LookAround,
    MeasureModel,
    SetupLooked,
    Trial,
)
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.ui.qt.settings_page import Place
from jarvis_desktop.ui.qt.settings_setup_pages import PLACE_OF, SetPage
from jarvis_desktop.ui.qt.settings_window import SettingsWindow
from jarvis_desktop.ui.qt.setup_chat_page import ChatPage
from jarvis_desktop.ui.qt.setup_look_page import LookPage
from jarvis_desktop.ui.qt.setup_sound_page import SoundPage
from jarvis_desktop.ui.qt.setup_wake_page import WakePage
from tests.ui.conftest import Stage
from tests.ui.setup_samples import FULL, Service, TwoTongues


class Devices:
    """The settings window on a stage, and the scripted service of the setup behind it."""

    def __init__(self, stage: Stage, place: Place) -> None:
        self.stage, self.service, self._answered = stage, Service(), 0
        stage.take(SetupLooked(FULL))
        stage.desktop.settings.open(place)
        self.serve()

    @property
    def window(self) -> SettingsWindow:
        window = self.stage.desktop.settings.window
        assert window is not None
        return window

    @property
    def shown(self) -> SetPage:
        page = self.window.pages[self.window.place]
        assert isinstance(page, SetPage)
        return page

    def serve(self) -> None:
        """Answer what was asked for, until nothing more is."""
        while self._answered < len(self.stage.sent):
            command = self.stage.sent[self._answered]
            self._answered += 1
            self.stage.take(*self.service.answers(command))

    def asked(self, *kinds: type[Command]) -> list[Command]:
        return [one for one in self.stage.sent if isinstance(one, kinds)]


@pytest.fixture
def at(staged: Callable[..., Stage]) -> Callable[[Place], Devices]:
    return lambda place: Devices(staged(start_hidden=True), place)


def test_the_level_moves_only_while_the_page_of_sound_is_seen(at: Callable[[Place], Devices]) -> None:
    devices = at(Place.SOUND)
    page = devices.shown.page
    assert isinstance(page, SoundPage)
    assert devices.asked(BeginTrial, EndTrial) == [BeginTrial(Trial.MICROPHONE)]
    devices.stage.take(LevelHeard(0.8))
    assert page.heard.text() == "Good: Jarvis hears this microphone."
    devices.window.go(Place.RULES)
    assert devices.asked(EndTrial) == [EndTrial(Trial.MICROPHONE)]
    devices.window.go(Place.SOUND)
    devices.serve()
    devices.window.hide()
    assert devices.asked(EndTrial) == [EndTrial(Trial.MICROPHONE)] * 2


def test_another_microphone_counts_at_once_and_is_tried(at: Callable[[Place], Devices]) -> None:
    devices = at(Place.SOUND)
    page = devices.shown.page
    assert isinstance(page, SoundPage)
    page.microphone.setCurrentIndex(page.microphone.findData("Built-in"))
    page.microphone.activated.emit(page.microphone.currentIndex())
    assert devices.asked(ChangeSetting) == [ChangeSetting("voice.input_device", "Built-in")]
    devices.serve()
    assert devices.asked(BeginTrial)[-1] == BeginTrial(Trial.MICROPHONE)


def test_the_wake_word_shows_each_score_against_the_mark(at: Callable[[Place], Devices]) -> None:
    devices = at(Place.WAKE)
    page = devices.shown.page
    assert isinstance(page, WakePage)
    devices.stage.take(WakeHeard(0.71))
    assert page.line.scores == (0.71,)
    assert "71 %" in page.heard.text()
    page.slider.setValue(80)
    page._rest.timeout.emit()
    assert devices.asked(ChangeSetting) == [ChangeSetting("voice.wake_threshold", 0.8)]
    assert page.line.threshold == 0.8


def test_a_model_is_chosen_and_its_speed_measured_here(at: Callable[[Place], Devices]) -> None:
    devices = at(Place.CHAT)
    page = devices.shown.page
    assert isinstance(page, ChatPage)
    card = page.cards[Backend.OLLAMA, "gemma4:e2b"]
    QTest.mouseClick(card.measure, Qt.MouseButton.LeftButton)
    assert card.measure.text() == "Measuring…"
    assert devices.asked(MeasureModel) == [MeasureModel(Backend.OLLAMA, "gemma4:e2b")]
    devices.serve()
    assert "11.6" in card.speed.text()


def test_languages_and_look_are_chosen_here(at: Callable[[Place], Devices]) -> None:
    devices = at(Place.LOOK)
    page = devices.shown.page
    assert isinstance(page, LookPage)
    QTest.mouseClick(page.spoken["ko"], Qt.MouseButton.LeftButton)
    assert devices.asked(ChangeSetting) == [ChangeSetting("voice.languages", ("en",))]


def test_missing_models_lead_to_their_page_in_the_same_window(at: Callable[[Place], Devices]) -> None:
    devices = at(Place.WAKE)
    page = devices.shown.page
    assert isinstance(page, WakePage)
    page.fetch.click()
    assert devices.window.place is Place.SPEECH
    assert devices.stage.desktop.setup.window is None


def test_trouble_with_a_part_is_said_above_its_page(at: Callable[[Place], Devices]) -> None:
    devices = at(Place.SOUND)
    devices.stage.take(TroubleNoted(Part.LOUDSPEAKER, "It went away."))
    assert devices.shown.notice.text() == "It went away."
    devices.stage.take(TroubleCleared(Part.LOUDSPEAKER))
    assert not devices.shown.notice.isVisible()
    gone = FetchState(FetchKind.FILES, "wake", FetchStage.GONE, 0, 0, trouble="The disk is full.")
    devices.stage.take(FetchChanged(gone))
    assert devices.shown.notice.text() == "The disk is full."


@pytest.mark.parametrize("place", list(PLACE_OF.values()))
def test_each_page_looks_at_the_machine_by_itself_which_is_no_sign_of_a_person(
    at: Callable[[Place], Devices], place: Place
) -> None:
    devices = at(place)
    assert devices.asked(LookAround)
    assert not devices.shown.page.title.isVisible()
    assert devices.shown.title.isVisible()


def test_another_language_ends_the_trial_of_the_old_page_and_begins_it_on_the_new_one(
    staged: Callable[..., Stage],
) -> None:
    tongues = TwoTongues()
    devices = Devices(staged(start_hidden=True, texts=tongues), Place.SOUND)
    tongues.language = Language.KOREAN
    devices.stage.desktop.retranslate()
    devices.serve()
    QApplication.processEvents()
    assert devices.asked(BeginTrial, EndTrial) == [
        BeginTrial(Trial.MICROPHONE),
        EndTrial(Trial.MICROPHONE),
        BeginTrial(Trial.MICROPHONE),
    ]
    assert devices.shown.title.text() == "ko Microphone and loudspeaker"
