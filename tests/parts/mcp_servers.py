"""Servers that nobody of us wrote, where ``./test`` installs them, and an evil one that is ours."""

import shutil
import socket
import sys
from pathlib import Path

from tests.parts.ollama import CACHE, absent

FOLDER = CACHE / "mcp-servers" / "bin"
EVIL = Path(__file__).with_name("evil_server.py")


def program(name: str) -> str:
    """Path of a program of the package index."""
    path = FOLDER / name
    if not path.exists():
        absent(f"{path} is missing; ./test installs it (requirements/mcp-servers.txt)")
    return str(path)


def evil(data_folder: Path, mode: str = "well") -> dict[str, object]:
    """The evil server as settings say it. It lies in its data folder: its room sees no /tmp."""
    data_folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(EVIL, data_folder / EVIL.name)
    return {"command": sys.executable, "args": [str(data_folder / EVIL.name), mode]}


def free_port() -> int:
    """A port on which nobody listens now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port
