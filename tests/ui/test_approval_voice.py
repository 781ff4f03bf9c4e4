"""Voice in the dialogs: each state can be read, and the rule of a spoken ALWAYS can be decided by click."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from jarvis_desktop.core.items.commands import DecideSaving
from jarvis_desktop.core.items.decisions import Answer, AnsweredBy, QuestionEnd, Settled
from jarvis_desktop.core.items.events import (
    AnswerUnclear,
    QuestionAsked,
    QuestionSettled,
    SavingEnded,
    SavingOffered,
    Transcribed,
    VoiceState,
    VoiceStateChanged,
)
from jarvis_desktop.core.items.rules import RuleLine
from jarvis_desktop.core.items.speech import Language, ListenFor
from jarvis_desktop.core.items.spoken import AnswerStage
from jarvis_desktop.ui.qt.approval_gated import GatedDialog
from jarvis_desktop.ui.qt.approval_saving import SavingDialog
from tests.ui.conftest import Stage
from tests.ui.samples import OFFER, OFFERED, QUESTION

SPOKEN = replace(OFFERED, spoken=True)


def listening(nth: int) -> VoiceStateChanged:
    return VoiceStateChanged(
        VoiceState.ASKING,
        muted=False,
        listen_for=ListenFor.ANSWER,
        listening=nth,
        answer=AnswerStage.LISTENING,
    )


def texts_of(dialog: GatedDialog) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel))


def arm(stage: Stage, dialog: GatedDialog) -> None:
    """A person clicks on the dialog's ground and rests."""
    QTest.mouseClick(dialog, Qt.MouseButton.LeftButton, pos=dialog.rect().topLeft())
    QApplication.sendEvent(dialog, QEvent(QEvent.Type.WindowActivate))
    dialog.gate._quiet_since = dialog.gate._monotonic_s() - 1


def offered(stage: Stage) -> SavingDialog:
    stage.take(SavingOffered(SPOKEN))
    (dialog,) = stage.desktop.desk.savings
    return dialog


@pytest.mark.promise("T-073")
def test_the_dialog_counts_the_listenings_and_shows_what_was_heard(stage: Stage) -> None:
    stage.take(QuestionAsked(SPOKEN), listening(3))
    (dialog,) = stage.desktop.desk.dialogs
    assert "Listening 3 of 20: say yes or no." in texts_of(dialog)
    stage.take(
        Transcribed("maybe", Language.ENGLISH, ListenFor.ANSWER),
        AnswerUnclear(SPOKEN.question_id),
        listening(4),
    )
    assert "Listening 4 of 20" in texts_of(dialog)
    assert "Heard: “maybe”. That was neither yes nor no" in texts_of(dialog)


def test_a_dialog_that_opens_late_says_at_once_what_voice_does(stage: Stage) -> None:
    stage.take(QuestionAsked(SPOKEN), listening(5))
    stage.desktop.open_window()
    assert ["Listening 5 of 20" in texts_of(one) for one in stage.desktop.desk.dialogs] == [True, True]


def test_nothing_moves_under_the_pointer_when_voice_says_something_else(stage: Stage) -> None:
    stage.take(QuestionAsked(SPOKEN))
    (dialog,) = stage.desktop.desk.dialogs
    before = (dialog.size(), dialog.allow.pos())
    stage.take(
        listening(20),
        Transcribed("well " * 60, Language.ENGLISH, ListenFor.ANSWER),
        AnswerUnclear(SPOKEN.question_id),
    )
    QApplication.processEvents()
    assert (dialog.size(), dialog.allow.pos()) == before


def test_screen_readers_are_told_what_changes(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(GatedDialog, "announce", lambda _dialog, text: said.append(text))
    stage.take(QuestionAsked(SPOKEN), listening(1))
    stage.take(AnswerUnclear(SPOKEN.question_id))
    (dialog,) = stage.desktop.desk.dialogs
    arm(stage, dialog)
    dialog.refresh()
    stage.time.passed_s += 61
    dialog.refresh()
    hints = {"One moment, so that nothing is pressed by accident…", "Esc denies."}
    assert [text for text in said if text not in hints] == [
        "Jarvis wants to run a command. No saved permission covers this, so Jarvis asks.",
        "Listening 1 of 20: say yes or no.",
        "That was neither yes nor no, so it is asked once more: say “allow it” or “no”, or use the buttons. "
        "If it stays unclear: denied.",
        "Enter allows, Esc denies.",
        "59 s left",
    ]


def test_time_hint_and_voice_can_be_read_by_screen_readers(stage: Stage) -> None:
    stage.take(QuestionAsked(SPOKEN), listening(2))
    (dialog,) = stage.desktop.desk.dialogs
    QApplication.sendEvent(dialog, QEvent(QEvent.Type.WindowDeactivate))
    sheet = dialog.sheet
    assert sheet.voice is not None
    names = []
    for part in (sheet.seconds, sheet.hint, sheet.voice.line, dialog.allow):
        interface = QAccessible.queryAccessibleInterface(part)
        assert interface is not None
        names.append(interface.text(QAccessible.Text.Name))
    assert names == [
        "Time to answer: 120 s left",
        "Click here first. This window does not take your keyboard by itself.",
        "Listening 2 of 20: say yes or no.",
        "Allow",
    ]
    button = QAccessible.queryAccessibleInterface(dialog.allow)
    assert button is not None
    assert "Click here first" in button.text(QAccessible.Text.Description)


@pytest.mark.promise("T-062")
def test_the_rule_of_a_spoken_always_is_shown_and_saved_by_a_click_that_counts(stage: Stage) -> None:
    dialog = offered(stage)
    assert "You said always. “git status” was allowed this once" in texts_of(dialog)
    assert dialog.save is not None
    dialog.save.click()  # what an accessibility press calls: too early
    assert stage.of(DecideSaving) == []
    arm(stage, dialog)
    dialog.save.click()
    dialog.save.click()
    assert stage.of(DecideSaving) == [
        DecideSaving(SPOKEN.question_id, SPOKEN.digest, save=True, by=AnsweredBy.WINDOW)
    ]
    stage.take(SavingEnded(SPOKEN.question_id, saved=True))
    assert (stage.desktop.desk.savings, stage.window.strips.notice_text) == ((), "The rule is saved.")


def test_esc_and_enter_never_save_a_rule(stage: Stage) -> None:
    dialog = offered(stage)
    arm(stage, dialog)
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert stage.of(DecideSaving) == []
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert stage.of(DecideSaving) == [
        DecideSaving(SPOKEN.question_id, SPOKEN.digest, save=False, by=AnsweredBy.WINDOW)
    ]


def test_a_rule_that_cannot_be_shown_whole_is_not_saved_by_click(stage: Stage) -> None:
    long = replace(OFFER, lines=(RuleLine("bash", "git " + "x" * 4000),))
    stage.take(SavingOffered(replace(SPOKEN, offer=long)))
    (dialog,) = stage.desktop.desk.savings
    assert dialog.save is None
    assert dialog.keep_out.isVisible()


def test_a_rule_that_waits_is_asked_about_in_every_window_and_closes_everywhere(stage: Stage) -> None:
    offered(stage)
    stage.desktop.open_window()
    assert [one.isVisible() for one in stage.desktop.desk.savings] == [True, True]
    stage.take(SavingEnded(SPOKEN.question_id, saved=False, problem="the disk is full"))
    assert not stage.desktop.desk.savings
    assert stage.window.strips.notice_text == "The rule could not be saved: the disk is full"


@pytest.mark.promise("T-066")
@pytest.mark.parametrize(
    ("by", "said"),
    [
        (AnsweredBy.VOICE, "Answered by voice: Denied."),
        (AnsweredBy.NOTIFICATION, "Answered in the notification: Denied."),
        (AnsweredBy.CONSOLE, "Answered in a terminal: Denied."),
        (AnsweredBy.RULE, "A rule that was saved meanwhile covers this."),
    ],
)
def test_windows_say_who_answered_elsewhere(stage: Stage, by: AnsweredBy, said: str) -> None:
    answer = Answer.ALLOW if by is AnsweredBy.RULE else Answer.DENY
    end = Settled(QUESTION.question_id, QuestionEnd.ANSWERED, answer, by)
    stage.take(QuestionAsked(QUESTION), QuestionSettled(QUESTION, end))
    assert stage.window.strips.notice_text == said


def test_only_the_other_windows_say_that_one_of_them_answered(stage: Stage) -> None:
    other = stage.desktop.open_window()
    end = Settled(
        QUESTION.question_id, QuestionEnd.ANSWERED, Answer.ALLOW, AnsweredBy.WINDOW, other.window_id
    )
    stage.take(QuestionAsked(QUESTION), QuestionSettled(QUESTION, end))
    assert (stage.window.strips.notice_text, other.strips.notice_text) == (
        "Answered in another window: Allowed.",
        "",
    )
