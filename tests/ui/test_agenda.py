"""The agenda page and the strip that takes back: what they show, what they ask for, what a hand reaches."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QPushButton, QWidget

from jarvis_desktop.core.items.agenda import (
    Agenda,
    AgendaChanged,
    AgendaLooked,
    AgendaRefused,
    CueGoal,
    EditGoal,
    Effort,
    GoalDetail,
    GoalEnded,
    GoalFact,
    JobDetail,
    JobFact,
    JobRemoved,
    LookAtAgenda,
    PauseJob,
    RunGoal,
    RunJob,
    ToldKey,
    UndoEndGoal,
    UndoRemoveJob,
)
from jarvis_desktop.core.items.goal_notices import MuteItem
from jarvis_desktop.core.items.goals import Goal, GoalCue, GoalGiven, GoalId, GoalOutcome, GoalRun, GoalState
from jarvis_desktop.core.items.ids import MAIN_AGENT
from jarvis_desktop.core.items.schedule import Job, JobAdded, JobId, RemoveJob, Run, RunEnd
from jarvis_desktop.core.items.team_desk import Folder, PrepareFolder
from jarvis_desktop.ui.qt.settings_agenda_page import AgendaPage
from jarvis_desktop.ui.qt.settings_page import Place
from tests.ui.conftest import Stage
from tests.ui.samples import NOW

SOON = NOW + timedelta(hours=1)
GOAL = Goal(GoalId("g1"), MAIN_AGENT, "추천하는 공고만 알려줘", "Asia/Seoul", NOW)
RUN = GoalRun(GOAL.goal_id, NOW, GoalOutcome.TOLD, 1, 1, 12.0, number=4, tokens=1234)
FREE = GoalRun(GOAL.goal_id, NOW, GoalOutcome.SKIPPED_UNCHANGED, took_s=0.2, number=3)
FACT = GoalFact(GOAL, "JARVIS", "every hour from 09:00 to 21:00", SOON, RUN)
OTHER = replace(FACT, goal=replace(GOAL, goal_id=GoalId("g2"), sentence="Watch the disk"), last=None)
KEY = ToldKey("n1", "v2", NOW)
DETAIL = GoalDetail(
    GOAL.goal_id,
    (RUN, FREE),
    (KEY,),
    ("looked at page 2",),
    2,
    Effort(2, 1, 1234, 12.2),
    Effort(9, 5, 9999, 80),
)
JOB = Job(JobId("water"), task="drink water", cron="0 8 * * *")
DONE = Run(JOB.job_id, NOW, NOW, RunEnd.DONE, "Drank it.", NOW)
JOB_FACT = JobFact(JOB, "JARVIS", "every day at 08:00", SOON, DONE)
FULL = Agenda((FACT, OTHER), 1, (JOB_FACT,), today=Effort(2, 1, 1234, 12.2))


class Panel:
    """The page on a stage; the test answers in the desk's place."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        stage.desktop.settings.open_agenda()
        window = stage.desktop.settings.window
        assert window is not None
        page = window.pages[Place.AGENDA]
        assert isinstance(page, AgendaPage)
        self.window, self.page = window, page

    def told(self, agenda: Agenda) -> None:
        """The answers to all looks so far; what is chosen is told in full."""
        for _ in range(3):
            wish = self.looked
            detail = DETAIL if wish.goal_id == GOAL.goal_id else None
            job = JobDetail(JOB.job_id, (DONE,)) if wish.job_id == JOB.job_id else None
            self.stage.take(AgendaLooked(wish.number, replace(agenda, goal=detail, job=job), NOW))
            if self.looked is wish:
                return

    @property
    def looked(self) -> LookAtAgenda:
        found = [one for one in self.stage.sent if isinstance(one, LookAtAgenda)][-1]
        assert isinstance(found, LookAtAgenda)
        return found

    def sent(self) -> object:
        """What was sent last, looks left out."""
        return [one for one in self.stage.sent if not isinstance(one, LookAtAgenda)][-1]


@pytest.fixture
def panel(staged: Callable[..., Stage]) -> Panel:
    made = Panel(staged())
    made.told(FULL)
    return made


def press(button: QAbstractButton) -> None:
    assert button.isVisible()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def cells(panel: Panel, row: int) -> list[str]:
    items = [panel.page.table.item(row, column) for column in range(5)]
    return [item.text() for item in items if item is not None]


def test_each_goal_shows_its_state_next_look_last_result_and_agent(panel: Panel) -> None:
    first = cells(panel, 0)
    assert (first[0], first[1], first[3], first[4]) == (
        GOAL.sentence,
        "looked after",
        "One thing was told.",
        "JARVIS",
    )
    assert first[2].endswith(f"{SOON.astimezone():%H:%M}")
    assert cells(panel, 1)[3] == "–"


def test_the_chosen_goal_shows_what_it_took_told_and_reads(panel: Panel) -> None:
    card = panel.page.goal
    assert panel.looked.goal_id == GOAL.goal_id
    facts = card.facts.text()
    assert "Today: 2 turns, 1 without a model; 1,234 tokens, 12 s." in facts
    assert "2 things wait to be told." in facts
    assert card.records.text() == "• looked at page 2"
    told, took = card.told.item(0, 1), card.history.item(1, 2)
    assert told is not None
    assert took is not None
    assert (told.text(), took.text()) == ("n1@v2", "no model · 0.2 s")
    assert panel.page.day.text() == "Today: 2 turns, 1 without a model; 1,234 tokens, 12 s."


def test_pause_look_now_and_rest_name_the_goal_that_is_chosen(panel: Panel) -> None:
    card, goal_id = panel.page.goal, GOAL.goal_id
    press(card.pause)
    assert panel.sent() == CueGoal(goal_id, GoalCue.PAUSE)
    press(card.run)
    assert panel.sent() == RunGoal(goal_id)
    menu = card.rest.menu()
    assert menu is not None
    for action, seconds in zip(menu.actions(), (3600, 3 * 3600, 24 * 3600), strict=False):
        action.trigger()
        assert panel.sent() == CueGoal(goal_id, GoalCue.SNOOZE, seconds)
    menu.actions()[3].trigger()
    until = datetime.fromtimestamp(card.until.dateTime().toSecsSinceEpoch(), UTC)
    press(card.rest_until)
    assert panel.sent() == CueGoal(goal_id, GoalCue.SNOOZE, until=until)
    assert until > NOW
    assert card.pause.isVisible()


def test_a_paused_goal_offers_to_go_on(panel: Panel) -> None:
    paused = replace(FACT, goal=replace(GOAL, state=GoalState.PAUSED), next_at=None)
    panel.told(replace(FULL, goals=(paused,)))
    assert panel.page.goal.pause.text() == "&Go on"
    press(panel.page.goal.pause)
    assert panel.sent() == CueGoal(GOAL.goal_id, GoalCue.RESUME)


def test_a_goal_is_edited_in_place_and_an_empty_sentence_is_not_sent(panel: Panel) -> None:
    card = panel.page.goal
    press(card.change)
    assert card.words.text() == GOAL.sentence
    card.words.setText("  ")
    press(card.save)
    assert card.words.isVisible()
    card.words.setText("other words")
    QTest.keyClick(card.words, Qt.Key.Key_Return)
    assert panel.sent() == EditGoal(GOAL.goal_id, "other words")
    assert not card.words.isVisible()


def test_what_is_typed_stays_while_the_page_looks_again(panel: Panel) -> None:
    card = panel.page.goal
    press(card.change)
    card.words.setText("half a sen")
    panel.page._timer.timeout.emit()
    panel.told(replace(FULL, goals=(replace(FACT, working=True), OTHER)))
    assert (card.words.text(), card.words.isVisible()) == ("half a sen", True)


def test_a_goal_that_ended_comes_back_as_it_was(panel: Panel) -> None:
    press(panel.page.goal.end)
    assert panel.sent() == CueGoal(GOAL.goal_id, GoalCue.STOP)
    rests = replace(GOAL, state=GoalState.SNOOZED, snoozed_until=SOON)
    panel.stage.take(GoalEnded(rests))
    back = panel.page.way_back
    assert back.said.text() == f"Ended: {GOAL.sentence}"
    press(back.undo)
    assert panel.sent() == UndoEndGoal(GOAL.goal_id, GoalState.SNOOZED, SOON)
    assert not back.isVisible()


def test_a_key_is_muted_and_told_again(panel: Panel) -> None:
    panel.page.goal.told.choose(0)
    press(panel.page.goal.mute)
    assert panel.sent() == MuteItem(GOAL.goal_id, "n1", on=True)


def test_a_job_is_paused_run_removed_and_put_back(panel: Panel) -> None:
    jobs = panel.page.jobs
    press(jobs.pause)
    assert panel.sent() == PauseJob(JOB.job_id, paused=True)
    press(jobs.run)
    assert panel.sent() == RunJob(JOB.job_id)
    press(jobs.remove)
    assert panel.sent() == RemoveJob(JOB.job_id)
    panel.stage.take(JobRemoved(JOB))
    assert panel.page.way_back.said.text() == "Scheduled no more: drink water"
    press(panel.page.way_back.undo)
    assert panel.sent() == UndoRemoveJob(JOB.job_id)
    history = jobs.history.item(0, 1)
    assert history is not None
    assert history.text() == "It was done. Drank it."


def test_the_chosen_goal_stays_chosen_when_another_comes_before_it(panel: Panel) -> None:
    panel.page.table.choose(1)
    assert panel.looked.goal_id == OTHER.goal.goal_id
    new = replace(FACT, goal=replace(GOAL, goal_id=GoalId("g0"), sentence="First"))
    panel.told(replace(FULL, goals=(new, FACT, OTHER)))
    assert panel.page.table.currentRow() == 2
    assert panel.page.goal.sentence.text() == "Watch the disk"


def test_when_the_chosen_goal_is_gone_all_of_the_next_one_is_asked_for(panel: Panel) -> None:
    panel.told(replace(FULL, goals=(OTHER,)))
    assert panel.looked.goal_id == OTHER.goal.goal_id
    assert panel.page.goal.history.isVisible() is False


def test_an_open_page_looks_again_when_something_changed_and_a_closed_one_does_not(panel: Panel) -> None:
    number = panel.looked.number
    panel.stage.take(AgendaChanged())
    assert panel.looked.number == number + 1
    panel.window.hide()
    panel.stage.take(AgendaChanged())
    assert panel.looked.number == number + 1
    assert not panel.page._timer.isActive()


def test_while_there_is_nothing_three_examples_each_fill_the_input_line(staged: Callable[..., Stage]) -> None:
    panel = Panel(staged())
    panel.told(Agenda())
    assert not panel.page.table.isVisible()
    for examples in (panel.page.examples, panel.page.jobs.examples):
        assert len(examples.buttons) == 3
        button = examples.buttons[0]
        press(button)
        assert panel.stage.window.composer.text == examples.lines[0]
        panel.stage.window.composer.field.clear()


def test_files_that_cannot_be_read_are_shown_with_the_way_to_their_folder(panel: Panel) -> None:
    wrong = "goals/a.json, line 2: no JSON. This goal rests until the file is mended."
    panel.told(replace(FULL, goal_problems=(wrong,), job_problems=("schedules/b.yaml, line 3: …",)))
    assert panel.page.problems.text() == f"{wrong}\nschedules/b.yaml, line 3: …"
    press(panel.page.folders[Folder.GOALS])
    assert panel.sent() == PrepareFolder(Folder.GOALS)


def test_what_was_refused_and_that_schedules_are_off_is_said(panel: Panel) -> None:
    panel.told(replace(FULL, on=False))
    panel.stage.take(AgendaRefused("No."))
    assert panel.page.off.isVisible()
    assert panel.page.trouble.text() == "No."


def test_goals_that_are_over_are_shown_when_wanted(panel: Panel) -> None:
    assert panel.page.ended.text() == "Show 1 that is over"
    panel.page.ended.click()
    assert panel.looked.ended
    over = replace(FACT, goal=replace(GOAL, state=GoalState.STOPPED), next_at=None)
    panel.told(replace(FULL, goals=(over,)))
    assert not panel.page.goal.end.isVisible()
    press(panel.page.goal.pause)
    assert panel.sent() == CueGoal(GOAL.goal_id, GoalCue.RESUME)


def test_every_control_has_a_name_and_the_keyboard_reaches_it(panel: Panel) -> None:
    panel.page.goal.told.choose(0)
    panel.page.table.setFocus()
    reached: set[QWidget] = set()
    for _ in range(60):
        QTest.keyClick(panel.window, Qt.Key.Key_Tab)
        focused = QApplication.focusWidget()
        assert focused is not None
        reached.add(focused)
    card, jobs = panel.page.goal, panel.page.jobs
    wanted: list[QWidget] = [
        *(panel.page.table, card.pause, card.run, card.rest, card.change, card.end),
        *(card.history, card.told, card.mute, jobs.table, jobs.pause, jobs.run, jobs.remove, jobs.history),
    ]
    assert all(one in reached for one in wanted)
    assert all(one.accessibleName() or getattr(one, "text", str)() for one in reached)
    assert card.pause.accessibleName() == f"Pause: {GOAL.sentence}"


def test_the_delete_key_ends_a_goal_and_removes_a_job(panel: Panel) -> None:
    panel.page.table.setFocus()
    QTest.keyClick(panel.page.table, Qt.Key.Key_Delete)
    assert panel.sent() == CueGoal(GOAL.goal_id, GoalCue.STOP)
    panel.page.jobs.table.setFocus()
    QTest.keyClick(panel.page.jobs.table, Qt.Key.Key_Delete)
    assert panel.sent() == RemoveJob(JOB.job_id)


def test_header_tray_and_a_key_lead_to_the_agenda(staged: Callable[..., Stage]) -> None:
    stage = staged()
    shortcuts = {one.shortcut().toString(): one for one in stage.window.actions()}
    for way in (
        stage.window.header.agenda.click,
        stage.desktop.tray.agenda.trigger,
        shortcuts["Ctrl+Shift+G"].trigger,
    ):
        way()
        window = stage.desktop.settings.window
        assert window is not None
        assert (window.isVisible(), window.place) == (True, Place.AGENDA)
        window.go(Place.MEMORY)
        window.hide()


# --- the strip in the conversation -----------------------------------------------------------


def strip(stage: Stage) -> tuple[str, QPushButton]:
    agreed = stage.window.strips.agreed
    return agreed.said.text() if agreed.isVisible() else "", agreed.undo


@pytest.mark.promise("G-021")
def test_a_goal_that_was_taken_on_is_taken_back_by_one_click(stage: Stage) -> None:
    stage.take(GoalGiven(GOAL))
    text, undo = strip(stage)
    assert text == f"Goal taken on: {GOAL.sentence}"
    press(undo)
    assert stage.of(CueGoal) == [CueGoal(GOAL.goal_id, GoalCue.STOP)]
    assert strip(stage)[0] == ""


def test_a_job_that_was_made_is_taken_back_by_one_click(stage: Stage) -> None:
    stage.take(JobAdded(JOB, "every day at 08:00"))
    text, undo = strip(stage)
    assert text == "Scheduled, every day at 08:00: drink water"
    press(undo)
    assert stage.of(RemoveJob) == [RemoveJob(JOB.job_id)]


def test_a_way_back_that_failed_says_why_and_one_that_was_taken_elsewhere_is_gone(stage: Stage) -> None:
    stage.take(GoalGiven(GOAL))
    press(strip(stage)[1])
    stage.take(AgendaRefused("The disk is full."))
    text, undo = strip(stage)
    assert (text, undo.isVisible()) == ("The disk is full.", False)
    stage.take(JobAdded(JOB, "every day at 08:00"))
    assert strip(stage)[1].isVisible()
    stage.take(JobRemoved(JOB))
    assert strip(stage)[0] == ""
