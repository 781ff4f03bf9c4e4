"""Program that opens a command's room, gives it a network of its own if wanted, and outlives both.

Arguments: one JSON object: ``bwrap`` (program, arguments, program inside), ``pasta`` (program and arguments
without its target, or null), and for a room that stays open ``parent``, the process with which it ends.
Standard input and output belong to the program inside. It stays outside the
room as the parent of both: the network helper ends with the room, whatever ended the room.

bubblewrap waits behind a pipe until the network is there, so that no command starts without it. The helper
joins the namespaces by file: the network belongs to the first of bubblewrap's two user namespaces, which
has no process to be named by.
"""

import ctypes
import fcntl
import json
import os
import signal
import sys
import time
from contextlib import suppress

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
SIGKILL, SIGPIPE = 9, 13
NS_GET_USERNS = 0xB701
NETWORK_WITHIN_S = 5.0
ENDED_WITHIN_S = 0.5
LOOK_S = 0.005
NO_NETWORK = 90
"""Exit status when the network could not be had; the command did not run."""
NO_ROOM = 91
"""Exit status when bubblewrap did not open the room; the command did not run."""


def spawn(arguments: list[str], keep: tuple[int, ...], *, quiet: bool) -> int:
    """Start a program that keeps the descriptors ``keep``; its process number."""
    pid = os.fork()
    if pid:
        return pid
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
    libc.signal(SIGPIPE, None)  # Python ignores it, and passt 2023 takes an ignored one for an error
    try:
        for descriptor in keep:
            os.set_inheritable(descriptor, True)
        if quiet:
            nothing = os.open(os.devnull, os.O_RDWR)
            for standard in (0, 1, 2):
                os.dup2(nothing, standard)
        os.execv(arguments[0], arguments)  # noqa: S606 - a list, and no shell is wanted
    finally:
        os._exit(127)


def main() -> None:
    """Open the room that the argument describes; the exit status is that of the program inside."""
    job = json.loads(sys.argv[3])
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    signal.signal(signal.SIGTERM, end_all)
    if "parent" in job:
        end_with(job["parent"])
    told, tell = os.pipe()
    hold, release = os.pipe()
    ended, ends = os.pipe()
    program, *rest = job["bwrap"]
    held = ["--info-fd", str(tell), "--block-fd", str(hold), "--json-status-fd", str(ends)]
    room = spawn([program, *held, *rest], (tell, hold, ends), quiet=False)
    for ours in (tell, hold, ends):
        os.close(ours)
    inside = first_process(told)
    if inside is None:
        os.waitpid(room, 0)
        sys.exit(NO_ROOM)
    helper = connected(job["pasta"], inside, room) if job["pasta"] else None
    let_go(release)
    # Only the program inside may hold its standard input open: our copy would hide the end of it.
    os.close(0)
    _, status = os.waitpid(room, 0)
    if helper is not None:
        end(helper)
    reap_all()
    if b"exit-code" not in read_all(ended):  # nothing was started: a place to hide had vanished, for one
        sys.exit(NO_ROOM)
    code = os.waitstatus_to_exitcode(status)
    sys.exit(128 - code if code < 0 else code)


def connected(pasta: list[str], inside: int, room: int) -> int:
    """The network helper's process; without it there is no room."""
    helper = connect(pasta, inside)
    if helper is None:
        if has_ended(room):
            sys.exit(NO_ROOM)
        end(room)
        sys.exit(NO_NETWORK)
    return helper


def end_with(parent: int) -> None:
    """From now on the room ends when ``parent`` does."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(NO_ROOM)  # it was gone before it could be watched


def first_process(told: int) -> int | None:
    """Process number of the room's first process as seen from here."""
    text = b""
    while b"}" not in text:
        piece = os.read(told, 4096)
        if not piece:
            return None
        text += piece
    number: int = json.loads(text)["child-pid"]
    return number


def has_ended(room: int) -> bool:
    """The room broke down by itself, which it would have done by now; else it is held until let go."""
    deadline = time.monotonic() + ENDED_WITHIN_S
    while not os.waitpid(room, os.WNOHANG)[0]:
        if time.monotonic() > deadline:
            return False
        time.sleep(LOOK_S)
    return True


def let_go(release: int) -> None:
    """The room goes on, if it is there still."""
    try:
        os.write(release, b"x")
    except BrokenPipeError:
        return


def read_all(descriptor: int) -> bytes:
    """What a pipe holds that nobody writes to any more."""
    text = b""
    while piece := os.read(descriptor, 4096):
        text += piece
    return text


def connect(pasta: list[str], inside: int) -> int | None:
    """The network helper's process once the room has its network; None when it cannot be had."""
    network = f"/proc/{inside}/ns/net"
    try:
        owner = fcntl.ioctl(os.open(network, os.O_RDONLY), NS_GET_USERNS)
    except OSError:
        return None
    target = ["--userns", f"/proc/self/fd/{owner}", "--netns", network]
    helper = spawn([*pasta, *target], (owner,), quiet=True)
    deadline = time.monotonic() + NETWORK_WITHIN_S
    while time.monotonic() < deadline:
        if os.waitpid(helper, os.WNOHANG)[0]:
            return None
        if links(inside) > 1:  # more than the loopback
            return helper
        time.sleep(LOOK_S)
    end(helper)
    return None


def links(inside: int) -> int:
    """How many network links the room has; none when it is gone."""
    try:
        with open(f"/proc/{inside}/net/dev", encoding="ascii") as file:  # noqa: PTH123 - pathlib is slow to import
            return sum(":" in line for line in file)
    except OSError:
        return 0


def end(process: int) -> None:
    """Kill a child and see it off."""
    try:
        os.kill(process, SIGKILL)
        os.waitpid(process, 0)
    except (ProcessLookupError, ChildProcessError):
        return


def end_all(*_: object) -> None:
    """End with all there is. Killed while it makes a room, bubblewrap leaves a half that waits for ever."""
    while True:
        for child in children():
            with suppress(ProcessLookupError):
                os.kill(child, SIGKILL)
        try:
            os.waitpid(-1, 0)  # whose children are ours now
        except ChildProcessError:
            os._exit(NO_ROOM)


def children() -> list[int]:
    """Our own, and those that were left to us."""
    with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:  # noqa: PTH123 - as above
        return [int(word) for word in file.read().split()]


def reap_all() -> None:
    """Nothing that became our child is left."""
    while True:
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


if __name__ == "__main__":
    main()
