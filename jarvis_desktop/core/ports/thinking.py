"""The chat model."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeAlias

from jarvis_desktop.core.items.calls import Json
from jarvis_desktop.core.items.turn import Message


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
    temperature: float | None = None
    """None: as the model is set up."""
    think: bool | None = None
    """None: as the model is set up."""


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
