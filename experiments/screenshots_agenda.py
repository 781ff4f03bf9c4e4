"""Draws the agenda page and the strip that takes back: ``experiments.screenshots OUTDIR --agenda``.

One process draws one scale (``QT_SCALE_FACTOR``); at 200 % the window is as small as 1366×768 makes it.
"""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Literal, cast

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QWidget

from experiments.screenshots_settings import NOW, SMALL
from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.core.items.agenda import (
    Agenda,
    AgendaLooked,
    Effort,
    GoalDetail,
    GoalEnded,
    GoalFact,
    JobDetail,
    JobFact,
    LookAtAgenda,
    ToldKey,
)
from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.items.goals import Goal, GoalGiven, GoalId, GoalOutcome, GoalRun, GoalState
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId
from jarvis_desktop.core.items.schedule import Job, JobId, Run, RunEnd
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.scheduler.when_words import when_text
from jarvis_desktop.core.settings import UiSettings
from jarvis_desktop.ui.qt.desktop import Desktop
from jarvis_desktop.ui.qt.settings_agenda_page import AgendaPage
from jarvis_desktop.ui.qt.settings_page import Place
from jarvis_desktop.ui.qt.settings_window import SettingsWindow

LONG = (
    "수도권 행복주택과 국민임대 가운데 보증금 5천만 원 아래이고 "
    "지하철역에서 걸어서 10분 안쪽인 공고가 나오면 알려줘"
)
GOAL = Goal(GoalId("a"), AgentId("karen"), LONG, "Asia/Seoul", NOW)
HOUR = timedelta(hours=1)
RUNS = tuple(
    GoalRun(
        GOAL.goal_id,
        NOW - HOUR * (number + 1),
        outcome,
        number % 3,
        number % 2,
        0.3 + 9 * (number % 2),
        why,
        90 - number,
        tokens,
    )
    for number, (outcome, why, tokens) in enumerate(
        (
            (GoalOutcome.SKIPPED_UNCHANGED, "", 0),
            (GoalOutcome.TOLD, "", 2_310),
            (GoalOutcome.NOTHING, "", 1_870),
            (GoalOutcome.ERROR, "Ollama does not answer at http://127.0.0.1:11434.", 0),
            (GoalOutcome.UNDELIVERED, "", 2_050),
            (GoalOutcome.SKIPPED_BUDGET, "", 0),
            (GoalOutcome.INTERRUPTED, "", 0),
        )
    )
)


def _agenda(texts: Catalog) -> Agenda:
    def fact(goal: Goal, agent: str, last: GoalRun | None, *, working: bool = False) -> GoalFact:
        soon = NOW + HOUR if goal.state is GoalState.ACTIVE else None
        when = when_text(Job(JobId("j"), cron=goal.cron), texts)
        return GoalFact(goal, agent, when, soon, last, working)

    second = replace(
        GOAL, goal_id=GoalId("b"), agent_id=MAIN_AGENT, sentence="Tell me when the disk has less than 10 GB"
    )
    rests = replace(
        GOAL,
        goal_id=GoalId("c"),
        sentence="빌드가 초록이 되면 알려줘",
        state=GoalState.SNOOZED,
        snoozed_until=NOW + HOUR * 20,
    )
    water = Job(JobId("water"), task="물 마시라고 알려줘", cron="0 10 * * 1-5")
    report = Job(JobId("report"), task="Sum up what I did this week.", cron="0 18 * * 5", enabled=False)
    return Agenda(
        goals=(
            fact(GOAL, "KAREN", RUNS[1]),
            fact(second, "JARVIS", RUNS[0], working=True),
            fact(rests, "JARVIS", None),
        ),
        ended=2,
        jobs=(
            JobFact(
                water,
                "JARVIS",
                when_text(water, texts),
                NOW + HOUR * 15,
                _run(water, RunEnd.DONE, "물 드세요!"),
            ),
            JobFact(report, "JARVIS", when_text(report, texts), None, _run(report, RunEnd.MISSED, "")),
        ),
        goal_problems=(
            texts("{file}, line {line}: {problem}. This goal rests until the file is mended.").format(
                file="goals/kitchen-1a2b.json", line=4, problem="no JSON"
            ),
        ),
        today=Effort(26, 21, 12_480, 83.0),
        goal=GoalDetail(
            GOAL.goal_id,
            RUNS,
            (ToldKey("lh-2026-1187", "v2", NOW - HOUR), ToldKey("sh-0443", "", NOW - HOUR * 30, muted=True)),
            ("3쪽까지 보고 마곡 두 건을 알렸다", "새 공고가 없었다"),
            2,
            Effort(9, 7, 4_180, 31.0),
            Effort(214, 180, 96_400, 1_260.0),
        ),
        job=JobDetail(
            water.job_id, (_run(water, RunEnd.DONE, "물 드세요!"), _run(water, RunEnd.INTERRUPTED, ""))
        ),
    )


def _run(job: Job, end: RunEnd, text: str) -> Run:
    at = NOW - HOUR * (20 if end is RunEnd.DONE else 44)
    return Run(job.job_id, at, at, end, text, at)


class AgendaStudio:
    """Takes pictures of the agenda in one look and language."""

    def __init__(self, out: Path, language: Language, theme: str, percent: int) -> None:
        self.out, self.name, self.percent = out, f"{theme}-{language.value}-{percent}", percent
        self.texts = Catalog(language)
        self.agenda = Agenda()
        look = cast("Literal['light', 'dark']", theme)
        self.desktop = Desktop(
            self._take,
            self.texts,
            UiSettings(language="system", theme=look, hotkey=""),
            now=lambda: NOW,
        )

    def _take(self, command: Command) -> None:
        if isinstance(command, LookAtAgenda):
            looked = AgendaLooked(command.number, self.agenda, NOW)
            QTimer.singleShot(0, lambda: self.desktop._take(looked))  # noqa: SLF001 - without the queue

    def shoot(self) -> None:
        """All pictures."""
        self.desktop.settings.open_agenda()
        self.window.resize(*(SMALL if self.percent > 100 else (1000, 760)))
        self._save(self.window, "empty")
        self.agenda = _agenda(self.texts)
        page = self.window.pages[Place.AGENDA]
        assert isinstance(page, AgendaPage)
        page.look()
        self._save(self.window, "top")
        bar = self.window._areas[Place.AGENDA].verticalScrollBar()  # noqa: SLF001 - to scroll it
        for step, what in ((0.34, "goal"), (0.67, "lists"), (1.0, "bottom")):
            bar.setValue(round(bar.maximum() * step))
            self._save(self.window, what)
        page.goal.change.click()
        page.goal.stop_goal()
        self.desktop._take(GoalEnded(GOAL))  # noqa: SLF001 - without the queue
        bar.setValue(0)
        self._save(self.window, "ended")
        self.window.hide()
        main = self.desktop.windows[0]
        main.resize(*(SMALL if self.percent > 100 else (1000, 720)))
        main.show()
        self.desktop._take(GoalGiven(GOAL))  # noqa: SLF001 - without the queue
        self._save(main, "strip")
        main.hide()
        self.desktop._end()  # noqa: SLF001 - no loop of its own is running

    @property
    def window(self) -> SettingsWindow:
        """It is open."""
        window = self.desktop.settings.window
        assert window is not None
        return window

    def _save(self, widget: QWidget, what: str) -> None:
        loop = QEventLoop()
        QTimer.singleShot(250, loop.quit)
        loop.exec()
        widget.grab().save(str(self.out / f"agenda-{what}-{self.name}.png"))
