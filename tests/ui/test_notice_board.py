"""Whom what happens is told while nobody looks at a window of ours, and how idleness is counted."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from jarvis_desktop.core.items.commands import AnswerQuestion, Command, Tick
from jarvis_desktop.core.items.decisions import Answer, AnsweredBy, AnswerFate
from jarvis_desktop.core.items.events import AnswerRefused, QuestionAsked
from jarvis_desktop.core.items.notice import OPEN, Notice, NoticePress
from jarvis_desktop.core.items.schedule import Typing
from jarvis_desktop.ui.qt.idle_timer import LONGEST_STEP_S, IdleTimer
from jarvis_desktop.ui.question_notice import SHOW
from tests.ui.conftest import Stage
from tests.ui.samples import NOW, QUESTION, settled

ASKED = QuestionAsked(QUESTION)


@dataclass
class Shown:
    """Fills ``Notices``."""

    notices: list[Notice] = field(default_factory=list)
    withdrawn: list[str] = field(default_factory=list)

    def show(self, notice: Notice) -> None:
        self.notices.append(notice)

    def withdraw(self, notice_id: str) -> None:
        self.withdrawn.append(notice_id)


@pytest.fixture
def trayless(staged: Callable[..., Stage], monkeypatch: pytest.MonkeyPatch) -> tuple[Stage, Shown]:
    """A desktop without any tray."""
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: False)
    stage, shown = staged(), Shown()
    stage.desktop.board.notices = shown
    return stage, shown


@pytest.mark.voice_bug("ui", "Tray icon missing on GNOME")
def test_without_a_tray_a_minimised_window_tells_through_the_desktop(trayless: tuple[Stage, Shown]) -> None:
    stage, shown = trayless
    stage.window.showMinimized()
    stage.take(ASKED)
    (notice,) = shown.notices
    assert (notice.notice_id, notice.title) == (QUESTION.question_id, "Jarvis wants to run a command")
    assert all(str(value) not in notice.instead for value in QUESTION.call.arguments.values())
    stage.take(settled(QUESTION))
    assert shown.withdrawn == [QUESTION.question_id]


def test_a_window_that_is_looked_at_needs_no_notice_until_it_goes_away(
    trays: dict[str, bool], staged: Callable[..., Stage]
) -> None:
    del trays
    stage, shown = staged(), Shown()
    stage.desktop.board.notices = shown
    stage.take(ASKED)
    assert shown.notices == []
    stage.window.close()
    assert [notice.notice_id for notice in shown.notices] == [QUESTION.question_id]
    stage.desktop.show_window()
    stage.window.close()
    stage.take(QuestionAsked(QUESTION, stage.window.window_id))
    assert len(shown.notices) == 1


def test_without_any_way_to_tell_nothing_breaks(trayless: tuple[Stage, Shown]) -> None:
    stage, _ = trayless
    stage.desktop.board.notices = None
    stage.window.showMinimized()
    stage.take(ASKED, settled(QUESTION))
    assert stage.desktop.desk.dialogs == ()


@pytest.fixture
def hidden(trays: dict[str, bool], staged: Callable[..., Stage]) -> tuple[Stage, Shown]:
    """A desktop that is closed to the tray, with a question open."""
    del trays
    stage, shown = staged(start_hidden=True), Shown()
    stage.desktop.board.notices = shown
    stage.take(ASKED)
    return stage, shown


def press(stage: Stage, shown: Shown, key: str, *, seen: bool = True) -> None:
    """A button of the last notice is pressed."""
    stage.desktop.board.pressed(NoticePress(shown.notices[-1], key, seen))
    QApplication.processEvents()


def recalled(stage: Stage) -> bool:
    """The dialog was put away and came back."""
    return stage.desktop.desk.dialogs[0].isVisible()


@pytest.mark.promise("T-057", "T-060", "T-068")
def test_closed_to_the_tray_a_question_becomes_a_notice_whose_buttons_answer_it(
    hidden: tuple[Stage, Shown],
) -> None:
    stage, shown = hidden
    (notice,) = shown.notices
    assert notice.actions == (("allow", "Allow"), ("deny", "Deny"), (OPEN, "Open"))
    press(stage, shown, "allow")
    press(stage, shown, "deny", seen=False)
    assert stage.of(AnswerQuestion) == [
        AnswerQuestion(QUESTION.question_id, QUESTION.digest, answer, AnsweredBy.NOTIFICATION)
        for answer in (Answer.ALLOW, Answer.DENY)
    ]


@pytest.mark.parametrize(("key", "seen"), [("allow", False), (OPEN, True), (SHOW, True)])
def test_an_allow_that_comes_too_early_decides_nothing_and_brings_the_dialog_like_open(
    hidden: tuple[Stage, Shown], key: str, *, seen: bool
) -> None:
    stage, shown = hidden
    stage.desktop.desk.dialogs[0].close()
    assert not recalled(stage)
    press(stage, shown, key, seen=seen)
    assert recalled(stage)
    assert stage.of(AnswerQuestion) == []


@pytest.mark.promise("T-065")
def test_a_press_on_a_question_that_is_settled_is_told(hidden: tuple[Stage, Shown]) -> None:
    stage, shown = hidden
    stage.take(settled(QUESTION))
    press(stage, shown, "allow")  # the broker says what became of it
    assert len(stage.of(AnswerQuestion)) == 1
    stage.take(AnswerRefused(QUESTION.question_id, AnswerFate.ALREADY_ANSWERED, None))
    stage.desktop.board.pressed(NoticePress(shown.notices[0], OPEN, seen=True))
    QApplication.processEvents()
    assert [(notice.title, notice.text) for notice in shown.notices[1:]] == [
        ("Jarvis", "This was already answered somewhere else."),
        ("Jarvis", "This question is not open any more."),
    ]
    assert stage.desktop.desk.dialogs == ()


def test_what_no_service_shows_becomes_a_bubble_without_the_command(
    hidden: tuple[Stage, Shown], monkeypatch: pytest.MonkeyPatch
) -> None:
    stage, shown = hidden
    said: list[tuple[str, str]] = []
    monkeypatch.setattr(stage.desktop.tray, "bubble", lambda title, text, _: said.append((title, text)))
    stage.desktop.board.lost(shown.notices[0])
    QApplication.processEvents()
    stage.take(settled(QUESTION))
    stage.desktop.board.lost(shown.notices[0])
    QApplication.processEvents()
    assert said == [("Jarvis wants to run a command", "Answer in the dialog that has opened.")]


def test_another_language_shows_the_open_question_once_more(hidden: tuple[Stage, Shown]) -> None:
    stage, shown = hidden
    stage.desktop.retranslate()
    first, second = shown.notices
    assert first.notice_id == second.notice_id


@pytest.mark.parametrize("fate", [fate for fate in AnswerFate if fate is not AnswerFate.TAKEN])
def test_a_question_that_a_locked_screen_kept_open_is_there_to_be_answered_again(
    hidden: tuple[Stage, Shown], fate: AnswerFate
) -> None:
    stage, shown = hidden
    stage.take(AnswerRefused(QUESTION.question_id, fate, None))
    names = [notice.notice_id for notice in shown.notices[1:]]
    assert names == ["answer", QUESTION.question_id][: 2 if fate is AnswerFate.SCREEN_LOCKED else 1]
    stage.take(settled(QUESTION), AnswerRefused(QUESTION.question_id, fate, None))
    assert shown.notices[-1].notice_id == "answer"


def test_a_press_on_a_notice_that_asks_nothing_opens_the_window(hidden: tuple[Stage, Shown]) -> None:
    stage, shown = hidden
    stage.take(settled(QUESTION), AnswerRefused(QUESTION.question_id, AnswerFate.EXPIRED, None))
    press(stage, shown, OPEN)
    assert stage.window.isVisible()


def test_a_sleep_is_no_idleness(qapp: QApplication) -> None:
    del qapp
    at_s, sent = [0.0], list[Command]()
    timer = IdleTimer(sent.append, lambda: NOW, lambda: at_s[0])
    timer.timer.stop()
    for passed_s in (30.0, 8 * 3600.0, 30.0):
        at_s[0] += passed_s
        timer.tick()
    timer.touched()
    timer.tick()
    ticks = [replace(tick, now=NOW) for tick in sent if isinstance(tick, Tick)]
    assert [tick.idle_s for tick in ticks] == [30.0, 30 + LONGEST_STEP_S, 60 + LONGEST_STEP_S, 0.0]


def test_typing_is_said_at_once_and_then_every_few_seconds(qapp: QApplication) -> None:
    del qapp
    at_s, sent = [0.0], list[Command]()
    timer = IdleTimer(sent.append, lambda: NOW, lambda: at_s[0])
    timer.timer.stop()
    said = []
    for passed_s in (0.0, 1.0, 1.0, 1.0, 60.0):
        at_s[0] += passed_s
        timer.typed()
        said.append(len(sent))
    assert said == [1, 1, 1, 2, 3]
    assert set(sent) == {Typing()}
