"""Slash commands on a terminal, through its streams."""

import io
from collections.abc import Iterator
from dataclasses import replace
from queue import Queue

from jarvis_desktop.core.items.commands import Command, Quit, SubmitTurn
from jarvis_desktop.core.items.events import Event, QuestionAsked, ReplyDelta, RequestRefused, TurnEnded
from jarvis_desktop.core.items.goals import GoalSuggested
from jarvis_desktop.core.items.ids import MAIN_AGENT, TurnId
from jarvis_desktop.core.items.slash import QuitAsked, SlashAnswered
from jarvis_desktop.core.items.turn import Origin, TurnEnd
from jarvis_desktop.ui.console import Console, ConsoleOptions
from tests.fakes.texts import PlainTexts
from tests.ui.samples import NOW, QUESTION, SESSION, TURN, started

ANSWER = SlashAnswered(TurnId("c"), SESSION, "/help", "- `/help` — all", Origin.TYPED, NOW)


class Terminal(io.StringIO):
    """A person who types a line at once, and each of the others when a question is put."""

    def __init__(self, first: str, *others: str) -> None:
        super().__init__()
        self._typed: Queue[str] = Queue()
        self._others = list(others)
        self._typed.put(first)

    def isatty(self) -> bool:
        return True

    def __iter__(self) -> Iterator[str]:  # type: ignore[override]  # a stream iterates itself; this one waits
        while line := self._typed.get():
            yield line

    def write(self, text: str) -> int:
        """What is printed beside the answers is read here, too."""
        if "Allow it?" in text and self._others:
            self._typed.put(self._others.pop(0))
        return super().write(text)


class Stand:
    """A console, what it sent, and what it does when a command arrives."""

    def __init__(self, source: io.StringIO, options: ConsoleOptions, *replies: tuple[Event, ...]) -> None:
        self.sent: list[Command] = []
        self.out = io.StringIO()
        self.notes = source if isinstance(source, Terminal) else io.StringIO()
        self._replies = list(replies)
        options = replace(options, notes=self.notes, arm_s=0.0)
        self.console = Console(self._send, PlainTexts(), source, self.out, options)

    def _send(self, command: Command) -> None:
        self.sent.append(command)
        if isinstance(command, SubmitTurn) and self._replies:
            for event in self._replies.pop(0):
                self.console.deliver(event)

    @property
    def asked(self) -> list[str]:
        return [command.text for command in self.sent if isinstance(command, SubmitTurn)]


def once(text: str) -> ConsoleOptions:
    return ConsoleOptions(SubmitTurn(text, Origin.COMMAND_LINE), once=True)


def test_one_command_of_the_command_line_prints_its_answer_and_ends_well() -> None:
    stand = Stand(io.StringIO(), once("/help"), (ANSWER,))
    assert (stand.console.main(), stand.out.getvalue()) == (0, "- `/help` — all\n")


def test_a_command_that_could_not_be_done_is_told_beside_the_answer() -> None:
    stand = Stand(io.StringIO(), once("/mute"), (replace(ANSWER, well=False, answer="not running"),))
    assert (stand.console.main(), stand.out.getvalue()) == (1, "")
    assert "not running" in stand.notes.getvalue()


def test_a_pipe_of_commands_ends_when_all_are_answered() -> None:
    stand = Stand(
        io.StringIO("/help\n/nope\n"), ConsoleOptions(), (ANSWER,), (RequestRefused("/nope", "no"),)
    )
    assert stand.console.main() == 0
    assert stand.asked == ["/help", "/nope"]


def test_a_command_of_another_program_is_shown_and_ends_nothing() -> None:
    errand = replace(ANSWER, errand="e", answer="of another")
    end = TurnEnded(TURN, SESSION, TurnEnd.ANSWERED, "Hi.")
    stand = Stand(io.StringIO("hello\n"), ConsoleOptions(), (errand, started("hello"), end))
    assert stand.console.main() == 0
    assert stand.out.getvalue() == "of another\nHi.\n"


def test_a_request_that_was_meant_for_good_is_followed_by_the_command_that_keeps_it() -> None:
    end = TurnEnded(TURN, SESSION, TurnEnd.ANSWERED, "None yet.")
    offer = GoalSuggested(TURN, SESSION, MAIN_AGENT, "log 에 에러가 찍히면 알려줘")
    stand = Stand(io.StringIO("hello\n"), ConsoleOptions(), (started("hello"), offer, end))
    assert stand.console.main() == 0
    assert 'Keep an eye on this? /goal "log 에 에러가 찍히면 알려줘" keeps it.\n' in stand.notes.getvalue()


def test_an_answer_stands_on_lines_of_its_own_in_the_middle_of_a_turn() -> None:
    events = (
        started("hello"),
        ReplyDelta(TURN, "One"),
        replace(ANSWER, errand="e"),
        ReplyDelta(TURN, " two"),
    )
    end = TurnEnded(TURN, SESSION, TurnEnd.ANSWERED, "One two")
    stand = Stand(io.StringIO("hello\n"), ConsoleOptions(), (*events, end))
    stand.console.main()
    assert stand.out.getvalue() == "One\n- `/help` — all\n two\n"


def test_a_command_is_taken_while_a_question_is_open() -> None:
    stand = Stand(
        Terminal("go\n", "/help\n"),
        ConsoleOptions(),
        (started("go"), QuestionAsked(QUESTION)),
        (ANSWER, QuitAsked()),
    )
    stand.console.main()
    assert stand.asked == ["go", "/help"]
    assert "- `/help` — all" in stand.out.getvalue()


def test_a_blank_before_a_slash_is_kept_for_whoever_reads_the_line() -> None:
    stand = Stand(io.StringIO("  /help me \n hello \n"), ConsoleOptions(), (), (QuitAsked(),))
    assert stand.console.main() == 0
    assert stand.asked == [" /help me", "hello"]


def test_quit_by_command_ends_the_console() -> None:
    stand = Stand(Terminal("/quit\n"), ConsoleOptions(), (ANSWER, QuitAsked()))
    assert stand.console.main() == 0
    assert isinstance(stand.sent[-1], Quit)


def test_nothing_in_an_answer_reaches_the_terminal_unescaped() -> None:
    stand = Stand(io.StringIO(), once("/rules"), (replace(ANSWER, answer="\x1b[2Jwiped\u202e"),))
    stand.console.main()
    assert stand.out.getvalue() == "⟨U+001B⟩[2Jwiped⟨U+202E⟩\n"
