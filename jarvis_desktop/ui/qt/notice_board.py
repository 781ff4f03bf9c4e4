"""Tells what happens to a person who looks at none of our windows, and takes what is pressed there."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from jarvis_desktop.core.items.commands import AnswerQuestion, Command
from jarvis_desktop.core.items.decisions import Answer, AnsweredBy, AnswerFate
from jarvis_desktop.core.items.events import AnswerRefused, Event, QuestionAsked, QuestionSettled
from jarvis_desktop.core.items.fetching import FetchStage
from jarvis_desktop.core.items.goal_notices import GoalNotice
from jarvis_desktop.core.items.ids import QuestionId
from jarvis_desktop.core.items.notice import OPEN, Notice, NoticePress
from jarvis_desktop.core.items.schedule import JobKind, JobRan
from jarvis_desktop.core.items.setup import FetchChanged
from jarvis_desktop.core.ports import Notices, Texts
from jarvis_desktop.ui import setup_words, words
from jarvis_desktop.ui.picture import Picture
from jarvis_desktop.ui.qt.goal_board import GoalBoard, GoalBoardParts
from jarvis_desktop.ui.qt.tray import Tray
from jarvis_desktop.ui.question_notice import ANSWERS, question_notice
from jarvis_desktop.ui.schedule_words import job_title, ran_text


@dataclass(frozen=True, slots=True)
class BoardParts:
    """What the board works with."""

    texts: Texts
    tray: Tray
    picture: Picture
    order: Callable[[Callable[[], None]], None]
    """Runs something in the window's thread."""
    send: Callable[[Command], None]
    recall: Callable[[QuestionId], None]
    """Brings the dialog of an open question to the front."""
    open_window: Callable[[], None]
    now: Callable[[], datetime]


class NoticeBoard:
    """A notification of the desktop, or a bubble of the tray where no service shows one, else nothing."""

    def __init__(self, parts: BoardParts, setup_shown: Callable[[], bool]) -> None:
        self._parts = parts
        self._setup_shown = setup_shown
        self._told: set[QuestionId] = set()
        self._goals = GoalBoard(GoalBoardParts(parts.texts, parts.picture, parts.send, parts.open_window))
        self.notices: Notices | None = None
        """The desktop's own messages, from when they are there."""

    def take(self, event: Event, *, looked_at: bool) -> None:
        """Tell ``event`` if no window of ours is ``looked_at``; the picture has taken it already."""
        if isinstance(event, QuestionSettled):
            self._told.discard(event.question.question_id)
            if self.notices is not None:
                self.notices.withdraw(event.question.question_id)
        elif isinstance(event, QuestionAsked):
            self.look(looked_at=looked_at)
        elif isinstance(event, GoalNotice):
            if (notice := self._goals.take(event, looked_at=looked_at)) is not None:
                self._show(notice)
        elif not looked_at and (notice := self._news(event)) is not None:
            self._show(notice)
            if isinstance(event, AnswerRefused) and event.fate is AnswerFate.SCREEN_LOCKED:
                self._tell_again(event.question_id)

    def look(self, *, looked_at: bool) -> None:
        """Windows came or went: tell the open questions that nobody looks at and that were not told yet."""
        for question_id in () if looked_at else self._parts.picture.questions.keys() - self._told:
            self._tell(question_id)

    def retranslate(self) -> None:
        """The open questions once more in the language now in force, each in its own place."""
        for question_id in self._parts.picture.questions.keys() & self._told:
            self._tell(question_id)

    def pressed(self, press: NoticePress) -> None:
        """A person pressed a notice or one of its buttons; from any thread."""
        self._parts.order(lambda: self._answer(press))

    def shown(self, notice: Notice) -> None:
        """A service of the desktop shows this; from any thread."""
        self._parts.order(lambda: self._goals.settled(notice, shown=True))

    def lost(self, notice: Notice) -> None:
        """No service of the desktop showed this; from any thread."""
        self._parts.order(lambda: self._bubble(notice))

    def _answer(self, press: NoticePress) -> None:
        notice = press.notice
        question_id = QuestionId(notice.notice_id)
        answer = ANSWERS.get(press.key)
        if self._goals.pressed(press):
            return
        if not notice.digest:
            self._parts.open_window()
        elif answer is Answer.DENY or (answer is Answer.ALLOW and press.seen):
            # Also for a question that was settled meanwhile: the broker knows how, and that is told.
            self._parts.send(AnswerQuestion(question_id, notice.digest, answer, AnsweredBy.NOTIFICATION))
        elif question_id in self._parts.picture.questions:
            self._parts.recall(question_id)
        else:
            self._show(self._refusal(AnswerFate.UNKNOWN))

    def _bubble(self, notice: Notice) -> None:
        settled = notice.digest and QuestionId(notice.notice_id) not in self._parts.picture.questions
        shown = self._parts.tray.present and not settled
        if shown:
            # Some desktops read markup in bubbles, so they hold nothing that could be some.
            press = NoticePress(notice, OPEN, seen=True)
            self._parts.tray.bubble(notice.title, notice.instead or notice.text, lambda: self._bubbled(press))
        self._goals.settled(notice, shown=shown)

    def _bubbled(self, press: NoticePress) -> None:
        if not self._goals.pressed(press):
            self._parts.open_window()

    def _tell_again(self, question_id: QuestionId) -> None:
        # The question is open still, but most desktops take a notice away when its button was pressed.
        if question_id in self._told:
            self._tell(question_id)

    def _tell(self, question_id: QuestionId) -> None:
        parts = self._parts
        self._told.add(question_id)
        self._show(question_notice(parts.picture.questions[question_id], parts.now(), parts.texts))

    def _show(self, notice: Notice) -> None:
        if self.notices is None:
            self._bubble(notice)
        else:
            self.notices.show(notice)

    def _news(self, event: Event) -> Notice | None:
        texts = self._parts.texts
        if isinstance(event, AnswerRefused):
            return self._refusal(event.fate)
        if isinstance(event, JobRan) and event.job.kind is JobKind.TASK:
            title, text = job_title(event.job), ran_text(event, texts)
            return self._note(f"job {event.job.job_id}", title, text)
        if isinstance(event, FetchChanged) and not self._setup_shown():
            # Minutes have passed since it was begun, and nobody is looking at a window of ours.
            state = event.state
            if state.stage in (FetchStage.DONE, FetchStage.FAILED):
                name = setup_words.model_name(state.name, texts)
                return self._note(f"fetch {state.name}", name, setup_words.fetch_text(state, texts))
        return None

    def _refusal(self, fate: AnswerFate) -> Notice:
        return self._note("answer", "Jarvis", words.fate_text(fate, self._parts.texts))

    def _note(self, notice_id: str, title: str, text: str) -> Notice:
        return Notice(notice_id, title, text, ((OPEN, self._parts.texts("Open")),))
