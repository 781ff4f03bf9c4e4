"""One running program per home: a lock decides, a local socket carries messages to the first."""

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

log = logging.getLogger(__name__)

MAX_MESSAGE_BYTES = 4096
ANSWER_WITHIN_S = 2.0


class Message(StrEnum):
    """What a second start may ask of the first."""

    SHOW = "show"
    TALK = "talk"
    SETUP = "setup"


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

    async def listen(self, receive: Callable[[Message], None]) -> asyncio.Server:
        """Accept messages of later starts until the server is closed. Needs the claim."""

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                line = await asyncio.wait_for(reader.readline(), ANSWER_WITHIN_S)
                message = Message(json.loads(line)["message"])
            except (ValueError, KeyError, TypeError, TimeoutError) as error:
                log.warning("unreadable message of another start", extra={"error": type(error).__name__})
            else:
                receive(message)
                writer.write(b'{"ok": true}\n')
                await writer.drain()
            finally:
                writer.close()

        self.socket_path.unlink(missing_ok=True)
        server = await asyncio.start_unix_server(serve, self.socket_path, limit=MAX_MESSAGE_BYTES)
        self.socket_path.chmod(0o600)
        return server

    def tell(self, message: Message) -> bool:
        """Send ``message`` to the running program; True when it answered."""
        with socket.socket(socket.AF_UNIX) as peer:
            peer.settimeout(ANSWER_WITHIN_S)
            try:
                peer.connect(str(self.socket_path))
                peer.sendall(json.dumps({"message": message.value}).encode() + b"\n")
                return peer.recv(MAX_MESSAGE_BYTES) != b""
            except OSError as error:
                log.info("no running program answers", extra={"error": type(error).__name__})
                return False


def socket_path(home: Path) -> Path:
    """Where the first program of ``home`` listens; short, since socket paths end at 107 bytes."""
    name = hashlib.sha256(os.fsencode(home)).hexdigest()[:16]
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    folder = Path(runtime) if runtime else Path(tempfile.gettempdir()) / f"jarvis-{os.getuid()}"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder / f"jarvis-{name}.sock"
