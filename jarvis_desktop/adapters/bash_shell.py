"""Shell commands through bash, each in a process tree that ends with its call."""

import asyncio
import errno
import logging
import os
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import uuid4

from jarvis_desktop.adapters.bwrap_sandbox import CLOSED_ENVIRONMENT, BwrapSandbox
from jarvis_desktop.adapters.sandbox_room import NO_NETWORK, NO_ROOM
from jarvis_desktop.adapters.shell_child import child_program
from jarvis_desktop.adapters.shell_env import command_environment, output_text
from jarvis_desktop.adapters.shell_reaper import KILL_PATIENCE_S, LINGER_S, TERM_GRACE_S
from jarvis_desktop.adapters.shell_sweep import MARK, sweep
from jarvis_desktop.core.items.errors import SandboxError
from jarvis_desktop.core.items.room import PERSONS_ROOM, Room, RoomKind
from jarvis_desktop.core.ports import ShellEnd

log = logging.getLogger(__name__)

REFUSED: Mapping[int, str] = {
    NO_ROOM: "the room in which it would run could not be opened",
    NO_NETWORK: "its room could not be connected to the network",
}
END_PATIENCE_S = LINGER_S + TERM_GRACE_S + KILL_PATIENCE_S + 1
"""The reaper is done within this time after a time-out or cancellation, or something holds it up."""


@dataclass(frozen=True, slots=True)
class Job:
    """One command as it is to run."""

    command: str
    folder: str
    room: Room
    timeout_s: float
    max_output_bytes: int
    environment: Mapping[str, str]


class BashShell:
    """Fills ``Shell``. Linux: it needs ``/proc`` and child subreapers."""

    def __init__(self, environ: Mapping[str, str] | None = None, sandbox: BwrapSandbox | None = None) -> None:
        self._environ = os.environ if environ is None else environ
        self._sandbox = sandbox
        self._ending: set[asyncio.Task[None]] = set()

    async def run(
        self,
        command: str,
        cwd: Path,
        timeout_s: float,
        max_output_bytes: int,
        env: Mapping[str, str] | None = None,
        room: Room = PERSONS_ROOM,
    ) -> ShellEnd:
        """Run ``command`` in ``cwd``; every process of it is gone when this returns or raises.

        Raises:
            OSError: ``cwd`` cannot be entered, or the command cannot be started (E2BIG: it is too long).
            SandboxError: its room cannot be had; it did not run.
            ValueError: the command holds a NUL character.
        """
        if "\0" in command:
            raise ValueError("the command holds a NUL character")
        folder = os.fsdecode(str(cwd).encode("utf-8", "surrogateescape"))
        started_s = time.monotonic()
        usual = command_environment(self._environ, folder, desktop=room.kind is RoomKind.DESKTOP)
        environment = {**usual, **(env or {}), MARK: uuid4().hex}
        if room.kind is RoomKind.CLOSED:
            environment.update(CLOSED_ENVIRONMENT)
        job = Job(command, folder, room, timeout_s, max_output_bytes, environment)
        report, status = await self._report(job)
        if status == NO_ROOM:  # what it was to hide has just vanished, as sockets do; nothing has run
            report, status = await self._report(job)
        if status in REFUSED:
            raise SandboxError(REFUSED[status])
        offline = (
            room.network and self._sandbox is not None and self._sandbox.rooms and not self._sandbox.network
        )
        return replace(shell_end(report, timeout_s, time.monotonic() - started_s), offline=offline)

    async def _report(self, job: Job) -> tuple[bytes, int]:
        """The reaper's report and its exit status; everything is over."""
        process = await asyncio.create_subprocess_exec(
            *await self._program(entered(job.folder), job.room),
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            cwd=job.folder,
            start_new_session=True,  # Ctrl+C on our terminal is for us, not for the reaper
            env=job.environment,
        )
        report = b""
        try:
            async with asyncio.timeout(job.timeout_s + END_PATIENCE_S):
                report = await exchange(process, job)
        except TimeoutError:
            log.warning("the reaper of a command does not answer", extra={"pid": process.pid})
        finally:
            await self._to_the_end(end(process, job.environment[MARK]))
        return report, process.returncode or 0

    async def _program(self, folder: str, room: Room) -> tuple[str, ...]:
        """What runs the command, in its room where there are rooms."""
        reaper = child_program("jarvis_desktop.adapters.shell_reaper")
        if room.kind is RoomKind.CLOSED and not (self._sandbox and await self._sandbox.holds(folder, room)):
            raise SandboxError("nothing can confine this command here any more")
        return reaper if self._sandbox is None else await self._sandbox.launch(reaper, folder, room)

    async def _to_the_end(self, ending: Coroutine[object, object, None]) -> None:
        """Await ``ending``; a second cancellation leaves it running instead of breaking it off."""
        task = asyncio.ensure_future(ending)
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
        await asyncio.shield(task)


def entered(folder: str) -> str:
    """``folder`` itself, once it is known that a command can start in it.

    Raises:
        OSError: it is absent, no directory, or closed to us. Left to the start of the process, the same
            error would also mean a missing interpreter.
    """
    if not Path(folder).is_dir():
        code = errno.ENOTDIR if Path(folder).exists() else errno.ENOENT
        raise OSError(code, os.strerror(code), folder)
    if not os.access(folder, os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), folder)
    return folder


async def exchange(process: Process, job: Job) -> bytes:
    """Hand the job over; the reaper's report, empty when it died."""
    assert process.stdin is not None
    assert process.stdout is not None
    text = job.command.encode("utf-8", "surrogateescape")
    process.stdin.write(f"{job.timeout_s} {job.max_output_bytes} {len(text)}\n".encode() + text)
    try:
        await process.stdin.drain()
    except (BrokenPipeError, ConnectionResetError):
        return b""
    return await process.stdout.read()


async def end(process: Process, mark: str) -> None:
    """Close the lifeline and see the reaper off; what a murdered reaper left behind is swept up."""
    assert process.stdin is not None
    process.stdin.close()
    try:
        async with asyncio.timeout(END_PATIENCE_S):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
    if process.returncode != 0 and process.returncode not in REFUSED:
        survivors = await asyncio.to_thread(sweep, mark)
        log.warning(
            "the reaper of a command was ended from outside",
            extra={"status": process.returncode, "survivors": survivors},
        )


def shell_end(report: bytes, timeout_s: float, took_s: float) -> ShellEnd:
    """The reaper's report as a value.

    Raises:
        OSError: the shell could not be started.
    """
    first, _, rest = report.partition(b"\n")
    if first.startswith(b"! "):
        number = int(first[2:])
        raise OSError(number, os.strerror(number), "/bin/bash")
    if not first:
        return ShellEnd(None, "", timed_out=took_s >= timeout_s, took_s=took_s)
    status, timed_out, survivors, head_bytes, left_out = first.split()
    names, _, kept = rest.partition(b"\n")
    head, tail = kept[: int(head_bytes)], kept[int(head_bytes) :]
    code = None if status == b"-" or timed_out == b"1" else int(status)
    return ShellEnd(
        exit_code=128 - code if code is not None and code < 0 else code,  # as bash words a signal
        output=output_text(head, tail, int(left_out)),
        timed_out=timed_out == b"1",
        took_s=took_s,
        ended=tuple(names.decode("utf-8", "replace").split("\0")) if names else (),
        survivors=int(survivors),
    )
