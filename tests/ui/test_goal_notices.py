"""What came of goals, told outside the conversation and answered inside it."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication

from jarvis_desktop.core.items.commands import SubmitTurn
from jarvis_desktop.core.items.events import ConversationOpened
from jarvis_desktop.core.items.goal_notices import (
    GoalNews,
    GoalNotice,
    MuteItem,
    NoticeFate,
    OpenNews,
    SettleNotice,
)
from jarvis_desktop.core.items.goals import GoalId, GoalItem, GoalSpoke
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId, SessionId, TurnId
from jarvis_desktop.core.items.notice import OPEN, Notice, NoticePress
from jarvis_desktop.core.items.turn import Origin
from jarvis_desktop.core.turn.goal_budgets import RESTING_KEYS
from jarvis_desktop.ui.goal_notice import ANSWER, MUTE, goal_notice
from jarvis_desktop.ui.qt.asking_row import AskingRow
from tests.fakes.texts import PlainTexts
from tests.ui.conftest import Stage
from tests.ui.samples import NOW
from tests.ui.test_notice_board import Shown

HERE, ELSEWHERE = SessionId("here"), SessionId("elsewhere")
MAGOK = GoalItem("n1", "마곡 <b>행복주택</b>")
ASKS = GoalItem("ask-cash", "현금이 얼마예요?")
NEWS = GoalNews(GoalId("g1"), MAIN_AGENT, "추천하는 공고만 알려줘", (MAGOK,))
OTHER = GoalNews(
    GoalId("g2"), AgentId("karen"), "the build", (GoalItem("b", "It is green."), ASKS), ELSEWHERE
)
NOTICE = GoalNotice("n", (NEWS,))
OPENED = ConversationOpened(HERE, MAIN_AGENT, ())
SPOKE = GoalSpoke(TurnId("t"), HERE, MAIN_AGENT, NEWS.goal_id, NEWS.sentence, "현금이 얼마예요?", NOW, 1)


@pytest.fixture
def told(trays: dict[str, bool], staged: Callable[..., Stage]) -> tuple[Stage, Shown]:
    """A window that is looked at, and a desktop that shows notifications."""
    del trays
    stage, shown = staged(), Shown()
    stage.desktop.board.notices = shown
    stage.take(OPENED)
    return stage, shown


def fates(stage: Stage) -> list[NoticeFate]:
    return [one.fate for one in stage.of(SettleNotice) if isinstance(one, SettleNotice)]


def press(stage: Stage, notice: Notice, key: str) -> None:
    stage.desktop.board.pressed(NoticePress(notice, key, seen=True))
    QApplication.processEvents()


@pytest.mark.promise("G-046", "G-048")
def test_what_no_conversation_can_take_is_a_notification_also_beside_the_window(
    told: tuple[Stage, Shown],
) -> None:
    stage, shown = told
    stage.take(NOTICE)
    (notice,) = shown.notices
    assert (notice.title, notice.text) == ("💭 추천하는 공고만 알려줘", "마곡 <b>행복주택</b>")
    assert notice.actions == ((MUTE, "No more of this"), (OPEN, "Open"))
    assert fates(stage) == [], "nobody knows yet whether it is shown"
    stage.desktop.board.shown(notice)
    QApplication.processEvents()
    assert fates(stage) == [NoticeFate.SHOWN]


@pytest.mark.promise("G-046")
def test_what_stands_in_the_conversation_that_is_looked_at_needs_no_notification(
    told: tuple[Stage, Shown],
) -> None:
    stage, shown = told
    here = GoalNotice("n", (replace(NEWS, session_id=HERE),))
    stage.take(here)
    assert (shown.notices, fates(stage)) == ([], [NoticeFate.SEEN])
    stage.take(GoalNotice("n2", (replace(NEWS, session_id=ELSEWHERE),)))
    stage.window.close()
    stage.take(here)
    assert [one.notice_id for one in shown.notices] == ["n2", "n"]


@pytest.mark.parametrize("tray", [True, False])
@pytest.mark.promise("G-046")
def test_without_a_notification_service_a_bubble_tells_it_and_without_a_tray_nothing_does(
    told: tuple[Stage, Shown], trays: dict[str, bool], monkeypatch: pytest.MonkeyPatch, *, tray: bool
) -> None:
    stage, shown = told
    said: list[tuple[str, str]] = []
    monkeypatch.setattr(stage.desktop.tray, "bubble", lambda title, text, _: said.append((title, text)))
    if not tray:
        trays["there"] = False
        stage.desktop.tray._look()
    stage.take(NOTICE)
    stage.desktop.board.lost(shown.notices[0])
    QApplication.processEvents()
    assert fates(stage) == [NoticeFate.SHOWN if tray else NoticeFate.LOST]
    assert said == ([("💭 추천하는 공고만 알려줘", "마곡 ‹b›행복주택‹/b›")] if tray else [])


def test_a_press_opens_the_window_at_the_conversation(told: tuple[Stage, Shown]) -> None:
    stage, shown = told
    stage.window.close()
    stage.take(GoalNotice("n", (OTHER,)))
    press(stage, shown.notices[0], OPEN)
    assert stage.window.isVisible()
    assert stage.of(OpenNews) == [OpenNews(AgentId("karen"), ELSEWHERE)]


@pytest.mark.promise("G-036")
def test_what_asks_has_a_button_that_leads_to_the_answer(told: tuple[Stage, Shown]) -> None:
    stage, shown = told
    stage.take(GoalNotice("n", (replace(NEWS, items=(ASKS,)),)))
    assert shown.notices[0].actions[0] == (ANSWER, "Answer")
    press(stage, shown.notices[0], ANSWER)
    assert stage.of(OpenNews) == [OpenNews(MAIN_AGENT)]
    assert stage.of(SubmitTurn) == []


def test_no_more_of_this_mutes_the_one_item(told: tuple[Stage, Shown]) -> None:
    stage, shown = told
    stage.take(NOTICE)
    press(stage, shown.notices[0], MUTE)
    assert stage.of(MuteItem) == [MuteItem(NEWS.goal_id, "n1")]


def test_a_bundle_is_one_message_with_the_goals_under_their_sentences() -> None:
    notice = goal_notice("n", (NEWS, OTHER), PlainTexts())
    assert notice.title == "💭 News of 2 goals"
    assert notice.text == (
        "추천하는 공고만 알려줘\n마곡 <b>행복주택</b>\nthe build\n- It is green.\n- 현금이 얼마예요?"
    )
    assert MUTE not in dict(notice.actions)


@pytest.mark.promise("G-036", "G-045")
def test_a_question_is_answered_where_it_stands_by_a_button_that_sends_a_request(
    told: tuple[Stage, Shown],
) -> None:
    stage, _ = told
    stage.take(replace(SPOKE, asks=(ASKS,)))
    (row,) = stage.window.transcript.findChildren(AskingRow)
    assert row.question is None  # it stands right above, in the message
    row.buttons["yes"].click()
    row.buttons["yes"].click()
    assert stage.of(SubmitTurn) == [SubmitTurn("“현금이 얼마예요?” Yes.", Origin.TYPED)]


@pytest.mark.promise("G-036")
def test_or_in_ones_own_words_behind_the_question(told: tuple[Stage, Shown]) -> None:
    stage, _ = told
    stage.take(replace(SPOKE, asks=(ASKS,)))
    (row,) = stage.window.transcript.findChildren(AskingRow)
    stage.window.composer.field.setPlainText("1억")
    row.buttons["words"].click()
    assert stage.window.composer.text == "“현금이 얼마예요?” 1억"
    assert stage.of(SubmitTurn) == []


def test_what_asks_nothing_has_no_buttons(told: tuple[Stage, Shown]) -> None:
    stage, _ = told
    stage.take(SPOKE)
    assert stage.window.transcript.findChildren(AskingRow) == []


def test_of_several_questions_each_stands_above_its_own_buttons(told: tuple[Stage, Shown]) -> None:
    stage, _ = told
    stage.take(replace(SPOKE, asks=(ASKS, GoalItem("ask-rent", "월세도 볼까요?"))))
    rows = stage.window.transcript.findChildren(AskingRow)
    assert [row.question.text() for row in rows if row.question] == ["현금이 얼마예요?", "월세도 볼까요?"]
    rows[1].buttons["no"].click()
    assert stage.of(SubmitTurn) == [SubmitTurn("“월세도 볼까요?” No.", Origin.TYPED)]


@pytest.mark.parametrize("key", sorted(RESTING_KEYS))
def test_a_goal_that_rests_goes_on_by_a_button_without_a_model_that_has_to_understand_it(
    told: tuple[Stage, Shown], key: str
) -> None:
    stage, _ = told
    stage.take(replace(SPOKE, asks=(GoalItem(key, "It rests until tomorrow. Go on now?"),)))
    (row,) = stage.window.transcript.findChildren(AskingRow)
    row.buttons["yes"].click()
    assert stage.of(SubmitTurn) == [SubmitTurn("/goal resume g1", Origin.TYPED)]


def test_and_rests_on_where_the_answer_is_no(told: tuple[Stage, Shown]) -> None:
    stage, _ = told
    stage.take(replace(SPOKE, asks=(GoalItem("ask-jarvis-budget", "It rests until tomorrow. Go on now?"),)))
    (row,) = stage.window.transcript.findChildren(AskingRow)
    row.buttons["no"].click()
    assert not row.isEnabled()
    assert stage.of(SubmitTurn) == []
