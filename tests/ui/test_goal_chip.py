"""The chip under an answer that offers to keep a request as a goal."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.core.items.commands import SubmitTurn
from jarvis_desktop.core.items.events import ConversationOpened, TurnEnded
from jarvis_desktop.core.items.goals import GoalSuggested
from jarvis_desktop.core.items.ids import MAIN_AGENT, TurnId
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Origin, TurnEnd
from jarvis_desktop.ui.qt.goal_chip import GoalChip
from tests.ui.conftest import Stage
from tests.ui.samples import SESSION, TURN, started

SENTENCE = "서울에 새 공고 나오면 알려줘"
ENDED = TurnEnded(TURN, SESSION, TurnEnd.ANSWERED, "There are none.")


def suggested(sentence: str = SENTENCE, turn_id: TurnId = TURN) -> GoalSuggested:
    return GoalSuggested(turn_id, SESSION, MAIN_AGENT, sentence)


def chip(stage: Stage) -> GoalChip:
    (answer,) = stage.window.transcript.answers
    assert answer.chip is not None
    return answer.chip


def test_pressed_it_gives_the_goal_and_is_gone(stage: Stage) -> None:
    stage.take(started(), ENDED, suggested())
    QTest.mouseClick(chip(stage).keep, Qt.MouseButton.LeftButton)
    assert stage.of(SubmitTurn) == [SubmitTurn(f"/goal {SENTENCE}", Origin.TYPED)]
    assert not chip(stage).isVisible()


def test_the_keyboard_reaches_and_presses_it(stage: Stage) -> None:
    stage.take(started(), ENDED, suggested())
    stage.window.transcript.setFocus()
    for _ in range(20):
        QTest.keyClick(QApplication.focusWidget() or stage.window, Qt.Key.Key_Tab)
        if QApplication.focusWidget() is chip(stage).keep:
            break
    QTest.keyClick(chip(stage).keep, Qt.Key.Key_Space)
    assert len(stage.of(SubmitTurn)) == 1


def test_put_away_it_does_nothing(stage: Stage) -> None:
    stage.take(started(), ENDED, suggested())
    QTest.mouseClick(chip(stage).close_button, Qt.MouseButton.LeftButton)
    assert not chip(stage).isVisible()
    assert stage.of(SubmitTurn) == []


def test_enter_belongs_to_the_input_line_while_it_stands(stage: Stage) -> None:
    stage.take(started(), ENDED, suggested())
    stage.window.composer.field.setFocus()
    QTest.keyClicks(stage.window.composer.field, "thanks")
    QTest.keyClick(stage.window.composer.field, Qt.Key.Key_Return)
    assert stage.of(SubmitTurn) == [SubmitTurn("thanks", Origin.TYPED)]
    assert chip(stage).isVisible()


def test_a_sentence_that_begins_like_a_change_of_goals_is_quoted(stage: Stage) -> None:
    stage.take(started(), ENDED, suggested("log 에 에러가 찍히면 알려줘"))
    QTest.mouseClick(chip(stage).keep, Qt.MouseButton.LeftButton)
    assert stage.of(SubmitTurn) == [SubmitTurn('/goal "log 에 에러가 찍히면 알려줘"', Origin.TYPED)]


def test_it_stands_only_under_its_own_answer_and_goes_with_the_conversation(stage: Stage) -> None:
    stage.take(started(), ENDED, suggested(turn_id=TurnId("of another conversation")))
    (answer,) = stage.window.transcript.answers
    assert answer.chip is None
    stage.take(suggested(), suggested())
    assert chip(stage).isVisible()
    stage.take(ConversationOpened(SESSION, MAIN_AGENT, ()))
    assert stage.window.transcript.answers == ()


@pytest.mark.parametrize(
    ("language", "text"), [(Language.KOREAN, "계속 챙길까요?"), (Language.ENGLISH, "Keep an eye on this?")]
)
def test_its_words_and_what_a_screen_reader_says(
    staged: Callable[..., Stage], language: Language, text: str
) -> None:
    stage = staged(texts=Catalog(language))
    stage.take(started(), ENDED, suggested())
    assert chip(stage).keep.text() == text
    assert chip(stage).keep.accessibleName() == f"{text} {SENTENCE}"
    assert chip(stage).close_button.accessibleName()
