"""Settings that count at once: everything on screen in another language or look, and nothing lost by it."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QWidget

from jarvis_desktop.core.items.commands import AnswerQuestion, Attach, Detach, SubmitTurn
from jarvis_desktop.core.items.events import (
    ActivityKind,
    ActivityNoted,
    ConversationOpened,
    Part,
    QuestionAsked,
    ReplyDelta,
    StoredLine,
    TroubleNoted,
    TurnQueued,
    VoiceState,
    VoiceStateChanged,
)
from jarvis_desktop.core.items.ids import MAIN_AGENT, QuestionId
from jarvis_desktop.core.items.setup import (
    BeginTrial,
    ChangeSetting,
    EndTrial,
    LookAround,
    SettingsChanged,
    SetupLooked,
    Trial,
)
from jarvis_desktop.core.items.speech import Language, ListenFor
from jarvis_desktop.core.items.turn import Origin, Role
from jarvis_desktop.ui.setup_steps import Step
from tests.ui.conftest import Stage
from tests.ui.samples import NOW, QUESTION, SESSION, TURN, started
from tests.ui.setup_samples import FULL, TwoTongues, fetching

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def tongues() -> TwoTongues:
    return TwoTongues()


@pytest.fixture
def speaking(staged: Callable[..., Stage], tongues: TwoTongues) -> Stage:
    """A desktop whose language can change."""
    return staged(texts=tongues)


def speak_korean(stage: Stage, tongues: TwoTongues) -> None:
    """As the core does: the texts change first, then it is told."""
    tongues.language = Language.KOREAN
    stage.take(SettingsChanged({"ui.language": "ko"}))


def test_windows_tray_and_shortcuts_speak_the_new_language(speaking: Stage, tongues: TwoTongues) -> None:
    window, tray = speaking.window, speaking.desktop.tray
    speaking.take(
        VoiceStateChanged(VoiceState.IDLE, muted=False, listen_for=ListenFor.WAKE_WORD),
        TroubleNoted(Part.OLLAMA, "No server."),
        ActivityNoted(ActivityKind.TOOL, "read_file", NOW),
        ActivityNoted(ActivityKind.TURN, "Request", NOW),
        QuestionAsked(QUESTION),
        fetching(),
    )
    window.activity.filter.setCurrentIndex(window.activity.filter.findData(ActivityKind.TOOL))
    speak_korean(speaking, tongues)
    assert [tray.open.text(), tray.setup.text(), tray.quit.text()] == [
        "ko Open Jarvis",
        "ko Set up…",
        "ko Quit",
    ]
    assert window.header.state.whole == "ko Waiting for your answer"
    assert window.composer.field.placeholderText() == "ko Ask Jarvis anything"
    assert window.downloads.text.whole.startswith("ko Fetching")
    assert (window.strips.trouble_texts, list(window.activity.shown)) == (
        ("No server.",),
        ["09:00  read_file"],
    )
    named = [w.accessibleName() or w.text() for w in window.findChildren(QAbstractButton) if w.isVisible()]
    assert [name for name in named if not name.startswith("ko ")] == []
    assert all(action.text().startswith("ko ") for action in window.actions())
    assert window.dock.windowTitle() == "ko Activity"


def test_what_is_typed_and_walked_through_stays(speaking: Stage, tongues: TwoTongues) -> None:
    composer = speaking.window.composer
    composer.field.setPlainText("sent before")
    QTest.keyClick(composer.field, Qt.Key.Key_Return)
    composer.field.setPlainText("half a tho")
    speak_korean(speaking, tongues)
    assert (composer.text, speaking.of(SubmitTurn)) == (
        "half a tho",
        [SubmitTurn("sent before", Origin.TYPED)],
    )
    QTest.keyClick(composer.field, Qt.Key.Key_Up)
    assert composer.text == "sent before"


def test_the_conversation_comes_again_without_the_window_ever_leaving(
    speaking: Stage, tongues: TwoTongues
) -> None:
    window = speaking.window
    speaking.take(started("first"), ReplyDelta(TURN, "an ans"), TurnQueued("second", Origin.TYPED, 1))
    before = window.transcript
    speak_korean(speaking, tongues)
    attached = [c for c in speaking.sent if isinstance(c, Attach | Detach)]
    assert attached == [Attach(window.window_id), Attach(window.window_id)]
    assert window.transcript is before  # until the core has answered, the old one is better than nothing
    lines = (StoredLine(Role.USER, "first", NOW, TURN, complete=True),)
    speaking.take(ConversationOpened(SESSION, MAIN_AGENT, lines, window.window_id, ("second",)))
    speaking.take(ReplyDelta(TURN, "wer"))
    assert window.transcript is not before
    assert [answer.text for answer in window.transcript.answers] == ["an answer"]
    assert (window.transcript.queued, window.transcript.accessibleName()) == (("second",), "ko Conversation")


def test_open_questions_stay_open_and_nobody_answers_them(speaking: Stage, tongues: TwoTongues) -> None:
    other = replace(QUESTION, question_id=QuestionId("other"))
    speaking.take(QuestionAsked(QUESTION), QuestionAsked(other))
    before = speaking.desktop.desk.dialogs
    speak_korean(speaking, tongues)
    after = speaking.desktop.desk.dialogs
    assert [d.question.question_id for d in after] == [d.question.question_id for d in before]
    assert [d.isVisible() for d in (*before, *after)] == [False, False, True, True]
    assert {d.allow.text() for d in after} == {"ko Allow"}
    assert speaking.of(AnswerQuestion) == []
    assert not any(dialog.gate.armed for dialog in after)


def test_the_setup_window_stays_on_its_page_with_its_focus(speaking: Stage, tongues: TwoTongues) -> None:
    speaking.take(SetupLooked(replace(FULL, first_time=True)))
    window = speaking.desktop.setup.window
    assert window is not None
    window.go(Step.SOUND)
    window.pages[Step.SOUND].setFocus()
    (box,) = [w for w in window.findChildren(QWidget) if w.accessibleIdentifier() == "setup.microphone"]
    box.setFocus()
    speak_korean(speaking, tongues)
    focused = window.focusWidget()
    assert focused is not None
    assert (focused.accessibleIdentifier(), focused is box) == ("setup.microphone", False)
    assert (window.isVisible(), window.step, window.windowTitle()) == (True, Step.SOUND, "ko Set up Jarvis")
    assert window.pages[Step.SOUND].title.text() == "ko Microphone and loudspeaker"
    # The trial follows the page, and the facts are asked for in the new language.
    microphone = Trial.MICROPHONE
    assert [c for c in speaking.sent if isinstance(c, BeginTrial | EndTrial | LookAround)] == [
        LookAround(),
        BeginTrial(microphone),
        EndTrial(microphone),
        BeginTrial(microphone),
        LookAround(),
    ]


def test_a_language_that_is_spoken_already_rebuilds_nothing(speaking: Stage) -> None:
    before = speaking.window.activity
    speaking.take(SettingsChanged({"ui.language": "system"}))
    assert speaking.window.activity is before


def test_the_look_changes_as_soon_as_it_counts(stage: Stage) -> None:
    stage.take(SettingsChanged({"ui.theme": "dark"}))
    assert stage.desktop.theme.dark
    stage.take(SettingsChanged({"ui.theme": "light"}))
    assert not stage.desktop.theme.dark


def test_choosing_a_language_in_the_setup_asks_the_core_and_changes_nothing_yet(speaking: Stage) -> None:
    speaking.take(SetupLooked(replace(FULL, first_time=True)))
    window = speaking.desktop.setup.window
    assert window is not None
    (korean,) = [w for w in window.findChildren(QWidget) if w.accessibleIdentifier() == "setup.language.ko"]
    QTest.mouseClick(korean, LEFT)
    assert speaking.of(ChangeSetting) == [ChangeSetting("ui.language", "ko")]
    assert window.windowTitle() == "Set up Jarvis"
