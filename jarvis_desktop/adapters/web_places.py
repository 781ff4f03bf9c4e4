"""Where a host name leads: addresses that were looked up once, and of which every one is public."""

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from jarvis_desktop.adapters.daemon_call import in_daemon

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Lookup: TypeAlias = Callable[[str, int], Awaitable[tuple[str, ...]]]
"""Addresses of a host, as text; raises ``OSError`` where there are none."""
Gate: TypeAlias = Callable[[Address], bool]
"""An address may be connected to."""

_CLOSED_4 = tuple(
    map(
        ipaddress.IPv4Network,
        (
            "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
            "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15",
            "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
            "168.63.129.16/32",  # the inner service of Azure's machines, in the middle of public addresses
        ),
    )
)  # fmt: skip
_OPEN_6 = ipaddress.IPv6Network("2000::/3")
_CLOSED_6 = tuple(map(ipaddress.IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))
"""Tunnels into IPv4, documentation and other purposes inside of the public part."""
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_SOME_PORT = 9


class PrivatePlaceError(OSError):
    """A host leads to an address that is not of the public network."""


def is_public(address: Address) -> bool:
    """The address belongs to the public network.

    IPv6 is a list of what is open: what is new or strange there (mapped, compatible, scoped) stays closed.
    """
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in network for network in _CLOSED_4)
    if address.scope_id is not None:
        return False
    if address in _NAT64:  # how a network without IPv4 reaches the rest; what counts is inside
        return is_public(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return address in _OPEN_6 and not any(address in network for network in _CLOSED_6)


def is_here(address: Address) -> bool:
    """The address is one of this machine's own; nothing is sent to find that out."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((str(address), _SOME_PORT))
        except OSError:  # no way there at all
            return False
        return bool(probe.getsockname()[0] == str(address))


def may_be_reached(address: Address) -> bool:
    """The address is public and not this machine's own."""
    return is_public(address) and not is_here(address)


async def system_lookup(host: str, port: int) -> tuple[str, ...]:
    """Addresses as the system knows them.

    Raises:
        OSError: the name is unknown, or nobody can be asked.
    """
    found = await in_daemon(lambda: socket.getaddrinfo(host, port, type=socket.SOCK_STREAM), "name lookup")
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))


async def reachable_places(host: str, port: int, lookup: Lookup, gate: Gate) -> tuple[str, ...]:
    """The addresses of ``host``. One that is closed closes all: no public site has such a neighbour.

    Raises:
        PrivatePlaceError: an address is not public.
        OSError: there is no address.
    """
    try:
        places: tuple[str, ...] = (str(ipaddress.ip_address(host)),)
    except ValueError:
        places = await lookup(host, port)
    if not places:
        raise OSError("no address")
    checked = [ipaddress.ip_address(place) for place in places]
    if not all(await asyncio.to_thread(lambda: [gate(address) for address in checked])):
        raise PrivatePlaceError("not public")
    return places
