"""The rooms in which extensions live: everything that decision 37 wants of a call, and a data folder each."""

import asyncio
import logging
import os
import re
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from uuid import uuid4

from jarvis_desktop.adapters.bwrap_sandbox import CLOSED_ENVIRONMENT, BwrapSandbox
from jarvis_desktop.adapters.shell_env import command_environment
from jarvis_desktop.adapters.shell_sweep import MARK
from jarvis_desktop.core.items.errors import SandboxError
from jarvis_desktop.core.items.extensions import ExtensionKind
from jarvis_desktop.core.ports import Texts

log = logging.getLogger(__name__)

DATA_FOLDER = "extension-data"
DATA_VARIABLE = "JARVIS_EXTENSION_DATA"
ENDS_WITHIN_S = 1.0
"""After being asked; then it is killed with all that it has."""
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,60}")


@dataclass(frozen=True, slots=True)
class Lodged:
    """What starts a program in its room."""

    argv: tuple[str, ...]
    env: Mapping[str, str]
    """All of it: nothing of ours is handed on besides."""
    cwd: Path
    """Its data folder, in which it begins."""


class ExtensionRooms:
    """Makes rooms for programs that stay, such as workers and stdio servers."""

    def __init__(
        self,
        home: Path,
        sandbox: BwrapSandbox,
        texts: Texts,
        *,
        network: Callable[[], bool] = lambda: True,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        """home: our own folder. network: whether rooms may have one now."""
        self._home = home
        self._sandbox = sandbox
        self._texts = texts
        self._network = network
        self._environ = os.environ if environ is None else environ

    def data_folder(self, kind: ExtensionKind, name: str) -> Path:
        """The extension's own folder; it need not be there."""
        # Another name never gets the same folder, whatever is in it.
        plain = name if _PLAIN.fullmatch(name) else f"+{sha256(name.encode()).hexdigest()[:32]}"
        return self._home / DATA_FOLDER / f"{kind}-{plain}"

    async def room(
        self,
        program: tuple[str, ...],
        kind: ExtensionKind,
        name: str,
        *,
        writes: bool = False,
        env: Mapping[str, str] | None = None,
    ) -> Lodged:
        """What to start for ``program`` to live in the room of that extension.

        writes: it may write the person's files; else only its data folder and temporary files of its own.
        Either way it sees no screen, session bus, sound, nothing else of ours and no loopback of this
        machine, counts as a command of ours where people's answers are taken, and ends with this process.

        Raises:
            SandboxError: there are no rooms here; the text, in the app's language, says what to install.
        """
        folder = self.data_folder(kind, name)
        try:
            lodged = await self._sandbox.lodge(program, folder, writes=writes, network=self._network())
        except SandboxError as error:
            log.info("no room for an extension", extra={"error": str(error)})
            raise SandboxError(self._no_room()) from error
        except OSError as error:
            raise SandboxError(
                self._texts("It does not run: its folder {folder} cannot be made ({reason}).").format(
                    folder=folder, reason=error.strerror or type(error).__name__
                )
            ) from error
        usual = command_environment(self._environ, str(folder))
        closed = {} if writes else CLOSED_ENVIRONMENT
        own = {DATA_VARIABLE: lodged.folder, MARK: uuid4().hex}
        return Lodged(lodged.argv, {**usual, **closed, **(env or {}), **own}, folder)

    def _no_room(self) -> str:
        """Why there is none, and what to do."""
        if not self._sandbox.tried:
            return self._texts(
                "It does not run yet: it could not be seen in time whether it can be confined here. If that "
                "stays so, switch it off and on again."
            )
        return self._texts(
            "It does not run: nothing confines it here. Install bubblewrap (sudo apt install "
            "bubblewrap); jarvis-desktop doctor says what else is missing."
        )


async def started(lodged: Lodged, most_line_bytes: int) -> Process:
    """The program, with pipes for standard input and output; what it says besides is dropped.

    Raises:
        OSError: it could not be started.
    """
    return await asyncio.create_subprocess_exec(
        *lodged.argv,
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
        cwd=lodged.cwd,
        env=dict(lodged.env),
        start_new_session=True,  # Ctrl+C on our terminal is for us
        limit=most_line_bytes,
    )


async def ended(process: Process) -> None:
    """Nothing of it is left: not the program, nor anything that it started."""
    if process.stdin is not None:
        process.stdin.close()
    with suppress(ProcessLookupError):
        process.terminate()  # the room's own program ends all that is in it
    try:
        async with asyncio.timeout(ENDS_WITHIN_S):
            await process.wait()
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
