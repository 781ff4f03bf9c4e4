"""Where the Ollama server is: what people write as its address, made into a URL."""

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

PORT = 11434


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """A server's address, ready to be asked."""

    url: str
    """``http://127.0.0.1:11434``, without a slash at its end."""
    is_loopback: bool
    """It is this machine."""


def server_address(written: str) -> ServerAddress:
    """The address that ``written`` means.

    written: as in ``OLLAMA_HOST``: with or without scheme and port, ``:11434``, ``[::1]``, a path behind it.
        An address to listen on (``0.0.0.0``, ``[::]``) means this machine.

    Raises:
        ValueError: it is no address, or its scheme is not http or https.
    """
    scheme, mark, rest = written.strip().partition("://")
    if not mark:
        scheme, rest = "http", written.strip()
    scheme = scheme.lower()
    if scheme not in ("http", "https") or "@" in rest or any(c.isspace() for c in rest):
        raise ValueError(written)
    split = urlsplit(f"{scheme}://{rest}")
    # Without a scheme the port is Ollama's, with one it is the scheme's: the rule of OLLAMA_HOST.
    port = split.port or (PORT if not mark else {"http": 80, "https": 443}[scheme])
    name, is_loopback = _named(split.hostname or "127.0.0.1")
    return ServerAddress(f"{scheme}://{name}:{port}{split.path.rstrip('/')}", is_loopback)


def shown_address(written: str) -> str:
    """``written`` as it may be shown: without the name and the password that stand before an ``@``."""
    secret, at, host = written.rpartition("@")
    if not at:
        return written
    scheme, mark, _ = secret.partition("://")
    # Only a known scheme is one: what else stands before "://" may be part of a password.
    known = mark and scheme.strip().lower() in ("http", "https")
    return f"{scheme + mark if known else ''}…@{host}"


def _named(host: str) -> tuple[str, bool]:
    """The host as it stands in a URL, and whether it is this machine."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host, host.lower().rstrip(".") == "localhost"
    if address.is_unspecified:
        address = ipaddress.ip_address("127.0.0.1" if address.version == 4 else "::1")
    inner = getattr(address, "ipv4_mapped", None) or address
    return (f"[{address}]" if address.version == 6 else str(address)), inner.is_loopback


def runs_elsewhere(model_name: str) -> bool:
    """Ollama sends requests for this model on to its maker's servers, though it is asked on this machine."""
    tag = model_name.rpartition("/")[2].partition(":")[2].lower()
    return tag == "cloud" or tag.endswith("-cloud")
