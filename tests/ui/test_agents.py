"""Whom one talks with: the name in the header, the list, the tray, and what belongs to whose conversation."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from jarvis_desktop.core.items.agents import AgentsListed
from jarvis_desktop.core.items.commands import SwitchAgent
from jarvis_desktop.core.items.events import (
    ConversationOpened,
    ReplyDelta,
    StoredLine,
    TurnEnded,
    TurnQueued,
    TurnStarted,
)
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId, SessionId, TurnId
from jarvis_desktop.core.items.turn import Origin, Role, TurnEnd
from tests.fakes.team import JARVIS, KAREN
from tests.ui.conftest import Stage
from tests.ui.samples import NOW, SESSION, TURN, started

KARENS = SessionId("karens")
BOTH = AgentsListed((JARVIS, replace(KAREN, purpose="Knows public housing.")))
HERS = ConversationOpened(KARENS, KAREN.agent_id, ())


def his(*lines: StoredLine, waiting: tuple[str, ...] = ()) -> ConversationOpened:
    return ConversationOpened(SESSION, MAIN_AGENT, lines, None, waiting)


def entries(stage: Stage) -> list[tuple[str, bool]]:
    return [(one.text(), one.isChecked()) for one in stage.window.header.agent.list.actions()]


def answers(stage: Stage) -> list[str]:
    """What the conversation on the screen shows as answered."""
    return [answer.text for answer in stage.window.transcript.answers]


def waiting(stage: Stage) -> list[str]:
    return list(stage.window.transcript.queued)


def test_the_header_says_who_is_talked_with(stage: Stage) -> None:
    stage.take(BOTH, his())
    assert stage.window.header.agent.text() == "Jarvis"
    stage.take(HERS)
    picker = stage.window.header.agent
    assert (picker.text(), picker.accessibleName()) == (
        "KAREN",
        "You talk with KAREN. Choose another agent",
    )
    composer = stage.window.composer.field
    assert (composer.placeholderText(), composer.accessibleName()) == (
        "Ask KAREN anything",
        "Message to KAREN",
    )


def test_with_one_agent_there_is_nothing_to_choose(stage: Stage) -> None:
    stage.take(AgentsListed((JARVIS,)), his())
    picker = stage.window.header.agent
    picker.open()
    assert not picker.isEnabled()
    assert not picker.list.isVisible()
    assert not stage.desktop.tray.agents.menuAction().isVisible()


@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Down])
def test_the_list_is_opened_and_chosen_from_by_keys(stage: Stage, key: Qt.Key) -> None:
    stage.take(BOTH, his())
    picker = stage.window.header.agent
    assert picker.focusPolicy() & Qt.FocusPolicy.TabFocus
    picker.setFocus()
    QTest.keyClick(picker, key)
    assert picker.list.isVisible()
    assert entries(stage) == [("Jarvis", True), ("KAREN — Knows public housing.", False)]
    QTest.keyClick(picker.list, Qt.Key.Key_Down)
    QTest.keyClick(picker.list, Qt.Key.Key_Return)
    assert not picker.list.isVisible()
    assert stage.of(SwitchAgent) == [SwitchAgent(KAREN.agent_id)]


def test_a_click_opens_the_list_and_a_shortcut_too(stage: Stage) -> None:
    stage.take(BOTH, his())
    picker = stage.window.header.agent
    QTest.mouseClick(picker, Qt.MouseButton.LeftButton)
    assert picker.list.isVisible()
    picker.list.close()
    assert picker.keys.key().toString() == "Ctrl+K"
    picker.keys.activated.emit()
    assert picker.list.isVisible()
    picker.list.close()


def test_the_tray_lists_the_same_agents(stage: Stage) -> None:
    stage.take(BOTH, his())
    menu = stage.desktop.tray.agents
    assert [one.text() for one in menu.actions()] == ["Jarvis", "KAREN — Knows public housing."]
    menu.actions()[1].trigger()
    assert stage.of(SwitchAgent) == [SwitchAgent(KAREN.agent_id)]


def test_an_agent_whose_file_came_or_went_is_in_the_list_or_not(stage: Stage) -> None:
    stage.take(BOTH, his())
    stage.take(AgentsListed((JARVIS, replace(KAREN, name="Eva & <b>Co</b>"))))
    assert entries(stage) == [("Jarvis", True), ("Eva && <b>Co</b>", False)]


def test_each_conversation_shows_only_what_belongs_to_it(stage: Stage) -> None:
    stage.take(BOTH, his(), started("long work"), ReplyDelta(TURN, "half"))
    stage.take(HERS, ReplyDelta(TURN, " and more"))
    assert answers(stage) == []
    assert stage.window.header.state.whole == "Jarvis is working"
    line = StoredLine(Role.USER, "long work", NOW, TURN, complete=True)
    stage.take(his(line), ReplyDelta(TURN, " still"))
    assert answers(stage) == ["half and more still"]
    stage.take(HERS, TurnEnded(TURN, SESSION, TurnEnd.ANSWERED, "half and more still."))
    assert answers(stage) == []


def test_a_request_of_another_conversation_waits_there_and_not_here(stage: Stage) -> None:
    stage.take(BOTH, his(), started("long work"), TurnQueued("for her", Origin.TYPED, 1, KARENS))
    assert waiting(stage) == []
    stage.take(ConversationOpened(KARENS, KAREN.agent_id, (), None, ("for her",)))
    assert waiting(stage) == ["for her"]
    turn = TurnStarted(TurnId("hers"), KARENS, "for her", Origin.TYPED, NOW, KAREN)
    stage.take(TurnEnded(TURN, SESSION, TurnEnd.ANSWERED, "done"), turn)
    assert waiting(stage) == []
    assert [answer.turn_id for answer in stage.window.transcript.answers] == ["hers"]


def test_an_empty_conversation_greets_in_the_agents_name(stage: Stage) -> None:
    stage.take(BOTH, HERS)
    labels = stage.window.transcript.greeting.words
    assert labels[:2] == ("Hello, I am KAREN", "Knows public housing.")
    stage.take(his())
    assert stage.window.transcript.greeting.words[0] == "Hello, I am Jarvis"


def test_a_main_agent_with_a_name_of_its_own_is_called_by_it(stage: Stage) -> None:
    stage.take(AgentsListed((replace(JARVIS, name="Friday"), KAREN)), his())
    assert stage.window.header.agent.text() == "Friday"
    assert stage.window.composer.field.placeholderText() == "Ask Friday anything"


def test_a_name_cannot_deceive(stage: Stage) -> None:
    stage.take(AgentsListed((JARVIS, replace(KAREN, agent_id=AgentId("x"), name="Jar\u200bvis"))))
    stage.take(ConversationOpened(KARENS, AgentId("x"), ()))
    assert "\u200b" not in stage.window.header.agent.text()
    assert stage.window.header.agent.text() != "Jarvis"


def test_a_long_name_leaves_the_window_as_narrow_as_it_may_be(stage: Stage) -> None:
    stage.take(AgentsListed((JARVIS, replace(KAREN, name="도서관 " * 10))), HERS)
    assert stage.window.header.minimumSizeHint().width() <= stage.window.minimumWidth()
    assert len(stage.window.header.agent.text()) <= 20
