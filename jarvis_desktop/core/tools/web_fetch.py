"""Tool ``web_fetch``: a page of the web as text."""

from pathlib import Path

from pydantic import Field

from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.decisions import Allow, Shown
from jarvis_desktop.core.items.turn import TurnRequest
from jarvis_desktop.core.items.web_address import WebAddressError, web_address
from jarvis_desktop.core.policy.web_trail import ADDRESS_LINE, MOVED_LINE, WEB_FETCH
from jarvis_desktop.core.ports import Moved, Web, WebPage, WebTrouble
from jarvis_desktop.core.tool import SELDOM, Preview, Tool, ToolArguments, ToolOutput
from jarvis_desktop.core.tool_text import MAX_RESULT_CHARS
from jarvis_desktop.core.web_text import foreign, readable_page

ROOM = MAX_RESULT_CHARS - 500
"""Characters of the page in one result; the rest is for our own lines."""


class WebFetchArguments(ToolArguments):
    """Which page."""

    url: str = Field(min_length=1, description="Address of the page.")
    start: int = Field(0, ge=0, description="Characters to skip of a long page.", json_schema_extra=SELDOM)


class WebFetch(Tool[WebFetchArguments]):
    """Reads a page (T-045)."""

    name = WEB_FETCH
    description = "Read a web page. Use it whenever the request names an address or a site."
    arguments = WebFetchArguments
    read_only = True

    def __init__(self, web: Web) -> None:
        self._web = web

    async def preview(self, arguments: WebFetchArguments, cwd: Path) -> Preview:
        """The address in the spelling in which it will be asked for."""
        del cwd
        try:
            return Preview(Shown.TEXT, web_address(arguments.url).url)
        except WebAddressError as error:
            return Preview(Shown.TEXT, arguments.url, impossible=str(error))

    async def run(self, arguments: WebFetchArguments, allow: Allow, request: TurnRequest) -> ToolOutput:
        """The page between two marks, or why there is none."""
        del allow, request
        try:
            address = web_address(arguments.url)
        except WebAddressError as error:
            return ToolOutput(str(error), ResultStatus.ERROR)
        match await self._web.fetch(address):
            case WebTrouble(why):
                return ToolOutput(why, ResultStatus.ERROR)
            case Moved(elsewhere):
                todo = f"To read it, call {WEB_FETCH} with exactly this address:"
                return ToolOutput(f"{MOVED_LINE}\n{todo}\n{ADDRESS_LINE}{elsewhere.url}")
            case page:
                return _shown(page, arguments.start)


def _shown(page: WebPage, start: int) -> ToolOutput:
    text = readable_page(page.text)
    part = text[start : start + ROOM]
    end = start + len(part)
    ours = [f"The server answered with status {page.status}."] if page.status >= 400 else []
    title = " ".join(readable_page(page.title).split())[:200]
    ours.append(foreign(page.address.host, f"{title}\n\n{part}".strip() or "(no text)"))
    if end < len(text):
        ours.append(f"[characters {start} to {end} of {len(text)}; call again with start {end} to read on]")
    elif page.truncated:
        ours.append("[the page is longer than what is read of one page]")
    return ToolOutput("\n".join(ours))
