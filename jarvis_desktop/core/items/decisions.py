"""Questions, answers and decisions about tool calls.

The only way to run a tool is an ``Allow``, and ``core/policy/sandbox.py`` is the only
module that may make one: it claims the mint when it is imported, and a second claim fails.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

from jarvis_desktop.core.items.calls import ToolCall
from jarvis_desktop.core.items.extensions import Added
from jarvis_desktop.core.items.ids import AgentId, QuestionId, SessionId, TurnId, WindowId
from jarvis_desktop.core.items.room import PERSONS_ROOM, Room
from jarvis_desktop.core.items.rules import Rule, RuleLine


class VerdictKind(StrEnum):
    """What the rules say about a call before anybody is asked."""

    ALLOW = "allow"
    ASK = "ask"
    BLOCK = "block"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the rules say about a call, and why."""

    kind: VerdictKind
    why: str
    """One sentence in English, for the log and the model; windows word it anew from ``source``."""
    source: str
    """What decided: ``no-approval-needed``, ``no-rule``, the rule or the detector."""
    rules: tuple[Rule, ...] = ()
    """The rules that cover the call, where they do."""


class Answer(StrEnum):
    """What a person can answer."""

    ALLOW = "allow"
    ALWAYS = "always"
    DENY = "deny"


class AnsweredBy(StrEnum):
    """The road on which an answer came."""

    WINDOW = "window"
    VOICE = "voice"
    NOTIFICATION = "notification"
    CONSOLE = "console"
    NOBODY = "nobody"
    """No place was open that could have answered."""
    RULE = "rule"
    TIMER = "timer"
    """The time ran out."""


class Shown(StrEnum):
    """How the detail of a question is to be drawn."""

    COMMAND = "command"
    DIFF = "diff"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class RuleOffer:
    """What answering ALWAYS saves, complete; the answer itself carries no rule."""

    lines: tuple[RuleLine, ...]
    file: str
    """The rule file that gets the lines, as people write it: ``approvals/main.yaml``."""
    passes: tuple[str, ...]
    """Commands that will run unasked from then on."""
    asks: tuple[str, ...]
    """Commands like them that are asked about all the same."""
    project_decides: bool
    """What runs is decided by a file of the project (``make test``): the rule covers whatever it says."""


@dataclass(frozen=True, slots=True)
class Question:
    """One open approval question, complete: what is shown is what will run."""

    question_id: QuestionId
    session_id: SessionId
    turn_id: TurnId
    agent_id: AgentId
    call: ToolCall
    shown: Shown
    detail: str
    """The command, the unified diff or the arguments, unescaped and in full."""
    cwd: Path
    why: Verdict
    digest: str
    """Hex digest over everything that is shown; an answer must carry it back."""
    asked_at: datetime
    deadline_at: datetime
    """At this very instant it is too late."""
    spoken: bool
    """The request came by voice: read the question aloud and take spoken answers."""
    offer: RuleOffer | None = None
    """What ALWAYS would save; without it ALWAYS is no answer."""
    agent_name: str = ""
    """The agent as people call it; empty: by its id."""
    asker_name: str = ""
    """The agent that asked this one to do it; empty where a person did."""
    desktop: bool = False
    """A person who allows it once in a window can let it use the desktop, too (decision 37)."""
    added: Added | None = None
    """Where the tool comes from when it is none of ours."""


class QuestionEnd(StrEnum):
    """How a question stopped being open."""

    ANSWERED = "answered"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"
    """The turn was interrupted, or the last place to answer went away."""


class AnswerFate(StrEnum):
    """What became of an answer."""

    TAKEN = "taken"
    EXPIRED = "expired"
    ALREADY_ANSWERED = "already_answered"
    UNKNOWN = "unknown"
    MISMATCH = "mismatch"
    """It carries the digest of something else than what is open."""
    NOT_OFFERED = "not_offered"
    """ALWAYS where no rule was proposed."""
    SCREEN_LOCKED = "screen_locked"
    """A yes by voice or notification while the screen is locked: nobody knows who gave it."""
    DESKTOP_LENT = "desktop_lent"
    """A yes by voice or notification while a call may use the desktop: the call may have given it."""


@dataclass(frozen=True, slots=True)
class Settled:
    """The end of a question."""

    question_id: QuestionId
    end: QuestionEnd
    answer: Answer | None
    by: AnsweredBy
    window_id: WindowId | None = None
    desktop: bool = False
    """The call may use the desktop."""


@dataclass(frozen=True, slots=True)
class Saved:
    """What came of saving a rule."""

    lines: tuple[RuleLine, ...] = ()
    """Lines that are new in the file."""
    problem: str = ""
    """Why it could not be saved; in the app's language."""


@dataclass(frozen=True, slots=True)
class Guarding:
    """How a shell command is kept to what was allowed."""

    text: str = ""
    """What runs in place of the command; empty: the command itself."""
    room: Room = PERSONS_ROOM


class Allow:
    """Permission for one exact call. Only ``policy.sandbox`` can make one."""

    __slots__ = ("by", "digest", "guarded", "room", "snapshot")

    def __init__(
        self, digest: str, by: AnsweredBy, snapshot: str, guarded: Guarding, *, _seal: object
    ) -> None:
        if _seal is not _SEAL:
            raise TypeError("an Allow is made by core.policy.sandbox only")
        self.digest = digest
        """Digest of the call that may run."""
        self.by = by
        self.snapshot = snapshot
        """Digest of the files that the person saw; empty when none were shown."""
        self.guarded = guarded.text
        """What runs in place of a command that a rule allowed, so that no repository's settings join in."""
        self.room = guarded.room
        """Where a shell command runs."""


_SEAL = object()
_claimed = False

Mint: TypeAlias = Callable[[str, AnsweredBy, str, Guarding], Allow]


def claim_mint() -> Mint:
    """The function that makes ``Allow`` values; handed out once in the life of a process.

    Raises:
        RuntimeError: somebody already has it.
    """
    global _claimed  # noqa: PLW0603 - one latch for the process: that nobody else can claim it is the point
    if _claimed:
        raise RuntimeError("the mint of Allow values was already claimed")
    _claimed = True

    def mint(digest: str, by: AnsweredBy, snapshot: str, guarded: Guarding) -> Allow:
        return Allow(digest, by, snapshot, guarded, _seal=_SEAL)

    return mint


@dataclass(frozen=True, slots=True)
class Basis:
    """What a decision rests on, so that the audit log leads back to it."""

    verdict: Verdict
    shown: str
    """The command, path or change that was decided about. For the database and windows, never for a log."""
    digest: str
    """Digest of the call."""
    settled: Settled | None = None
    """How the question ended, where one was asked."""
    saved: tuple[RuleLine, ...] = ()
    """The rule lines that this decision made."""
    unsaved: str = ""
    """Why ALWAYS could not save its rule; the call was allowed once."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """The call may run."""

    allow: Allow
    why: str
    basis: Basis | None = None


@dataclass(frozen=True, slots=True)
class Denied:
    """The call must not run: a person, the danger list, or nobody there to ask."""

    by: AnsweredBy
    why: str
    basis: Basis | None = None


@dataclass(frozen=True, slots=True)
class TimedOut:
    """Nobody answered within the time."""

    waited_s: float
    basis: Basis | None = None


Decision: TypeAlias = Allowed | Denied | TimedOut
"""Exactly three outcomes (T-011); there is no boolean form."""
