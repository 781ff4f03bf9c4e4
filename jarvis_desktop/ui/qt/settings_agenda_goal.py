"""One goal in full: how it stands, what it took, what it told, and everything that can be done with it."""

from collections.abc import Callable
from datetime import UTC, datetime

from PySide6.QtCore import QDateTime, Qt
from PySide6.QtWidgets import QDateTimeEdit, QMenu, QWidget

from jarvis_desktop.core.items.agenda import CueGoal, EditGoal, GoalDetail, GoalFact, RunGoal, ToldKey
from jarvis_desktop.core.items.goal_notices import MuteItem
from jarvis_desktop.core.items.goals import GoalCue, GoalState
from jarvis_desktop.ui import agenda_words
from jarvis_desktop.ui.qt.flow_layout import FlowLayout
from jarvis_desktop.ui.qt.page import Card, mark, rename, say, wrapped
from jarvis_desktop.ui.qt.settings_agenda_parts import FollowingTable
from jarvis_desktop.ui.qt.settings_page import SettingsParts, line, push
from jarvis_desktop.ui.qt.settings_table import Columns
from jarvis_desktop.ui.visible_text import Care, one_line, visible

HOUR_S = 3600
_NAME_CHARS, _MOST_CHARS, _ROWS = 60, 500, 5
_OVER = (GoalState.DONE, GoalState.STOPPED)


class GoalCard(Card):
    """Shows the goal that is chosen; takes no room while there is none."""

    def __init__(self, parts: SettingsParts) -> None:
        super().__init__()
        self._parts = parts
        self.fact: GoalFact | None = None
        self._detail: GoalDetail | None = None
        self._now: datetime | None = None
        self.sentence = wrapped("", "cardTitle")
        self.state, self.facts = wrapped("", "cardState"), wrapped("", "cardText")
        for widget in (self.sentence, self.state, self.facts):
            self.column.addWidget(widget)
        self._build_buttons()
        self._build_editor()
        self._build_until()
        self._build_lists()
        self.hide()

    def _build_buttons(self) -> None:
        texts = self._parts.texts
        self.pause = push("", "agenda.goal.pause", self._pause)
        self.run = push(texts("&Look now"), "agenda.goal.run", self._run)
        self.rest = push(texts("&Rest"), "agenda.goal.rest", lambda: None)
        menu = QMenu(self.rest)
        for text, hours in (
            (texts("For an hour"), 1),
            (texts("For three hours"), 3),
            (texts("For a day"), 24),
        ):
            menu.addAction(text).triggered.connect(self._rests(hours))
        menu.addAction(texts("Until…")).triggered.connect(self._ask_until)
        self.rest.setMenu(menu)
        self.change = push(texts("&Change…"), "agenda.goal.change", self._edit)
        self.end = push(texts("&End"), "agenda.goal.end", self.stop_goal)
        self.buttons = QWidget()
        row = FlowLayout()
        row.add(self.pause, self.run, self.rest, self.change, self.end)
        self.buttons.setLayout(row)
        self.column.addWidget(self.buttons)

    def _build_editor(self) -> None:
        texts = self._parts.texts
        self.words = line(
            texts("The goal in other words"), "agenda.goal.words", texts("The goal in other words")
        )
        self.words.setMaxLength(_MOST_CHARS)
        self.words.returnPressed.connect(self._save)
        self.save = push(texts("&Save"), "agenda.goal.save", self._save, "primary")
        self.cancel = push(texts("Cancel"), "agenda.goal.cancel", self._close)
        self.editor = Card()
        self.editor.column.addWidget(wrapped(texts("What was told stays told."), "cardFacts"))
        self.editor.column.addWidget(self.words)
        self.editor.add_row(self.save, self.cancel)
        self.column.addWidget(self.editor)
        self.editor.hide()

    def _build_until(self) -> None:
        texts = self._parts.texts
        self.until = QDateTimeEdit()
        self.until.setCalendarPopup(True)
        self.until.setDisplayFormat("yyyy-MM-dd HH:mm")
        self.until.setAccessibleName(texts("Rests until"))
        self.until.setAccessibleIdentifier("settings.agenda.goal.until")
        self.rest_until = push(
            texts("&Rest until then"), "agenda.goal.rest_until", self._rest_until, "primary"
        )
        self.no_rest = push(texts("Cancel"), "agenda.goal.no_rest", self._close)
        self.asking = QWidget()
        row = FlowLayout()
        row.add(self.until, self.rest_until, self.no_rest)
        self.asking.setLayout(row)
        self.column.addWidget(self.asking)
        self.asking.hide()

    def _build_lists(self) -> None:
        texts = self._parts.texts
        columns = Columns(
            (texts("When"), texts("What came of it"), texts("What it took")), wide=1, spare={2: 520}
        )
        self.history_title = wrapped(texts("History"), "cardTitle")
        self.history = FollowingTable(texts("History"), "agenda.goal.history", columns, self._show_row, _ROWS)
        self.row = wrapped("", "cardFacts")
        self.told_title = wrapped(texts("What was told"), "cardTitle")
        self.told = FollowingTable(
            texts("What was told"),
            "agenda.goal.told",
            Columns((texts("When"), texts("Key")), wide=1, spare={}),
            self._show_key,
            _ROWS,
        )
        self.mute = push("", "agenda.goal.mute", self._mute)
        self.records_title = wrapped(texts("What its next look reads"), "cardTitle")
        self.records = wrapped("", "cardText")
        for widget in (
            *(self.history_title, self.history, self.row, self.told_title, self.told),
            *(self.mute, self.records_title, self.records),
        ):
            self.column.addWidget(widget)
        self.column.setAlignment(self.mute, Qt.AlignmentFlag.AlignLeft)

    # --- showing ------------------------------------------------------------------------------

    def show_goal(self, fact: GoalFact | None, detail: GoalDetail | None, now: datetime) -> None:
        """``fact`` is chosen, and is like this now; ``detail`` may still be on its way."""
        same = fact is not None and self.fact is not None and fact.goal.goal_id == self.fact.goal.goal_id
        self.fact, self._now = fact, now
        self._detail = detail if fact is None or (detail and detail.goal_id == fact.goal.goal_id) else None
        if not same:
            self._close()
        self.setVisible(fact is not None)
        if fact is not None:
            self._show(fact)

    def _show(self, fact: GoalFact) -> None:
        texts, goal, now = self._parts.texts, fact.goal, self._now
        assert now is not None
        name = one_line(goal.sentence, _NAME_CHARS)
        say(self.sentence, visible(goal.sentence))
        self.setAccessibleName(name)
        say(self.state, agenda_words.goal_state(fact, now, texts))
        mark(self.state, "good", on=goal.state is GoalState.ACTIVE)
        say(self.facts, agenda_words.goal_facts(fact, self._detail, now, texts))
        goes_on = goal.state is GoalState.ACTIVE
        rename(self.pause, texts("&Pause") if goes_on else texts("&Go on"), name)
        rename(self.run, texts("&Look now"), name)
        rename(self.rest, texts("&Rest"), name)
        rename(self.change, texts("&Change…"), name)
        rename(self.end, texts("&End"), name)
        over = goal.state in _OVER
        for button in (self.run, self.rest, self.change, self.end):
            button.setVisible(not over)
        self.run.setEnabled(not fact.working)
        self._show_lists(now)

    def _show_lists(self, now: datetime) -> None:
        texts, detail = self._parts.texts, self._detail
        runs = detail.runs if detail is not None else ()
        told = detail.told if detail is not None else ()
        records = detail.records if detail is not None else ()
        self.history.fill([(one.number, agenda_words.run_cells(one, now, texts)) for one in runs])
        self.told.fill([(one.key, agenda_words.told_cells(one, now, texts)) for one in told])
        say(self.records, "\n".join(f"• {visible(one, Care.SOURCE)}" for one in records))
        self.history_title.setVisible(bool(runs))
        self.told_title.setVisible(bool(told))
        self.records_title.setVisible(bool(records))
        self.history.setVisible(bool(runs))
        self.told.setVisible(bool(told))
        self._show_row()
        self._show_key()

    def _key(self) -> ToldKey | None:
        told = self._detail.told if self._detail is not None else ()
        return next((one for one in told if one.key == self.told.chosen), None)

    def _show_key(self) -> None:
        texts, key = self._parts.texts, self._key()
        self.mute.setVisible(key is not None)
        if key is not None:
            text = texts("&Tell it again") if key.muted else texts("&Tell no more of it")
            rename(self.mute, text, one_line(key.key, _NAME_CHARS))

    def _show_row(self) -> None:
        """The chosen row of the history in full: a cell may have no room for it."""
        runs = self._detail.runs if self._detail is not None else ()
        run = next((one for one in runs if one.number == self.history.chosen), None)
        texts = self._parts.texts
        whole = run and (agenda_words.run_sentence(run, texts), agenda_words.run_effort(run, texts))
        say(self.row, " · ".join(whole or ()))

    # --- doing --------------------------------------------------------------------------------

    def _cue(self, cue: GoalCue, for_s: int = 0, until: datetime | None = None) -> None:
        if self.fact is not None:
            self._parts.send(CueGoal(self.fact.goal.goal_id, cue, for_s, until))

    def _mute(self) -> None:
        key = self._key()
        if self.fact is not None and key is not None:
            self._parts.send(MuteItem(self.fact.goal.goal_id, key.key, on=not key.muted))

    def _pause(self) -> None:
        goes_on = self.fact is not None and self.fact.goal.state is GoalState.ACTIVE
        self._cue(GoalCue.PAUSE if goes_on else GoalCue.RESUME)

    def _run(self) -> None:
        if self.fact is not None:
            self._parts.send(RunGoal(self.fact.goal.goal_id))

    def stop_goal(self) -> None:
        """The chosen goal ends; that can be taken back."""
        if self.fact is not None and self.fact.goal.state not in _OVER:
            self._cue(GoalCue.STOP)

    def _rests(self, hours: int) -> Callable[[], None]:
        return lambda: self._cue(GoalCue.SNOOZE, hours * HOUR_S)

    def _ask_until(self) -> None:
        self._close()
        assert self._now is not None
        tomorrow = round(self._now.timestamp()) // HOUR_S * HOUR_S + 24 * HOUR_S
        self.until.setDateTime(QDateTime.fromSecsSinceEpoch(tomorrow))
        self.buttons.hide()
        self.asking.show()
        self.until.setFocus()

    def _rest_until(self) -> None:
        at = datetime.fromtimestamp(self.until.dateTime().toSecsSinceEpoch(), UTC)
        self._cue(GoalCue.SNOOZE, until=at)
        self._close()

    def _edit(self) -> None:
        if self.fact is not None:
            self.words.setText(self.fact.goal.sentence)
            self.buttons.hide()
            self.editor.show()
            self.words.setFocus()

    def _save(self) -> None:
        words = self.words.text().strip()
        if self.fact is not None and words:
            self._parts.send(EditGoal(self.fact.goal.goal_id, words))
            self._close()

    def _close(self) -> None:
        focus = self.focusWidget()
        had_focus = focus is not None and (self.editor.isAncestorOf(focus) or self.asking.isAncestorOf(focus))
        self.editor.hide()
        self.asking.hide()
        self.buttons.show()
        if had_focus:
            self.change.setFocus()
