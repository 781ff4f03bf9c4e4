"""Tool ``web_search``: what a search engine finds on the web."""

import re
from collections.abc import Iterator, Sequence

from pydantic import Field

from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.decisions import Allow
from jarvis_desktop.core.items.turn import TurnRequest
from jarvis_desktop.core.items.web_address import WebAddressError, web_address
from jarvis_desktop.core.policy.web_trail import ADDRESS_LINE, WEB_SEARCH
from jarvis_desktop.core.ports import Found, Web, WebTrouble
from jarvis_desktop.core.tool import Tool, ToolArguments, ToolOutput
from jarvis_desktop.core.web_text import foreign, readable_page

MOST_RESULTS = 8
_ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)
LONGEST_TITLE, LONGEST_SNIPPET = 200, 400


class WebSearchArguments(ToolArguments):
    """What to look for."""

    query: str = Field(min_length=1, max_length=400, description="What to search for.")


class WebSearch(Tool[WebSearchArguments]):
    """Searches the web (T-044)."""

    name = WEB_SEARCH
    description = (
        "Search the internet, never this computer, when no address is known: titles, addresses and snippets "
        "of pages."
    )
    arguments = WebSearchArguments
    read_only = True

    def __init__(self, web: Web) -> None:
        self._web = web

    async def run(self, arguments: WebSearchArguments, allow: Allow, request: TurnRequest) -> ToolOutput:
        """The results between two marks, or why there are none."""
        del allow, request
        if _ADDRESS.fullmatch(arguments.query.strip()):  # small models do that (2026-12, 1.5 billion weights)
            return ToolOutput("This is an address. Read it with web_fetch.", ResultStatus.ERROR)
        found = await self._web.search(arguments.query, MOST_RESULTS)
        if isinstance(found, WebTrouble):
            return ToolOutput(found.why, ResultStatus.ERROR)
        results = "\n".join(_lines(found[:MOST_RESULTS]))
        if not results:
            return ToolOutput("[the search found nothing; other words may]", ResultStatus.ERROR)
        return ToolOutput(foreign("search results", results))


def _lines(found: Sequence[Found]) -> Iterator[str]:
    """Three lines for each result; what strangers wrote never begins one of them."""
    number = 0
    for one in found:
        try:
            address = web_address(one.url)
        except WebAddressError:
            continue
        number += 1
        yield f"{number}. {_on_one_line(one.title, LONGEST_TITLE)}"
        yield f"{ADDRESS_LINE}{address.url}"
        yield f"> {_on_one_line(one.snippet, LONGEST_SNIPPET)}"


def _on_one_line(text: str, most: int) -> str:
    return " ".join(readable_page(text).split())[:most]
