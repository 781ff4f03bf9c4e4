"""What other agents did for an answer, as the window shows it."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from jarvis_desktop.core.items.calls import ResultStatus, ToolCall, ToolResult
from jarvis_desktop.core.items.delegation import DelegateEnded, DelegateStarted, DelegateUsedTool
from jarvis_desktop.core.items.events import ConversationOpened, ReplyDelta, StoredLine, TurnEnded
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId, CallId, TurnId
from jarvis_desktop.core.items.turn import Role, StoredDelegate, TurnEnd
from jarvis_desktop.ui.qt.delegate_row import DelegateRow
from jarvis_desktop.ui.words import agents, headline
from tests.fakes.texts import PlainTexts
from tests.ui.conftest import Stage
from tests.ui.samples import NOW, QUESTION, SESSION, TURN, started

KAREN = TurnId("karen")
CALL = ToolCall(CallId("look"), "read_file", {"path": "notes.md"})
BEGUN = DelegateStarted(TURN, KAREN, "KAREN", "JARVIS", "Which ones?")
DONE = StoredDelegate(
    "KAREN", "JARVIS", "Which ones?", (("read_file notes.md", ResultStatus.OK),), TurnEnd.ANSWERED, "**Two.**"
)


def row(stage: Stage) -> DelegateRow:
    (answer,) = stage.window.transcript.answers
    (found,) = answer.delegates
    return found


def test_an_errand_is_one_line_that_grows_into_its_end(stage: Stage) -> None:
    stage.take(started(), BEGUN)
    assert row(stage).line == "⋯  KAREN, asked by JARVIS: Which ones?"
    stage.take(DelegateUsedTool(TURN, KAREN, CALL))
    assert row(stage).tools == ("⋯  read_file notes.md",)
    result = ToolResult(CALL.call_id, CALL.name, "x", ResultStatus.ERROR)
    stage.take(DelegateUsedTool(TURN, KAREN, CALL, result, 1.25))
    assert row(stage).tools == ("✕  read_file notes.md   1.2 s",)
    stage.take(DelegateEnded(TURN, KAREN, DONE, 6.3))
    assert row(stage).line == "✓  KAREN, asked by JARVIS: Which ones?   6.3 s"


def test_how_an_errand_ended_is_said_where_it_did_not_answer(stage: Stage) -> None:
    stage.take(started(), BEGUN, DelegateEnded(TURN, KAREN, replace(DONE, end=TurnEnd.DENIED), 2))
    assert row(stage).line == "✕  KAREN, asked by JARVIS: Which ones?   Denied   2.0 s"


def test_its_details_are_folded_until_somebody_wants_them_by_mouse_or_keyboard(stage: Stage) -> None:
    stage.take(started(), BEGUN, DelegateEnded(TURN, KAREN, DONE))
    found = row(stage)
    assert not found.view.isVisible()
    QTest.mouseClick(found.fold, Qt.MouseButton.LeftButton)
    assert found.view.isVisible()
    assert found.view.toPlainText() == "Two."
    found.fold.setFocus()
    QTest.keyClick(found.fold, Qt.Key.Key_Space)
    assert not found.view.isVisible()
    assert found.fold.accessibleName() == "Details of what KAREN did"


def test_the_answer_that_people_wait_for_stays_the_persons_own(stage: Stage) -> None:
    stage.take(started(), BEGUN, DelegateEnded(TURN, KAREN, DONE), ReplyDelta(TURN, "Two, says Karen."))
    stage.take(TurnEnded(TURN, SESSION, TurnEnd.ANSWERED, "Two, says Karen."))
    stage.window.transcript.copy_last()
    (answer,) = stage.window.transcript.answers
    assert answer.text == "Two, says Karen."


def test_a_stored_errand_is_shown_again_and_one_that_a_window_missed_the_beginning_of(stage: Stage) -> None:
    line = StoredLine(Role.TOOL, "KAREN", NOW, TURN, complete=True, delegate=DONE)
    asked = StoredLine(Role.USER, "Ask Karen", NOW, TURN, complete=True)
    stage.take(ConversationOpened(SESSION, MAIN_AGENT, (asked, line)))
    assert row(stage).line == "✓  KAREN, asked by JARVIS: Which ones?"
    assert row(stage).tools == ("✓  read_file notes.md",)
    stage.take(DelegateEnded(TURN, TurnId("edith"), replace(DONE, name="EDITH")))
    (answer,) = stage.window.transcript.answers
    assert answer.delegates[1].line == "✓  EDITH, asked by JARVIS: Which ones?"


def test_markup_in_a_task_is_shown_as_the_text_it_is(stage: Stage) -> None:
    stage.take(started(), replace(BEGUN, task="<b>big</b>\u202e"))
    assert "<b>big</b>⟨U+202E⟩" in row(stage).line


def test_a_question_of_an_agent_that_was_asked_names_it_and_who_asked() -> None:
    question = replace(QUESTION, agent_id=AgentId("karen"), agent_name="KAREN", asker_name="JARVIS")
    assert headline(question, PlainTexts()) == "KAREN, asked by JARVIS, wants to run a command"
    assert agents(question, PlainTexts()) == "KAREN, asked by JARVIS"
    assert headline(replace(question, asker_name=""), PlainTexts()) == "KAREN wants to run a command"
