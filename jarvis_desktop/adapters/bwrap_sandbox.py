"""The rooms of shell commands, through bubblewrap and passt, tried out before anybody relies on them."""

import asyncio
import ipaddress
import json
import logging
import os
import shutil
import sys
import tempfile
import time
from asyncio.subprocess import DEVNULL
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from jarvis_desktop.adapters.sandbox_plan import Lodging, room_arguments
from jarvis_desktop.adapters.shell_child import PACKAGE_ROOT, child_program
from jarvis_desktop.core.items.errors import SandboxError
from jarvis_desktop.core.items.room import Room, RoomKind
from jarvis_desktop.core.policy.confinement import may_be_closed
from jarvis_desktop.core.policy.paths import Place, is_inside

log = logging.getLogger(__name__)

FORWARDED_RESOLVER = "169.254.1.53"
"""Stands inside for a resolver on this machine's loopback; the helper forwards nothing else there."""
PASTA = ("-q", "-f", "--config-net", "--no-map-gw", "-t", "none", "-u", "none", "-T", "none", "-U", "none")
"""No way to the gateway's address, and no port forwarded in either direction."""
TRIAL_WITHIN_S = 10.0
ENDS_WITHIN_S = 2.0
"""For a trial that was broken off."""
TRIALS_WITHIN_S = 2 * TRIAL_WITHIN_S + 1
AGAIN_AFTER_S = 60.0
"""What did not work may have been installed or allowed meanwhile."""
CLOSED_ENVIRONMENT: Mapping[str, str] = {"TMPDIR": "/tmp", "XDG_CACHE_HOME": "/tmp/cache"}  # noqa: S108 - each room's own
"""In a closed room only there can something be written, so that programs with caches still run."""


@dataclass(frozen=True, slots=True)
class Stay:
    """How a program gets a room for long."""

    argv: tuple[str, ...]
    folder: str
    """Its own folder, without links."""


class BwrapSandbox:
    """Fills ``Sandbox``; holds nothing until ``try_out`` has seen a room work."""

    def __init__(
        self,
        place: Place,
        environ: Mapping[str, str] | None = None,
        monotonic_s: Callable[[], float] = time.monotonic,
    ) -> None:
        environ = os.environ if environ is None else environ
        self._path = environ.get("PATH")
        self._monotonic_s = monotonic_s
        self._bwrap = self._pasta = ""
        self._place = place
        self._rooms: bool | None = None
        self._network = False
        self._trial: asyncio.Task[None] | None = None
        self._tried_at_s = 0.0
        self._own = tempfile.TemporaryDirectory(prefix="jarvis-room-")
        self._lodging = Lodging(
            place,
            environ=environ,
            needed=_needed(),
            resolver=self._resolver(),
        )

    @property
    def rooms(self) -> bool:
        """Commands get rooms of their own."""
        return self._rooms is True

    @property
    def tried(self) -> bool:
        """It was seen whether there are rooms here: no trial is still under way, or was broken off."""
        return self._rooms is not None

    @property
    def network(self) -> bool:
        """Rooms can have a network of their own."""
        return self._network

    async def try_out(self) -> None:
        """It is known what works here; what did not work before is tried anew after a while."""
        if self._trial is None or (self._trial.done() and self._worth_another_try()):
            self._trial = asyncio.create_task(self._try_out())
        await asyncio.wait({self._trial}, timeout=TRIALS_WITHIN_S)
        if self._trial.done() and not self._trial.cancelled() and self._trial.exception():
            log.error("the sandbox could not be tried out", exc_info=self._trial.exception())

    def _worth_another_try(self) -> bool:
        complete = self.rooms and self._network
        late = self._monotonic_s() >= self._tried_at_s + AGAIN_AFTER_S
        return self._rooms is None or (late and not complete)

    async def _try_out(self) -> None:
        """Open a room without and one with network; only what was seen to work counts."""
        self._tried_at_s = self._monotonic_s()
        self._bwrap, self._pasta = await asyncio.to_thread(self._programs)
        alone = Room(RoomKind.CLOSED, network=False)
        # Twice: what is hidden may vanish while the room is built, which must not count as having no rooms.
        rooms = (await self._works(alone) or await self._works(alone)) if self._bwrap else False
        connected = bool(rooms and self._pasta) and await self._works(Room(RoomKind.CLOSED))
        self._rooms, self._network = rooms, connected is True
        log.info("the sandbox was tried out", extra={"rooms": self._rooms, "network": self._network})

    def _programs(self) -> tuple[str, str]:
        return (shutil.which("bwrap", path=self._path) or "", shutil.which("pasta", path=self._path) or "")

    async def holds(self, cwd: str, room: Room) -> bool:
        """A command would really be confined there now; waits for the trial."""
        await self.try_out()
        if not self.rooms or (room.network and not self._network):
            return False
        real = await asyncio.to_thread(os.path.realpath, cwd)
        return all(may_be_closed(one, self._place) for one in (cwd, real))

    async def launch(self, program: tuple[str, ...], cwd: str, room: Room) -> tuple[str, ...]:
        """Arguments that run ``program`` in its room; where there are no rooms, the program itself.

        Only for a person's room: a closed one must hold (see ``holds``).

        Raises:
            SandboxError: nobody knows yet whether there are rooms here, or the folder leads elsewhere now.
        """
        await self.try_out()
        if self._rooms is None:
            raise SandboxError("no room for it could be tried out; try again")
        if not self._rooms:
            return program
        return await asyncio.to_thread(self._arguments, program, cwd, room)

    async def lodge(self, program: tuple[str, ...], folder: Path, *, writes: bool, network: bool) -> Stay:
        """How to run ``program`` for long in a room of its own, which ends with this process.

        folder: of ours; the program begins there and may write there.
        writes: it may write the person's files, too, as a command that a person allowed.

        Raises:
            SandboxError: there are no rooms here, or nobody knows yet; ``tried`` says which.
            OSError: the folder could not be made.
        """
        await self.try_out()
        if self._rooms is None:
            raise SandboxError("the trial of rooms was broken off, or took too long")
        if not self._rooms:
            raise SandboxError("bubblewrap is not installed or does not work here")
        room = Room(RoomKind.PERSON if writes else RoomKind.CLOSED, network=network and self._network)
        return await asyncio.to_thread(self._lodged, program, folder, room)

    def _lodged(self, program: tuple[str, ...], folder: Path, room: Room) -> Stay:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        own = os.path.realpath(folder)
        if not any(is_inside(own, os.path.realpath(home)) for home in self._place.app_homes):
            raise SandboxError("its folder leads elsewhere")
        arguments = room_arguments(self._lodging, room, own, (own,))
        job = {
            "bwrap": [self._bwrap, *arguments, "--", *program],
            "pasta": self._helper() if room.network else None,
            "parent": os.getpid(),
        }
        return Stay((*child_program("jarvis_desktop.adapters.sandbox_room"), json.dumps(job)), own)

    async def close(self) -> None:
        """Our own files are gone."""
        if self._trial is not None:
            self._trial.cancel()
            await asyncio.wait({self._trial})
        await asyncio.to_thread(self._own.cleanup)

    def _arguments(self, program: tuple[str, ...], cwd: str, room: Room) -> tuple[str, ...]:
        if room.kind is RoomKind.CLOSED:
            cwd = os.path.realpath(cwd)
            if cwd != self._own.name and not may_be_closed(cwd, self._place):
                raise SandboxError("the working directory leads elsewhere now")
        network = room.network and (self._network or room.kind is RoomKind.CLOSED)
        job = {
            "bwrap": [self._bwrap, *room_arguments(self._lodging, room, cwd), "--", *program],
            "pasta": self._helper() if network else None,
        }
        return (*child_program("jarvis_desktop.adapters.sandbox_room"), json.dumps(job))

    def _helper(self) -> list[str]:
        # As root it would become "nobody" and could not join the room's namespaces.
        runas = ("--runas", "0") if os.getuid() == 0 else ()
        forward = ("--dns-forward", FORWARDED_RESOLVER) if self._lodging.resolver else ()
        return [self._pasta or "", *PASTA, *runas, *forward]

    async def _works(self, room: Room) -> bool | None:
        """Whether such a room opens; None when that could not be seen in time."""
        # A plan that cannot be made says nothing about this machine: its error goes on, and nothing is known.
        arguments = await asyncio.to_thread(self._arguments, ("/bin/true",), self._own.name, room)
        try:
            process = await asyncio.create_subprocess_exec(
                *arguments, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, start_new_session=True
            )
        except OSError as error:
            log.warning("no room could be opened", extra={"error": error.strerror})
            return False
        try:
            async with asyncio.timeout(TRIAL_WITHIN_S):
                return await process.wait() == 0
        except TimeoutError:
            return None
        finally:
            with suppress(ProcessLookupError):
                process.terminate()  # it ends bubblewrap and the network helper
            try:
                await asyncio.wait_for(process.wait(), ENDS_WITHIN_S)
            except TimeoutError:
                process.kill()
                await process.wait()

    def _resolver(self) -> str:
        """A file for rooms where this machine's resolver listens on its loopback; empty elsewhere."""
        try:
            lines = Path("/etc/resolv.conf").read_text("utf-8", "replace").splitlines()
        except OSError:
            return ""
        servers = [
            line.split()[1] for line in lines if line.startswith("nameserver") and len(line.split()) > 1
        ]
        if not servers or not _is_loopback(servers[0]):
            return ""
        file = Path(self._own.name) / "resolv.conf"
        kept = [line for line in lines if line.startswith(("search", "domain"))]
        file.write_text("\n".join([f"nameserver {FORWARDED_RESOLVER}", *kept, ""]), "utf-8")
        return str(file)


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address.partition("%")[0]).is_loopback
    except ValueError:
        return False


def _needed() -> tuple[str, ...]:
    """Where our own program inside a room lives: the interpreter and this package."""
    return tuple(dict.fromkeys((sys.base_prefix, sys.prefix, str(PACKAGE_ROOT))))
