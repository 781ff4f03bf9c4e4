"""Program that runs one shell command and ends only when no process of it is left.

It is a process of its own because only then every orphan (``setsid``, double fork, ``nohup``) becomes
*its* child: it is their subreaper. So "no children" means "nothing is left", and whoever waits for this
program knows it. Reading endless output also costs the app nothing.

Standard input: one line ``timeout_s max_output_bytes command_bytes``, then the command. It stays open
as a lifeline: when it closes, because the call was cancelled or the app is gone, everything is ended.
Standard output: one ``Report``. Environment and working directory are handed on to the command.
"""

# No import of signal, subprocess or dataclasses: they would double the start, which is 17 ms (2 cores, 3.11).
import ctypes
import os
import select
import sys
import time

SIGPIPE, SIGKILL, SIGTERM, SIGCONT, SIGXFSZ = 13, 9, 15, 18, 25
"""Numbers of Linux; the module with their names takes 8 ms to import."""
PR_SET_CHILD_SUBREAPER = 36
LINGER_S = 0.1
"""Time for processes that end by themselves just after the shell, e.g. ``>(cat)``."""
TERM_GRACE_S = 0.5
KILL_PATIENCE_S = 5.0
READ_BYTES = 1 << 16
LIFELINE = 0


class HeadTail:
    """The beginning and the end of a stream, in bounded memory."""

    def __init__(self, max_bytes: int) -> None:
        self._head_max = max_bytes // 2
        self._tail_max = max_bytes - self._head_max
        self.head = bytearray()
        self._tail = bytearray()
        self._total = 0

    def add(self, chunk: bytes) -> None:
        """The stream goes on with ``chunk``."""
        self._total += len(chunk)
        room = self._head_max - len(self.head)
        self.head += chunk[:room]
        self._tail += chunk[room:]
        if len(self._tail) > 2 * self._tail_max + READ_BYTES:
            del self._tail[: len(self._tail) - self._tail_max]

    @property
    def tail(self) -> bytes:
        """The end of the stream, as far as it is not in the head."""
        return bytes(self._tail[max(0, len(self._tail) - self._tail_max) :])

    @property
    def left_out(self) -> int:
        """Bytes between head and tail that were dropped."""
        return self._total - len(self.head) - len(self.tail)


class Tree:
    """The command's processes: the shell, and everything that came from it."""

    def __init__(self, command: bytes) -> None:
        self.output, write_end = os.pipe()
        os.set_blocking(self.output, False)
        self.shell = os.posix_spawn(
            b"/bin/bash",
            [b"bash", b"-c", b"--", command],
            os.environb,
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
                (os.POSIX_SPAWN_DUP2, write_end, 1),
                (os.POSIX_SPAWN_DUP2, write_end, 2),
            ],
            setsid=True,
            setsigdef=[SIGPIPE, SIGXFSZ],  # Python ignores them, and `yes | head` needs them
            setsigmask=[],  # sound libraries block signals in threads that then start us
        )
        os.close(write_end)
        self.status: int | None = None

    def reap(self) -> bool:
        """Take the dead; true when nobody is left."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return True
            if pid == 0:
                return False
            if pid == self.shell:
                self.status = os.waitstatus_to_exitcode(status)

    def members(self) -> dict[int, str]:
        """Living processes below this one, with their names."""
        return processes_below_us()

    def signal(self, number: int) -> None:
        """Send a signal to every member that can be seen and reached."""
        for pid in self.members():
            try:
                os.kill(pid, number)
            except (ProcessLookupError, PermissionError):
                continue


def processes_below_us() -> dict[int, str]:
    """Living processes below this one, with their names."""
    children: dict[int, list[tuple[int, str]]] = {}
    for entry in os.listdir("/proc"):  # noqa: PTH208 - pathlib takes as long to import as all the rest
        if entry.isdigit():
            parent, name = parent_and_name(entry)
            children.setdefault(parent, []).append((int(entry), name))
    found: dict[int, str] = {}
    waiting = [os.getpid()]
    while waiting:
        below = children.get(waiting.pop(), [])
        found.update(below)
        waiting += [pid for pid, _ in below]
    return found


def parent_and_name(pid: str) -> tuple[int, str]:
    """Parent and name of a process; parent -1 when it is dead or gone."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:  # noqa: PTH123 - see processes_below_us
            text = file.read()
    except OSError:
        return -1, ""
    name, _, rest = text.partition("(")[2].rpartition(")")
    state, parent = rest.split()[:2]
    return (-1 if state in "ZX" else int(parent)), name


class Run:
    """One command from its start until nothing of it is left."""

    def __init__(self, command: bytes, max_output_bytes: int) -> None:
        self.tree = Tree(command)
        self.kept = HeadTail(max_output_bytes)
        self._poll = select.poll()
        self._poll.register(self.tree.output, select.POLLIN)
        self._open = True

    def pump(self, wait_s: float) -> list[int]:
        """Read what there is, waiting at most ``wait_s`` for something to happen; who else is ready."""
        ready = [fd for fd, _ in self._poll.poll(max(0.0, wait_s) * 1000)]
        if self.tree.output in ready:
            ready.remove(self.tree.output)
            self._read()
        return ready

    def _read(self) -> bool:
        """Take one piece of output; false when there is none now or ever again."""
        try:
            chunk = os.read(self.tree.output, READ_BYTES) if self._open else b""
        except BlockingIOError:
            return False
        self.kept.add(chunk)
        if not chunk and self._open:
            self._open = False
            self._poll.unregister(self.tree.output)
        return bool(chunk)

    def until_shell_ends(self, timeout_s: float) -> bool:
        """Wait for the shell, the time-out or the end of the lifeline; true when the time was up."""
        deadline = time.monotonic() + timeout_s
        shell_fd = os.pidfd_open(self.tree.shell)
        self._poll.register(LIFELINE, select.POLLIN)
        self._poll.register(shell_fd, select.POLLIN)
        while self.tree.status is None:
            left_s = deadline - time.monotonic()
            if left_s <= 0:
                break
            if LIFELINE in self.pump(min(left_s, 1.0)):
                break
            self.tree.reap()
        timed_out = time.monotonic() >= deadline and self.tree.status is None
        self._poll.unregister(LIFELINE)
        self._poll.unregister(shell_fd)
        return timed_out

    def wait_childless(self, patience_s: float, signal: int | None = None) -> bool:
        """Wait until no process is left, sending ``signal`` all the while; true when none is."""
        deadline = time.monotonic() + patience_s
        while not self.tree.reap():
            if time.monotonic() >= deadline:
                return False
            if signal is not None:
                self.tree.signal(signal)
            self.pump(0.005)
        return True

    def end_all(self) -> int:
        """End every process: asked first, then killed. How many could not be ended."""
        self.tree.signal(SIGTERM)
        self.tree.signal(SIGCONT)  # one that is stopped hears nothing else
        if self.wait_childless(TERM_GRACE_S) or self.wait_childless(KILL_PATIENCE_S, SIGKILL):
            return 0
        return max(1, len(self.tree.members()))

    def drain(self) -> None:
        """Read what is still in the pipe; a stranger who holds it open is not waited for."""
        for _ in range(32):  # a pipe holds 1 MiB at most, unless the stranger writes on
            if not self._read():
                return


def read_job() -> tuple[float, int, bytes]:
    """Time-out, most output and command from the lifeline."""
    line = bytearray()
    while not line.endswith(b"\n"):
        line += os.read(LIFELINE, 1) or sys.exit(1)
    timeout_s, max_output_bytes, length = line.split()
    command = bytearray()
    while len(command) < int(length):
        command += os.read(LIFELINE, int(length) - len(command)) or sys.exit(1)
    return float(timeout_s), int(max_output_bytes), bytes(command)


def write_report(run: Run, *, timed_out: bool, survivors: int, ended: list[str]) -> None:
    """Six numbers, the names, then head and tail; a reader that is gone is fine."""
    status = run.tree.status
    names = "\0".join(name.replace("\n", " ") for name in ended)
    kept = run.kept
    head = bytes(kept.head)
    numbers = ("-" if status is None else status, int(timed_out), survivors, len(head), kept.left_out)
    out = (
        " ".join(str(number) for number in numbers).encode()
        + b"\n"
        + names.encode()
        + b"\n"
        + head
        + kept.tail
    )
    while out:
        try:
            out = out[os.write(1, out) :]
        except BrokenPipeError:
            return


def main() -> None:
    """Run the command that stands on standard input."""
    timeout_s, max_output_bytes, command = read_job()
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        run = Run(command, max_output_bytes)
    except OSError as error:
        os.write(1, f"! {error.errno}\n".encode())
        return
    timed_out = run.until_shell_ends(timeout_s)
    ended: list[str] = []
    survivors = 0
    if run.tree.status is None or not run.wait_childless(LINGER_S):
        if run.tree.status is not None:
            ended = sorted(run.tree.members().values())
        survivors = run.end_all()
    run.drain()
    write_report(run, timed_out=timed_out, survivors=survivors, ended=ended)
