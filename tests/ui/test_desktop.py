"""The desktop as a whole: windows, tray, dialogs and the border to other threads."""

import threading
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton, QSystemTrayIcon
from pytestqt.qtbot import QtBot

from jarvis_desktop.core.items.commands import AnswerQuestion, Attach, Detach, Quit, SetMuted, TalkNow
from jarvis_desktop.core.items.decisions import Answer, AnsweredBy, AnswerFate
from jarvis_desktop.core.items.events import (
    AnswerRefused,
    LevelHeard,
    Part,
    QuestionAsked,
    ReplyDelta,
    TroubleNoted,
    VoiceState,
    VoiceStateChanged,
)
from jarvis_desktop.core.items.ids import QuestionId
from jarvis_desktop.core.items.speech import ListenFor
from jarvis_desktop.core.items.spoken import AnswerStage
from jarvis_desktop.ui.picture import Face
from jarvis_desktop.ui.qt.approval_dialog import ApprovalDialog
from jarvis_desktop.ui.qt.icons import ICONS_DIR, face_icon
from tests.ui.conftest import Stage
from tests.ui.samples import QUESTION, TURN, settled, started

ASKED = QuestionAsked(QUESTION)


def arm(dialog: ApprovalDialog) -> None:
    """As if a person had brought it forward and let it rest."""
    dialog.gate._arm_s = 0.0
    dialog.gate.shown(by_person=True)
    QApplication.sendEvent(dialog, QEvent(QEvent.Type.WindowActivate))


# --- questions --------------------------------------------------------------------------------


@pytest.mark.promise("T-064", "T-065", "T-066")
def test_a_question_opens_in_every_window_and_closes_everywhere(stage: Stage) -> None:
    second = stage.desktop.open_window()
    stage.take(ASKED)
    dialogs = stage.desktop.desk.dialogs
    assert [dialog.isVisible() for dialog in dialogs] == [True, True]
    arm(dialogs[1])
    dialogs[1].allow.click()
    assert stage.of(AnswerQuestion) == [
        AnswerQuestion(
            QUESTION.question_id, QUESTION.digest, Answer.ALLOW, AnsweredBy.WINDOW, second.window_id
        )
    ]
    stage.take(settled())
    assert (stage.desktop.desk.dialogs, [d.isVisible() for d in dialogs]) == ((), [False, False])


@pytest.mark.promise("T-067")
def test_a_window_that_opens_late_shows_the_open_question_at_once(stage: Stage) -> None:
    stage.take(ASKED)
    late = stage.desktop.open_window()
    stage.take(QuestionAsked(QUESTION, late.window_id))
    assert len(stage.desktop.desk.dialogs) == 2


def test_a_dialog_that_was_put_away_is_found_again_in_window_and_tray(
    trays: dict[str, bool], staged: Callable[..., Stage]
) -> None:
    del trays
    stage = staged()
    stage.take(ASKED)
    dialog = stage.desktop.desk.dialogs[0]
    dialog.close()
    assert stage.of(AnswerQuestion) == []
    (button,) = [one for one in stage.window.strips.findChildren(QPushButton) if one.isVisible()]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert dialog.isVisible()
    dialog.close()
    assert stage.desktop.tray.question.isVisible()
    stage.desktop.tray.question.trigger()
    assert dialog.isVisible()


def test_closing_the_window_hands_its_dialog_to_the_tray(
    trays: dict[str, bool], staged: Callable[..., Stage]
) -> None:
    del trays
    stage = staged()
    stage.take(ASKED)
    dialog = stage.desktop.desk.dialogs[0]
    stage.window.close()
    assert (stage.window.isVisible(), dialog.isVisible()) == (False, True)
    arm(dialog)
    dialog.deny.click()
    (answer,) = stage.of(AnswerQuestion)
    tray_id = next(command for command in stage.sent if isinstance(command, Attach)).window_id
    assert isinstance(answer, AnswerQuestion)
    assert (answer.answer, answer.window_id) == (Answer.DENY, tray_id)


def test_hidden_in_the_tray_a_question_still_appears_and_a_bubble_says_so(
    trays: dict[str, bool], staged: Callable[..., Stage], monkeypatch: pytest.MonkeyPatch
) -> None:
    del trays
    said: list[tuple[str, str]] = []
    stage = staged(start_hidden=True)
    monkeypatch.setattr(
        stage.desktop.tray, "bubble", lambda title, text, _pressed: said.append((title, text))
    )
    stage.take(ASKED, AnswerRefused(QUESTION.question_id, AnswerFate.EXPIRED, None))
    assert [dialog.isVisible() for dialog in stage.desktop.desk.dialogs] == [True]
    assert said == [
        ("Jarvis wants to run a command", "Answer in the dialog that has opened."),
        ("Jarvis", "The time to answer had run out, so nothing was run."),
    ]


def test_a_refused_answer_can_be_given_again_while_the_question_is_open(stage: Stage) -> None:
    stage.take(ASKED)
    dialog = stage.desktop.desk.dialogs[0]
    arm(dialog)
    dialog.allow.click()
    stage.take(AnswerRefused(QUESTION.question_id, AnswerFate.MISMATCH, stage.window.window_id))
    dialog.deny.click()
    answers = [c.answer for c in stage.of(AnswerQuestion) if isinstance(c, AnswerQuestion)]
    assert answers == [Answer.ALLOW, Answer.DENY]


def test_a_spoken_question_listens_in_its_dialog_and_a_typed_one_does_not(stage: Stage) -> None:
    spoken = replace(QUESTION, question_id=QuestionId("spoken"), spoken=True)
    stage.take(ASKED, QuestionAsked(spoken))
    stage.take(
        VoiceStateChanged(
            VoiceState.ASKING,
            muted=False,
            listen_for=ListenFor.ANSWER,
            listening=1,
            answer=AnswerStage.LISTENING,
        ),
        LevelHeard(0.4),
    )
    boxes = {d.question.spoken: d.sheet.voice for d in stage.desktop.desk.dialogs}
    voice = boxes[True]
    assert voice is not None
    assert boxes[False] is None
    assert (voice.meter.isVisible(), voice.meter.levels[-1]) == (True, 0.4)


@pytest.mark.voice_bug("ui", "Crash from deleteLater race on worker objects")
def test_two_hundred_questions_come_and_go_while_an_answer_streams(stage: Stage) -> None:
    stage.take(started())
    for number in range(200):
        asked = replace(QUESTION, question_id=QuestionId(str(number)))
        stage.take(QuestionAsked(asked), ReplyDelta(TURN, "x "), settled(asked))
    assert (stage.desktop.desk.dialogs, stage.window.transcript.answers[0].text) == ((), "x " * 200)


# --- tray -------------------------------------------------------------------------------------


def test_the_tray_says_the_state_in_words_and_picture(
    trays: dict[str, bool], staged: Callable[..., Stage]
) -> None:
    del trays
    stage = staged()
    tray = stage.desktop.tray
    assert tray.tool_tip == "Jarvis · Getting ready…"
    stage.take(VoiceStateChanged(VoiceState.IDLE, muted=False, listen_for=ListenFor.WAKE_WORD))
    assert tray.tool_tip == "Jarvis · Waiting for “Hey Jarvis”"
    stage.take(TroubleNoted(Part.OLLAMA, "No <b>server</b>."))
    assert tray.tool_tip == "Jarvis · Something needs attention\nNo ‹b›server‹/b›."
    stage.take(VoiceStateChanged(VoiceState.LISTENING, muted=False, listen_for=ListenFor.REQUEST))
    assert (tray.state.text(), tray._face) == ("Listening", Face.LISTENING)
    stage.take(VoiceStateChanged(VoiceState.IDLE, muted=True, listen_for=ListenFor.NOTHING))
    assert (tray.mute.isChecked(), tray.talk.isEnabled()) == (True, False)


def test_no_two_faces_look_alike_even_without_colour() -> None:
    grey = {}
    for face in Face:
        image = face_icon(face).pixmap(22, 22).toImage()
        grey[face] = [image.pixelColor(x, y).alpha() > 100 for x in range(22) for y in range(22)]
        assert (ICONS_DIR / f"{face.value}.svg").is_file()
    outlines = {tuple(pixels) for face, pixels in grey.items() if face not in (Face.THINKING, Face.SPEAKING)}
    # Listening, thinking and speaking share the disc and differ in what is drawn on it.
    assert len(outlines) == len(Face) - 2
    drawn = set()
    for face in (Face.LISTENING, Face.THINKING, Face.SPEAKING):
        image = face_icon(face).pixmap(22, 22).toImage()
        drawn.add(tuple(image.pixelColor(x, y).lightness() > 200 for x in range(22) for y in range(22)))
    assert len(drawn) == 3


def test_the_menu_sends_its_orders(trays: dict[str, bool], staged: Callable[..., Stage]) -> None:
    del trays
    stage = staged()
    tray = stage.desktop.tray
    tray.talk.trigger()
    tray.mute.trigger()
    stage.window.hide()
    tray.open.trigger()
    assert [c for c in stage.sent if isinstance(c, TalkNow | SetMuted)] == [TalkNow(), SetMuted(muted=True)]
    assert stage.window.isVisible()


def test_a_left_click_on_the_icon_opens_the_window(
    trays: dict[str, bool], staged: Callable[..., Stage]
) -> None:
    del trays
    stage = staged(start_hidden=True)
    assert not stage.window.isVisible()
    stage.desktop.tray._activated(QSystemTrayIcon.ActivationReason.Trigger)
    assert stage.window.isVisible()


def test_the_tray_is_a_place_to_answer_as_long_as_it_is_there(
    trays: dict[str, bool], staged: Callable[..., Stage]
) -> None:
    stage = staged(start_hidden=True)
    assert [type(c) for c in stage.sent] == [Attach]
    trays["there"] = False
    stage.desktop.tray._look()
    # The window first, so that open questions are never without a place.
    assert [type(c) for c in stage.sent] == [Attach, Attach, Detach]
    assert stage.window.isVisible()
    trays["there"] = True
    stage.desktop.tray._look()
    assert [type(c) for c in stage.sent] == [Attach, Attach, Detach, Attach]


def test_a_panel_that_registers_late_gets_a_fresh_icon(
    trays: dict[str, bool], staged: Callable[..., Stage]
) -> None:
    del trays
    stage = staged()
    tray = stage.desktop.tray
    first = tray._icon
    sent = len(stage.sent)
    tray._renew()
    assert tray._icon is not first
    assert len(stage.sent) == sent


# --- windows without a tray -------------------------------------------------------------------


@pytest.mark.voice_bug("ui", "No tray available -> app runs with no way to reach it")
def test_without_a_tray_the_window_opens_and_closing_it_asks(
    trays: dict[str, bool], staged: Callable[..., Stage], qtbot: QtBot
) -> None:
    trays["there"] = False
    stage = staged(start_hidden=True)
    stage.desktop._show_if_unreachable()
    assert stage.window.isVisible()
    stage.window.close()
    assert stage.window.isVisible()
    box = stage.window.findChildren(QMessageBox)[0]
    minimise = next(b for b in box.buttons() if b.text() == "Minimise")
    QTest.mouseClick(minimise, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(stage.window.isMinimized)
    stage.desktop._open()
    assert (stage.window.isMinimized(), stage.window.isVisible()) == (False, True)


def test_one_of_two_windows_closes_without_a_question(stage: Stage) -> None:
    second = stage.desktop.open_window()
    second.close()
    assert (stage.desktop.windows, stage.window.findChildren(QMessageBox)) == ([stage.window], [])
    assert stage.of(Detach) == [Detach(second.window_id)]


# --- the border -------------------------------------------------------------------------------


def test_events_from_another_thread_arrive_in_order_in_the_windows_thread(stage: Stage, qtbot: QtBot) -> None:
    stage.take(started())

    def speak() -> None:
        for number in range(300):
            stage.desktop.deliver(ReplyDelta(TURN, f"{number},"))

    thread = threading.Thread(target=speak)
    thread.start()
    thread.join()
    answer = stage.window.transcript.answers[0]
    qtbot.waitUntil(lambda: answer.text == "".join(f"{n}," for n in range(300)))


def test_a_second_start_brings_the_window_forward(stage: Stage, qtbot: QtBot) -> None:
    stage.window.hide()
    thread = threading.Thread(target=stage.desktop.show_window)
    thread.start()
    thread.join()
    qtbot.waitUntil(stage.window.isVisible)


def test_stopping_before_the_loop_runs_ends_it_at_once(staged: Callable[..., Stage]) -> None:
    stage = staged()
    stage.desktop.stop()
    assert stage.desktop.main() == 0
    assert (stage.window.isVisible(), stage.of(Quit)) == (False, [])


def test_quitting_says_so_once_and_nothing_is_shown_afterwards(stage: Stage) -> None:
    stage.desktop.quit()
    stage.desktop.quit()
    stage.take(ASKED)
    assert (stage.of(Quit), stage.desktop.desk.dialogs) == ([Quit()], ())


@pytest.mark.voice_bug("ui", "Closing last dialog quits the tray app")
def test_closing_the_last_window_or_dialog_does_not_end_the_program(qapp: QApplication, stage: Stage) -> None:
    del stage
    assert qapp.quitOnLastWindowClosed() is False


def test_a_flood_of_words_leaves_the_loop_responsive(stage: Stage, qtbot: QtBot) -> None:
    stage.take(started())
    gaps: list[float] = []
    last = perf_counter()
    for number in range(400):
        stage.desktop.deliver(ReplyDelta(TURN, f"word **{number}** and more text\n\n"))
        if number % 10 == 0:
            QApplication.processEvents()
            now = perf_counter()
            gaps.append(now - last)
            last = now
    qtbot.waitUntil(lambda: "399" in stage.window.transcript.answers[0].text)
    assert max(gaps) < 1.0
