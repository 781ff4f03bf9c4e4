"""Lending the desktop in the dialog: off by itself, by a press that counts, for once."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox

from jarvis_desktop.core.items.commands import AnswerQuestion
from jarvis_desktop.core.items.decisions import Answer
from jarvis_desktop.core.items.events import QuestionAsked
from jarvis_desktop.ui.qt.approval_dialog import ApprovalDialog
from tests.ui.conftest import Stage
from tests.ui.samples import OFFERED, QUESTION

LENDABLE = replace(OFFERED, desktop=True)


def asked(stage: Stage) -> tuple[ApprovalDialog, QCheckBox]:
    stage.take(QuestionAsked(LENDABLE))
    (dialog,) = stage.desktop.desk.dialogs
    box = dialog.sheet.desktop
    assert box is not None
    return dialog, box


def arm(dialog: ApprovalDialog) -> None:
    """A person clicks on the dialog's ground and rests."""
    QTest.mouseClick(dialog.sheet.hint, Qt.MouseButton.LeftButton)
    QApplication.sendEvent(dialog, QEvent(QEvent.Type.WindowActivate))
    dialog.gate._quiet_since = dialog.gate._monotonic_s() - 1


def answers(stage: Stage) -> list[tuple[Answer, bool]]:
    return [(one.answer, one.desktop) for one in stage.of(AnswerQuestion) if isinstance(one, AnswerQuestion)]


def test_only_questions_about_commands_offer_it(stage: Stage) -> None:
    stage.take(QuestionAsked(QUESTION))
    (dialog,) = stage.desktop.desk.dialogs
    assert dialog.sheet.desktop is None


def test_it_is_off_by_itself_and_can_be_reached_by_keys_and_screen_readers(stage: Stage) -> None:
    dialog, box = asked(stage)
    assert (box.isChecked(), box.focusPolicy()) == (False, Qt.FocusPolicy.TabFocus)
    assert box.accessibleIdentifier() == "approval.desktop"
    assert "voice allows nothing" in box.accessibleDescription()
    arm(dialog)
    dialog.allow.click()
    assert answers(stage) == [(Answer.ALLOW, False)]


def test_ticked_it_goes_with_the_yes_and_never_with_a_rule(stage: Stage) -> None:
    dialog, box = asked(stage)
    arm(dialog)
    box.click()
    always = dialog.sheet.always
    assert always is not None
    assert not always.isEnabled()
    always.click()
    dialog.allow.click()
    assert answers(stage) == [(Answer.ALLOW, True)]


def test_ticked_or_not_a_no_lends_nothing(stage: Stage) -> None:
    dialog, box = asked(stage)
    arm(dialog)
    box.click()
    dialog.deny.click()
    assert answers(stage) == [(Answer.DENY, False)]


@pytest.mark.parametrize("waits", [False, True])
def test_a_tick_that_comes_too_early_is_none(stage: Stage, waits: bool) -> None:  # noqa: FBT001 - a parameter of the test
    dialog, box = asked(stage)
    QApplication.sendEvent(dialog, QEvent(QEvent.Type.WindowDeactivate))
    if waits:
        stage.time.passed_s += 30
    QTest.mouseClick(box, Qt.MouseButton.LeftButton)
    box.click()  # what an accessibility press calls
    box.toggle()
    assert not box.isChecked()
    assert dialog.sheet.always is not None
    assert dialog.sheet.always.isEnabled()


def test_enter_on_the_box_neither_ticks_it_nor_allows(stage: Stage) -> None:
    dialog, box = asked(stage)
    arm(dialog)
    box.setFocus()
    dialog.gate._quiet_since = dialog.gate._monotonic_s() - 1
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert (box.isChecked(), answers(stage)) == (False, [])
    QTest.keyClick(box, Qt.Key.Key_Space)
    assert box.isChecked()
