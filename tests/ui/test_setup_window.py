"""The setup window, through events in and commands out."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QMessageBox,
    QScrollArea,
    QSlider,
    QSystemTrayIcon,
    QWidget,
)

from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.core.items.commands import AnswerQuestion, Command
from jarvis_desktop.core.items.events import (
    CoreStopped,
    LevelHeard,
    Part,
    QuestionAsked,
    TroubleCleared,
    TroubleNoted,
    WakeHeard,
)
from jarvis_desktop.core.items.fetching import FetchKind, FetchStage, FetchState
from jarvis_desktop.core.items.setup import (
    AllowRemoteModel,
    Backend,
    BeginTrial,
    ChangeSetting,
    DropFetch,
    EndTrial,
    Fetch,
    FetchChanged,
    FinishSetup,
    LookAround,
    MeasureModel,
    OllamaPresence,
    PauseFetch,
    RemoveModel,
    SetAutostart,
    SettingRefused,
    SetupFacts,
    SetupLooked,
    StartOllama,
    Trial,
    TrialChanged,
)
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.ui.qt.setup_chat_page import ChatPage
from jarvis_desktop.ui.qt.setup_done_page import DonePage
from jarvis_desktop.ui.qt.setup_ollama_box import COMMAND
from jarvis_desktop.ui.qt.setup_sound_page import SoundPage
from jarvis_desktop.ui.qt.setup_speech_page import SpeechPage
from jarvis_desktop.ui.qt.setup_start_page import StartPage
from jarvis_desktop.ui.qt.setup_wake_page import WakePage
from jarvis_desktop.ui.qt.setup_window import SetupWindow
from jarvis_desktop.ui.setup_steps import Step
from tests.ui.conftest import Stage
from tests.ui.samples import QUESTION
from tests.ui.setup_samples import BARE, FULL, GEMMA, INSIDE, LARGE, SETTINGS, Service, fetching

LEFT = Qt.MouseButton.LeftButton


class Setup:
    """The setup window on a stage, with a service that answers."""

    def __init__(self, stage: Stage, facts: SetupFacts) -> None:
        self.stage, self.service, self._answered = stage, Service(facts), 0
        stage.desktop._set_up()
        self.serve()

    def serve(self) -> None:
        """Answer what was sent since the last time."""
        while self._answered < len(self.stage.sent):
            command = self.stage.sent[self._answered]
            self._answered += 1
            self.stage.take(*self.service.answers(command))

    @property
    def window(self) -> SetupWindow:
        window = self.stage.desktop.setup.window
        assert window is not None
        return window

    def at(self, step: Step) -> QWidget:
        """Turn to ``step``; its page."""
        self.window.go(step)
        self.serve()
        QApplication.processEvents()
        return self.window.pages[step]

    def find(self, identifier: str) -> QWidget:
        """The control of the page that is shown."""
        page = self.window.pages[self.window.step]
        found = [w for w in page.findChildren(QWidget) if w.accessibleIdentifier() == f"setup.{identifier}"]
        assert len(found) == 1, identifier
        return found[0]

    def press(self, identifier: str) -> None:
        """Click it, and let the service answer."""
        QTest.mouseClick(self.find(identifier), LEFT)
        self.serve()

    def texts(self) -> list[str]:
        """What the page says, apart from its controls."""
        page = self.window.pages[self.window.step]
        return [label.text() for label in page.findChildren(QLabel) if label.isVisible() and label.text()]

    def sent(self, *kinds: type[Command]) -> list[Command]:
        return [command for command in self.stage.sent if isinstance(command, kinds)]


@pytest.fixture
def full(staged: Callable[..., Stage]) -> Setup:
    """The setup on a machine that has everything."""
    return Setup(staged(start_hidden=True), FULL)


@pytest.fixture
def bare(staged: Callable[..., Stage]) -> Setup:
    """The setup on a machine that has nothing."""
    return Setup(staged(start_hidden=True), BARE)


# --- opening and closing ----------------------------------------------------------------------


def test_the_window_opens_by_itself_the_first_time_and_only_once(stage: Stage) -> None:
    stage.take(SetupLooked(BARE))
    window = stage.desktop.setup.window
    assert window is not None
    assert window.isVisible()
    window.close()
    stage.take(SetupLooked(BARE))
    assert (window.isVisible(), stage.of(FinishSetup)) == (False, [FinishSetup()])


@pytest.mark.parametrize(("hidden", "first_time"), [(True, True), (False, False)])
def test_a_hidden_start_and_a_finished_setup_are_left_in_peace(
    staged: Callable[..., Stage], hidden: object, first_time: object
) -> None:
    stage = staged(start_hidden=bool(hidden))
    stage.take(SetupLooked(replace(BARE, first_time=bool(first_time))))
    assert stage.desktop.setup.window is None


def test_tray_header_and_keys_open_it_and_another_thread_may_ask(stage: Stage) -> None:
    desktop = stage.desktop
    for opens in (
        desktop.tray.setup.trigger,
        lambda: QTest.mouseClick(stage.window.header.setup, LEFT),
        lambda: desktop.show_setup(Step.CHAT),
    ):
        opens()
        QApplication.processEvents()
        window = desktop.setup.window
        assert window is not None
        assert window.isVisible()
        window.hide()
    assert desktop.setup.window is not None
    assert (desktop.setup.window.step, len(stage.of(LookAround))) == (Step.CHAT, 3)


@pytest.mark.parametrize(
    ("part", "step"),
    [(Part.OLLAMA, Step.CHAT), (Part.MICROPHONE, Step.SOUND), (Part.TRANSCRIBER, Step.SPEECH)],
)
def test_a_trouble_leads_to_the_page_that_mends_it(stage: Stage, part: Part, step: Step) -> None:
    stage.take(TroubleNoted(part, "It is missing."))
    (button,) = [
        b
        for b in stage.window.strips.findChildren(QAbstractButton)
        if b.accessibleIdentifier() == "strip.set_up"
    ]
    QTest.mouseClick(button, LEFT)
    window = stage.desktop.setup.window
    assert window is not None
    assert (window.isVisible(), window.step) == (True, step)


def test_closing_keeps_everything_and_lets_downloads_go_on(bare: Setup) -> None:
    bare.at(Step.SPEECH)
    bare.press("fetch.wake")
    QTest.keyClick(bare.window, Qt.Key.Key_Escape)
    assert not bare.window.isVisible()
    assert bare.sent(FinishSetup, PauseFetch, DropFetch) == [FinishSetup()]


def test_closing_it_over_a_question_is_no_answer_to_the_question(full: Setup) -> None:
    full.stage.take(QuestionAsked(QUESTION))
    (dialog,) = full.stage.desktop.desk.dialogs
    dialog.gate.activated()
    full.window.close()
    # What gets the keyboard now got it by the window manager's doing.
    assert not dialog.gate.enter_allows
    assert full.sent(AnswerQuestion) == []


def test_the_end_of_the_program_finishes_no_setup(full: Setup) -> None:
    full.stage.desktop.quit()
    assert (full.window.isVisible(), full.sent(FinishSetup)) == (False, [])


# --- turning pages ----------------------------------------------------------------------------


def test_every_page_can_be_skipped_to_the_end_with_nothing_there(bare: Setup) -> None:
    window = bare.window
    walked = [window.step]
    while window.step is not Step.DONE:
        QTest.mouseClick(window.skip if window.skip.isVisible() else window.next, LEFT)
        bare.serve()
        walked.append(window.step)
    assert walked == list(Step)
    QTest.mouseClick(window.next, LEFT)
    assert (window.isVisible(), bare.sent(FinishSetup, Fetch)) == (False, [FinishSetup()])


def test_what_was_skipped_is_marked_and_found_again(bare: Setup) -> None:
    window = bare.window
    bare.at(Step.SPEECH)
    QTest.mouseClick(window.skip, LEFT)
    item = window.steps.item(list(Step).index(Step.SPEECH))
    assert item.data(Qt.ItemDataRole.AccessibleTextRole) == "Speech models: later"
    bare.at(Step.DONE)
    bare.press("to_speech")
    assert window.step is Step.SPEECH


def test_the_list_at_the_side_turns_pages_and_says_how_far_they_are(full: Setup) -> None:
    window = full.window
    window.steps.setFocus()
    QTest.keyClick(window.steps, Qt.Key.Key_Down)
    assert window.step is Step.SPEECH
    states = [
        window.steps.item(row).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(window.steps.count())
    ]
    assert states == [
        "Welcome: ready",
        "Speech models: ready",
        "Sound: ready",
        "Wake word: not tried yet",
        "Chat model: ready",
        "Start and keys: ready",
        "Done",
    ]


def test_before_the_machine_was_looked_at_each_page_says_so(stage: Stage) -> None:
    stage.desktop._set_up()
    window = stage.desktop.setup.window
    assert window is not None
    for step in (Step.SPEECH, Step.SOUND, Step.CHAT):
        window.go(step)
        labels = [label.text() for label in window.pages[step].findChildren(QLabel) if label.isVisible()]
        assert "Looking at this computer…" in labels


def test_what_could_not_be_looked_at_is_told(full: Setup) -> None:
    full.stage.take(SetupLooked(replace(FULL, troubles=("Ollama could not be looked at.",))))
    assert full.window.notice.text() == "Ollama could not be looked at."
    full.stage.take(SetupLooked(FULL))
    assert not full.window.notice.isVisible()


def test_what_went_wrong_is_told_on_the_page_where_it_was_asked_for(full: Setup) -> None:
    full.at(Step.CHAT)
    full.stage.take(TroubleNoted(Part.MICROPHONE, "It is gone."))
    assert not full.window.notice.isVisible()
    full.stage.take(TroubleNoted(Part.OLLAMA, "Ollama could not be started."), SetupLooked(FULL))
    assert full.window.notice.text() == "Ollama could not be started."
    full.stage.take(CoreStopped("Jarvis has stopped working."))
    assert full.window.notice.text() == "Jarvis has stopped working."


# --- welcome ----------------------------------------------------------------------------------


def test_language_and_look_are_asked_for_and_one_spoken_language_stays(full: Setup) -> None:
    full.press("language.ko")
    full.press("spoken.en")
    full.press("spoken.ko")
    look = full.find("look")
    assert isinstance(look, QComboBox)
    look.setFocus()
    QTest.keyClick(look, Qt.Key.Key_Down)
    assert full.sent(ChangeSetting) == [
        ChangeSetting("ui.language", "ko"),
        ChangeSetting("voice.languages", ("ko",)),
        ChangeSetting("ui.theme", "dark"),
    ]
    korean = full.find("spoken.ko")
    assert isinstance(korean, QAbstractButton)
    assert korean.isChecked()


# --- speech models ----------------------------------------------------------------------------


def test_what_is_needed_is_fetched_with_one_button_after_its_size_was_told(bare: Setup) -> None:
    bare.at(Step.SPEECH)
    texts = bare.texts()
    for told in (
        "To fetch: 152 MB · 80 GB free on disk",
        "148 MB · Korean, English · Licence: CC BY-NC-SA 4.0",
        "From: a package index, else the official address",
        "Optional · not tried with this release yet",
    ):
        assert told in texts
    bare.press("fetch_all")
    assert bare.sent(Fetch) == [Fetch(FetchKind.FILES, "wake"), Fetch(FetchKind.FILES, "whisper-base")]
    assert not bare.find("fetch_all").isVisible()


def test_a_download_pauses_goes_on_fails_and_is_tried_again_with_one_button(bare: Setup) -> None:
    page = bare.at(Step.SPEECH)
    assert isinstance(page, SpeechPage)
    controls, words = page.cards["whisper-base"].controls, []
    for event in (
        None,
        fetching(),
        fetching(stage=FetchStage.PAUSED),
        fetching(stage=FetchStage.FAILED, trouble="The disk is full. Make room, then try again."),
    ):
        bare.stage.take(*([event] if event else []))
        words.append(controls.main.text())
        QTest.mouseClick(controls.main, LEFT)
    assert words == ["Fetch (148 MB)", "Pause", "Go on", "Try again"]
    kinds = [type(command) for command in bare.sent(Fetch, PauseFetch)]
    assert kinds == [Fetch, PauseFetch, Fetch, Fetch]
    assert controls.line.text() == "The disk is full. Make room, then try again."
    assert controls.bar.value() == 500
    bare.stage.take(fetching(stage=FetchStage.DONE))
    assert (controls.bar.isVisible(), controls.main.isVisible()) == (False, False)
    assert page.cards["whisper-base"].state.text() == "There"


def test_a_very_slow_source_can_be_asked_anew(bare: Setup) -> None:
    page = bare.at(Step.SPEECH)
    assert isinstance(page, SpeechPage)
    controls = page.cards["whisper-base"].controls
    bare.stage.take(fetching(trouble="This source is very slow."))
    assert controls.line.text().endswith("\nThis source is very slow.")
    QTest.mouseClick(controls.anew, LEFT)
    assert bare.sent(Fetch) == [Fetch(FetchKind.FILES, "whisper-base")]


@pytest.mark.parametrize(
    ("events", "command"),
    [
        ((fetching(),), DropFetch(FetchKind.FILES, "whisper-base")),
        ((fetching(stage=FetchStage.DONE),), RemoveModel(FetchKind.FILES, "whisper-base")),
    ],
)
def test_nothing_is_deleted_before_a_person_is_sure(
    bare: Setup, events: tuple[FetchChanged, ...], command: Command
) -> None:
    bare.at(Step.SPEECH)
    bare.stage.take(*events)
    for sure in (False, True):
        bare.press("drop.whisper-base")
        box = bare.window.findChildren(QMessageBox)[-1]
        (button,) = [b for b in box.buttons() if (b.text() == "Keep") is not sure]
        QTest.mouseClick(button, LEFT)
        assert bare.sent(DropFetch, RemoveModel) == ([command] if sure else [])


def test_the_keyboard_stays_on_the_button_while_bytes_come(bare: Setup) -> None:
    bare.at(Step.SPEECH)
    button = bare.find("fetch.whisper-base")
    button.setFocus()
    for done in range(0, 100, 10):
        bare.stage.take(fetching(done=done))
    assert bare.window.focusWidget() is button


# --- sound ------------------------------------------------------------------------------------


def test_the_microphone_is_heard_only_while_its_page_is_seen(full: Setup) -> None:
    full.at(Step.SOUND)
    full.window.hide()
    full.window.show()
    full.serve()
    full.at(Step.CHAT)
    microphone = Trial.MICROPHONE
    assert full.sent(BeginTrial, EndTrial) == [
        BeginTrial(microphone),
        EndTrial(microphone),
        BeginTrial(microphone),
        EndTrial(microphone),
    ]


def test_a_heard_voice_moves_the_bars_and_silence_gets_a_hint(full: Setup) -> None:
    page = full.at(Step.SOUND)
    assert isinstance(page, SoundPage)
    page._silence.stop()
    assert page.heard.text() == "Say something…"
    page._silence.timeout.emit()
    assert page.heard.text().startswith("Nothing is heard. Speak louder")
    full.stage.take(LevelHeard(0.5))
    assert (page.heard.text(), page.meter.levels[-1]) == ("Good: Jarvis hears this microphone.", 0.5)


def test_another_microphone_is_tried_as_soon_as_it_counts(full: Setup) -> None:
    page = full.at(Step.SOUND)
    assert isinstance(page, SoundPage)
    page.microphone.setFocus()
    QTest.keyClick(page.microphone, Qt.Key.Key_Down)
    full.serve()
    changed = ChangeSetting("voice.input_device", "USB PnP")
    assert full.sent(ChangeSetting, BeginTrial) == [
        BeginTrial(Trial.MICROPHONE),
        changed,
        BeginTrial(Trial.MICROPHONE),
    ]
    assert page.microphone.currentData() == "USB PnP"


def test_a_trial_that_cannot_be_says_why_and_can_be_tried_again(full: Setup) -> None:
    page = full.at(Step.SOUND)
    assert isinstance(page, SoundPage)
    full.stage.take(TrialChanged(Trial.MICROPHONE, running=False, trouble="The microphone is muted."))
    assert (page.heard.text(), page.meter.isVisible()) == ("The microphone is muted.", False)
    full.press("try_microphone")
    assert page.meter.isVisible()


def test_a_sound_is_played_and_the_microphone_goes_on_afterwards(full: Setup) -> None:
    page = full.at(Step.SOUND)
    assert isinstance(page, SoundPage)
    full.press("play")
    full.stage.take(TrialChanged(Trial.MICROPHONE, running=False))
    assert (page.played.text(), page.play.isEnabled()) == ("Playing…", False)
    full.stage.take(TrialChanged(Trial.LOUDSPEAKER, running=False))
    assert page.played.text().startswith("Did you hear it?")
    trials = [command.trial for command in full.sent(BeginTrial) if isinstance(command, BeginTrial)]
    assert trials == [Trial.MICROPHONE, Trial.LOUDSPEAKER, Trial.MICROPHONE]


def test_without_devices_the_page_says_what_to_do_and_one_that_is_plugged_in_is_tried(bare: Setup) -> None:
    page = bare.at(Step.SOUND)
    assert isinstance(page, SoundPage)
    assert page.heard.text().startswith("No microphone was found. Plug one in")
    assert page.played.text().startswith("No loudspeaker was found.")
    assert bare.sent(BeginTrial) == []
    bare.service.facts = FULL
    bare.press("look_again")
    assert bare.sent(BeginTrial) == [BeginTrial(Trial.MICROPHONE)]


def test_a_chosen_device_that_is_gone_stays_chosen(full: Setup) -> None:
    full.service.settings["voice.input_device"] = "Headset"
    page = full.at(Step.SOUND)
    assert isinstance(page, SoundPage)
    full.press("look_again")
    assert page.microphone.currentText() == "Headset (not connected)"


# --- wake word --------------------------------------------------------------------------------


def test_the_wake_word_is_counted_and_the_slider_moves_the_mark(full: Setup) -> None:
    page = full.at(Step.WAKE)
    assert isinstance(page, WakePage)
    full.stage.take(WakeHeard(0.62), WakeHeard(0.91))
    assert page.heard.text() == "Heard 2 times · the last time 91 % certain"
    page.slider.setFocus()
    QTest.keyClick(page.slider, Qt.Key.Key_PageUp)
    assert (page.threshold.text(), page.line.threshold) == ("Counts from 60 % certainty", 0.6)
    assert full.sent(ChangeSetting) == []  # not before the slider rests
    page._rest.timeout.emit()
    page._rest.stop()
    full.serve()
    assert full.sent(ChangeSetting) == [ChangeSetting("voice.wake_threshold", 0.6)]


def test_a_slider_that_has_not_rested_counts_when_the_page_is_left(full: Setup) -> None:
    page = full.at(Step.WAKE)
    assert isinstance(page, WakePage)
    page.slider.setValue(70)
    full.at(Step.CHAT)
    assert full.sent(ChangeSetting) == [ChangeSetting("voice.wake_threshold", 0.7)]


def test_without_models_the_page_leads_to_them_and_begins_when_they_are_there(bare: Setup) -> None:
    page = bare.at(Step.WAKE)
    assert isinstance(page, WakePage)
    assert "The wake word needs the speech models, and they are not there yet." in bare.texts()
    bare.press("to_speech")
    assert bare.window.step is Step.SPEECH
    bare.at(Step.WAKE)
    bare.stage.take(fetching("wake", FetchStage.DONE), fetching(stage=FetchStage.DONE))
    assert bare.sent(BeginTrial) == [BeginTrial(Trial.WAKE_WORD)]


# --- chat model -------------------------------------------------------------------------------


def visible_controls(setup: Setup) -> set[str]:
    page = setup.window.pages[Step.CHAT]
    assert isinstance(page, ChatPage)
    kinds = (QAbstractButton, QLineEdit)
    found = [w for w in page.ollama.findChildren(QWidget) if isinstance(w, kinds) and w.isVisible()]
    return {widget.accessibleIdentifier().removeprefix("setup.") for widget in found}


@pytest.mark.parametrize(
    ("presence", "controls"),
    [
        (OllamaPresence.RUNNING, set()),
        (OllamaPresence.STOPPED, {"start_ollama", "look_again"}),
        (
            OllamaPresence.ABSENT,
            {"page", "copy_page", "command", "copy_command", "visit", "look_again"},
        ),
        (OllamaPresence.REMOTE_UNASKED, {"allow_remote", "look_again"}),
        (OllamaPresence.REMOTE, {"look_again"}),
    ],
)
def test_ollama_gets_the_one_thing_that_can_be_done(
    full: Setup, presence: OllamaPresence, controls: set[str]
) -> None:
    full.at(Step.CHAT)
    full.stage.take(SetupLooked(replace(FULL, ollama=presence, consent="http://studio:11434")))
    assert visible_controls(full) == controls


def test_ollama_is_started_once_and_says_so_meanwhile(full: Setup) -> None:
    full.service.facts = replace(FULL, ollama=OllamaPresence.STOPPED)
    full.stage.take(SetupLooked(full.service.facts))
    full.at(Step.CHAT)
    start = full.find("start_ollama")
    assert isinstance(start, QAbstractButton)
    QTest.mouseClick(start, LEFT)
    assert (start.text(), start.isEnabled()) == ("Starting…", False)
    full.serve()
    assert (full.sent(StartOllama), start.isVisible()) == ([StartOllama()], False)


def test_another_machine_is_named_and_allowed_by_exactly_that_name(full: Setup) -> None:
    full.at(Step.CHAT)
    facts = replace(FULL, ollama=OllamaPresence.REMOTE_UNASKED, consent="http://studio:11434")
    full.stage.take(SetupLooked(facts))
    assert any("would be sent to http://studio:11434" in text for text in full.texts())
    full.press("allow_remote")
    assert full.sent(AllowRemoteModel) == [AllowRemoteModel("http://studio:11434")]


def test_the_command_that_installs_ollama_can_be_copied(bare: Setup) -> None:
    bare.at(Step.CHAT)
    bare.press("copy_command")
    assert QGuiApplication.clipboard().text() == COMMAND


def test_models_say_what_they_need_and_the_better_way_is_named(bare: Setup) -> None:
    bare.at(Step.CHAT)
    texts = bare.texts()
    for told in (
        "16 GB of memory · 8 cores · no graphics processor that models could use · 80 GB free on disk",
        "through Ollama · 7.2 GB · Licence: Gemma",
        "inside Jarvis · 253 MB · Licence: Gemma",
        "chosen · recommended for this computer",
        "Needs more memory than this computer has; it would be very slow.",
    ):
        assert told in texts
    assert any(text.startswith("The model inside Jarvis works") for text in texts)


def test_a_model_is_measured_and_its_speed_stays(full: Setup) -> None:
    page = full.at(Step.CHAT)
    assert isinstance(page, ChatPage)
    card = page.cards[Backend.OLLAMA, GEMMA.name]
    QTest.mouseClick(card.measure, LEFT)
    assert (card.measure.text(), card.measure.isEnabled()) == ("Measuring…", False)
    full.serve()
    assert full.sent(MeasureModel) == [MeasureModel(Backend.OLLAMA, GEMMA.name)]
    assert card.speed.text() == "Measured here: 11.6 tokens a second · first word after 0.8 s"


def test_choosing_a_model_writes_name_and_backend_and_the_core_has_the_last_word(full: Setup) -> None:
    there = replace(INSIDE, present=True)
    full.service.facts = replace(FULL, chat=(*FULL.chat[:2], there))
    full.stage.take(SetupLooked(full.service.facts))
    page = full.at(Step.CHAT)
    assert isinstance(page, ChatPage)
    QTest.mouseClick(page.cards[Backend.EMBEDDED, INSIDE.name].use, LEFT, pos=page.rect().topLeft())
    page.cards[Backend.EMBEDDED, INSIDE.name].use.click()
    full.serve()
    assert full.sent(ChangeSetting)[:2] == [
        ChangeSetting("model.name", INSIDE.name),
        ChangeSetting("model.backend", "embedded"),
    ]
    checked = [card.use.text() for card in page.cards.values() if card.use.isChecked()]
    assert checked == [INSIDE.name]


def test_a_model_fetched_in_place_of_a_missing_one_is_chosen_when_it_has_come(bare: Setup) -> None:
    bare.at(Step.CHAT)
    bare.press(f"fetch.{INSIDE.name}")
    failed = FetchState(FetchKind.FILES, INSIDE.name, FetchStage.FAILED, trouble="No network.")
    bare.stage.take(FetchChanged(failed))
    assert bare.sent(ChangeSetting) == []
    page = bare.window.pages[Step.CHAT]
    assert isinstance(page, ChatPage)
    controls = page.cards[Backend.EMBEDDED, INSIDE.name].controls
    assert (controls.line.text(), controls.bar.isVisible()) == ("No network.", False)
    bare.press(f"fetch.{INSIDE.name}")
    bare.window.go(Step.START)  # wherever one is by then
    bare.stage.take(FetchChanged(replace(failed, stage=FetchStage.DONE, trouble="")))
    assert bare.sent(ChangeSetting) == [
        ChangeSetting("model.name", INSIDE.name),
        ChangeSetting("model.backend", "embedded"),
    ]
    bare.stage.take(FetchChanged(replace(failed, stage=FetchStage.DONE, trouble="")))
    assert len(bare.sent(ChangeSetting)) == 2


def test_a_dropped_download_chooses_nothing(bare: Setup) -> None:
    bare.at(Step.CHAT)
    bare.press(f"fetch.{INSIDE.name}")
    bare.window._send(DropFetch(FetchKind.FILES, INSIDE.name))
    bare.stage.take(FetchChanged(FetchState(FetchKind.FILES, INSIDE.name, FetchStage.DONE)))
    assert bare.sent(ChangeSetting) == []


def test_what_nobody_could_fetch_is_not_offered_and_says_what_it_needs(bare: Setup) -> None:
    bare.at(Step.CHAT)
    assert (bare.find("fetch.gemma4:e2b").isEnabled(), bare.find(f"fetch.{INSIDE.name}").isEnabled()) == (
        False,
        True,
    )
    assert "Needs Ollama; see above." in bare.texts()
    bare.stage.take(SetupLooked(replace(BARE, ollama=OllamaPresence.RUNNING)))
    assert bare.find("fetch.gemma4:e2b").isEnabled()


def test_a_model_that_ollama_pulls_is_fetched_there_and_the_choice_stays(full: Setup) -> None:
    full.at(Step.CHAT)
    full.press("fetch.gemma4:e4b")
    assert full.sent(Fetch, ChangeSetting) == [Fetch(FetchKind.OLLAMA, "gemma4:e4b")]


def shown_models(page: QWidget) -> list[str]:
    """Names on the cards, from above."""
    assert isinstance(page, ChatPage)
    return [card.use.text() for card in sorted(page.cards.values(), key=QWidget.y)]


def test_models_that_can_be_used_stand_first_and_a_card_keeps_its_place_while_looked_at(full: Setup) -> None:
    """The one in use, those that are there, the recommended one, the others as the core lists them."""
    there = replace(INSIDE, present=True)
    page = full.at(Step.CHAT)
    full.stage.take(SetupLooked(replace(FULL, chat=(INSIDE,))))
    full.service.facts = replace(FULL, chat=(LARGE, GEMMA, there))
    full.stage.take(SetupLooked(full.service.facts))
    QApplication.processEvents()
    assert shown_models(page) == [INSIDE.name, GEMMA.name, LARGE.name]
    full.service.facts = replace(FULL, chat=(LARGE, replace(GEMMA, present=True), there))
    full.stage.take(SetupLooked(full.service.facts))
    QApplication.processEvents()
    assert shown_models(page) == [INSIDE.name, GEMMA.name, LARGE.name]
    full.at(Step.START)
    assert shown_models(full.at(Step.CHAT)) == [GEMMA.name, INSIDE.name, LARGE.name]


def test_no_model_at_all_is_no_dead_end(full: Setup) -> None:
    full.at(Step.CHAT)
    full.stage.take(SetupLooked(replace(FULL, chat=(), ollama=OllamaPresence.ABSENT)))
    assert any(text.startswith("There is no model to choose yet.") for text in full.texts())


# --- start and keys ---------------------------------------------------------------------------


def test_where_jarvis_is_found_again_is_true_for_this_installation(full: Setup) -> None:
    full.stage.take(SetupLooked(replace(FULL, command="./run")))
    full.service.facts = replace(FULL, command="./run")
    full.at(Step.START)
    assert "In a terminal: “./run” starts it, “./run setup” opens this window again." in full.texts()
    assert "Not in the list of programs yet." in full.texts()
    full.stage.take(SettingRefused("menu", "The folder cannot be written."))
    assert "The folder cannot be written." in full.texts()
    full.press("add_to_menu")
    assert "In the list of programs, under “Jarvis”." in full.texts()
    assert not full.find("add_to_menu").isVisible()


def test_autostart_is_off_until_a_person_turns_it_on(full: Setup) -> None:
    page = full.at(Step.START)
    assert isinstance(page, StartPage)
    assert not page.autostart.isChecked()
    page.autostart.click()
    full.serve()
    assert (full.sent(SetAutostart), page.autostart.isChecked()) == ([SetAutostart(on=True)], True)
    full.stage.take(SettingRefused("autostart", "The folder cannot be written."))
    assert page.autostart_trouble.text() == "The folder cannot be written."


@pytest.mark.parametrize(
    ("key", "held", "setting"),
    [
        (Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier, "Ctrl+Alt+J"),
        (Qt.Key.Key_Space, Qt.KeyboardModifier.MetaModifier, "Super+Space"),
        (Qt.Key.Key_PageUp, Qt.KeyboardModifier.ControlModifier, "Ctrl+PageUp"),
        (Qt.Key.Key_Comma, Qt.KeyboardModifier.AltModifier, "Alt+Comma"),
        (Qt.Key.Key_F9, Qt.KeyboardModifier.NoModifier, "F9"),
    ],
)
def test_a_hotkey_is_set_by_pressing_it(
    full: Setup, key: Qt.Key, held: Qt.KeyboardModifier, setting: str
) -> None:
    full.at(Step.START)
    QTest.keyClick(full.find("hotkey"), key, held)
    full.serve()
    field = full.find("hotkey")
    assert isinstance(field, QLineEdit)
    assert (full.sent(ChangeSetting), field.text()) == ([ChangeSetting("ui.hotkey", setting)], setting)
    QTest.keyClick(field, Qt.Key.Key_Backspace)
    full.serve()
    assert (field.text(), full.window.step) == ("", Step.START)


def test_plain_keys_in_the_hotkey_field_belong_to_the_window(full: Setup) -> None:
    full.at(Step.START)
    field = full.find("hotkey")
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_J)
    QTest.keyClick(field, Qt.Key.Key_J, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert (full.sent(ChangeSetting), full.window.step) == ([], Step.DONE)


def test_a_key_that_is_taken_is_said_and_leaves_the_old_one(full: Setup) -> None:
    full.at(Step.START)
    full.stage.take(SetupLooked(replace(FULL, hotkey_trouble="Another program uses Ctrl+Alt+J.")))
    assert "Another program uses Ctrl+Alt+J." in full.texts()
    full.stage.take(SettingRefused("ui.hotkey", "“Foo” is no key."))
    assert ("“Foo” is no key." in full.texts(), full.window.notice.text()) == (True, "“Foo” is no key.")


# --- everywhere -------------------------------------------------------------------------------

CONTROLS = (QAbstractButton, QComboBox, QLineEdit, QListWidget, QSlider, QScrollArea)


def shown_controls(window: SetupWindow) -> Iterator[QWidget]:
    for widget in window.findChildren(QWidget):
        if isinstance(widget, CONTROLS) and widget.isVisible() and not widget.objectName().startswith("qt_"):
            yield widget


@pytest.mark.parametrize("step", list(Step))
@pytest.mark.parametrize("facts", [BARE, FULL], ids=["bare", "full"])
def test_every_control_has_a_name_and_the_keyboard_reaches_it_on_each_page(
    staged: Callable[..., Stage], step: Step, facts: SetupFacts
) -> None:
    setup = Setup(staged(start_hidden=True), facts)
    setup.stage.take(fetching())
    setup.at(step)
    controls = list(shown_controls(setup.window))
    nameless = [w for w in controls if not (w.accessibleName() or (hasattr(w, "text") and w.text()))]
    unreachable = [w for w in controls if not w.focusPolicy() & Qt.FocusPolicy.TabFocus and w.isEnabled()]
    assert (nameless, unreachable) == ([], [])
    named = [w.accessibleIdentifier() for w in controls if w.accessibleIdentifier()]
    assert len(named) == len(set(named))


@pytest.mark.parametrize("facts", [BARE, FULL], ids=["bare", "full"])
@pytest.mark.parametrize("language", list(Language))
def test_no_page_needs_more_width_than_the_smallest_window(
    staged: Callable[..., Stage], facts: SetupFacts, language: Language
) -> None:
    setup = Setup(staged(start_hidden=True, texts=Catalog(language)), facts)
    setup.stage.take(fetching())
    setup.window.resize(setup.window.minimumSize())
    for step in Step:
        page = setup.at(step)
        area = setup.window._areas[step]
        assert page.minimumSizeHint().width() <= area.viewport().width(), step


def test_changing_the_look_redraws_the_pages_in_place(full: Setup) -> None:
    full.at(Step.CHAT)
    before = full.texts()
    full.stage.desktop.theme.choose("dark")
    assert (full.texts(), full.window.step) == (before, Step.CHAT)


# --- downloads outside of it ------------------------------------------------------------------


def test_a_download_shows_in_main_window_and_tray_and_its_end_is_told(
    staged: Callable[..., Stage], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: True)
    stage = staged()
    strip = stage.window.downloads
    stage.take(fetching())
    line = "Fetching Speech recognition (Whisper base) · 50 MB of 100 MB · 2.5 MB a second · about 20 s left"
    assert (strip.isVisible(), strip.text.whole, strip.bar.value()) == (True, line, 500)
    assert (stage.desktop.tray.downloads.text(), stage.desktop.tray.downloads.isVisible()) == (line, True)
    QTest.mouseClick(strip.button, LEFT)
    assert stage.desktop.setup.shown
    stage.take(fetching(stage=FetchStage.FAILED, trouble="The disk is full."))
    assert strip.trouble.text() == "Speech recognition (Whisper base): The disk is full."
    stage.take(fetching(stage=FetchStage.GONE))
    assert (strip.isVisible(), stage.desktop.tray.downloads.isVisible()) == (False, False)
    said: list[tuple[str, str]] = []
    monkeypatch.setattr(
        stage.desktop.tray, "bubble", lambda title, text, _pressed: said.append((title, text))
    )
    stage.desktop.setup.close()
    stage.window.hide()
    stage.take(FetchChanged(FetchState(FetchKind.OLLAMA, "gemma4:e2b", FetchStage.DONE)))
    assert said == [("gemma4:e2b", "There, and checked")]


def test_settings_that_the_service_names_are_those_that_the_pages_read() -> None:
    assert set(SETTINGS) >= {"ui.language", "voice.wake_threshold", "model.backend"}


def test_a_failed_download_is_told_whole_leads_to_its_page_and_can_be_put_away(stage: Stage) -> None:
    stage.take(SetupLooked(replace(FULL, first_time=False)))
    strip, why = stage.window.downloads, "Ollama does not get through to its library: no address. " * 4
    failed = FetchState(FetchKind.OLLAMA, "qwen3:4b", FetchStage.FAILED, trouble=why)
    stage.take(FetchChanged(failed))
    assert (strip.trouble.text(), strip.close_button.isVisible()) == (f"qwen3:4b: {why}", True)
    QTest.mouseClick(strip.button, LEFT)
    window = stage.desktop.setup.window
    assert window is not None
    assert window.step is Step.CHAT
    assert stage.window.focusWidget() is not strip.button  # closed, the input line has the keyboard again
    QTest.mouseClick(strip.close_button, LEFT)
    stage.take(FetchChanged(failed))
    assert not strip.isVisible()
    stage.take(FetchChanged(replace(failed, trouble="The disk is full.")))
    assert strip.isVisible()


def test_the_page_of_a_missing_model_does_not_send_people_to_itself(bare: Setup) -> None:
    bare.at(Step.CHAT)
    bare.stage.take(TroubleNoted(Part.MODEL, "There is no model. Fetch it in the setup window."))
    assert bare.window.notice.text() == ""


def test_a_silent_microphone_shows_on_its_page_in_the_list_and_at_the_end(full: Setup) -> None:
    silent = "The microphone delivers nothing but silence."
    page = full.at(Step.SOUND)
    assert isinstance(page, SoundPage)
    full.stage.take(LevelHeard(0.4), TroubleNoted(Part.MICROPHONE, silent))
    assert (page.heard.text().split(".")[0], full.window.notice.text()) == ("Nothing is heard", silent)
    full.at(Step.DONE)
    page_done = full.window.pages[Step.DONE]
    assert isinstance(page_done, DonePage)
    told = [
        full.window.steps.item(row).data(Qt.ItemDataRole.AccessibleTextRole)
        for row in range(full.window.steps.count())
    ]
    assert (page_done.states[Step.SOUND].text(), "Sound: still to do" in told) == ("still to do", True)
    full.at(Step.SOUND)
    assert full.window.notice.text() == silent
    full.stage.take(TroubleCleared(Part.MICROPHONE), LevelHeard(0.4))
    assert (page.heard.text(), full.window.notice.text()) == ("Good: Jarvis hears this microphone.", "")
    full.at(Step.DONE)
    assert page_done.states[Step.SOUND].text() == "ready"
