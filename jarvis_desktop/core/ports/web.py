"""Pages and searches of the web."""

from dataclasses import dataclass
from typing import Protocol

from jarvis_desktop.core.items.web_address import WebAddress


@dataclass(frozen=True, slots=True)
class WebPage:
    """A page as text. All of it was written by strangers."""

    address: WebAddress
    """Where it was in the end; of the host that was asked for."""
    status: int
    title: str
    text: str
    truncated: bool = False
    """It was longer than what is read of one page."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The page is on another host, which was not asked."""

    address: WebAddress


@dataclass(frozen=True, slots=True)
class WebTrouble:
    """Nothing came of it."""

    why: str
    """A sentence for the model; it holds nothing that a page said."""


@dataclass(frozen=True, slots=True)
class Found:
    """One result of a search. All of it was written by strangers."""

    title: str
    url: str
    snippet: str


class Web(Protocol):
    """The public web. Nothing private is reached through it, whatever names resolve to."""

    async def fetch(self, address: WebAddress) -> WebPage | Moved | WebTrouble:
        """The page as text; redirects are followed inside its host only."""

    async def search(self, query: str, limit: int) -> tuple[Found, ...] | WebTrouble:
        """What a search engine finds, at most ``limit``."""
