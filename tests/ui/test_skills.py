"""Skills in the window: offered while a name is typed, shown as typed, unfolded on demand."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from jarvis_desktop.core.items.commands import SubmitTurn
from jarvis_desktop.core.items.events import ConversationOpened, StoredLine, TurnStarted
from jarvis_desktop.core.items.ids import MAIN_AGENT, WindowId
from jarvis_desktop.core.items.skills import SkillHint, SkillsListed
from jarvis_desktop.core.items.turn import Origin, Role
from jarvis_desktop.ui.qt.rows import PersonRow
from tests.ui.conftest import Stage
from tests.ui.samples import NOW, SESSION, TURN

HINTS = (SkillHint("sum", "Sums up a file."), SkillHint("요약", "줄여 줘요."))


@pytest.fixture
def stage(staged: Callable[..., Stage]) -> Stage:
    """A window with the focus in its input line, told of skills."""
    stage = staged()
    stage.take(SkillsListed(HINTS))
    stage.window.activateWindow()
    stage.window.composer.field.setFocus()
    QTest.qWaitForWindowActive(stage.window)
    return stage


def write(stage: Stage, text: str) -> None:
    QTest.keyClicks(stage.window.composer.field, text)
    QApplication.processEvents()


def rows(stage: Stage) -> list[str]:
    completion = stage.window.composer.completion
    return [choice.label for choice in completion.model.choices] if completion.shown else []


def person(stage: Stage) -> PersonRow:
    [row] = stage.window.transcript.findChildren(PersonRow)
    return row


def test_skills_are_offered_behind_the_commands(stage: Stage) -> None:
    write(stage, "/s")
    assert rows(stage)[-1] == "/sum TEXT"


def test_a_skill_is_taken_with_tab_and_goes_on(stage: Stage) -> None:
    write(stage, "/su")
    QTest.keyClick(stage.window.composer.field, Qt.Key.Key_Tab)
    assert stage.window.composer.text == "/sum "
    write(stage, "a.txt")
    QTest.keyClick(stage.window.composer.field, Qt.Key.Key_Return)
    assert stage.of(SubmitTurn) == [SubmitTurn("/sum a.txt", Origin.TYPED)]


def test_skills_that_come_while_a_name_is_typed_are_offered_at_once(stage: Stage) -> None:
    write(stage, "/ski")
    before = rows(stage)
    stage.take(SkillsListed((*HINTS, SkillHint("skim", "Skims."))))
    assert rows(stage) == [*before, "/skim TEXT"]


def test_what_another_window_is_told_is_not_ours(stage: Stage) -> None:
    stage.take(SkillsListed((), WindowId("another")))
    write(stage, "/sum")
    assert rows(stage) == ["/sum TEXT"]


def test_the_bubble_shows_what_was_typed_and_unfolds_what_the_skill_made(stage: Stage) -> None:
    stage.take(TurnStarted(TURN, SESSION, "/sum a.txt", Origin.TYPED, NOW, expansion="Sum up <b>a.txt</b>."))
    row = person(stage)
    assert row.view.toPlainText() == "/sum a.txt"
    assert row.skill is not None
    assert row.skill.view.isHidden()
    assert row.skill.fold.accessibleName() == "What the skill made of it"
    row.skill.fold.setFocus()
    QTest.keyClick(row.skill.fold, Qt.Key.Key_Space)
    QApplication.processEvents()
    assert row.skill.view.isVisible()
    assert row.skill.view.toPlainText() == "Sum up <b>a.txt</b>."
    QTest.mouseClick(row.skill.fold, Qt.MouseButton.LeftButton)
    assert row.skill.view.isHidden()


def test_a_long_skill_stays_inside_the_conversation(stage: Stage) -> None:
    stage.take(TurnStarted(TURN, SESSION, "/sum", Origin.TYPED, NOW, expansion="word " * 2000))
    row = person(stage)
    assert row.skill is not None
    row.skill.fold.click()
    QApplication.processEvents()
    assert row.skill.view.width() <= row.width() * 0.8
    assert row.skill.view.height() > 200


def test_a_restored_request_of_a_skill_unfolds_too_and_others_have_no_fold(stage: Stage) -> None:
    line = StoredLine(Role.USER, "/sum a.txt", NOW, TURN, complete=True, expansion="Sum up a.txt.")
    plain = StoredLine(Role.USER, "hello", NOW, TURN, complete=True)
    stage.take(ConversationOpened(SESSION, MAIN_AGENT, (line, plain)))
    first, second = stage.window.transcript.findChildren(PersonRow)[-2:]
    assert first.skill is not None
    assert first.skill.view.toPlainText() == "Sum up a.txt."
    assert second.skill is None
