"""Pages of the web as text: redirects inside one host, limits of time and size, no private place."""

import asyncio
import codecs
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Callable
from email.message import Message as HeaderFields
from typing import TypeAlias
from urllib.parse import urljoin

import httpx2

import jarvis_desktop
from jarvis_desktop.adapters.shell_child import PACKAGE_ROOT, START
from jarvis_desktop.adapters.web_answer import Answer, Way, ask
from jarvis_desktop.adapters.web_body import PackedError
from jarvis_desktop.adapters.web_charset import decoded
from jarvis_desktop.adapters.web_places import PrivatePlaceError
from jarvis_desktop.core.items.web_address import WebAddress, web_address
from jarvis_desktop.core.ports import Moved, WebPage, WebTrouble
from jarvis_desktop.core.settings import WebSettings

MOST_REDIRECTS = 5
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_HTML = frozenset({"text/html", "application/xhtml+xml"})
_KINDS = (
    ("application/pdf", "a PDF"),
    ("image/", "an image"),
    ("audio/", "sound"),
    ("video/", "a video"),
    ("application/zip", "an archive"),
)
_LOOKED_AT = 4096
_TEXT = frozenset(
    {"application/json", "application/xml", "application/javascript", "application/yaml", "application/toml"}
)
_HEADERS = {
    "User-Agent": f"Mozilla/5.0 (compatible; JarvisDesktop/{jarvis_desktop.__version__})",
    "Accept": "text/html,application/xhtml+xml,text/plain,application/json;q=0.9,*/*;q=0.5",
}
_TROUBLES: tuple[tuple[type[Exception], str], ...] = (
    (PrivatePlaceError, "{host} belongs to this computer or to a private network; it is not read."),
    (PackedError, "What {host} sent cannot be unpacked."),
    (OSError, "There is no host {host}, or this computer is offline."),
    (httpx2.InvalidURL, "The address at {host} cannot be asked for."),
    (httpx2.RemoteProtocolError, "{host} broke off, or does not speak HTTP."),
)
Extractor: TypeAlias = tuple[str, ...]
"""The command line of a program that finds the text in HTML."""


def extractor() -> Extractor:
    """Ours, with the site packages, which hold the parser, and without the person's environment."""
    module = "jarvis_desktop.adapters.web_extract"
    return (sys.executable, "-I", "-X", "utf8", "-c", START, str(PACKAGE_ROOT), module)


class WebPages:
    """Reads pages."""

    def __init__(
        self, settings: Callable[[], WebSettings], way: Way | None = None, program: Extractor | None = None
    ) -> None:
        """settings: asked at every page."""
        self._settings, self._way, self._program = settings, way or Way(), program or extractor()

    async def fetch(self, address: WebAddress) -> WebPage | Moved | WebTrouble:
        """The page as text, or why there is none."""
        settings = self._settings()
        try:
            async with asyncio.timeout(settings.page_timeout_s):
                answer = await self._answer(address, settings.page_max_kb * 1000)
                return answer if isinstance(answer, Moved | WebTrouble) else await self._page(answer)
        except TimeoutError:
            return WebTrouble(f"{address.host} took longer than {settings.page_timeout_s:g} seconds.")

    async def _answer(self, address: WebAddress, most_bytes: int) -> Answer | Moved | WebTrouble:
        for _ in range(MOST_REDIRECTS + 1):
            answer = await asked(address, _HEADERS, most_bytes, self._way)
            if isinstance(answer, WebTrouble) or answer.status not in _REDIRECTS:
                return answer
            try:
                target = web_address(urljoin(address.url, answer.headers.get("location", "")))
            except ValueError:  # also what urljoin cannot read
                return WebTrouble(f"{address.host} redirects to something that is no address of the web.")
            if target.site != address.site:
                return Moved(target)
            address = target
        return WebTrouble(f"{address.host} redirects more than {MOST_REDIRECTS} times.")

    async def _page(self, answer: Answer) -> WebPage | WebTrouble:
        kind, charset = content_type(answer)
        address, html = answer.address, kind in _HTML
        if not (html or is_text(kind)) or is_binary(answer.body, charset):
            return WebTrouble(f"{address.host} sent no text but {_named(kind)}; it was not read.")
        text = await asyncio.to_thread(decoded, answer.body, charset, html=html, cut=answer.cut)
        if not html:
            return WebPage(address, answer.status, "", text, answer.cut)
        found = await self._extracted(text)
        if found is None:
            return WebTrouble(f"No text could be found in the page of {address.host}.")
        return WebPage(address, answer.status, *found, answer.cut)

    async def _extracted(self, page: str) -> tuple[str, str] | None:
        """Title and text of HTML; None when the program did not manage."""
        process = await asyncio.create_subprocess_exec(
            *self._program, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, start_new_session=True, env={}
        )
        try:
            told, _ = await process.communicate(page.encode("utf-8", "replace"))
            found = json.loads(told)
            return str(found["title"]), str(found["text"])
        except (ValueError, KeyError):  # it ran out of memory or time, or the parser broke
            return None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()


async def asked(
    address: WebAddress, headers: dict[str, str], most_bytes: int, way: Way
) -> Answer | WebTrouble:
    """The answer of one host, or why there is none; no word of it is a stranger's."""
    try:
        return await ask(address, headers, most_bytes, way)
    except (OSError, PackedError, httpx2.HTTPError, httpx2.InvalidURL) as error:
        return WebTrouble(_why(error).format(host=address.host))


def _why(error: Exception) -> str:
    if "CERTIFICATE_VERIFY_FAILED" in str(error):
        return "The certificate of {host} is not valid, so nothing was read."
    return next((why for kind, why in _TROUBLES if isinstance(error, kind)), "{host} cannot be reached.")


def content_type(answer: Answer) -> tuple[str, str]:
    """Kind and charset as the answer says; HTML where it says nothing and looks like it."""
    fields = HeaderFields()
    fields["Content-Type"] = answer.headers.get("content-type", "") or (
        "text/html" if answer.body.lstrip()[:1] == b"<" else "text/plain"
    )
    charset = fields.get_content_charset("")
    return fields.get_content_type(), charset


def is_text(kind: str) -> bool:
    """The content type is text that is read as it is."""
    return kind.startswith("text/") or kind in _TEXT or kind.endswith(("+json", "+xml", "+yaml"))


def is_binary(body: bytes, charset: str) -> bool:
    """It holds what no text holds, whatever it is called."""
    wide = charset.startswith("utf-16") or body[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    return b"\0" in body[:_LOOKED_AT] and not wide


def _named(kind: str) -> str:
    """A content type in a word of ours: what a server says it is, is a stranger's text."""
    return next((word for start, word in _KINDS if kind.startswith(start)), "something else")
