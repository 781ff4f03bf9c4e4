"""One running program per home: a lock decides, a local socket carries messages to the first.

No command that Jarvis runs is listened to (decision 37).
"""

import asyncio
import hashlib
import json
import logging
import os
import socket
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

from filelock import FileLock, Timeout

from jarvis_desktop.adapters.call_kin import may_speak_for_people

log = logging.getLogger(__name__)

MAX_MESSAGE_BYTES = 1 << 17
ANSWER_WITHIN_S = 2.0
CARRIED_OUT_WITHIN_S = 40.0
"""A slash command may ask a server on another machine."""


class Message(StrEnum):
    """What a second start may ask of the first."""

    SHOW = "show"
    TALK = "talk"
    SETUP = "setup"
    SPEAK = "speak"
    """May something be said aloud? Not while a question is open: the microphone would hear an answer."""
    SLASH = "slash"
    """Carry a slash command out, and tell what came of it."""


class Reply(StrEnum):
    """What the first says to that."""

    TAKEN = "taken"
    REFUSED = "refused"
    NONE = "none"
    """Nobody answered."""


@dataclass(frozen=True, slots=True)
class Obeyed:
    """What came of a slash command."""

    text: str
    well: bool


Obey: TypeAlias = Callable[[str], Awaitable[Obeyed | None]]
"""Carries a slash command out; None for a text that is none."""


async def obey_nothing(text: str) -> None:
    """No command is carried out."""
    del text


class Instance:
    """The claim to be the one program of ``home``."""

    def __init__(self, home: Path) -> None:
        self.lock_path = home / "jarvis.lock"
        self._lock = FileLock(self.lock_path)
        self.socket_path = socket_path(home)

    def claim(self) -> bool:
        """True when this process is now the one; a lock left by a killed process does not count."""
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            return False
        return True

    def in_use(self) -> bool:
        """True when a program has claimed the home; nothing is made or removed."""
        if not self.lock_path.exists() or not os.access(self.lock_path, os.W_OK):
            return False
        if not self.claim():
            return True
        self._lock.release()
        return False

    def release(self) -> None:
        """Another start may claim the home."""
        self.socket_path.unlink(missing_ok=True)
        self._lock.release()

    async def listen(
        self,
        receive: Callable[[Message], None],
        may_speak: Callable[[], bool] = lambda: True,
        obey: Obey = obey_nothing,
    ) -> asyncio.Server:
        """Accept messages of later starts until the server is closed. Needs the claim.

        may_speak: whether other programs of the person may speak aloud now.
        """

        async def answer(message: Message, text: str) -> dict[str, object]:
            if message is Message.SLASH:
                obeyed = await obey(text)
                return (
                    {"reply": Reply.REFUSED} if obeyed is None else {"reply": Reply.TAKEN, **asdict(obeyed)}
                )
            if message is Message.SPEAK:
                return {"reply": Reply.TAKEN if may_speak() else Reply.REFUSED}
            receive(message)
            return {"reply": Reply.TAKEN}

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                line = await asyncio.wait_for(reader.readline(), ANSWER_WITHIN_S)
                said = json.loads(line)
                message, text = Message(said["message"]), str(said.get("text", ""))
            except (ValueError, KeyError, TypeError, AttributeError, TimeoutError) as error:
                log.warning("unreadable message of another start", extra={"error": type(error).__name__})
            else:
                peer: socket.socket = writer.get_extra_info("socket")
                reply: dict[str, object] = {"reply": Reply.REFUSED}
                if await asyncio.to_thread(may_speak_for_people, peer):
                    reply = await answer(message, text)
                else:
                    log.warning("a command of ours sent a message", extra={"asked": message})
                writer.write(json.dumps(reply).encode() + b"\n")
                await writer.drain()
            finally:
                writer.close()

        self.socket_path.unlink(missing_ok=True)
        server = await asyncio.start_unix_server(serve, self.socket_path, limit=MAX_MESSAGE_BYTES)
        self.socket_path.chmod(0o600)
        return server

    def tell(self, message: Message) -> Reply:
        """Send ``message`` to the running program; what it replied."""
        return self._asked({"message": message.value}, ANSWER_WITHIN_S)[0]

    def obey(self, text: str) -> tuple[Reply, Obeyed]:
        """Have the running program carry a slash command out; what it replied, and what came of it."""
        reply, said = self._asked({"message": Message.SLASH.value, "text": text}, CARRIED_OUT_WITHIN_S)
        return reply, Obeyed(str(said.get("text", "")), said.get("well") is True)

    def _asked(self, message: dict[str, str], within_s: float) -> tuple[Reply, dict[str, object]]:
        with socket.socket(socket.AF_UNIX) as peer:
            peer.settimeout(within_s)
            try:
                peer.connect(str(self.socket_path))
                peer.sendall(json.dumps(message, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
                with peer.makefile("rb") as answer:
                    said = json.loads(answer.readline())
                return Reply(said["reply"]), said
            except (OSError, ValueError, KeyError, TypeError) as error:
                log.info("no running program answers", extra={"error": type(error).__name__})
                return Reply.NONE, {}


def socket_path(home: Path) -> Path:
    """Where the first program of ``home`` listens; short, since socket paths end at 107 bytes."""
    name = hashlib.sha256(os.fsencode(home)).hexdigest()[:16]
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    folder = Path(runtime) if runtime else Path(tempfile.gettempdir()) / f"jarvis-{os.getuid()}"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder / f"jarvis-{name}.sock"
