"""What happened: a closed union that screen, loudspeaker, log and database live off."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

from jarvis_desktop.core.items.agenda import AgendaEvent
from jarvis_desktop.core.items.agents import AgentsListed as AgentsListed  # noqa: PLC0414 - an event
from jarvis_desktop.core.items.calls import ToolCall, ToolResult
from jarvis_desktop.core.items.decisions import AnswerFate, Question, Settled
from jarvis_desktop.core.items.delegation import DelegateEvent
from jarvis_desktop.core.items.extensions import ExtensionEvent
from jarvis_desktop.core.items.goal_notices import GoalNoticeEvent
from jarvis_desktop.core.items.goals import GoalEvent
from jarvis_desktop.core.items.ids import QuestionId, SessionId, TurnId, WindowId
from jarvis_desktop.core.items.memory_desk import MemoryEvent
from jarvis_desktop.core.items.rule_desk import RuleEvent
from jarvis_desktop.core.items.schedule import ScheduleEvent
from jarvis_desktop.core.items.settings_desk import SettingsDeskEvent
from jarvis_desktop.core.items.setup import SetupEvent
from jarvis_desktop.core.items.slash import SlashEvent
from jarvis_desktop.core.items.speech import Language, ListenFor
from jarvis_desktop.core.items.spoken import AnswerStage
from jarvis_desktop.core.items.spoken import AnswerUnclear as AnswerUnclear  # noqa: PLC0414 - an event
from jarvis_desktop.core.items.spoken import SavingEnded as SavingEnded  # noqa: PLC0414 - an event
from jarvis_desktop.core.items.spoken import SavingOffered as SavingOffered  # noqa: PLC0414 - an event
from jarvis_desktop.core.items.talk import ConversationOpened as ConversationOpened  # noqa: PLC0414 - an event
from jarvis_desktop.core.items.talk import RequestRefused as RequestRefused  # noqa: PLC0414 - an event
from jarvis_desktop.core.items.talk import TurnQueued as TurnQueued  # noqa: PLC0414 - an event
from jarvis_desktop.core.items.talk import TurnStarted as TurnStarted  # noqa: PLC0414 - an event
from jarvis_desktop.core.items.team_desk import TeamDeskEvent
from jarvis_desktop.core.items.trouble import Part as Part  # noqa: PLC0414 - part of the events
from jarvis_desktop.core.items.trouble import TroubleCleared as TroubleCleared  # noqa: PLC0414 - an event
from jarvis_desktop.core.items.trouble import TroubleNoted as TroubleNoted  # noqa: PLC0414 - an event
from jarvis_desktop.core.items.turn import StoredLine as StoredLine  # noqa: PLC0414 - windows get it by an event
from jarvis_desktop.core.items.turn import TurnEnd


@dataclass(frozen=True, slots=True)
class ReplyDelta:
    """More text of the answer; thinking and tool calls never come this way."""

    turn_id: TurnId
    text: str


@dataclass(frozen=True, slots=True)
class ReplyReplaced:
    """The answer's text from its beginning: fixed lines and corrected answers."""

    turn_id: TurnId
    text: str


@dataclass(frozen=True, slots=True)
class ReplyMayChange:
    """A plugin may replace this answer once it is complete: who cannot take words back waits for that."""

    turn_id: TurnId


@dataclass(frozen=True, slots=True)
class ModelWaiting:
    """The model has not said anything yet for this long (cold start, long prompt)."""

    turn_id: TurnId
    waited_s: float


@dataclass(frozen=True, slots=True)
class ToolCalled:
    """A call passed its checks and begins."""

    turn_id: TurnId
    call: ToolCall


@dataclass(frozen=True, slots=True)
class ToolFinished:
    """A call is over, refused ones included."""

    turn_id: TurnId
    call: ToolCall
    result: ToolResult
    took_s: float


@dataclass(frozen=True, slots=True)
class QuestionAsked:
    """An approval question is open."""

    question: Question
    window_id: WindowId | None = None
    """Only for this window when set: it was attached after the others saw the question."""


@dataclass(frozen=True, slots=True)
class QuestionSettled:
    """A question is closed; every window closes its dialog."""

    question: Question
    settled: Settled


@dataclass(frozen=True, slots=True)
class AnswerRefused:
    """An answer changed nothing: too late, repeated, unknown or of something else."""

    question_id: QuestionId
    fate: AnswerFate
    window_id: WindowId | None


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A turn is over; ``text`` is the whole answer as shown."""

    turn_id: TurnId
    session_id: SessionId
    end: TurnEnd
    text: str


class VoiceState(StrEnum):
    """What the voice path is doing; the tray shows it."""

    IDLE = "idle"
    LISTENING = "listening"
    TRANSCRIBING = "transcribing"
    THINKING = "thinking"
    ASKING = "asking"
    SPEAKING = "speaking"


@dataclass(frozen=True, slots=True)
class VoiceStateChanged:
    """The voice path entered a state."""

    state: VoiceState
    muted: bool
    listen_for: ListenFor
    ready: bool = True
    """False: the speech models are still being loaded."""
    listening: int = 0
    """Which listening for an answer this is, of ``MAX_LISTENINGS``; 0 while none is listened for."""
    answer: AnswerStage = AnswerStage.NONE


@dataclass(frozen=True, slots=True)
class WakeHeard:
    """The wake word was recognised."""

    score: float


@dataclass(frozen=True, slots=True)
class LevelHeard:
    """Loudness a few times a second while listening: 0 (silence) to 1 (clipping), as people perceive it."""

    level: float


@dataclass(frozen=True, slots=True)
class Transcribed:
    """Speech was understood."""

    text: str
    language: Language
    listen_for: ListenFor


class HeardNothing(StrEnum):
    """Why listening ended without words."""

    SILENCE = "silence"
    UNCLEAR = "unclear"
    TOO_QUIET = "too_quiet"
    ECHO = "echo"
    """It was our own voice."""
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class NothingHeard:
    """Listening ended without usable words."""

    reason: HeardNothing
    listen_for: ListenFor


@dataclass(frozen=True, slots=True)
class SpeakingStarted:
    """The first sample of something left for the loudspeaker."""

    text: str
    question_id: QuestionId | None = None
    """Set when it is the reading of a question."""


@dataclass(frozen=True, slots=True)
class SpeakingEnded:
    """The loudspeaker is really silent again (drained or cut)."""

    cut: bool
    question_id: QuestionId | None = None


@dataclass(frozen=True, slots=True)
class CoreStopped:
    """The core has ended by an error; nothing works until the program is started again."""

    text: str


class ActivityKind(StrEnum):
    """Groups of activity lines."""

    TURN = "turn"
    TOOL = "tool"
    APPROVAL = "approval"
    VOICE = "voice"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True)
class ActivityNoted:
    """One line of the activity list, in the app's language."""

    kind: ActivityKind
    text: str
    at: datetime
    turn_id: TurnId | None = None


@dataclass(frozen=True, slots=True)
class AdviceGiven:
    """Something worth knowing that is no trouble: shown until it is put away, and not told again."""

    text: str
    """In the app's language."""


Event: TypeAlias = (
    ConversationOpened
    | AgentsListed
    | TurnStarted
    | TurnQueued
    | RequestRefused
    | ReplyDelta
    | ReplyReplaced
    | ReplyMayChange
    | ModelWaiting
    | ToolCalled
    | ToolFinished
    | QuestionAsked
    | QuestionSettled
    | AnswerRefused
    | AnswerUnclear
    | SavingOffered
    | SavingEnded
    | TurnEnded
    | VoiceStateChanged
    | WakeHeard
    | LevelHeard
    | Transcribed
    | NothingHeard
    | SpeakingStarted
    | SpeakingEnded
    | TroubleNoted
    | TroubleCleared
    | CoreStopped
    | ActivityNoted
    | AdviceGiven
    | DelegateEvent
    | SetupEvent
    | RuleEvent
    | MemoryEvent
    | ExtensionEvent
    | SettingsDeskEvent
    | TeamDeskEvent
    | SlashEvent
    | GoalEvent
    | GoalNoticeEvent
    | ScheduleEvent
    | AgendaEvent
)
