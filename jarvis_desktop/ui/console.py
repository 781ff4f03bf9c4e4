"""The second front end, without Qt: one turn for the command line, or a conversation on a terminal."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from queue import SimpleQueue
from time import monotonic
from typing import TextIO

from jarvis_desktop.core.items.commands import (
    AnswerQuestion,
    Attach,
    Command,
    Detach,
    Interrupt,
    Quit,
    SubmitTurn,
)
from jarvis_desktop.core.items.decisions import Answer, AnsweredBy, Question
from jarvis_desktop.core.items.events import (
    AnswerRefused,
    CoreStopped,
    Event,
    NothingHeard,
    QuestionAsked,
    QuestionSettled,
    RequestRefused,
    TurnEnded,
    TurnStarted,
)
from jarvis_desktop.core.items.ids import WindowId, fresh_id
from jarvis_desktop.core.items.slash import QuitAsked, SlashAnswered
from jarvis_desktop.core.items.speech import ListenFor
from jarvis_desktop.core.items.turn import Origin, TurnEnd
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.slash.parsing import Slash, kept, read
from jarvis_desktop.ui import words
from jarvis_desktop.ui.console_answers import answers
from jarvis_desktop.ui.console_signals import ended_by_sigterm
from jarvis_desktop.ui.console_view import ConsoleView
from jarvis_desktop.ui.offer_words import offer
from jarvis_desktop.ui.picture import Picture

_PROMPT = "› "
INTERRUPTED = 130
"""Exit status of programs that Ctrl+C ended."""


def _local_now() -> datetime:
    return datetime.now(UTC).astimezone()


@dataclass(frozen=True, slots=True)
class ConsoleOptions:
    """How a console behaves."""

    first: Command | None = None
    """Sent at once: the request of the command line, or the order to listen."""
    once: bool = False
    """End with the first turn; the exit status says how it went."""
    deny_all: bool = False
    """Answer every question with no, terminal or not. There is nothing that says yes."""
    person: bool = True
    """A terminal has a person behind it; one that a command could type into is nobody."""
    notes: TextIO | None = None
    """Stream for everything but the answer; the answer's own when absent."""
    arm_s: float = 1.0
    """A line typed this soon after a question was shown was not meant for it."""
    now: Callable[[], datetime] = _local_now
    monotonic_s: Callable[[], float] = monotonic


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    at_s: float


@dataclass(frozen=True, slots=True)
class _End:
    """The input is over, or somebody asked the console to stop."""

    stop: bool


DEFAULTS = ConsoleOptions()


@dataclass(slots=True)
class Console:
    """Prints events, sends commands. ``main`` in the main thread; ``deliver`` and ``stop`` from any."""

    send: Callable[[Command], None]
    texts: Texts
    source: TextIO
    out: TextIO
    options: ConsoleOptions = DEFAULTS
    window_id: WindowId = field(default_factory=lambda: WindowId(fresh_id()))
    picture: Picture = field(default_factory=Picture)
    _view: ConsoleView = field(init=False)
    _arrived: "SimpleQueue[Event | _Line | _End]" = field(default_factory=SimpleQueue)
    _asked_at_s: float = 0.0
    _attached: bool = False
    _status: int | None = None
    _unbegun: int = 0
    """Typed or piped requests that have not begun."""
    _submitted: bool = False
    _pipe_over: bool = False
    """All requests of a pipe are in. An input that held none is a service's, which goes on."""

    def __post_init__(self) -> None:
        self._view = ConsoleView(self.texts, self.out, self.options.notes or self.out, once=self.options.once)

    def deliver(self, event: Event) -> None:
        """Show ``event`` soon; from any thread."""
        self._arrived.put(event)

    def stop(self) -> None:
        """End ``main``; from any thread and from signal handlers."""
        self._arrived.put(_End(stop=True))

    def show_window(self) -> None:
        """Nothing: a terminal cannot be brought forward."""

    def main(self) -> int:
        """Run until the end; the exit status comes back."""
        try:
            with ended_by_sigterm(self.stop):
                self._begin()
                while self._status is None:
                    self._step()
        finally:
            self.send(Quit())
        return self._status

    def _begin(self) -> None:
        if self._answerable or self.options.deny_all:
            self._attached = True
            self.send(Attach(self.window_id))
        if self._answerable or not self.options.once:
            # Reading a line cannot be given up, so the thread ends with the process.
            threading.Thread(target=self._read, name="console-input", daemon=True).start()
        if self.options.first is not None:
            self.send(self.options.first)
        self._show_prompt()

    @property
    def _answerable(self) -> bool:
        """A person sits at a terminal. A pipe is nobody, whatever it says."""
        return self.source.isatty() and self.options.person and not self.options.deny_all

    def _read(self) -> None:
        for line in self.source:
            self._arrived.put(_Line(kept(line), self.options.monotonic_s()))
        self._arrived.put(_End(stop=False))

    def _step(self) -> None:
        try:
            item = self._arrived.get()
        except KeyboardInterrupt:
            self._ctrl_c()
            return
        if isinstance(item, _Line):
            self._take_line(item)
        elif isinstance(item, _End):
            self._take_end(item)
        else:
            self._take(item)

    def _ctrl_c(self) -> None:
        if self.picture.turn is None:
            self._status = INTERRUPTED if self.options.once else 0
        else:
            self.send(Interrupt())

    def _take_end(self, end: _End) -> None:
        if end.stop or (self._answerable and not self.options.once):
            self._status = int(self.options.once)
        elif self._attached and not self.options.deny_all:
            self._attached = False
            self.send(Detach(self.window_id))
        else:
            self._pipe_over = self._submitted
            self._end_with_the_pipe()

    def _end_with_the_pipe(self) -> None:
        if self._pipe_over and not self._unbegun and self.picture.turn is None:
            self._status = 0

    # --- lines --------------------------------------------------------------------------------

    def _take_line(self, line: _Line) -> None:
        question = self._open_question
        command = isinstance(read(line.text), Slash)  # no answer looks like one
        if question is not None and self._answerable and not command:
            self._answer(question, line)
        elif line.text and not self.options.once:
            self._unbegun += 1
            self._submitted = True
            self.send(SubmitTurn(line.text, Origin.TYPED))
        else:
            self._show_prompt()

    def _answer(self, question: Question, line: _Line) -> None:
        text = line.text.casefold().rstrip(".!")
        early = line.at_s < self._asked_at_s + self.options.arm_s
        said = answers(question).get(text)
        if early or said is None:
            if early:
                self._view.note(self.texts("That came too soon to be meant for this question."))
            self._ask_again(question)
            return
        self._send_answer(question, said)

    def _send_answer(self, question: Question, answer: Answer) -> None:
        self.send(
            AnswerQuestion(question.question_id, question.digest, answer, AnsweredBy.CONSOLE, self.window_id)
        )

    def _ask_again(self, question: Question) -> None:
        self._asked_at_s = self.options.monotonic_s()
        if offer(question) is None:
            self._view.prompt(self.texts("Allow it? (y/n) "))
        else:
            self._view.prompt(self.texts("Allow it? (y/n, a = always) "))

    @property
    def _open_question(self) -> Question | None:
        return next(iter(self.picture.questions.values()), None)

    # --- events -------------------------------------------------------------------------------

    def _take(self, event: Event) -> None:
        known = set(self.picture.questions)
        self.picture.take(event)
        self._view.take(event)
        self._take_turn(event)
        match event:
            case QuestionAsked() if event.question.question_id not in known:
                self._asked(event.question)
            case QuestionSettled():
                self._view.note(words.settled_text(event.settled, self.texts))
                if self._open_question is not None and self._answerable:
                    self._asked(self._open_question)
            case AnswerRefused() if event.window_id in (None, self.window_id):
                self._view.note(words.fate_text(event.fate, self.texts))
            case _:
                pass

    def _take_turn(self, event: Event) -> None:
        match event:
            case TurnStarted(origin=Origin.TYPED):
                self._unbegun -= 1
            case TurnEnded():
                self._turn_ended(event)
            case CoreStopped():
                self._status = 1
            case RequestRefused(errand=""):
                self._became_no_turn(well=False)
            case SlashAnswered(errand=""):
                self._became_no_turn(well=event.well)
            case QuitAsked():
                self._status = 0
            case NothingHeard() if event.listen_for is ListenFor.REQUEST and self.options.once:
                self._status = 1

    def _asked(self, question: Question) -> None:
        if not self._attached:
            return  # nobody here can answer, and the core was never told otherwise
        self._view.question(question, (question.deadline_at - self.options.now()).total_seconds())
        if self.options.deny_all:
            self._send_answer(question, Answer.DENY)
        elif question is self._open_question:
            self._ask_again(question)

    def _turn_ended(self, event: TurnEnded) -> None:
        if self.options.once:
            self._status = 0 if event.end is TurnEnd.ANSWERED else 1
        else:
            self._show_prompt()
            self._end_with_the_pipe()

    def _became_no_turn(self, *, well: bool) -> None:
        """A command was answered, or a request refused."""
        if self.options.once:
            self._status = int(not well)
        else:
            self._unbegun -= 1
            self._show_prompt()
            self._end_with_the_pipe()

    def _show_prompt(self) -> None:
        if self._answerable and not self.options.once and self.picture.turn is None:
            self._view.prompt(_PROMPT)
