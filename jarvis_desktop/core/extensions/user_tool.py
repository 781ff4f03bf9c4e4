"""A function of the person's own as a tool: it asks first, and runs in a process of its own."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jarvis_desktop.core.extensions.schema_arguments import arguments_of
from jarvis_desktop.core.items.calls import Json, ResultStatus
from jarvis_desktop.core.items.decisions import Allow
from jarvis_desktop.core.items.extensions import Added
from jarvis_desktop.core.items.turn import TurnRequest
from jarvis_desktop.core.policy.web_trail import PASSED_ON
from jarvis_desktop.core.ports import ToolSpec
from jarvis_desktop.core.ports.extensions import ToolWorker
from jarvis_desktop.core.tool import Tool, ToolArguments, ToolOutput
from jarvis_desktop.core.tool_text import MAX_RESULT_CHARS, plain


@dataclass(frozen=True, slots=True)
class Offer:
    """What a function offers, once its process has described it."""

    name: str
    purpose: str
    """What the model is told."""
    parameters: Mapping[str, Json]
    """JSON schema."""
    read_only: bool
    """A person enabled it as one that changes nothing."""
    added: Added


class UserTool(Tool[ToolArguments]):
    """``user_tool`` makes the class that has this function's name."""

    name = "user_tool"
    description = "A tool of the user's own."
    arguments = ToolArguments

    def __init__(self, offer: Offer, worker: ToolWorker) -> None:
        self._offer = offer
        self._worker = worker

    @property
    def file(self) -> str:
        """Name of the file that brings it."""
        return self._offer.added.name

    @property
    def stands_in(self) -> bool:
        """It has the name of a built-in tool."""
        return self._offer.added.stands_in

    @property
    def weight(self) -> int:
        """Characters that a model reads of it, about."""
        return len(self.name) + len(self._offer.purpose) + len(json.dumps(dict(self._offer.parameters)))

    @property
    def spec(self) -> ToolSpec:
        """As its hints and docstring say."""
        return ToolSpec(self.name, self._offer.purpose, dict(self._offer.parameters))

    async def run(self, arguments: ToolArguments, allow: Allow, request: TurnRequest) -> ToolOutput:
        """What the function returned, or what went wrong in it."""
        del allow
        answer = await self._worker.call(self.name, arguments.model_dump(mode="json"), request.cwd)
        # It has a network: what it brings may be a stranger's text, in an error as well.
        text = f"{_clipped(answer.text)}\n{PASSED_ON}"
        if answer.wrong_arguments:
            return ToolOutput(f"{self.name} was not run, its arguments do not fit. {text}", _ERROR)
        if not answer.ok:
            return ToolOutput(f"{self.name} ({self._offer.added.path}) failed: {text}", _ERROR)
        return ToolOutput(text)


_ERROR = ResultStatus.ERROR
CONTEXT_SHARE_CHARS = 2
"""Characters of all descriptions for each token of the context: about half of it, as servers have."""


def fitting(
    tools: Sequence[UserTool], context_tokens: int
) -> tuple[tuple[UserTool, ...], tuple[UserTool, ...]]:
    """Those whose descriptions fit into their share of the context, in their order, and the others.

    One in place of a built-in tool is never left out: the built-in one would be back unnoticed.
    """
    left = context_tokens * CONTEXT_SHARE_CHARS - sum(one.weight for one in tools if one.stands_in)
    kept: list[UserTool] = []
    over: list[UserTool] = []
    for one in tools:
        fits = one.stands_in or one.weight <= left
        (kept if fits else over).append(one)
        left -= one.weight if fits and not one.stands_in else 0
    return tuple(kept), tuple(over)


def user_tool(offer: Offer, worker: ToolWorker) -> UserTool:
    """The tool for this function; a tool's name is its class's."""
    members = {
        "name": offer.name,
        "description": offer.purpose,
        "arguments": arguments_of(offer.parameters),
        "read_only": offer.read_only,
        "needs_approval": not offer.read_only,
        "added": offer.added,
    }
    made = type(UserTool.__name__, (UserTool,), members)(offer, worker)
    assert isinstance(made, UserTool)
    return made


def _clipped(text: str) -> str:
    """Head and tail, as much as a small model can read."""
    text = plain(text)
    if len(text) <= MAX_RESULT_CHARS:
        return text
    half = MAX_RESULT_CHARS // 2
    return f"{text[:half]}\n[… {len(text) - 2 * half:,} characters left out …]\n{text[-half:]}"
