"""Where in a turn plugins are called, and how one of them can fail."""

from enum import StrEnum


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


class HookTrouble(StrEnum):
    """Why a hook gave nothing that counts."""

    RAISED = "raised"
    TIMED_OUT = "timed_out"
    ENDED = "ended"
    """The plugin's process ended."""
    NONSENSE = "nonsense"
    """It returned something that the hook cannot mean."""
