"""Whom what happens is told while nobody looks at a window of ours, and how idleness is counted."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from jarvis_desktop.core.items.commands import Command, Tick
from jarvis_desktop.core.items.events import QuestionAsked
from jarvis_desktop.core.items.notice import Notice
from jarvis_desktop.ui.qt.idle_timer import LONGEST_STEP_S, IdleTimer
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
    assert (notice.notice_id, notice.title) == (QUESTION.question_id, "Jarvis asks for permission")
    assert all(str(value) not in notice.text for value in QUESTION.call.arguments.values())
    stage.take(settled(QUESTION))
    assert shown.withdrawn == [QUESTION.question_id]


def test_a_window_that_is_looked_at_needs_no_notice(trayless: tuple[Stage, Shown]) -> None:
    stage, shown = trayless
    stage.take(ASKED)
    assert shown.notices == []


def test_without_any_way_to_tell_nothing_breaks(trayless: tuple[Stage, Shown]) -> None:
    stage, _ = trayless
    stage.desktop.board.notices = None
    stage.window.showMinimized()
    stage.take(ASKED, settled(QUESTION))
    assert stage.desktop.desk.dialogs == ()


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
