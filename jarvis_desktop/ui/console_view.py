"""What the console front end prints: the answer on its own stream, everything else beside it."""

from typing import TYPE_CHECKING, TextIO

from jarvis_desktop.core.items.decisions import Question, RuleOffer
from jarvis_desktop.core.items.events import (
    ActivityKind,
    ActivityNoted,
    Event,
    ModelWaiting,
    NothingHeard,
    Part,
    ReplyDelta,
    ReplyMayChange,
    ReplyReplaced,
    ToolFinished,
    Transcribed,
    TroubleNoted,
    TurnEnded,
    TurnQueued,
    TurnStarted,
)
from jarvis_desktop.core.items.goals import GoalSpoke, GoalSuggested
from jarvis_desktop.core.items.slash import SlashAnswered
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.slash.goal_cmd import giving
from jarvis_desktop.core.slash.markup import readable
from jarvis_desktop.core.slash.parsing import SLASHES
from jarvis_desktop.ui import offer_words, words
from jarvis_desktop.ui.visible_text import Care, one_line, visible

if TYPE_CHECKING:
    import rich.console


_SAID_BY_THE_TURN = frozenset({Part.OLLAMA, Part.MODEL})
"""Without these a turn ends with the same sentence; where there is only one turn, once is enough."""


class ConsoleView:
    """Plain text into pipes, colours on terminals. Nothing of the model reaches a terminal unescaped."""

    def __init__(self, texts: Texts, out: TextIO, notes: TextIO, *, once: bool = False) -> None:
        self._texts = texts
        self._once = once
        self._out = _forgiving(out)
        self._notes = _forgiving(notes)
        self._colours = _rich(self._notes) if self._notes.isatty() else None
        self._whole = ""
        self._printed = ""
        self._mid_line = False
        self._told: set[str] = set()
        """Lines of notices and of the activity that were printed."""
        self._waits = False
        """The answer may still become another one, and what is printed stays printed."""

    def take(self, event: Event) -> None:
        """Print what happened, if it is worth a line."""
        match event:
            case TurnStarted(expansion=expansion):
                self._whole = self._printed = ""
                self._waits = False
                self._skill(event.text, expansion)
            case ReplyMayChange():
                self._waits = True
            case ReplyDelta():
                self._whole += event.text
                self._print_answer()
            case ReplyReplaced():
                self._whole = event.text
                self._print_answer()
            case TurnEnded():
                self._ended(event)
            case SlashAnswered():
                self._command(event)
            case _ if self._once and _is_beside_the_turn(event):
                pass
            case _:
                self._take_note(event)

    def _take_note(self, event: Event) -> None:
        texts = self._texts
        match event:
            case TroubleNoted():
                self.note(self._not_told(event.text), "yellow")
            case ActivityNoted():
                self.note(self._not_told(event.text), "dim")
            case TurnQueued():
                self.note(texts("Waits its turn: {text}").format(text=one_line(event.text, 120)), "dim")
            case ModelWaiting():
                waiting = texts("Waiting for the model ({seconds} s)…")
                self.note(waiting.format(seconds=round(event.waited_s)), "dim")
            case ToolFinished():
                self.note(f"{event.call.name}: {event.result.status.value}, {event.took_s:.1f} s", "dim")
            case Transcribed():
                self.note(f"“{event.text}”", "cyan")
            case NothingHeard():
                self.note(words.nothing_text(event.reason, texts), "dim")
            case _:
                self._take_goal(event)

    def _take_goal(self, event: Event) -> None:
        match event:
            case GoalSpoke():
                self.note(event.text, "dim")
            case GoalSuggested(sentence=sentence):
                text = self._texts("Keep an eye on this? {command} keeps it.")
                self.note(text.format(command=giving(sentence)), "dim")
            case _:
                pass

    def _not_told(self, text: str) -> str:
        """Where there is one request only, each line once: notices stand in the activity, too."""
        if not self._once:
            return text
        new = [line for line in text.split("\n") if line not in self._told]
        self._told.update(new)
        return "\n".join(new)

    def note(self, text: str, style: str = "") -> None:
        """A line of our own beside the answer."""
        if not text:
            return
        self._finish_line()
        shown = visible(text, Care.SOURCE)
        if self._colours is None:
            self._notes.write(f"{shown}\n")
        else:
            self._colours.print(shown, style=style, markup=False, highlight=False, soft_wrap=True)
        self._notes.flush()

    def question(self, question: Question, left_s: float) -> None:
        """An open question, whole: what is shown is what would run."""
        texts = self._texts
        self.note(f"? {words.headline(question, texts)}", "bold yellow")
        self.note(f"  {words.why(question, texts)}", "dim")
        seconds = texts("{seconds} s left").format(seconds=round(left_s))
        self.note(f"  {words.place(question.cwd)} · {words.size(question.detail, texts)} · {seconds}", "dim")
        for line in words.detail(question).split("\n"):
            self.note(f"  | {line}")
        offer = offer_words.offer(question)
        if offer is not None:
            self._offer(offer)

    def _offer(self, offer: RuleOffer) -> None:
        """What ALWAYS would save, before anybody can type it."""
        texts = self._texts
        self.note(f"  {offer_words.heading(offer, texts)}")
        for line in offer_words.lines(offer):
            self.note(f"  + {line}")
        for name, examples in (
            (texts("Runs without asking then"), offer_words.passes(offer, texts)),
            (texts("Still asks"), offer_words.asks(offer)),
        ):
            if examples:
                self.note(f"  {name}: {' · '.join(examples)}", "dim")
        for warning in offer_words.warnings(offer, texts):
            self.note(f"  ! {warning}", "yellow")

    def prompt(self, text: str) -> None:
        """Ask for a line."""
        self._finish_line()
        self._notes.write(text)
        self._notes.flush()

    def _print_answer(self) -> None:
        if self._waits:
            return
        shown = visible(self._whole)
        if not shown.startswith(self._printed):
            # The answer was replaced: begin again on a line of its own.
            self._finish_line()
            self._printed = ""
        more = shown[len(self._printed) :]
        if more:
            self._out.write(more)
            self._out.flush()
            self._mid_line = not more.endswith("\n")
            self._printed = shown

    def _ended(self, event: TurnEnded) -> None:
        self._waits = False
        if event.text:
            self._whole = event.text
            self._print_answer()
        self._finish_line()
        mark = words.end_text(event.end, self._texts)
        if mark and not event.text:
            self.note(mark, "yellow")
        self._whole = self._printed = ""

    def _command(self, event: SlashAnswered) -> None:
        """On lines of its own; what a running turn has said so far stays where it is."""
        self._finish_line()
        stream = self._out if event.well else self._notes
        stream.write(f"{visible(readable(event.answer))}\n")
        stream.flush()

    def _skill(self, typed: str, expansion: str) -> None:
        """What was typed is not what the model reads."""
        if expansion:
            name = typed.split(maxsplit=1)[0].lstrip(SLASHES)
            text = self._texts("The skill {name} made {count} characters of it; {command} shows its text.")
            count = f"{len(expansion):,}"
            self.note(text.format(name=f"/{name}", count=count, command=f"/skills {name}"), "dim")

    def _finish_line(self) -> None:
        if self._mid_line:
            self._out.write("\n")
            self._out.flush()
            self._mid_line = False


def _is_beside_the_turn(event: Event) -> bool:
    """Not of the one turn, and not for a person to mend either."""
    match event:
        case TroubleNoted(part):
            return part in _SAID_BY_THE_TURN
        case ActivityNoted():
            return event.turn_id is None and event.kind is not ActivityKind.TROUBLE
        case _:
            return False


def _forgiving(stream: TextIO) -> TextIO:
    # A terminal in an old encoding must not end the program at the first sign that it cannot show.
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")
    return stream


def _rich(stream: TextIO) -> "rich.console.Console":
    # 60 ms that pipes and tests do not pay.
    import rich.console

    return rich.console.Console(file=stream)
