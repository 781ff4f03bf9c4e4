"""The desktop front end on Qt's offscreen platform, with commands collected."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.settings import UiSettings
from jarvis_desktop.ui.qt.desktop import Desktop
from jarvis_desktop.ui.qt.main_window import MainWindow
from tests.fakes.texts import PlainTexts
from tests.ui.samples import NOW


@dataclass
class Time:
    """Wall clock and hands of a stage; the test moves both."""

    passed_s: float = 0.0

    def now(self) -> datetime:
        return NOW + timedelta(seconds=self.passed_s)

    def monotonic_s(self) -> float:
        return self.passed_s


@dataclass
class Stage:
    """A desktop that was started, and what it sent."""

    desktop: Desktop
    time: Time
    sent: list[Command] = field(default_factory=list)

    def take(self, *events: Event) -> None:
        """Let events happen now."""
        for event in events:
            self.desktop._take(event)
        QApplication.processEvents()

    @property
    def window(self) -> MainWindow:
        return self.desktop.windows[0]

    def of(self, kind: type[Command]) -> list[Command]:
        """Sent commands of one kind."""
        return [command for command in self.sent if isinstance(command, kind)]


@pytest.fixture
def staged(qapp: QApplication) -> Iterator[Callable[..., Stage]]:
    """Makes started desktops; each is taken down after the test."""
    stages: list[Stage] = []

    def make(*, start_hidden: bool = False, input_limit: int = 10_000, texts: Texts | None = None) -> Stage:
        sent: list[Command] = []
        time = Time()
        desktop = Desktop(
            sent.append,
            texts or PlainTexts(),
            UiSettings(language="en", theme="light", hotkey=""),
            start_hidden=start_hidden,
            now=time.now,
            input_limit=input_limit,
        )
        stage = Stage(desktop, time, sent)
        stages.append(stage)
        desktop._begin()
        QApplication.processEvents()
        return stage

    yield make
    for stage in stages:
        stage.desktop._end()
        stage.desktop.idle.timer.stop()
        for window in stage.desktop.windows:
            window.deleteLater()
        for aside in (stage.desktop.setup.window, stage.desktop.settings.window):
            if aside is not None:
                aside.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    qapp.processEvents()


@pytest.fixture
def stage(staged: Callable[..., Stage]) -> Stage:
    """A desktop with its window open."""
    return staged()


@pytest.fixture
def trays(monkeypatch: pytest.MonkeyPatch) -> dict[str, bool]:
    """Whether this desktop has a tray; a test may change it."""
    state = {"there": True}
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: state["there"])
    return state
