"""The web in memory."""

from dataclasses import dataclass, field

from jarvis_desktop.core.items.web_address import WebAddress
from jarvis_desktop.core.ports import Found, Moved, WebPage, WebTrouble


@dataclass
class FakeWeb:
    """Fills ``Web``: pages by address, and what every search finds."""

    pages: dict[str, str | Moved | WebPage] = field(default_factory=dict)
    found: tuple[Found, ...] | WebTrouble = ()
    asked: list[str] = field(default_factory=list)
    """Addresses and queries, in order."""

    async def fetch(self, address: WebAddress) -> WebPage | Moved | WebTrouble:
        self.asked.append(address.url)
        said = self.pages.get(address.url)
        if said is None:
            return WebTrouble(f"There is no host {address.host}, or this computer is offline.")
        return WebPage(address, 200, "", said) if isinstance(said, str) else said

    async def search(self, query: str, limit: int) -> tuple[Found, ...] | WebTrouble:
        self.asked.append(query)
        return self.found
