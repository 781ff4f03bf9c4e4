"""Which processes and terminals belong to a command that Jarvis runs (decision 37); it reads ``/proc``."""

import os
import socket
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

from jarvis_desktop.adapters.shell_sweep import MARK

UNIX98_TERMINALS = range(136, 144)
"""Major device numbers of the terminals that programs open for others."""


def may_speak_for_people(peer: socket.socket) -> bool:
    """The process at the other end of a local socket came from no command of ours."""
    if sys.platform != "linux":
        return True  # no command here can be told from its person
    pid, _, _ = struct.unpack("3i", peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    # A process of which there is no number here lives apart from people: in a container or a room.
    return pid == os.getpid() or (pid > 0 and _exists(pid) and not came_from_a_call(pid))


def came_from_a_call(pid: int) -> bool:
    """The process, or one of those above it, was started by a command; ours are below this very program.

    The mark alone could be wiped by whoever carries it, but not from the reaper above.
    """
    above = [*_line(pid)]
    return os.getpid() in above[1:] or any(_carries_the_mark(number) for number in above)


def is_a_persons_terminal(descriptor: int) -> bool:
    """No command holds the other end of this terminal, and we were not started by one."""
    if sys.platform != "linux":
        return True
    if came_from_a_call(os.getpid()):
        return False
    device = os.fstat(descriptor).st_rdev
    if os.major(device) not in UNIX98_TERMINALS:
        return True  # a console of the machine: nobody holds its other end
    number = os.minor(device) + 256 * (os.major(device) - UNIX98_TERMINALS.start)
    return not any(came_from_a_call(pid) for pid in _holders(number))


def _line(pid: int) -> Iterator[int]:
    """The process and all above it, as far as they can be seen."""
    while pid > 1:
        yield pid
        try:
            text = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
        except OSError:
            return  # of another person, on a machine that hides those
        pid = int(text.rpartition(")")[2].split()[1])


def _exists(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def _carries_the_mark(pid: int) -> bool:
    try:
        environment = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False
    return any(one.startswith(f"{MARK}=".encode()) for one in environment.split(b"\0"))


def _holders(number: int) -> Iterator[int]:
    """Processes that hold the other end of terminal ``/dev/pts/<number>``."""
    wanted = f"tty-index:\t{number}\n"
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                if any(wanted in one.read_text() for one in _ptmx(process)):
                    yield int(process.name)
            except OSError:  # it ended, or is another person's
                continue


def _ptmx(process: Path) -> Iterator[Path]:
    for descriptor in (process / "fd").iterdir():
        if descriptor.readlink().name == "ptmx":
            yield process / "fdinfo" / descriptor.name
