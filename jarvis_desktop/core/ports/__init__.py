"""Protocols through which the core reaches the world; ``app/compose.py`` fills them."""

from jarvis_desktop.core.ports.basics import Clock, Emit, Texts
from jarvis_desktop.core.ports.deciding import (
    AuditLog,
    HeldRules,
    NoSandbox,
    PathLookup,
    RuleBook,
    Sandbox,
    ShellParser,
)
from jarvis_desktop.core.ports.delegates import Delegates
from jarvis_desktop.core.ports.hands import Files, FileText, FoundFile, SearchTimeoutError, Shell, ShellEnd
from jarvis_desktop.core.ports.hooks import (
    CallHooks,
    HookVerdict,
    NoHooks,
    Plugin,
    Plugins,
    TurnContext,
    TurnHooks,
)
from jarvis_desktop.core.ports.memory import (
    Conversation,
    ConversationStore,
    InterruptedTurn,
    Memory,
    Restored,
)
from jarvis_desktop.core.ports.scheduling import Clockwork, GoalRunner, Jobs, JobsRead, RunLedger
from jarvis_desktop.core.ports.screen import Notices
from jarvis_desktop.core.ports.team import Team
from jarvis_desktop.core.ports.thinking import (
    CallPiece,
    CallStyle,
    ChatModel,
    ChatPiece,
    ChatRequest,
    DonePiece,
    TextPiece,
    ThinkingPiece,
    ToolSpec,
)
from jarvis_desktop.core.ports.voice import (
    Captured,
    Loudspeaker,
    Microphone,
    SpeechScorer,
    Transcriber,
    Voice,
    WakeScorer,
)
from jarvis_desktop.core.ports.web import Found, Moved, Web, WebPage, WebTrouble

__all__ = [
    "AuditLog",
    "CallHooks",
    "CallPiece",
    "CallStyle",
    "Captured",
    "ChatModel",
    "ChatPiece",
    "ChatRequest",
    "Clock",
    "Clockwork",
    "Conversation",
    "ConversationStore",
    "Delegates",
    "DonePiece",
    "Emit",
    "FileText",
    "Files",
    "Found",
    "FoundFile",
    "GoalRunner",
    "HeldRules",
    "HookVerdict",
    "InterruptedTurn",
    "Jobs",
    "JobsRead",
    "Loudspeaker",
    "Memory",
    "Microphone",
    "Moved",
    "NoHooks",
    "NoSandbox",
    "Notices",
    "PathLookup",
    "Plugin",
    "Plugins",
    "Restored",
    "RuleBook",
    "RunLedger",
    "Sandbox",
    "SearchTimeoutError",
    "Shell",
    "ShellEnd",
    "ShellParser",
    "SpeechScorer",
    "Team",
    "TextPiece",
    "Texts",
    "ThinkingPiece",
    "ToolSpec",
    "Transcriber",
    "TurnContext",
    "TurnHooks",
    "Voice",
    "WakeScorer",
    "Web",
    "WebPage",
    "WebTrouble",
]
