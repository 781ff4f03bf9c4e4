"""Searches: Brave where there is a key, otherwise DuckDuckGo."""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import unescape
from http import HTTPStatus
from typing import Any, TypeAlias
from urllib.parse import urlencode

from jarvis_desktop.adapters.daemon_call import in_daemon
from jarvis_desktop.adapters.web_answer import Answer, Way
from jarvis_desktop.adapters.web_pages import asked
from jarvis_desktop.core.items.web_address import WebAddress, web_address
from jarvis_desktop.core.ports import Found, WebTrouble
from jarvis_desktop.core.settings import WebSettings

BRAVE = web_address("https://api.search.brave.com/res/v1/web/search")
SEARCH_S = 15
MOST_BYTES = 2_000_000
_TAGS = ("<strong>", "</strong>", "<b>", "</b>")
_WRONG_KEY = "Brave does not accept the key; the user can correct web.brave_key in settings.yaml."
_REFUSALS: Mapping[int, str] = {
    401: _WRONG_KEY,
    403: _WRONG_KEY,
    422: "Brave does not accept the key or the query; the key is web.brave_key in settings.yaml.",
    429: "Brave has been asked too often for now; a search works again later.",
}
Rows: TypeAlias = Sequence[Mapping[str, Any]]
DuckDuckGo: TypeAlias = Callable[[str, int], Rows]
"""Results of one search, in the library's form; blocks."""


def duckduckgo(query: str, limit: int) -> Rows:
    """What the library finds; nothing where DuckDuckGo answers without results.

    Raises:
        DDGSException: no answer.
    """
    # Loaded when somebody searches: the library brings its own client.
    from ddgs import DDGS
    from ddgs.exceptions import DDGSException

    try:
        return DDGS(timeout=SEARCH_S).text(query, region="wt-wt", max_results=limit, backend="duckduckgo")
    except DDGSException as error:
        if str(error) == "No results found.":
            return ()
        raise


class WebSearches:
    """Asks a search engine."""

    def __init__(
        self,
        settings: Callable[[], WebSettings],
        way: Way | None = None,
        brave: WebAddress = BRAVE,
        duck: DuckDuckGo = duckduckgo,
    ) -> None:
        """settings: asked at every search."""
        self._settings, self._way, self._brave, self._duck = settings, way or Way(), brave, duck

    async def search(self, query: str, limit: int) -> tuple[Found, ...] | WebTrouble:
        """At most ``limit`` results, or why there are none."""
        key = self._settings().brave_key
        try:
            async with asyncio.timeout(SEARCH_S):
                if key:
                    return await self._from_brave(query, limit, key)
                return await self._from_duckduckgo(query, limit)
        except TimeoutError:
            return WebTrouble(f"The search engine took longer than {SEARCH_S} seconds.")

    async def _from_brave(self, query: str, limit: int, key: str) -> tuple[Found, ...] | WebTrouble:
        place = self._brave
        asking = urlencode({"q": query, "count": limit, "text_decorations": "false"})
        address = WebAddress(place.scheme, place.host, place.port, f"{place.target}?{asking}")
        if not key.isascii():
            return WebTrouble(_WRONG_KEY)
        headers = {"Accept": "application/json", "X-Subscription-Token": key.strip()}
        answer = await asked(address, headers, MOST_BYTES, self._way)
        if isinstance(answer, WebTrouble):
            return answer
        if answer.status != HTTPStatus.OK:
            other = f"Brave cannot search right now (answer {answer.status})."
            return WebTrouble(_REFUSALS.get(answer.status, other))
        return _brave_results(answer, limit)

    async def _from_duckduckgo(self, query: str, limit: int) -> tuple[Found, ...] | WebTrouble:
        try:
            rows = await in_daemon(lambda: self._duck(query, limit), "web search")
        except Exception:  # noqa: BLE001 - rim: the library raises what its client raises
            return WebTrouble(
                "DuckDuckGo did not answer. A search may work later, or through Brave (web.brave_key)."
            )
        return tuple(_found(rows, ("title", "href", "body")))[:limit]


def _brave_results(answer: Answer, limit: int) -> tuple[Found, ...] | WebTrouble:
    try:
        rows = json.loads(answer.body).get("web", {}).get("results", [])
        return tuple(_found(rows, ("title", "url", "description")))[:limit]
    except (ValueError, AttributeError, TypeError, RecursionError):
        return WebTrouble("Brave answered in a form that is not understood.")


def _found(rows: Rows, names: tuple[str, str, str]) -> Iterator[Found]:
    for row in rows:
        title, url, snippet = (str(row.get(name) or "") for name in names)
        if url:
            yield Found(_plain(title), url, _plain(snippet))


def _plain(text: str) -> str:
    for tag in _TAGS:
        text = text.replace(tag, "")
    return unescape(text)
