"""Brave's protocol and DuckDuckGo's page from stand-ins on loopback; the real ones are not asked."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from ddgs.engines.duckduckgo import Duckduckgo

from jarvis_desktop.adapters import web_search
from jarvis_desktop.adapters.web_answer import Way
from jarvis_desktop.adapters.web_search import Rows, WebSearches
from jarvis_desktop.core.ports import Found, WebTrouble
from jarvis_desktop.core.settings import WebSettings
from tests.parts.web_site import HERE, Names, Reply, only, reply, site

KEY = "BSA-never-to-be-told"
BRAVE = {
    "type": "search",
    "query": {"original": "green tea"},
    "web": {
        "type": "search",
        "results": [
            {
                "title": "Green tea",
                "url": "https://tea.example/green",
                "description": "It is <strong>green</strong> &amp; hot.",
                "age": "1 day",
            },
            {"title": "No address", "description": "left out"},
            {"title": "More", "url": "https://more.example/", "description": None},
        ],
    },
}
# The parts of DuckDuckGo's page that the library reads: an advertisement first, then a result.
DUCK = """<html><body><div class="serp__results"><div id="links" class="results">
<div class="result results_links"><div class="links_main links_deep result__body">
<h2 class="result__title"><a class="result__a" href="https://duckduckgo.com/y.js?ad=1">Buy tea</a></h2>
<a href="https://duckduckgo.com/y.js?ad=1">An advertisement</a></div></div>
<div class="result results_links"><div class="links_main links_deep result__body">
<h2 class="result__title"><a class="result__a" href="https://tea.example/green">Green <b>tea</b></a></h2>
<a class="result__snippet" href="https://tea.example/green">It is <b>green</b> and hot.</a></div></div>
</div></div></body></html>"""


def settings(key: str = KEY) -> WebSettings:
    return WebSettings.model_validate({"brave_key": key})


async def from_brave(said: Reply, key: str = KEY) -> tuple[tuple[Found, ...] | WebTrouble, list[str]]:
    """What came of one search, and the heads of the requests."""
    async with site({"/res/v1/web/search": said}) as there:
        way = Way(Names({"site.example": [(HERE,)]}).lookup, only(HERE))
        searches = WebSearches(lambda: settings(key), way, there.address("/res/v1/web/search"))
        return await searches.search("녹차 green", 2), there.heads


@pytest.mark.promise("T-044")
async def test_with_a_key_brave_is_asked_in_its_own_protocol() -> None:
    found, heads = await from_brave(reply(json.dumps(BRAVE), "application/json"))
    assert found == (
        Found("Green tea", "https://tea.example/green", "It is green & hot."),
        Found("More", "https://more.example/", ""),
    )
    assert heads[0].startswith(
        "GET /res/v1/web/search?q=%EB%85%B9%EC%B0%A8+green&count=2&text_decorations=false HTTP/1.1"
    )
    assert f"x-subscription-token: {KEY}" in heads[0].lower().replace(KEY.lower(), KEY)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (reply("{}", status=401), "does not accept the key"),
        (reply("{}", status=422), "does not accept the key or the query"),
        (reply("{}", status=429), "asked too often"),
        (reply("{}", status=500), "right now (answer 500)"),
        (reply("[1]"), "not understood"),
        (reply("<html>"), "not understood"),
        (reply('{"web": {"results": 7}}'), "not understood"),
        (b"", "broke off"),
    ],
)
async def test_what_brave_refuses_is_said_without_the_key(said: bytes, told: str) -> None:
    found, _ = await from_brave(said)
    assert isinstance(found, WebTrouble)
    assert told in found.why
    assert KEY not in found.why


@pytest.mark.parametrize("key", ["열쇠", "a\nb"])
async def test_a_key_that_can_be_none_asks_nobody(key: str) -> None:
    found, heads = await from_brave(reply("{}"), key)
    assert isinstance(found, WebTrouble)
    assert (heads, key in found.why) == ([], False)


async def test_nothing_found_is_nothing() -> None:
    assert (await from_brave(reply('{"type": "search"}')))[0] == ()


def test_a_key_is_kept_out_of_what_shows_the_settings() -> None:
    assert KEY not in repr(settings())


class _Duck(BaseHTTPRequestHandler):
    answer = DUCK
    asked: tuple[str, ...] = ()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        type(self).asked = (*self.asked, body)
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.answer.encode())))
        self.end_headers()
        self.wfile.write(self.answer.encode())

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def duck(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[_Duck]]:
    """The library asks a stand-in."""
    kind = type("Duck", (_Duck,), {})
    with HTTPServer((HERE, 0), kind) as server:
        monkeypatch.setattr(Duckduckgo, "search_url", f"http://{HERE}:{server.server_port}/html/")
        serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        serving.start()
        yield kind
        server.shutdown()
        serving.join()


@pytest.mark.promise("T-044")
async def test_without_a_key_duckduckgo_is_asked_through_the_library(duck: type[_Duck]) -> None:
    found = await WebSearches(lambda: settings("")).search("green tea", 8)
    assert found == (Found("Green tea", "https://tea.example/green", "It is green and hot."),)
    assert [sorted(body.split("&")) for body in duck.asked] == [["b=", "l=wt-wt", "q=green+tea"]]


async def test_duckduckgo_without_results_is_nothing(duck: type[_Duck]) -> None:
    duck.answer = "<html><body>No results.</body></html>"
    assert await WebSearches(lambda: settings("")).search("qqqq", 8) == ()


async def test_duckduckgo_out_of_reach_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Duckduckgo, "search_url", f"http://{HERE}:9/html/")
    found = await WebSearches(lambda: settings("")).search("green tea", 8)
    assert isinstance(found, WebTrouble)
    assert "may work later" in found.why


async def test_a_search_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_search, "SEARCH_S", 0.05)
    hold = threading.Event()

    def hanging(query: str, limit: int) -> Rows:
        hold.wait(60)
        return ()

    try:
        found = await WebSearches(lambda: settings(""), duck=hanging).search("green tea", 8)
    finally:
        hold.set()
    assert isinstance(found, WebTrouble)
    assert "took longer" in found.why
