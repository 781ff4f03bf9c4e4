"""The console front end, through its streams."""

import io
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from queue import Queue

import pytest

from jarvis_desktop.core.items.calls import ResultStatus, ToolCall, ToolResult
from jarvis_desktop.core.items.commands import (
    AnswerQuestion,
    Attach,
    Command,
    Detach,
    Interrupt,
    Quit,
    SubmitTurn,
    TalkNow,
)
from jarvis_desktop.core.items.decisions import Answer, AnsweredBy, AnswerFate, QuestionEnd, Settled
from jarvis_desktop.core.items.events import (
    ActivityKind,
    ActivityNoted,
    AnswerRefused,
    CoreStopped,
    Event,
    HeardNothing,
    ModelWaiting,
    NothingHeard,
    Part,
    QuestionAsked,
    QuestionSettled,
    ReplyDelta,
    ReplyMayChange,
    ReplyReplaced,
    RequestRefused,
    ToolFinished,
    Transcribed,
    TroubleNoted,
    TurnEnded,
    TurnQueued,
)
from jarvis_desktop.core.items.ids import CallId, QuestionId, WindowId
from jarvis_desktop.core.items.speech import Language, ListenFor
from jarvis_desktop.core.items.turn import Origin, TurnEnd
from jarvis_desktop.ui.console import Console, ConsoleOptions
from tests.fakes.texts import PlainTexts
from tests.ui.samples import NOW, OFFERED, QUESTION, SESSION, TURN, settled, started

REQUEST = SubmitTurn("list my files", Origin.COMMAND_LINE)
HERE = WindowId("here")


class Terminal(io.StringIO):
    """What a person sits at: types the next reply each time a question is put."""

    def __init__(self, *replies: str) -> None:
        super().__init__()
        self._replies = list(replies)
        self._typed: Queue[str] = Queue()

    def isatty(self) -> bool:
        return True

    def type(self, text: str) -> None:
        self._typed.put(text + "\n")

    def hang_up(self) -> None:
        self._typed.put("")

    def read_prompt(self, text: str) -> None:
        if "Allow it?" in text and self._replies:
            self.type(self._replies.pop(0))

    def __iter__(self) -> Iterator[str]:  # type: ignore[override]  # a stream iterates itself; this one waits
        while line := self._typed.get():
            yield line


class Screen(io.StringIO):
    """Where the person at ``terminal`` reads."""

    def __init__(self, source: io.StringIO) -> None:
        super().__init__()
        self._source = source

    def write(self, text: str) -> int:
        written = super().write(text)
        if isinstance(self._source, Terminal):
            self._source.read_prompt(text)
        return written


@dataclass
class Core:
    """A fake core: answers each command with the events that the test scripted for it."""

    script: Callable[[Command], list[Event]]
    deliver: Callable[[Event], None] = lambda event: None
    got: list[Command] = field(default_factory=list)

    def send(self, command: Command) -> None:
        self.got.append(command)
        for event in self.script(command):
            self.deliver(event)

    def answers(self) -> list[Answer]:
        return [command.answer for command in self.got if isinstance(command, AnswerQuestion)]


def ended(end: TurnEnd = TurnEnd.ANSWERED, text: str = "two files") -> TurnEnded:
    return TurnEnded(TURN, SESSION, end, text)


def asking(command: Command) -> list[Event]:
    """A turn that asks, and goes by the answer."""
    if isinstance(command, SubmitTurn | TalkNow):
        return [started(), QuestionAsked(QUESTION)]
    if isinstance(command, AnswerQuestion):
        if command.answer is Answer.ALLOW:
            return [settled(), ReplyDelta(TURN, "two files"), ended()]
        return [
            settled(answer=Answer.DENY),
            ReplyReplaced(TURN, "I stopped."),
            ended(TurnEnd.DENIED, "I stopped."),
        ]
    return []


def run(
    script: Callable[[Command], list[Event]],
    source: io.StringIO,
    options: ConsoleOptions,
) -> tuple[int, str, Core]:
    """Run a console to its end: exit status, output, and the core it talked to."""
    core, out = Core(script), Screen(source)
    console = Console(core.send, PlainTexts(), source, out, options, window_id=HERE)
    core.deliver = console.deliver
    return console.main(), out.getvalue(), core


def once(**changes: object) -> ConsoleOptions:
    return ConsoleOptions(first=REQUEST, once=True, arm_s=0.0, now=lambda: NOW, **changes)  # type: ignore[arg-type]  # test shorthand


def test_an_answer_that_a_plugin_may_replace_is_printed_when_it_is_complete() -> None:
    def script(command: Command) -> list[Event]:
        if isinstance(command, SubmitTurn):
            spoken = (ReplyDelta(TURN, "two "), ReplyDelta(TURN, "files"), ReplyReplaced(TURN, "Two files."))
            return [started(), ReplyMayChange(TURN), *spoken, ended(text="Two files.")]
        return []

    assert run(script, io.StringIO(), once())[:2] == (0, "Two files.\n")


def test_one_turn_prints_the_streamed_answer_and_nothing_else_into_a_pipe() -> None:
    def script(command: Command) -> list[Event]:
        if isinstance(command, SubmitTurn):
            return [started(), ReplyDelta(TURN, "two "), ReplyDelta(TURN, "files"), ended()]
        return []

    status, out, core = run(script, io.StringIO(), once())
    assert (status, out, core.got) == (0, "two files\n", [REQUEST, Quit()])


def test_a_person_at_the_terminal_allows_with_y() -> None:
    status, out, core = run(asking, Terminal("y"), once())
    answer = AnswerQuestion(QUESTION.question_id, QUESTION.digest, Answer.ALLOW, AnsweredBy.CONSOLE, HERE)
    assert core.got == [Attach(HERE), REQUEST, answer, Quit()]
    assert status == 0
    assert "  | git status\n" in out
    assert "Allow it? (y/n)" in out


@pytest.mark.parametrize("word", ["n", "No.", "아니요"])
def test_a_person_at_the_terminal_denies(word: str) -> None:
    status, out, core = run(asking, Terminal(word), once())
    assert (status, core.answers()) == (1, [Answer.DENY])
    assert "I stopped.\n" in out


def test_anything_but_yes_or_no_asks_again() -> None:
    _, out, core = run(asking, Terminal("sure, why not", "", "네"), once())
    assert core.answers() == [Answer.ALLOW]
    assert out.count("Allow it? (y/n)") == 3


def offering(command: Command) -> list[Event]:
    """A turn that asks and offers ALWAYS."""
    if isinstance(command, SubmitTurn):
        return [started(), QuestionAsked(OFFERED)]
    if isinstance(command, AnswerQuestion):
        return [settled(OFFERED, command.answer), ended()]
    return []


@pytest.mark.promise("T-057", "T-059", "T-091")
@pytest.mark.parametrize("word", ["a", "Always.", "항상 허용"])
def test_always_can_be_typed_where_its_rule_file_and_reach_are_shown(word: str) -> None:
    _, out, core = run(offering, Terminal(word), once())
    assert core.answers() == [Answer.ALWAYS]
    for line in (
        "“Always allow” saves this in approvals/main.yaml:\n  + bash: git status\n",
        "Runs without asking then: git status · git status --help · git status README.md\n",
        "Still asks: git something-else · git status && rm notes.txt · git status > notes.txt\n",
        "! From then on this runs without asking, whatever words follow",
        "Allow it? (y/n, a = always)",
        "Allowed, from now on without asking.",
    ):
        assert line in out


def test_always_is_no_answer_where_it_is_not_offered() -> None:
    _, out, core = run(asking, Terminal("a", "always", "n"), once())
    assert core.answers() == [Answer.DENY]
    assert "always" not in out.casefold()


def test_a_question_that_a_rule_closed_says_so() -> None:
    def script(command: Command) -> list[Event]:
        if isinstance(command, SubmitTurn):
            end = Settled(OFFERED.question_id, QuestionEnd.ANSWERED, Answer.ALLOW, AnsweredBy.RULE)
            return [started(), QuestionAsked(OFFERED), QuestionSettled(OFFERED, end), ended()]
        return []

    assert "A rule that was saved meanwhile covers this." in run(script, Terminal(), once())[1]


def test_a_line_typed_before_the_question_could_be_read_does_not_count() -> None:
    # Read each time a question is put and each time a line arrives.
    clock = iter([10.0, 10.9, 11.0, 12.0])
    options = ConsoleOptions(
        first=REQUEST, once=True, arm_s=1.0, now=lambda: NOW, monotonic_s=lambda: next(clock)
    )
    _, out, core = run(asking, Terminal("y", "n"), options)
    assert core.answers() == [Answer.DENY]
    assert "That came too soon" in out


def test_a_line_typed_before_any_question_is_no_answer() -> None:
    terminal = Terminal("n")
    terminal.type("y")
    assert run(asking, terminal, once())[2].answers() == [Answer.DENY]


def test_a_pipe_is_nobody_and_says_so_by_not_attaching() -> None:
    def script(command: Command) -> list[Event]:
        if isinstance(command, SubmitTurn):
            return [started(), QuestionAsked(QUESTION), settled(answer=Answer.DENY), ended(TurnEnd.DENIED)]
        return []

    status, _, core = run(script, io.StringIO("y\ny\n"), once())
    assert (status, core.got) == (1, [REQUEST, Quit()])


def test_a_terminal_that_a_command_could_type_into_is_nobody() -> None:
    _, out, core = run(
        lambda command: [started(), QuestionAsked(QUESTION), ended()] if command == REQUEST else [],
        Terminal("y", "yes"),
        once(person=False),
    )
    assert (core.got, "Allow it?" in out) == ([REQUEST, Quit()], False)


def test_deny_all_answers_no_without_a_terminal() -> None:
    status, _, core = run(asking, io.StringIO(), once(deny_all=True))
    assert (status, core.answers()) == (1, [Answer.DENY])


def test_deny_all_outweighs_a_person_who_types_yes() -> None:
    status, _, core = run(asking, Terminal("y"), once(deny_all=True))
    assert (status, core.answers()) == (1, [Answer.DENY])


def test_a_terminal_that_hangs_up_is_nobody_any_more() -> None:
    terminal = Terminal()

    def script(command: Command) -> list[Event]:
        if isinstance(command, Detach):
            return [settled(answer=None), ended(TurnEnd.DENIED)]
        return asking(command)

    terminal.hang_up()
    status, _, core = run(script, terminal, once())
    assert (status, core.answers(), Detach(HERE) in core.got) == (1, [], True)


def test_an_answer_that_is_replaced_begins_on_a_line_of_its_own() -> None:
    def script(command: Command) -> list[Event]:
        if isinstance(command, SubmitTurn):
            return [
                started(),
                ReplyDelta(TURN, "I will"),
                ReplyReplaced(TURN, "Sorry."),
                ended(text="Sorry."),
            ]
        return []

    assert run(script, io.StringIO(), once())[1] == "I will\nSorry.\n"


def test_escape_sequences_of_the_model_never_reach_the_terminal() -> None:
    def script(command: Command) -> list[Event]:
        if isinstance(command, SubmitTurn):
            return [started(), ended(text="\x1b]0;owned\x07ok")]
        return []

    out = run(script, io.StringIO(), once())[1]
    assert out == "⟨U+001B⟩]0;owned⟨U+0007⟩ok\n"


def test_notes_go_beside_the_answer() -> None:
    call = ToolCall(CallId("c"), "grep")

    def script(command: Command) -> list[Event]:
        if not isinstance(command, TalkNow):
            return []
        return [
            TroubleNoted(Part.VOICE, "No voice."),
            Transcribed("파일", Language.KOREAN, ListenFor.REQUEST),
            started(),
            TurnQueued("next", Origin.TYPED, 1),
            ModelWaiting(TURN, 4.2),
            ToolFinished(TURN, call, ToolResult(CallId("c"), "grep", "x", ResultStatus.ERROR), 0.25),
            ActivityNoted(ActivityKind.TURN, "Request", NOW, TURN),
            ActivityNoted(ActivityKind.TURN, "How the model calls tools", NOW),
            AnswerRefused(QUESTION.question_id, AnswerFate.EXPIRED, None),
            ended(TurnEnd.FAILED, ""),
        ]

    notes = io.StringIO()
    options = ConsoleOptions(first=TalkNow(), once=True, notes=notes)
    status, out, _ = run(script, io.StringIO(), options)
    assert (status, out) == (1, "")
    assert notes.getvalue().splitlines() == [
        "No voice.",
        "“파일”",
        "Waits its turn: next",
        "Waiting for the model (4 s)…",
        "grep: error, 0.2 s",
        "Request",
        "The time to answer had run out, so nothing was run.",
        "Failed",
    ]


def test_listening_that_hears_nothing_ends_the_one_turn() -> None:
    def script(command: Command) -> list[Event]:
        if isinstance(command, TalkNow):
            return [NothingHeard(HeardNothing.SILENCE, ListenFor.REQUEST)]
        return []

    status, out, _ = run(script, io.StringIO(), ConsoleOptions(first=TalkNow(), once=True))
    assert (status, out) == (1, "I heard nothing. Say it again, or type it.\n")


def test_a_conversation_takes_line_after_line_until_the_terminal_hangs_up() -> None:
    terminal = Terminal()

    def script(command: Command) -> list[Event]:
        if isinstance(command, SubmitTurn):
            if command.text == "two":
                terminal.hang_up()
            return [started(), ended(text=command.text.upper())]
        return []

    terminal.type("one")
    terminal.type("two")
    status, out, core = run(script, terminal, ConsoleOptions())
    assert status == 0
    assert core.got == [
        Attach(HERE),
        SubmitTurn("one", Origin.TYPED),
        SubmitTurn("two", Origin.TYPED),
        Quit(),
    ]
    assert "ONE\n" in out


def test_a_service_without_a_terminal_runs_until_it_is_stopped() -> None:
    core, out = Core(lambda command: []), io.StringIO()
    console = Console(core.send, PlainTexts(), io.StringIO(), out)
    core.deliver = console.deliver
    done: list[int] = []
    thread = threading.Thread(target=lambda: done.append(console.main()))
    thread.start()
    console.deliver(ended(text="spoken answer"))
    console.stop()
    thread.join(5)
    assert (done, out.getvalue(), core.got) == ([0], "spoken answer\n", [Quit()])


def test_ctrl_c_interrupts_a_turn_first_and_ends_the_program_then(monkeypatch: pytest.MonkeyPatch) -> None:
    core, out = Core(lambda command: []), io.StringIO()
    console = Console(core.send, PlainTexts(), io.StringIO(), out, ConsoleOptions(first=REQUEST, once=True))
    items: Iterator[Event | None] = iter([started(), None, ended(TurnEnd.INTERRUPTED, ""), None])

    class Keys:
        def get(self) -> Event:
            item = next(items)
            if item is None:
                raise KeyboardInterrupt
            return item

    monkeypatch.setattr(console, "_arrived", Keys())
    status = console.main()
    assert (status, core.got) == (1, [REQUEST, Interrupt(), Quit()])


def test_a_stream_in_an_old_encoding_does_not_end_the_program() -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, "ascii")
    core = Core(lambda command: [started(), ended(text="안녕")] if command == REQUEST else [])
    console = Console(core.send, PlainTexts(), io.StringIO(), out, once())
    core.deliver = console.deliver
    assert console.main() == 0
    assert raw.getvalue() == b"\\uc548\\ub155\n"


def test_a_second_question_is_put_when_the_first_is_settled() -> None:
    second = replace(QUESTION, question_id=QuestionId("second"), digest="second", detail="git log")

    def script(command: Command) -> list[Event]:
        if isinstance(command, SubmitTurn):
            return [started(), QuestionAsked(QUESTION), QuestionAsked(second)]
        if isinstance(command, AnswerQuestion) and command.digest == QUESTION.digest:
            return [settled(answer=Answer.DENY)]
        if isinstance(command, AnswerQuestion):
            return [settled(second), ended()]
        return []

    _, out, core = run(script, Terminal("n", "y"), once())
    assert core.answers() == [Answer.DENY, Answer.ALLOW]
    assert out.index("| git status") < out.index("Denied.") < out.rindex("| git log")


def test_a_request_that_no_turn_can_come_of_ends_the_one_turn_as_failed() -> None:
    def script(command: Command) -> list[Event]:
        if isinstance(command, SubmitTurn):
            return [RequestRefused(command.text, "too long")]
        return []

    status, _, core = run(script, io.StringIO(), once())
    assert (status, core.got) == (1, [REQUEST, Quit()])


def test_a_core_that_has_ended_ends_the_console_as_failed_after_saying_why() -> None:
    notes = io.StringIO()
    console = Console(lambda _: None, PlainTexts(), io.StringIO(), io.StringIO(), once(notes=notes))
    console.deliver(TroubleNoted(Part.DATABASE, "jarvis.db is a folder."))
    console.deliver(CoreStopped("jarvis.db is a folder."))
    assert (console.main(), notes.getvalue()) == (1, "jarvis.db is a folder.\n")


def test_a_pipe_of_requests_ends_the_console_once_the_last_turn_is_over() -> None:
    def script(command: Command) -> list[Event]:
        if isinstance(command, SubmitTurn):
            return [started(), ended(text=command.text.upper())]
        return []

    status, out, core = run(script, io.StringIO("one\ntwo\n"), ConsoleOptions())
    requests = [SubmitTurn("one", Origin.TYPED), SubmitTurn("two", Origin.TYPED)]
    assert (status, out, core.got) == (0, "ONE\nTWO\n", [*requests, Quit()])


def test_a_pipe_whose_request_is_refused_ends_too() -> None:
    def script(command: Command) -> list[Event]:
        return [RequestRefused(command.text, "too long")] if isinstance(command, SubmitTurn) else []

    status, _, _ = run(script, io.StringIO("one\n"), ConsoleOptions())
    assert status == 0


@pytest.mark.parametrize(("single", "times"), [(True, 1), (False, 3)])
def test_with_one_request_what_is_wrong_is_printed_once(single: bool, times: int) -> None:  # noqa: FBT001 - a row
    wrong = "skills/empty.md: there is no text in it."

    def script(command: Command) -> list[Event]:
        if not isinstance(command, SubmitTurn):
            return []
        return [
            TroubleNoted(Part.TEAM, f"team/odd.yaml: odd.\n{wrong}"),
            ActivityNoted(ActivityKind.TROUBLE, wrong, NOW),
            ActivityNoted(ActivityKind.TROUBLE, wrong, NOW),
            RequestRefused(command.text, wrong),
        ]

    notes = io.StringIO()
    source = io.StringIO() if single else io.StringIO("/empty\n")
    options = once(notes=notes) if single else ConsoleOptions(notes=notes)
    run(script, source, options)
    lines = notes.getvalue().splitlines()
    assert (lines.count(wrong), lines.count("team/odd.yaml: odd.")) == (times, 1)
