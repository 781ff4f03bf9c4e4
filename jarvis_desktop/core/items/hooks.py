"""Where in a turn plugins are called, and how one of them can fail."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class Hook(StrEnum):
    """A function that a plugin may have; the value is its name there."""

    BEFORE_AGENT_START = "before_agent_start"
    """May add to what stands before the turn."""
    BEFORE_TOOL_CALL = "before_tool_call"
    """May block a call, with a reason. It never allows one and never changes one."""
    AFTER_TOOL_CALL = "after_tool_call"
    """Observes; whatever it returns counts for nothing."""
    ON_MESSAGE_END = "on_message_end"
    """May replace the answer."""
    TRANSFORM_CONTEXT = "transform_context"
    """May edit the messages before a request to the model."""


_ALWAYS = ("turn", "agent", "situation")
GIVEN: Mapping[Hook, tuple[str, ...]] = MappingProxyType(
    {
        Hook.BEFORE_AGENT_START: ("request", "language", "folder", "asked_by", *_ALWAYS),
        Hook.BEFORE_TOOL_CALL: ("tool", "arguments", *_ALWAYS),
        Hook.AFTER_TOOL_CALL: ("tool", "arguments", "result", "status", *_ALWAYS),
        Hook.ON_MESSAGE_END: ("text", "request", *_ALWAYS),
        Hook.TRANSFORM_CONTEXT: ("messages", *_ALWAYS),
    }
)
"""Names under which each hook is given something; it may have parameters for any of them."""


class HookTrouble(StrEnum):
    """Why a hook gave nothing that counts."""

    RAISED = "raised"
    TIMED_OUT = "timed_out"
    ENDED = "ended"
    """The plugin's process ended."""
    NONSENSE = "nonsense"
    """It returned something that the hook cannot mean."""
