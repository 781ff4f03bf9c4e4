"""What the window shows of memory: what was taught, what is followed, and nothing of what was forgotten."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from jarvis_desktop.core.items.events import (
    ActivityKind,
    ActivityNoted,
    ConversationOpened,
    StoredLine,
    TurnStarted,
)
from jarvis_desktop.core.items.ids import MAIN_AGENT, SessionId, TurnId
from jarvis_desktop.core.items.memory import PatternName
from jarvis_desktop.core.items.memory_desk import (
    Erased,
    ForgetBegun,
    ForgetEpisode,
    ForgetPattern,
    PatternsUsed,
    PatternTaught,
)
from jarvis_desktop.core.items.turn import Origin, Role
from tests.fakes.clock import START
from tests.ui.conftest import Stage
from tests.ui.test_settings_memory import PATTERN

TURN = TurnId("t")
SESSION = SessionId("s")


def said(stage: Stage) -> list[str]:
    labels = stage.window.transcript.findChildren(QLabel)
    return [label.text() for label in labels if label.objectName() == "tool" and label.isVisible()]


def test_what_is_followed_stands_under_the_request_now_and_after_a_restart(stage: Stage) -> None:
    stage.take(TurnStarted(TURN, SESSION, "날씨?", Origin.TYPED, START))
    stage.take(PatternsUsed(TURN, (PatternName(5, "Weather"), PatternName(6, "In one line"))))
    stage.take(PatternsUsed(TurnId("of another agent"), (PatternName(7, "Hidden"),)))
    assert said(stage) == ["✎  As you taught: Weather, In one line"]
    lines = (
        StoredLine(Role.USER, "날씨?", START, TURN, complete=True),
        StoredLine(Role.SYSTEM, "Weather, In one line", START, TURN, complete=True),
    )
    stage.take(ConversationOpened(SESSION, MAIN_AGENT, lines))
    assert said(stage) == ["✎  As you taught: Weather, In one line"]


def test_what_was_just_taught_is_taken_back_by_one_click(stage: Stage) -> None:
    strip = stage.window.strips.taught
    assert not strip.isVisible()
    stage.take(PatternTaught(PATTERN))
    assert strip.isVisible()
    assert strip.said.text() == "Kept from now on: Weather"
    QTest.mouseClick(strip.undo, Qt.MouseButton.LeftButton)
    assert stage.sent[-1] == ForgetPattern(5, with_turn=False)
    assert not strip.isVisible()
    assert not stage.window.strips.isVisible()


def test_the_strip_goes_when_it_is_forgotten_elsewhere(stage: Stage) -> None:
    strip = stage.window.strips.taught
    stage.take(PatternTaught(PATTERN))
    stage.take(ForgetBegun(ForgetEpisode(5), 10))
    assert strip.isVisible()
    stage.take(ForgetBegun(ForgetPattern(5), 10))
    assert not strip.isVisible()


def test_activity_of_a_forgotten_turn_is_shown_no_more(stage: Stage) -> None:
    for turn, text in ((TURN, "bash secret"), (TurnId("u"), "bash other"), (None, "the disk is full")):
        stage.take(ActivityNoted(ActivityKind.TOOL, text, START, turn))
    stage.take(Erased((TURN,)))
    assert [line[7:] for line in stage.window.activity.shown] == ["bash other", "the disk is full"]
    assert [line.text for line in stage.desktop.picture.activity] == ["bash other", "the disk is full"]
    stage.take(Erased(everything=True))
    assert stage.window.activity.shown == ()
    assert not stage.desktop.picture.activity
