"""What stands at fixed places of a turn, and the plugins that fill them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from jarvis_desktop.core.items.calls import Json, ToolCall, ToolResult
from jarvis_desktop.core.items.hooks import Hook
from jarvis_desktop.core.items.turn import Message, TurnRequest


@dataclass(frozen=True, slots=True)
class HookVerdict:
    """What hooks said about a call."""

    blocked: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TurnContext:
    """What the model is going to read, besides the system prompt."""

    past: Sequence[Message]
    """Complete turns, oldest first."""
    now: Sequence[Message]
    """The running turn so far; its first message is the request."""

    @property
    def messages(self) -> tuple[Message, ...]:
        """All of them, oldest first."""
        return (*self.past, *self.now)


class CallHooks(Protocol):
    """Hook points around a tool call."""

    async def before_tool_call(self, call: ToolCall, request: TurnRequest) -> HookVerdict:
        """May block the call."""


class TurnHooks(CallHooks, Protocol):
    """All hook points of a turn. Never raises: what goes wrong in a plugin is told to people."""

    async def before_agent_start(self, request: TurnRequest) -> str:
        """The turn begins; what the agent should know besides, or empty."""

    async def after_tool_call(self, call: ToolCall, result: ToolResult, request: TurnRequest) -> None:
        """Hears what a call came to, whatever that was."""

    async def transform_context(self, context: TurnContext, request: TurnRequest) -> TurnContext:
        """What the model is to read in place of ``context``; the very same object where nothing changed."""

    def may_replace(self, request: TurnRequest) -> bool:
        """The answer of this turn may still become another one when it is complete."""

    async def on_message_end(self, answer: str, request: TurnRequest) -> str:
        """The answer that counts; ``answer`` itself where nobody replaces it."""

    def over(self, request: TurnRequest) -> None:
        """Nothing more comes of this turn."""


UNBLOCKED = HookVerdict(blocked=False)


class NoHooks:
    """Fills ``TurnHooks``: no plugin is there."""

    async def before_agent_start(self, request: TurnRequest) -> str:
        """Nothing."""
        del request
        return ""

    async def before_tool_call(self, call: ToolCall, request: TurnRequest) -> HookVerdict:
        """Blocks nothing."""
        del call, request
        return UNBLOCKED

    async def after_tool_call(self, call: ToolCall, result: ToolResult, request: TurnRequest) -> None:
        """Nobody listens."""

    async def transform_context(self, context: TurnContext, request: TurnRequest) -> TurnContext:
        """The same."""
        del request
        return context

    def may_replace(self, request: TurnRequest) -> bool:
        """Never."""
        del request
        return False

    async def on_message_end(self, answer: str, request: TurnRequest) -> str:
        """The same."""
        del request
        return answer

    def over(self, request: TurnRequest) -> None:
        """Nothing was kept."""


class Plugin(Protocol):
    """One plugin that a person enabled, as it was when the turn began."""

    @property
    def name(self) -> str:
        """Its file's name without the ending."""

    @property
    def digest(self) -> str:
        """Of its file, in hexadecimal."""

    @property
    def hooks(self) -> Collection[Hook]:
        """Those that it has."""

    async def call(self, hook: Hook, payload: Mapping[str, Json]) -> Json:
        """What its function returned. Comes back within a time limit of its own.

        Raises:
            PluginFailedError: it raised, took too long, or its process ended.
            PluginGoneError: it was switched off or became another one meanwhile.
        """


class Plugins(Protocol):
    """The plugins that a person enabled."""

    async def for_turn(self) -> Sequence[Plugin]:
        """Those that count now, by their files' names. Never raises; quick where there are none.

        They stay as they are until ``let_go``, unless a person switches one off.
        """

    def let_go(self, plugins: Sequence[Plugin]) -> None:
        """The turn for which they were asked is over."""

    async def troubled(self, plugin: Plugin, trouble: str, *, off: bool) -> None:
        """People are shown ``trouble`` beside it.

        trouble: in the app's language.
        off: it counts no more until its file is another one or a person enables it anew.
        """
