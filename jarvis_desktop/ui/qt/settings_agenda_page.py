"""The agenda: what agents look after and what is due by the clock, as it is now, and how to steer it."""

from datetime import datetime

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QCheckBox

from jarvis_desktop.core.items.agenda import (
    Agenda,
    AgendaChanged,
    AgendaLooked,
    AgendaRefused,
    GoalEnded,
    JobRemoved,
    LookAtAgenda,
    UndoEndGoal,
    UndoRemoveJob,
)
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.goals import GoalAdvanced, GoalGiven, GoalId, GoalSpoke
from jarvis_desktop.core.items.schedule import JobAdded, JobId, JobRan
from jarvis_desktop.core.items.setup import SettingsChanged
from jarvis_desktop.core.items.team_desk import Folder
from jarvis_desktop.ui import agenda_words
from jarvis_desktop.ui.qt.flow_layout import FlowLayout
from jarvis_desktop.ui.qt.page import Card, say, wrapped
from jarvis_desktop.ui.qt.settings_agenda_goal import GoalCard
from jarvis_desktop.ui.qt.settings_agenda_jobs import JobsCard
from jarvis_desktop.ui.qt.settings_agenda_parts import Examples, FollowingTable, WayBack
from jarvis_desktop.ui.qt.settings_page import SettingsPage, SettingsParts, Ways, push
from jarvis_desktop.ui.qt.settings_table import Columns
from jarvis_desktop.ui.visible_text import visible

LOOK_MS = 2000
"""How often the open page looks whether files have changed."""
SWITCH = "schedule.enabled"
_ROWS = 8


class AgendaPage(SettingsPage):
    """Goals, schedules, and what today took."""

    def __init__(self, parts: SettingsParts, ways: Ways) -> None:
        texts = parts.texts
        super().__init__(
            parts,
            ways,
            texts("Agenda"),
            texts(
                "What agents look after for you, and what is done by the clock. You are told only what is "
                "new, and your own requests always go first."
            ),
        )
        self._number = 0
        self._asked: tuple[GoalId | None, JobId | None] = None, None
        self.agenda = Agenda()
        self._now: datetime | None = None
        self.day = wrapped("", "cardText")
        self.off = wrapped(
            texts("Schedules are switched off in the settings: nothing begins by itself."), "setupNotice"
        )
        self.trouble, self.problems = wrapped("", "setupNotice"), wrapped("", "setupNotice")
        self.way_back = WayBack(texts, parts.send)
        for widget in (self.day, self.off, self.trouble, self.problems, self.way_back):
            self.column.addWidget(widget)
            widget.hide()
        self._build_goals()
        self.jobs = JobsCard(parts, self.look)
        self.column.addWidget(self.jobs)
        self._build_files()
        self.column.addStretch(1)
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self.look)

    def _build_goals(self) -> None:
        parts, texts = self.parts, self.parts.texts
        card = Card(texts("Goals"))
        self.examples = Examples(
            parts,
            texts("No agent looks after anything yet. A click writes one of these into the input line:"),
            "goals",
            agenda_words.goal_examples(texts),
        )
        titles = (texts("Goal"), texts("State"), texts("Next"), texts("Last"), texts("Agent"))
        columns = Columns(titles, wide=0, spare={4: 960, 3: 800, 2: 420})
        self.table = FollowingTable(texts("Goals"), "agenda.goals", columns, self._choose, _ROWS)
        delete = QShortcut(QKeySequence(Qt.Key.Key_Delete), self.table)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        self.goal = GoalCard(parts)
        delete.activated.connect(self.goal.stop_goal)
        self.ended = QCheckBox("")
        self.ended.setAccessibleIdentifier("settings.agenda.ended")
        self.ended.toggled.connect(self.look)
        self.ended.hide()
        for widget in (self.examples, self.table, self.ended, self.goal):
            card.column.addWidget(widget)
        self.table.hide()
        self.column.addWidget(card)

    def _build_files(self) -> None:
        """What stands behind the page is files, which people may edit themselves."""
        texts = self.parts.texts
        self.folders = {
            Folder.GOALS: push(
                texts("Open the folder of goals"),
                "agenda.folder.goals",
                lambda: self.ways.to_folder(Folder.GOALS),
            ),
            Folder.SCHEDULES: push(
                texts("Open the folder of schedules"),
                "agenda.folder.schedules",
                lambda: self.ways.to_folder(Folder.SCHEDULES),
            ),
        }
        row = FlowLayout()
        row.add(*self.folders.values())
        self.column.addLayout(row)

    # --- events -------------------------------------------------------------------------------

    def take(self, event: Event) -> None:
        """Show what happened."""
        match event:
            case AgendaLooked() if event.number == self._number:
                self._show(event.agenda, event.at)
            case AgendaRefused(reason):
                say(self.trouble, visible(reason))
            case GoalEnded(goal):
                undoing = UndoEndGoal(goal.goal_id, goal.state, goal.snoozed_until)
                self.way_back.offer(self.parts.texts("Ended: {name}"), goal.sentence, undoing)
            case JobRemoved(job):
                text = self.parts.texts("Scheduled no more: {name}")
                self.way_back.offer(text, job.task or job.job_id, UndoRemoveJob(job.job_id))
            case AgendaChanged() | GoalAdvanced() | GoalGiven() | GoalSpoke() | JobAdded() | JobRan():
                self._look_again()
            case SettingsChanged(changed) if SWITCH in changed:
                self._look_again()
            case _:
                pass

    def entered(self) -> None:
        """Look, and follow what changes."""
        self.look()
        self._timer.start()

    def left(self) -> None:
        """Nobody looks any more."""
        self._timer.stop()
        say(self.trouble, "")

    def closed(self) -> None:
        """What was taken back was taken back; the rest is settled."""
        self.way_back.put_away()

    def look(self) -> None:
        """Ask for everything, and for all of what is chosen."""
        self._number += 1
        self._asked = self._chosen
        self.parts.look(LookAtAgenda(self._number, *self._asked, ended=self.ended.isChecked()))

    @property
    def _chosen(self) -> tuple[GoalId | None, JobId | None]:
        key = self.table.chosen
        return GoalId(str(key)) if key is not None else None, self.jobs.chosen

    def _look_again(self) -> None:
        if self.isVisible():
            self.look()

    # --- showing ------------------------------------------------------------------------------

    def _show(self, agenda: Agenda, now: datetime) -> None:
        self.agenda, self._now = agenda, now
        texts = self.parts.texts
        say(self.day, agenda_words.day_words(agenda, texts))
        self.off.setVisible(not agenda.on)
        say(self.problems, "\n".join(visible(one) for one in (*agenda.goal_problems, *agenda.job_problems)))
        rows = [(one.goal.goal_id, agenda_words.goal_cells(one, now, texts)) for one in agenda.goals]
        self.table.fill(rows)
        self.table.setVisible(bool(rows))
        self.examples.setVisible(not rows)
        ended = texts.plural("Show {count} that is over", "Show {count} that are over", agenda.ended)
        self.ended.setText(ended.format(count=agenda.ended))
        self.ended.setVisible(bool(agenda.ended))
        self._show_goal()
        self.jobs.show_agenda(agenda, now)
        if self._chosen != self._asked:
            self.look()  # another one is chosen since others came or went

    def _show_goal(self) -> None:
        if self._now is not None:
            chosen = next((one for one in self.agenda.goals if one.goal.goal_id == self.table.chosen), None)
            self.goal.show_goal(chosen, self.agenda.goal, self._now)

    def _choose(self) -> None:
        self._show_goal()
        self.look()
