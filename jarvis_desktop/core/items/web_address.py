"""An address on the web, read in one way only: by the decision about a call and by the call itself."""

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import quote

import idna

LONGEST = 2000
_PORTS = {"http": 80, "https": 443}
_FIRST_FREE_PORT = 1024
"""Below it only the two ports of the web: the others belong to mail, shells, files and name servers."""
_SHAPE = re.compile(r"(?P<scheme>[a-z][a-z0-9+.-]*)://(?P<place>[^/?#]*)(?P<target>[^#]*)", re.IGNORECASE)
_PLACE = re.compile(r"(?P<host>\[[0-9a-f:.]+\]|[^\[\]:]*)(?::(?P<port>[0-9]{0,5}))?", re.IGNORECASE)
_OTHER_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:(?![0-9])", re.IGNORECASE)
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_SAFE = "/?:@!$&'()*+,;=-._~%[]|"
_HERE = frozenset(
    {"localhost", "localdomain", "local", "internal", "intranet", "lan", "home", "corp", "private", "arpa"}
)
"""Last parts of names that only a home or company network knows."""


class WebAddressError(ValueError):
    """It is no address that is read; the text says why."""


@dataclass(frozen=True, slots=True)
class WebAddress:
    """One page of the public web."""

    scheme: str
    host: str
    """ASCII, lower case, without a dot at its end; an IPv6 address stands without its brackets."""
    port: int
    target: str
    """Path and query; ASCII."""

    @property
    def place(self) -> str:
        """Host and port as they stand in a request."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        """The whole address in its one spelling."""
        return f"{self.scheme}://{self.place}{self.target}"

    @property
    def site(self) -> str:
        """The host, where ``www.example.org`` and ``example.org`` are one."""
        return self.host.removeprefix("www.")


def web_address(written: str) -> WebAddress:
    """The address that ``written`` means; without a scheme it is https.

    Raises:
        WebAddressError: it is no address of the public web.
    """
    text = written.strip()
    if len(text) > LONGEST:
        raise WebAddressError(f"The address is longer than {LONGEST} characters.")
    if "\\" in text or any(char.isspace() or not char.isprintable() for char in text):
        raise WebAddressError("The address holds spaces, backslashes or characters that cannot be seen.")
    if "://" not in text:
        if _OTHER_SCHEME.match(text):
            raise WebAddressError("Only http and https addresses are read.")
        text = f"https://{text}"
    shape = _SHAPE.fullmatch(text.partition("#")[0])
    if shape is None or shape["scheme"].lower() not in _PORTS:
        raise WebAddressError("Only http and https addresses are read.")
    scheme, target = shape["scheme"].lower(), quote(shape["target"], safe=_SAFE)
    host, port = _host_and_port(shape["place"], _PORTS[scheme])
    return WebAddress(scheme, host, port, target if target.startswith("/") else f"/{target}")


def _host_and_port(place: str, usual: int) -> tuple[str, int]:
    if "@" in place:
        raise WebAddressError("An address with a name or password before an @ is not read.")
    found = _PLACE.fullmatch(place)
    if found is None:
        raise WebAddressError("The address has no readable host.")
    port = int(found["port"] or usual)
    if port not in _PORTS.values() and not _FIRST_FREE_PORT <= port <= 65_535:
        raise WebAddressError(f"Port {port} is not one that web pages are on.")
    host = found["host"]
    return (_literal(host[1:-1]) if host.startswith("[") else _name(host)), port


def _literal(text: str) -> str:
    try:
        return str(ipaddress.IPv6Address(text))
    except ValueError as error:
        raise WebAddressError("The host is no IPv6 address.") from error


def _name(written: str) -> str:
    """A host name or IPv4 address in its one spelling."""
    host = written.lower()
    if not host.isascii():
        try:
            host = idna.encode(host, uts46=True).decode()
        except (idna.IDNAError, UnicodeError) as error:
            raise WebAddressError("The host is no name that the web knows.") from error
    labels = host.removesuffix(".").split(".")
    if _NUMBER.fullmatch(labels[-1]):
        # Others read 127.1, 0x7f.1 and 2130706433 as addresses too: only the usual spelling counts.
        try:
            return str(ipaddress.IPv4Address(".".join(labels)))
        except ValueError as error:
            raise WebAddressError("The host is no usual IPv4 address.") from error
    if not all(map(_LABEL.fullmatch, labels)) or len(".".join(labels)) > 253:
        raise WebAddressError("The host is no name that the web knows.")
    if len(labels) == 1 or labels[-1] in _HERE:
        raise WebAddressError(
            f'"{".".join(labels)}" belongs to this computer or its network; it is not read.'
        )
    return ".".join(labels)
