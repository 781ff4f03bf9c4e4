"""Turns a model's stream into text that may be shown, and calls. The stream is untrusted."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace

from jarvis_desktop.core.items.calls import ToolCall
from jarvis_desktop.core.items.ids import CallId, fresh_id
from jarvis_desktop.core.ports import CallPiece, CallStyle, ChatPiece, DonePiece, TextPiece, ThinkingPiece
from jarvis_desktop.core.turn.hidden_text import HiddenText, begun_length, first_of
from jarvis_desktop.core.turn.repetition import RepetitionGuard, without_loop
from jarvis_desktop.core.turn.schema_calls import ANSWER, partial_answer
from jarvis_desktop.core.turn.text_calls import (
    CALL_TAGS,
    CUT_OFF,
    Leaning,
    RawCall,
    Written,
    leaning,
    read_calls,
)

NO_CHOICE = (
    'Your answer could not be read, so nothing was run. Write one JSON object, {"tool": "<tool>", '
    '"arguments": {...}}; to talk to the person the tool is "answer".'
)


NOTHING_WRITTEN = Written()


@dataclass(frozen=True, slots=True)
class ParsedReply:
    """One answer of the model, read in full."""

    text: str
    """What people see: no thinking, no calls, no blanks around it."""
    calls: tuple[ToolCall, ...] = ()
    problem: str | None = None
    """Why the answer cannot be read, in words for the model."""
    looping: bool = False
    """The model repeated itself and was cut short."""
    tokens: int = 0
    """Read and written for it; 0 where the model does not tell."""


@dataclass(frozen=True, slots=True)
class _Closing:
    """What a gate made of the whole answer."""

    text: str
    written: Written = NOTHING_WRITTEN


class _Gate(ABC):
    """Lets text through that people may see, and keeps back what may be a call."""

    text = ""
    """What went through so far."""

    @abstractmethod
    def take(self, text: str) -> None:
        """Hears more of the answer."""

    @abstractmethod
    def close(self, *, cut_off: bool) -> _Closing:
        """The answer is over."""


class _TextGate(_Gate):
    """For native calling: the answer is text, but a call may have been written as text."""

    def __init__(self) -> None:
        self._hidden = HiddenText()
        self._leaning = Leaning.UNCLEAR
        self._held = ""
        """What has not gone through: unclear text, a call, or the beginning of a tag."""

    def take(self, text: str) -> None:
        seen = self._hidden.feed(text)
        if self._hidden.all_was_hidden:
            self._hidden.all_was_hidden = False
            self.text, self._held, self._leaning = "", "", Leaning.UNCLEAR
        self._pass(seen)

    def _pass(self, text: str) -> None:
        self._held += text
        if self._leaning is Leaning.UNCLEAR:
            self._leaning = leaning(self._held.lstrip())
        if self._leaning is not Leaning.TEXT:
            return
        at, _ = first_of(self._held, CALL_TAGS)
        if at >= 0:
            self._leaning = Leaning.CALL
        end = at if at >= 0 else len(self._held) - begun_length(self._held, CALL_TAGS)
        self.text += self._held[:end]
        self._held = self._held[end:]

    def close(self, *, cut_off: bool) -> _Closing:
        self._pass(self._hidden.finish())
        written = read_calls(self._held, cut_off=cut_off) if self._leaning is Leaning.CALL else None
        # Words before an unreadable tag are an answer about tags, more likely than a broken call.
        if written is None or (written.problem and self.text.strip()):
            return _Closing(self.text + self._held)
        return _Closing(self.text, written)


class _SchemaGate(_Gate):
    """For schema-bound answers; falls back to plain text where a server ignores the schema.

    Inside the JSON nothing is cut out: a file that is about thinking tags is written with them.
    """

    def __init__(self) -> None:
        self._raw = ""
        self._plain: _TextGate | None = None

    def take(self, text: str) -> None:
        self._raw += text
        begun = self._raw.lstrip()
        if self._plain is None and begun and not begun.startswith("{"):
            self._plain, text = _TextGate(), self._raw
        if self._plain is not None:
            self._plain.take(text)
            self.text = self._plain.text
        else:
            self.text = partial_answer(self._raw) or self.text

    def close(self, *, cut_off: bool) -> _Closing:
        if self._plain is not None:
            return self._plain.close(cut_off=cut_off)
        if not self._raw.strip() or (cut_off and self.text):
            return _Closing(self.text)  # half an answer is still an answer, unlike half a call
        problem = Written(problem=CUT_OFF if cut_off else NO_CHOICE)
        return _Closing("", read_calls(self._raw, cut_off=cut_off) or problem)


_GATES: dict[CallStyle, Callable[[], _Gate]] = {CallStyle.NATIVE: _TextGate, CallStyle.SCHEMA: _SchemaGate}


class ReplyReader:
    """Reads one answer, piece by piece."""

    def __init__(self, style: CallStyle, new_id: Callable[[], str] = fresh_id) -> None:
        self._gate = _GATES[style]()
        self._new_id = new_id
        self._guard = RepetitionGuard()
        self._native: list[RawCall] = []
        self._cut_off = False
        self._tokens = 0

    @property
    def text(self) -> str:
        """What people may see so far. It grows; it begins anew only when it turned out to be thinking."""
        return self._gate.text.strip()

    @property
    def looping(self) -> bool:
        """The model repeats itself: stop listening."""
        return self._guard.looping

    def feed(self, piece: ChatPiece) -> None:
        """Hears one piece."""
        match piece:
            case TextPiece(text):
                self._guard.feed(text)
                self._gate.take(text)
            case ThinkingPiece(text):
                self._guard.feed(text)
            case CallPiece(name, arguments):
                self._native.append(RawCall(name.strip(), arguments))
            case DonePiece(reason, prompt_tokens, reply_tokens):
                self._cut_off = reason == "length"
                self._tokens = prompt_tokens + reply_tokens

    def finish(self) -> ParsedReply:
        """The whole answer."""
        return replace(self._finished(), tokens=self._tokens)

    def _finished(self) -> ParsedReply:
        if self.looping:
            return ParsedReply(without_loop(self.text), looping=True)
        closing = self._gate.close(cut_off=self._cut_off)
        if self._native:  # the server read calls itself; the same ones as text would run twice
            text = self.text if closing.written != NOTHING_WRITTEN else closing.text
            return self._reply(text, self._native)
        if closing.written.problem:
            return ParsedReply(closing.text.strip(), problem=closing.written.problem)
        return self._reply(closing.text, list(closing.written.calls))

    def _reply(self, text: str, calls: list[RawCall]) -> ParsedReply:
        spoken = [str(call.arguments.get("text", "")) for call in calls if call.name == ANSWER]
        whole = "\n\n".join(part for part in (text.strip(), *spoken) if part)
        return ParsedReply(
            whole.strip(),
            tuple(
                ToolCall(CallId(self._new_id()), call.name, call.arguments)
                for call in calls
                if call.name != ANSWER
            ),
        )
