"""Protocols through which the core reaches the world; ``app/compose.py`` fills them."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Protocol, TypeAlias

from jarvis_desktop.core.items.audit import AuditEntry, AuditResult
from jarvis_desktop.core.items.calls import Json, ToolCall
from jarvis_desktop.core.items.events import ActivityNoted, Event, StoredLine
from jarvis_desktop.core.items.ids import AgentId, AuditId, SessionId, TurnId
from jarvis_desktop.core.items.path_facts import PathFact
from jarvis_desktop.core.items.rules import Rule, RuleLine
from jarvis_desktop.core.items.shell_syntax import ParsedShell
from jarvis_desktop.core.items.speech import Language, Recognition, Sound
from jarvis_desktop.core.items.turn import Message, TurnEnd, TurnRequest

Emit: TypeAlias = Callable[[Event], Awaitable[None]]
"""Stores what must not be lost, then tells everybody. Awaiting it means: it is on disk."""


class Clock(Protocol):
    """Time, handed in so that tests own it."""

    def now(self) -> datetime:
        """Wall clock, timezone-aware, local zone."""

    def monotonic_s(self) -> float:
        """Seconds that never jump back; for waiting and measuring."""

    async def sleep(self, seconds: float) -> None:
        """Wait; at once when ``seconds`` is not positive."""


class Texts(Protocol):
    """Texts in the app's language. The msgid is the English text itself."""

    @property
    def language(self) -> Language:
        """The language in force."""

    def __call__(self, msgid: str) -> str:
        """The text for ``msgid``; ``msgid`` itself where no translation exists."""

    def plural(self, one: str, many: str, count: int) -> str:
        """The form that fits ``count``."""


# --- thinking -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the model sees it."""

    name: str
    description: str
    parameters: Mapping[str, Json]
    """JSON schema of an object."""


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One request to a chat model."""

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    """For native tool calling; empty when the answer is bound by ``schema``."""
    schema: Mapping[str, Json] | None = None
    """JSON schema that the whole answer must match."""
    max_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class TextPiece:
    """More text of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ThinkingPiece:
    """Hidden thinking; never shown as the answer nor spoken."""

    text: str


@dataclass(frozen=True, slots=True)
class CallPiece:
    """A native tool call, not yet checked: name and arguments are the model's own words."""

    name: str
    arguments: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class DonePiece:
    """The model is done."""

    reason: str
    """``stop``, ``length`` …"""
    prompt_tokens: int = 0
    reply_tokens: int = 0


ChatPiece: TypeAlias = TextPiece | ThinkingPiece | CallPiece | DonePiece


class CallStyle(StrEnum):
    """How a model is asked to call tools (decision 42)."""

    NATIVE = "native"
    SCHEMA = "schema"


class ChatModel(Protocol):
    """A chat model that streams. Closing the iterator closes the request at once."""

    @property
    def name(self) -> str:
        """The model's name as people type it, e.g. ``gemma4:e2b``."""

    @property
    def context_tokens(self) -> int:
        """Tokens that prompt and reply share (``num_ctx``), sent with every request."""

    def stream(self, request: ChatRequest) -> AsyncIterator[ChatPiece]:
        """The answer, piece by piece, ended by one ``DonePiece``.

        Raises:
            ModelUnavailableError: no server, no such model, connection lost, server error.
        """

    async def warm_up(self, prefix: "ChatRequest | None" = None) -> None:
        """Load the model, and read ``prefix`` ahead, so that the next request starts quickly.

        May be cancelled at any time; what was done until then helps all the same. Errors are logged.
        """

    async def close(self) -> None:
        """Close all connections."""


# --- ears and mouth ---------------------------------------------------------------------------


class WakeScorer(Protocol):
    """Scores 80 ms frames for the wake word."""

    frame_samples: int
    """1280 at 16 kHz."""

    def score(self, pcm: bytes) -> float:
        """Score 0 to 1 of the frame that ends now. ``pcm``: exactly ``frame_samples`` samples."""

    def reset(self) -> None:
        """Forget everything heard."""


class SpeechScorer(Protocol):
    """Voice activity detection on 32 ms frames."""

    frame_samples: int
    """512 at 16 kHz."""

    def score(self, pcm: bytes) -> float:
        """Probability 0 to 1 that this frame is speech."""

    def reset(self) -> None:
        """Forget everything heard."""


@dataclass(frozen=True, slots=True)
class Captured:
    """One piece of microphone sound."""

    sound: Sound
    """80 ms at 16 kHz mono."""
    at_s: float
    """``Clock.monotonic_s`` when its last sample arrived."""
    after_gap: bool = False
    """The device was opened (again) right before this piece: nothing joins it to the one before."""


class Microphone(Protocol):
    """Sound from a person; takes care by itself of devices that come and go."""

    def chunks(self) -> AsyncIterator[Captured]:
        """Every piece while not muted, without end. Opening and all trouble happen in here."""

    @property
    def live(self) -> bool:
        """Sound is arriving."""

    def set_muted(self, *, muted: bool) -> None:
        """Really close the device, so that the system's recording sign goes out; or open it again."""

    async def close(self) -> None:
        """Close the device and end ``chunks``."""


class Transcriber(Protocol):
    """Speech to text. Blocking work happens off the event loop."""

    async def transcribe(
        self,
        sound: Sound,
        languages: Sequence[Language],
        *,
        hint: Language | None = None,
        bias: str | None = None,
    ) -> Recognition:
        """What was said.

        sound: 16 kHz mono, up to 30 s; 10 s or less take the short window.
        languages: only these are considered.
        hint: taken as the language where detection on so short a clip is unsafe.
        bias: hotwords for a biased recognition; never used for the plain one.
        """


class Voice(Protocol):
    """Text to speech."""

    def speak(self, text: str, language: Language) -> AsyncIterator[Sound]:
        """The sound of ``text``, in pieces, first one as early as possible.

        Raises:
            MissingPartError: the program or voice is not there.
        """


class Loudspeaker(Protocol):
    """Plays sound that we own, so that it can be cut at once."""

    async def play(self, sound: Sound) -> None:
        """Returns when the last sample has really been played.

        Raises:
            AudioUnavailableError: no device; noticed within 3 s.
        """

    def cut(self) -> None:
        """Silence now; ``play`` returns."""

    @property
    def playing(self) -> bool:
        """Sound is still leaving the device, drain included."""


# --- hands ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FoundFile:
    """One entry of a listing or search."""

    path: Path
    is_dir: bool
    size_bytes: int
    modified_at: float
    """POSIX seconds."""
    is_link: bool = False


@dataclass(frozen=True, slots=True)
class FileText:
    """Decoded text of a file and what is needed to write it back unchanged."""

    text: str
    """As on disk: newlines are not translated, a byte order mark is not part of it."""
    encoding: str
    digest: str
    """sha256 of the bytes on disk."""
    newline: str = "\n"


class SearchTimeoutError(TimeoutError):
    """A search ran into its time limit."""

    def __init__(self, found: tuple[FoundFile, ...] | tuple[tuple[Path, int, str], ...]) -> None:
        super().__init__("the search took too long")
        self.found = found
        """What it had found by then."""


class Files(Protocol):
    """The person's files. Every error is an ``OSError`` with its path, or ``UnicodeError``."""

    async def read_text(self, path: Path, max_bytes: int) -> FileText:
        """The text of a file.

        Raises:
            UnicodeError: it is not text.
            OSError: absent, unreadable, a directory, or larger than ``max_bytes`` (EFBIG).
        """

    async def write_text(self, path: Path, text: str, *, encoding: str = "utf-8") -> None:
        """Write whole, atomically, parents made, mode kept. A link's target is written, not the link."""

    async def digest(self, path: Path) -> str:
        """sha256 of the bytes on disk; empty when there is no such file."""

    async def list_dir(self, path: Path) -> tuple[FoundFile, ...]:
        """Entries of a directory, directories first, by name."""

    async def glob(self, root: Path, pattern: str, limit: int) -> tuple[FoundFile, ...]:
        """Files below ``root`` that match, newest first, at most ``limit``.

        Raises:
            SearchTimeoutError: the time was up before the whole tree was seen.
        """

    async def grep(
        self, root: Path, pattern: str, glob: str | None, limit: int
    ) -> tuple[tuple[Path, int, str], ...]:
        """(path, line number, line) of matches; binary files skipped; bounded in time.

        Raises:
            ValueError: ``pattern`` is not a regular expression.
            SearchTimeoutError: the time was up before every file was read.
        """


@dataclass(frozen=True, slots=True)
class ShellEnd:
    """How a shell command ended."""

    exit_code: int | None
    """None when it was ended by us."""
    output: str
    """stdout and stderr in order, clipped head and tail."""
    timed_out: bool
    took_s: float
    ended: tuple[str, ...] = ()
    """Names of the processes that the command left running and that were ended with it."""
    survivors: int = 0
    """Processes that could not be ended, e.g. because they belong to another user."""


class Shell(Protocol):
    """Runs shell commands without our session bus, display, audio and secrets."""

    async def run(
        self,
        command: str,
        cwd: Path,
        timeout_s: float,
        max_output_bytes: int,
        env: Mapping[str, str] | None = None,
    ) -> ShellEnd:
        """Run to the end, or end the whole process tree at the time-out or on cancellation.

        env: variables on top of the usual ones.
        """


# --- memory -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Conversation:
    """A stored conversation."""

    session_id: SessionId
    agent_id: AgentId
    cwd: Path


@dataclass(frozen=True, slots=True)
class InterruptedTurn:
    """A turn that was running when the program ended without saying so."""

    turn_id: TurnId
    text: str
    started_at: datetime


@dataclass(frozen=True, slots=True)
class Restored:
    """What the last run left behind."""

    conversation: Conversation
    lines: tuple[StoredLine, ...]
    messages: tuple[Message, ...]
    """For the model: complete turns, oldest first."""
    interrupted: tuple[InterruptedTurn, ...]


class ConversationStore(Protocol):
    """Conversations on disk. Each method returns when its change would survive a kill."""

    async def restore(self, agent_id: AgentId, cwd: Path) -> Restored:
        """The last conversation of this agent, or a new one; turns that ran or waited are now interrupted."""

    async def begin_conversation(self, agent_id: AgentId, cwd: Path) -> Conversation:
        """A new, empty conversation."""

    async def queue_turn(self, request: TurnRequest) -> None:
        """The request waits for its turn, in the conversation that it names now."""

    async def begin_turn(self, request: TurnRequest) -> None:
        """The request is on disk, and waits no more."""

    async def set_reply(self, turn_id: TurnId, text: str) -> None:
        """The answer so far is on disk."""

    async def add_messages(self, turn_id: TurnId, messages: Sequence[Message]) -> None:
        """Messages of this turn for later prompts: calls, results, answer."""

    async def end_turn(self, turn_id: TurnId, end: TurnEnd, text: str) -> None:
        """The turn is over."""

    async def add_activity(self, line: ActivityNoted) -> None:
        """One more activity line."""

    async def recent_activity(self, limit: int) -> tuple[ActivityNoted, ...]:
        """The newest lines, oldest first."""


# --- guards of a tool call --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HookVerdict:
    """What a plugin hook said about a call."""

    blocked: bool
    reason: str = ""


class CallHooks(Protocol):
    """Hook points around a tool call; plugins fill them later."""

    async def before_tool_call(self, call: ToolCall, request: TurnRequest) -> HookVerdict:
        """May block the call."""


@dataclass(frozen=True, slots=True)
class NoHooks:
    """No plugin is there."""

    unblocked: HookVerdict = field(default_factory=lambda: HookVerdict(blocked=False))

    async def before_tool_call(self, call: ToolCall, request: TurnRequest) -> HookVerdict:
        """Blocks nothing."""
        del call, request
        return self.unblocked


# --- reading of commands ----------------------------------------------------------------------


class ShellParser(Protocol):
    """Reads shell text without running any of it."""

    def parse(self, text: str) -> ParsedShell:
        """What ``text`` holds. Never raises: text that cannot be read comes back ``damaged``."""


# --- what a decision has to know ----------------------------------------------------------------


class PathLookup(Protocol):
    """Looks at the disk for a decision; nothing is changed and nothing waits for a device."""

    async def facts(self, paths: Sequence[str]) -> Mapping[str, PathFact]:
        """Facts by absolute path; a path that could not be looked at is absent."""

    async def scripts(self, paths: Sequence[str]) -> Mapping[str, str]:
        """Text of each path that is a readable script of modest size."""


@dataclass(frozen=True, slots=True, eq=False)
class HeldRules:
    """The remembered rules of one agent. As long as no file changes it is the very same object."""

    rules: tuple[Rule, ...] = ()
    problems: tuple[str, ...] = ()
    """Entries that do not count, each with file and line (decision 11)."""


class RuleBook(Protocol):
    """The approval rule files; looked at before every decision."""

    async def load(self, agent_id: AgentId) -> HeldRules:
        """The rules that count now. Never raises: a broken file holds no rules and says so."""

    def file_of(self, agent_id: AgentId) -> str:
        """The file that ``save`` writes, as people write it: ``approvals/main.yaml``."""

    async def save(self, agent_id: AgentId, lines: Sequence[RuleLine]) -> tuple[RuleLine, ...]:
        """Remember ``lines``; what came is what was new (nothing where the files hold it already).

        Raises:
            UserFixableError: the file is broken or cannot be written; it is as it was.
        """

    async def revoke(self, rule: Rule) -> None:
        """Forget ``rule``; it no longer counts when this returns.

        Raises:
            UserFixableError: it is not there any more, or the file cannot be written.
        """


class AuditLog(Protocol):
    """Every decision about a tool call, on disk. Nothing in it is ever changed or removed."""

    async def add(self, entry: AuditEntry) -> None:
        """The decision is on disk; its result is told later."""

    async def add_result(self, entry_id: AuditId, result: AuditResult) -> None:
        """How the call of that entry ended."""

    async def entries(self, since: datetime | None = None) -> tuple[AuditEntry, ...]:
        """Every entry from ``since`` on, oldest first."""


class Sandbox(Protocol):
    """The closed room in which commands run that a rule covers."""

    @property
    def ready(self) -> bool:
        """Commands would really be confined now; while false, a rule alone starts no command."""


@dataclass(frozen=True, slots=True)
class NoSandbox:
    """Nothing confines commands."""

    ready: bool = False
