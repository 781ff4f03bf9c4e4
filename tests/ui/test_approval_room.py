"""The dialogs on every screen: what does not fit scrolls, the buttons never leave it, ALWAYS does first."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from jarvis_desktop.core.items.decisions import Question, Shown
from jarvis_desktop.ui.qt.approval_body import Looks
from jarvis_desktop.ui.qt.approval_dialog import ApprovalDialog
from jarvis_desktop.ui.qt.approval_gate import ApprovalGate
from jarvis_desktop.ui.qt.approval_saving import SavingDialog
from jarvis_desktop.ui.qt.theme import Theme
from tests.fakes.texts import PlainTexts
from tests.ui.conftest import Time
from tests.ui.samples import OFFERED, QUESTION, asks

FORTY_LINES = "\n".join(f"cp report-{number}.md /backup/{number}/" for number in range(40)) + "\nrm -rf ~/old"
KOREAN = 'notify-send "' + "오늘 오후 세 시까지 서류를 내야 하는 공고가 두 건 있습니다. " * 30 + '"'
DIFF = "--- a\n+++ b\n" + "+x = 1\n" * 300
LAPTOP_TWICE, SCREEN_TWICE, LAPTOP = QSize(675, 346), QSize(952, 502), QSize(1358, 730)
"""1366×768 and 1920×1080 at 200 %, and 1366×768 at 100 %, without the window's frame."""
QUESTIONS = {
    "short": replace(QUESTION, desktop=True),
    "forty lines": replace(asks(FORTY_LINES), spoken=True, desktop=True),
    "Korean": replace(asks(KOREAN), spoken=True, desktop=True),
    "change": replace(asks(DIFF, Shown.DIFF), offer=OFFERED.offer, spoken=True),
    "always": replace(OFFERED, spoken=True, desktop=True),
}
Show = Callable[[Question, QSize], ApprovalDialog]


@pytest.fixture
def show(qapp: QApplication) -> Iterator[Show]:
    """Makes dialogs for a screen with so much room."""
    theme, time = Theme(qapp, "light"), Time()
    made: list[ApprovalDialog] = []

    def make(question: Question, room: QSize) -> ApprovalDialog:
        dialog = ApprovalDialog(
            question,
            Looks(theme, PlainTexts(), room),
            gate=ApprovalGate(time.monotonic_s),
            now=time.now,
            answered=lambda _question, _answer: None,
        )
        made.append(dialog)
        dialog.place(QRect(0, 0, 400, 300), 0, QRect(0, 0, room.width(), room.height()))
        dialog.show()
        QApplication.processEvents()
        return dialog

    yield make
    for dialog in made:
        dialog.hide()
        dialog.deleteLater()
    theme.deleteLater()


def in_view(dialog: QWidget, part: QWidget) -> bool:
    """All of ``part`` lies in the dialog and nothing cuts it off."""
    return part.isVisible() and part.visibleRegion().boundingRect() == part.rect() and dialog.isVisible()


@pytest.mark.parametrize("room", [LAPTOP_TWICE, SCREEN_TWICE, LAPTOP], ids=["laptop×2", "screen×2", "laptop"])
@pytest.mark.parametrize("what", QUESTIONS)
def test_the_buttons_and_the_time_are_always_in_view(show: Show, what: str, room: QSize) -> None:
    dialog = show(QUESTIONS[what], room)
    assert dialog.height() <= room.height()
    assert dialog.width() <= room.width()
    sheet = dialog.sheet
    parts = [sheet.allow, sheet.deny, sheet.hint, sheet.seconds]
    parts += [sheet.voice.line, sheet.voice.heard] if sheet.voice is not None else []
    assert [in_view(dialog, part) for part in parts] == [True] * len(parts)


@pytest.mark.parametrize("what", ["change", "always"])
@pytest.mark.parametrize("room", [LAPTOP_TWICE, SCREEN_TWICE, LAPTOP], ids=["laptop×2", "screen×2", "laptop"])
def test_always_is_there_only_with_beginning_end_and_rule_all_in_view(
    show: Show, what: str, room: QSize
) -> None:
    dialog = show(QUESTIONS[what], room)
    sheet = dialog.sheet
    if sheet.always is None:
        assert "“Always allow” is not offered" in "\n".join(
            label.text() for label in dialog.findChildren(type(sheet.hint)) if label.isVisible()
        )
        return
    assert sheet.offer is not None
    ends = [sheet.detail, sheet.offer, *([sheet.tail] if sheet.tail is not None else [])]
    assert [in_view(dialog, part) for part in ends] == [True] * len(ends)


def test_a_small_laptop_offers_always_and_the_same_at_twice_the_size_does_not(show: Show) -> None:
    assert show(QUESTIONS["always"], LAPTOP).sheet.always is not None
    assert show(QUESTIONS["always"], LAPTOP_TWICE).sheet.always is None


@pytest.mark.parametrize("what", ["forty lines", "Korean"])
def test_what_scrolls_can_be_scrolled_by_keys(show: Show, what: str) -> None:
    dialog = show(QUESTIONS[what], LAPTOP_TWICE)
    body = dialog.sheet.body
    assert body.focusPolicy() == Qt.FocusPolicy.TabFocus
    dialog.gate.activated()
    dialog.gate.pressed()
    dialog.gate._quiet_since = -1
    body.setFocus()
    QTest.keyClick(body, Qt.Key.Key_PageDown)
    assert body.verticalScrollBar().value() > 0


def test_a_command_wraps_on_a_narrow_screen_and_hides_nothing_at_the_side(show: Show) -> None:
    dialog = show(QUESTIONS["Korean"], QSize(480, 700))
    assert dialog.width() == 480
    assert dialog.sheet.detail.horizontalScrollBar().maximum() == 0


def test_a_rule_that_is_not_all_in_view_is_not_saved_by_a_click(qapp: QApplication) -> None:
    theme, time = Theme(qapp, "light"), Time()
    saves = []
    for room in (LAPTOP, LAPTOP_TWICE):
        dialog = SavingDialog(
            OFFERED,
            Looks(theme, PlainTexts(), room),
            gate=ApprovalGate(time.monotonic_s),
            now=time.now,
            decided=lambda _question, _save: None,
        )
        saves.append(dialog.save is not None)
        dialog.deleteLater()
    theme.deleteLater()
    assert saves == [True, False]
