"""Which hosts a conversation named, and whether strangers' text is in it (decision 38)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.memory import FOREIGN_MARK
from jarvis_desktop.core.items.turn import Message, Role
from jarvis_desktop.core.items.web_address import WebAddress, WebAddressError, web_address

WEB_FETCH, WEB_SEARCH = "web_fetch", "web_search"
ADDRESS_LINE = "URL: "
"""Begins a line of ours in a result; text of strangers never stands at the beginning of a line there."""
MOVED_LINE = "[the page moved to another host; nothing of it was read]"
"""Begins a result of ``web_fetch`` that holds one address and nothing else of a stranger."""
PASSED_ON = "[some of this comes from the web]"
"""A line in what another agent answered, when strangers' text was there for it to pass on."""

SERVER_MARK = "[this comes from an MCP server]"
"""A line in what a tool of an MCP server answered."""

PLUGGED = Message(Role.TOOL, PASSED_ON)
"""Stands for the words of plugins among what a call may have been chosen from."""
_MARKS = frozenset({PASSED_ON, FOREIGN_MARK, SERVER_MARK})
"""Lines of ours in a result that say that text of strangers is in it."""
_URL = re.compile(r"https?://[^\s<>\"'`|\\^{}]+", re.IGNORECASE)
_NAME = re.compile(r"(?<![@\w.-])(?:[\w-]{1,63}\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})", re.IGNORECASE)
_ASCII_NAME = re.compile(_NAME.pattern, re.IGNORECASE | re.ASCII)
_FOREIGN_NAME = re.compile(r"(?<![@\w.-])(?:[\w-]{1,63}\.)+[^\W\d_]{2,63}")
_NUMBERS = re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])")
_FILE_ENDINGS = frozenset(
    {"app", "cc", "css", "gz", "in", "java", "lock", "md", "mov", "pl", "ps", "py", "rs", "sh", "so", "zip"}
)
"""Endings of file names that are also ends of host names: whoever says ``README.md`` names no host."""
_MOST_CHARACTERS = 100_000


@dataclass(frozen=True, slots=True)
class WebTrail:
    """What of a conversation counts for the next page."""

    named: frozenset[str] = frozenset()
    """Sites that the person or a search result named."""
    moved: frozenset[str] = frozenset()
    """Whole addresses to which a host sent us on."""
    foreign: bool = False
    """Text of strangers is there, which may have asked for the next page."""

    def trusts(self, address: WebAddress) -> bool:
        """Nothing that a stranger wrote can have chosen the host, nor what the address carries along."""
        if address.site in self.named:
            return True
        # A redirect alone may be followed to the letter: what it carries the sender knew already.
        return not self.foreign and (not self.moved or address.url in self.moved)


def trail_of(messages: Sequence[Message]) -> WebTrail:
    """The trail that these messages leave; all that the model may have read counts."""
    named: set[str] = set()
    moved: set[str] = set()
    foreign = False
    for message in messages:
        if message.role is Role.USER:
            # A skill's text may be somebody else's: only what was typed names a site.
            named |= sites_in(message.typed or message.text)
        elif message.role is Role.TOOL and message.status is ResultStatus.OK:
            if message.tool_name == WEB_SEARCH:
                named |= {address.site for address in _addresses(message.text)}
                foreign = True
            elif message.tool_name == WEB_FETCH and message.text.startswith(MOVED_LINE):
                moved |= {address.url for address in _addresses(message.text)}
            elif message.tool_name == WEB_FETCH:
                foreign = True
        # A plugin wrote what stands in an answer's place, and has a network.
        if message.replaced is not None or (
            message.role is Role.TOOL and not _MARKS.isdisjoint(message.text.split("\n"))
        ):
            foreign = True
    return WebTrail(frozenset(named), frozenset(moved), foreign)


def sites_in(text: str) -> frozenset[str]:
    """Sites that a person's text names, as addresses or as bare names."""
    text = text[:_MOST_CHARACTERS]
    written = dict.fromkeys((*_URL.findall(text), *_bare(text)))
    return frozenset(address.site for address in _readable(written))


def _bare(text: str) -> Iterator[str]:
    for pattern in (_NAME, _ASCII_NAME, _FOREIGN_NAME, _NUMBERS):
        for name in pattern.findall(text):
            if name.rpartition(".")[2].lower() not in _FILE_ENDINGS:
                yield name


def _addresses(text: str) -> Iterator[WebAddress]:
    """Addresses in lines of ours."""
    lines = (line for line in text.split("\n") if line.startswith(ADDRESS_LINE))
    yield from _readable(line.removeprefix(ADDRESS_LINE) for line in lines)


def _readable(written: Iterable[str]) -> Iterator[WebAddress]:
    for one in written:
        try:
            yield web_address(one)
        except WebAddressError:
            continue
