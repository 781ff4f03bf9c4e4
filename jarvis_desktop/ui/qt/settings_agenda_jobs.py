"""The card of schedules: a list, and below it the one that is chosen with its last runs."""

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from jarvis_desktop.core.items.agenda import Agenda, JobDetail, JobFact, PauseJob, RunJob
from jarvis_desktop.core.items.schedule import JobId, RemoveJob
from jarvis_desktop.ui import agenda_words
from jarvis_desktop.ui.qt.flow_layout import FlowLayout
from jarvis_desktop.ui.qt.page import Card, rename, say, wrapped
from jarvis_desktop.ui.qt.settings_agenda_parts import Examples, FollowingTable
from jarvis_desktop.ui.qt.settings_page import SettingsParts, push
from jarvis_desktop.ui.qt.settings_table import Columns
from jarvis_desktop.ui.visible_text import one_line, visible

_ROWS, _RUN_ROWS, _NAME_CHARS = 6, 5, 60


class JobsCard(Card):
    """What is done by the clock."""

    def __init__(self, parts: SettingsParts, look: Callable[[], None]) -> None:
        """look: called when another one is chosen."""
        texts = parts.texts
        super().__init__(texts("Schedules"))
        self._parts, self._look = parts, look
        self.jobs: tuple[JobFact, ...] = ()
        self._detail: JobDetail | None = None
        self.examples = Examples(
            parts,
            texts("Nothing is scheduled. A click writes one of these into the input line:"),
            "jobs",
            agenda_words.job_examples(texts),
        )
        columns = Columns(
            (texts("What"), texts("When"), texts("Next"), texts("Last")), wide=0, spare={3: 700, 1: 400}
        )
        self.table = FollowingTable(texts("Schedules"), "agenda.jobs", columns, self._choose, _ROWS)
        delete = QShortcut(QKeySequence(Qt.Key.Key_Delete), self.table)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self._remove)
        self.task, self.facts = wrapped("", "cardTitle"), wrapped("", "cardText")
        self.pause = push("", "agenda.job.pause", self._pause)
        self.run = push(texts("R&un now"), "agenda.job.run", self._run)
        self.remove = push(texts("Re&move"), "agenda.job.remove", self._remove)
        self.buttons = QWidget()
        row = FlowLayout()
        row.add(self.pause, self.run, self.remove)
        self.buttons.setLayout(row)
        self.history_title = wrapped(texts("History"), "cardTitle")
        self.history = FollowingTable(
            texts("History"),
            "agenda.job.history",
            Columns((texts("When"), texts("What came of it")), wide=1, spare={}),
            self._show_row,
            _RUN_ROWS,
        )
        self.row = wrapped("", "cardFacts")
        for widget in (
            *(self.examples, self.table, self.task, self.facts, self.buttons),
            *(self.history_title, self.history, self.row),
        ):
            self.column.addWidget(widget)
        self._show_none()

    @property
    def chosen(self) -> JobId | None:
        """The job that is looked at."""
        key = self.table.chosen
        return JobId(str(key)) if key is not None else None

    # --- showing ------------------------------------------------------------------------------

    def show_agenda(self, agenda: Agenda, now: datetime) -> None:
        """These are there now."""
        texts = self._parts.texts
        self.jobs, self._now = agenda.jobs, now
        rows = [(one.job.job_id, agenda_words.job_cells(one, now, texts)) for one in agenda.jobs]
        self.table.fill(rows)
        self.table.setVisible(bool(rows))
        self.examples.setVisible(not rows)
        self._detail = agenda.job
        self._show_chosen()

    def _show_none(self) -> None:
        for widget in (self.task, self.facts, self.buttons, self.history_title, self.history, self.row):
            widget.hide()
        self.table.hide()

    def _fact(self) -> JobFact | None:
        return next((one for one in self.jobs if one.job.job_id == self.chosen), None)

    def _show_chosen(self) -> None:
        fact, texts = self._fact(), self._parts.texts
        if fact is None:
            self._show_none()
            return
        name = one_line(agenda_words.job_name(fact), _NAME_CHARS)
        say(self.task, visible(fact.job.task or fact.job.job_id))
        say(self.facts, agenda_words.job_facts(fact, self._now, texts))
        rename(self.pause, texts("&Pause") if fact.job.enabled else texts("&Go on"), name)
        rename(self.run, texts("R&un now"), name)
        rename(self.remove, texts("Re&move"), name)
        self.run.setEnabled(fact.last is None or fact.last.end is not None)
        self.buttons.show()
        mine = self._detail is not None and self._detail.job_id == fact.job.job_id
        runs = self._detail.runs if mine and self._detail is not None else ()
        self.history.fill([(one.due_at, agenda_words.job_run_cells(one, self._now, texts)) for one in runs])
        self.history.setVisible(bool(runs))
        self.history_title.setVisible(bool(runs))
        self._show_row()

    def _show_row(self) -> None:
        runs = self._detail.runs if self._detail is not None else ()
        run = next((one for one in runs if one.due_at == self.history.chosen), None)
        say(self.row, "" if run is None else agenda_words.job_run_sentence(run, self._parts.texts))

    # --- doing --------------------------------------------------------------------------------

    def _choose(self) -> None:
        self._show_chosen()
        self._look()

    def _pause(self) -> None:
        fact = self._fact()
        if fact is not None:
            self._parts.send(PauseJob(fact.job.job_id, paused=fact.job.enabled))

    def _run(self) -> None:
        fact = self._fact()
        if fact is not None:
            self._parts.send(RunJob(fact.job.job_id))

    def _remove(self) -> None:
        fact = self._fact()
        if fact is not None:
            self._parts.send(RemoveJob(fact.job.job_id))
