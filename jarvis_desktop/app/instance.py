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
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path

from filelock import FileLock, Timeout

from jarvis_desktop.adapters.call_kin import may_speak_for_people

log = logging.getLogger(__name__)

MAX_MESSAGE_BYTES = 4096
ANSWER_WITHIN_S = 2.0


class Message(StrEnum):
    """What a second start may ask of the first."""

    SHOW = "show"
    TALK = "talk"
    SETUP = "setup"
    SPEAK = "speak"
    """May something be said aloud? Not while a question is open: the microphone would hear an answer."""


class Reply(StrEnum):
    """What the first says to that."""

    TAKEN = "taken"
    REFUSED = "refused"
    NONE = "none"
    """Nobody answered."""


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
        self, receive: Callable[[Message], None], may_speak: Callable[[], bool] = lambda: True
    ) -> asyncio.Server:
        """Accept messages of later starts until the server is closed. Needs the claim.

        may_speak: whether other programs of the person may speak aloud now.
        """

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                line = await asyncio.wait_for(reader.readline(), ANSWER_WITHIN_S)
                message = Message(json.loads(line)["message"])
            except (ValueError, KeyError, TypeError, TimeoutError) as error:
                log.warning("unreadable message of another start", extra={"error": type(error).__name__})
            else:
                peer: socket.socket = writer.get_extra_info("socket")
                reply = Reply.REFUSED
                if not await asyncio.to_thread(may_speak_for_people, peer):
                    log.warning("a command of ours sent a message", extra={"asked": message})
                elif message is not Message.SPEAK or may_speak():
                    reply = Reply.TAKEN
                if message is not Message.SPEAK and reply is Reply.TAKEN:
                    receive(message)
                writer.write(json.dumps({"reply": reply}).encode() + b"\n")
                await writer.drain()
            finally:
                writer.close()

        self.socket_path.unlink(missing_ok=True)
        server = await asyncio.start_unix_server(serve, self.socket_path, limit=MAX_MESSAGE_BYTES)
        self.socket_path.chmod(0o600)
        return server

    def tell(self, message: Message) -> Reply:
        """Send ``message`` to the running program; what it replied."""
        with socket.socket(socket.AF_UNIX) as peer:
            peer.settimeout(ANSWER_WITHIN_S)
            try:
                peer.connect(str(self.socket_path))
                peer.sendall(json.dumps({"message": message.value}).encode() + b"\n")
                return Reply(json.loads(peer.recv(MAX_MESSAGE_BYTES))["reply"])
            except (OSError, ValueError, KeyError, TypeError) as error:
                log.info("no running program answers", extra={"error": type(error).__name__})
                return Reply.NONE


def socket_path(home: Path) -> Path:
    """Where the first program of ``home`` listens; short, since socket paths end at 107 bytes."""
    name = hashlib.sha256(os.fsencode(home)).hexdigest()[:16]
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    folder = Path(runtime) if runtime else Path(tempfile.gettempdir()) / f"jarvis-{os.getuid()}"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder / f"jarvis-{name}.sock"
