"""A program that fetches the tiny model in a fresh child process for every line on its standard input.

``python -m tests.integration.model_files.killed SPEC``: SPEC is a JSON file with the manifest and the source.
Each line names a folder. The child says its pid, then a dot for everything that its download tells; when it
is over, its exit status. All imports are done once: a child costs milliseconds, and many can be killed.
"""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import unearth  # noqa: F401 - imported before the first child

from jarvis_desktop.adapters.model_manifest import Manifest
from jarvis_desktop.adapters.model_sources import Source
from jarvis_desktop.core.items.fetching import FetchState
from tests.integration.model_files.shop import PATIENT, model_files, plan


def say(line: str) -> None:
    """The line is out at once."""
    os.write(1, f"{line}\n".encode())


def child(spec: dict[str, Any], folder: Path) -> None:
    """One whole download."""
    say(f"pid {os.getpid()}")
    sources = plan(Source(spec["source"]), limits=PATIENT, python="/nonexistent/python")
    models = model_files(folder, Manifest.model_validate(spec["manifest"]), sources)

    def tell(_state: FetchState) -> None:
        say(".")

    asyncio.run(models.fetch("tiny", tell))


def main() -> None:
    """Children one after the other, until the input ends."""
    spec = json.loads(Path(sys.argv[1]).read_text())
    say("ready")
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                child(spec, Path(line.strip()))
                status = 0
            finally:
                os._exit(status)
        _, status = os.waitpid(pid, 0)
        say(f"ended {os.waitstatus_to_exitcode(status)}")


if __name__ == "__main__":
    main()
