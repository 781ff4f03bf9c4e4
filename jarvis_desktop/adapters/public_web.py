"""The public web: pages and searches together."""

from collections.abc import Callable

from jarvis_desktop.adapters.web_pages import WebPages
from jarvis_desktop.adapters.web_search import WebSearches
from jarvis_desktop.core.items.web_address import WebAddress
from jarvis_desktop.core.ports import Found, Moved, WebPage, WebTrouble
from jarvis_desktop.core.settings import WebSettings


class PublicWeb:
    """Fills ``Web``."""

    def __init__(self, settings: Callable[[], WebSettings]) -> None:
        self._pages, self._searches = WebPages(settings), WebSearches(settings)

    async def fetch(self, address: WebAddress) -> WebPage | Moved | WebTrouble:
        """The page as text."""
        return await self._pages.fetch(address)

    async def search(self, query: str, limit: int) -> tuple[Found, ...] | WebTrouble:
        """What a search engine finds."""
        return await self._searches.search(query, limit)
