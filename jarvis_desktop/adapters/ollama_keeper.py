"""Program that runs an Ollama server for us, and ends it with all it started when we end, however we end.

A process of its own, like ``shell_reaper``: as a subreaper it also gets hold of the server's model runners
when the server itself was killed, and a ``kill -9`` of the app still closes the lifeline.

Arguments: the server's command. Standard input: the lifeline; when it closes, everything is ended. Output
and errors are the server's own, so that its log ends with why it could not start; so is the exit status.
"""

# No import of signal or subprocess, for the reason that stands in shell_reaper.
import ctypes
import os
import select
import sys
import time

from jarvis_desktop.adapters.shell_reaper import (
    LIFELINE,
    PR_SET_CHILD_SUBREAPER,
    SIGCONT,
    SIGKILL,
    SIGTERM,
    processes_below_us,
)

PR_SET_PDEATHSIG = 1
TERM_GRACE_S = 4.0
"""A server that unloads a model first takes 0.1 s; a stopped or hanging one never ends by itself."""
KILL_PATIENCE_S = 4.0
CANNOT_RUN = 126


def started(command: list[str]) -> int:
    """Pid of the server, in a session of its own; it is told to end when this program is killed."""
    libc = ctypes.CDLL(None)
    pid = os.fork()
    if pid:
        return pid
    try:
        libc.prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0)
        os.setsid()
        os.dup2(os.open(os.devnull, os.O_RDONLY), LIFELINE)
        os.execve(command[0], command, os.environ)  # noqa: S606 - no shell is wanted
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
    finally:
        os._exit(CANNOT_RUN)


class Family:
    """The server and everything that came from it; keeps the server's own status."""

    def __init__(self, server: int) -> None:
        self._server = server
        self.status = 0

    def until_over(self) -> None:
        """Returns when the server has ended or the lifeline is closed."""
        poll = select.poll()
        server_fd = os.pidfd_open(self._server)
        poll.register(LIFELINE, select.POLLIN)
        poll.register(server_fd, select.POLLIN)
        poll.poll()
        os.close(server_fd)

    def reap(self) -> bool:
        """Take the dead; true when nobody is left."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return True
            if pid == 0:
                return False
            if pid == self._server:
                self.status = abs(os.waitstatus_to_exitcode(status))

    def end_all(self) -> None:
        """Everything is asked to end, and killed when it does not."""
        signalled(SIGTERM)
        signalled(SIGCONT)  # one that is stopped hears nothing else
        if not self._wait(TERM_GRACE_S):
            self._wait(KILL_PATIENCE_S, SIGKILL)

    def _wait(self, patience_s: float, signal: int = 0) -> bool:
        deadline = time.monotonic() + patience_s
        while not self.reap():
            if time.monotonic() >= deadline:
                return False
            if signal:
                signalled(signal)
            time.sleep(0.01)
        return True


def signalled(number: int) -> None:
    """Every process below us got the signal, where it can be reached."""
    for pid in processes_below_us():
        try:
            os.kill(pid, number)
        except (ProcessLookupError, PermissionError):
            continue


def main() -> None:
    """Run the server that the arguments name."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    server = started(sys.argv[3:])
    family = Family(server)
    family.until_over()
    family.end_all()
    sys.exit(family.status)
