"""The approval dialog on the offscreen platform: what it shows, and what counts."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import cast

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel

from jarvis_desktop.core.items.decisions import Answer, Question, Shown
from jarvis_desktop.core.items.ids import AgentId
from jarvis_desktop.ui.qt.approval_body import Looks
from jarvis_desktop.ui.qt.approval_dialog import ApprovalDialog
from jarvis_desktop.ui.qt.approval_gate import ApprovalGate, Stage
from jarvis_desktop.ui.qt.theme import Theme
from tests.fakes.texts import PlainTexts
from tests.ui.conftest import Time
from tests.ui.samples import QUESTION, asks


@dataclass
class Case:
    """A dialog on screen, the hands of its clock, and its answers."""

    dialog: ApprovalDialog
    time: Time
    answers: list[Answer] = field(default_factory=list)

    def come_forward(self) -> None:
        """A person clicks on the dialog's ground, long after it appeared."""
        self.time.passed_s += 5
        QTest.mouseClick(self.dialog.sheet.hint, Qt.MouseButton.LeftButton)
        QApplication.sendEvent(self.dialog, QEvent(QEvent.Type.WindowActivate))

    def wait(self, seconds: float) -> None:
        self.time.passed_s += seconds

    def arm(self) -> None:
        self.come_forward()
        self.wait(1)

    def labels(self) -> str:
        return "\n".join(label.text() for label in self.dialog.findChildren(QLabel))


@pytest.fixture
def case(qapp: QApplication) -> Iterator[Callable[..., Case]]:
    """Makes shown dialogs."""
    made: list[ApprovalDialog] = []
    theme = Theme(qapp, "light")

    def make(question: Question = QUESTION) -> Case:
        time = Time()
        answers: list[Answer] = []
        dialog = ApprovalDialog(
            question,
            Looks(theme, PlainTexts()),
            gate=ApprovalGate(time.monotonic_s),
            now=time.now,
            answered=lambda _question, answer: answers.append(answer),
        )
        dialog.show()
        made.append(dialog)
        # The offscreen platform activates whatever is shown; a dialog of ours asks not to be.
        QApplication.sendEvent(dialog, QEvent(QEvent.Type.WindowDeactivate))
        return Case(dialog, time, answers)

    yield make
    for dialog in made:
        dialog.hide()
        dialog.deleteLater()
    theme.deleteLater()


def key(case: Case, code: Qt.Key) -> None:
    QTest.keyClick(case.dialog, code)


@pytest.mark.promise("T-058", "T-060")
def test_only_a_calm_armed_dialog_takes_buttons_and_keys(case: Callable[..., Case]) -> None:
    decisions: list[tuple[Callable[[Case], None], Answer]] = [
        (lambda c: QTest.mouseClick(c.dialog.allow, Qt.MouseButton.LeftButton), Answer.ALLOW),
        (lambda c: QTest.mouseClick(c.dialog.deny, Qt.MouseButton.LeftButton), Answer.DENY),
        (lambda c: key(c, Qt.Key.Key_Return), Answer.ALLOW),
        (lambda c: key(c, Qt.Key.Key_Escape), Answer.DENY),
        (lambda c: c.dialog.allow.click(), Answer.ALLOW),  # what an accessibility press calls
    ]
    for decide, answer in decisions:
        asked = case()
        decide(asked)
        asked.wait(30)
        decide(asked)
        asked.come_forward()
        decide(asked)
        asked.wait(0.9)
        decide(asked)
        assert asked.answers == []
        asked.wait(1)
        decide(asked)
        decide(asked)
        assert asked.answers == [answer]


def test_enter_presses_the_button_that_has_the_focus(case: Callable[..., Case]) -> None:
    asked = case()
    asked.arm()
    asked.dialog.deny.setFocus()
    QTest.keyClick(asked.dialog.deny, Qt.Key.Key_Return)
    assert asked.answers == [Answer.DENY]


def test_no_button_has_the_focus_by_itself(case: Callable[..., Case]) -> None:
    asked = case()
    asked.arm()
    assert asked.dialog.focusWidget() is asked.dialog
    assert (asked.dialog.allow.isDefault(), asked.dialog.allow.autoDefault()) == (False, False)


def test_enter_never_allows_where_the_window_manager_gave_the_focus(case: Callable[..., Case]) -> None:
    asked = case()
    QApplication.sendEvent(asked.dialog, QEvent(QEvent.Type.WindowActivate))
    asked.wait(20)
    key(asked, Qt.Key.Key_Return)
    assert (asked.answers, asked.dialog.gate.enter_allows) == ([], False)


def test_a_held_key_counts_as_no_key(case: Callable[..., Case]) -> None:
    asked = case()
    asked.arm()
    for _ in range(3):
        held = QKeyEvent(
            QEvent.Type.KeyPress,
            Qt.Key.Key_Return.value,
            Qt.KeyboardModifier.NoModifier,
            autorep=True,
        )
        QApplication.sendEvent(asked.dialog, held)
    assert (asked.answers, asked.dialog.gate.stage) == ([], Stage.ARMING)


def test_moving_the_dialog_starts_the_second_again(case: Callable[..., Case]) -> None:
    asked = case()
    asked.arm()
    asked.dialog.move(asked.dialog.x() + 50, asked.dialog.y())
    asked.dialog.allow.click()
    assert asked.answers == []


def test_the_x_decides_nothing_and_the_dialog_can_be_called_back(case: Callable[..., Case]) -> None:
    asked = case()
    asked.arm()
    asked.dialog.close()
    assert (asked.dialog.isVisible(), asked.answers) == (False, [])
    asked.dialog.allow.click()
    asked.dialog.recall()
    QApplication.sendEvent(asked.dialog, QEvent(QEvent.Type.WindowActivate))
    asked.dialog.allow.click()
    assert (asked.dialog.isVisible(), asked.answers) == (True, [])
    asked.wait(1)
    key(asked, Qt.Key.Key_Return)
    assert asked.answers == [Answer.ALLOW]


def test_accepting_or_rejecting_the_dialog_from_outside_jumps_no_gate(case: Callable[..., Case]) -> None:
    asked = case()
    dialog = cast("QDialog", asked.dialog)
    dialog.accept()
    dialog.reject()
    assert (asked.answers, asked.dialog.isVisible()) == ([], True)


def test_a_second_answer_needs_the_first_to_be_refused(case: Callable[..., Case]) -> None:
    asked = case()
    asked.arm()
    asked.dialog.allow.click()
    assert (asked.dialog.sent, asked.dialog.sheet.hint.text()) == (True, "Your answer is on its way…")
    asked.dialog.deny.click()
    asked.dialog.reopen()
    asked.wait(1)
    asked.dialog.deny.click()
    assert asked.answers == [Answer.ALLOW, Answer.DENY]


def test_at_the_deadline_it_is_too_late(case: Callable[..., Case]) -> None:
    asked = case()
    asked.arm()
    asked.wait(114)  # 120 in all
    asked.dialog.refresh()
    asked.dialog.allow.click()
    assert (asked.answers, asked.dialog.sheet.seconds.text()) == ([], "Time is up")


def test_it_says_how_many_seconds_are_left(case: Callable[..., Case]) -> None:
    asked = case()
    asked.wait(107.5)
    asked.dialog.refresh()
    assert asked.dialog.sheet.seconds.text() == "13 s left"
    assert asked.dialog.sheet.seconds.property("soon")


def test_a_wall_clock_that_was_set_back_promises_no_more_time(case: Callable[..., Case]) -> None:
    asked = case()
    asked.time.passed_s = -3 * 3600
    asked.dialog.refresh()
    assert asked.dialog.sheet.seconds.text() == "120 s left"


def test_it_says_who_asks_for_what_where_why_and_how_long_it_is(case: Callable[..., Case]) -> None:
    shown = case(replace(QUESTION, agent_id=AgentId("kar\u200ben"))).labels()
    for text in (
        "kar⟨U+200B⟩en wants to run a command",
        "No saved permission covers this, so Jarvis asks.",
        "bash",
        "/srv/project",
        "10 characters",
    ):
        assert text in shown


@pytest.mark.parametrize(
    ("detail", "shown"),
    [
        ("<b>ls</b> <img src=x>", "<b>ls</b> <img src=x>"),
        ("cat \u202eevil", "cat ⟨U+202E⟩evil"),
        ("\u0441url x | sh", "⟨U+0441⟩url x | sh"),
    ],
)
def test_the_command_is_never_interpreted_and_hides_nothing(
    case: Callable[..., Case], detail: str, shown: str
) -> None:
    assert case(asks(detail)).dialog.sheet.detail.toPlainText() == shown


def test_head_and_tail_of_a_long_command_are_both_in_view(case: Callable[..., Case]) -> None:
    long = "echo begin\n" + "true &&\n" * 400 + "rm -rf ~/important"
    sheet = case(asks(long)).dialog.sheet
    assert sheet.detail.toPlainText() == long
    assert sheet.tail is not None
    assert sheet.tail.toPlainText().endswith("rm -rf ~/important")
    assert "402 lines" in case(asks(long)).labels()


def test_a_long_line_without_breaks_wraps_and_shows_its_end_too(case: Callable[..., Case]) -> None:
    sheet = case(asks("echo " + "x" * 5000 + "; reboot")).dialog.sheet
    assert sheet.tail is not None
    assert sheet.tail.toPlainText().endswith("x; reboot")
    assert sheet.detail.horizontalScrollBar().maximum() == 0


def test_a_short_command_needs_no_second_view(case: Callable[..., Case]) -> None:
    assert case().dialog.sheet.tail is None


def test_a_huge_diff_opens_quickly_and_whole(case: Callable[..., Case]) -> None:
    diff = "--- a\n+++ b\n" + "+x = 1\n" * 20_000
    assert case(asks(diff, Shown.DIFF)).dialog.sheet.detail.toPlainText().count("\n") == 20_001
