"""What people type here to start this very Jarvis."""

import os
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence

from jarvis_desktop.adapters.desktop_entry import APP_ID, own_command

NAMED_BY = "JARVIS_COMMAND"
"""A checkout's ``./run`` says by it how it was called."""


def typed_command(environ: Mapping[str, str] = os.environ, argv: Sequence[str] = sys.argv) -> str:
    """The shortest command that a terminal understands: as it was called, by its name, or by its path."""
    called = environ.get(NAMED_BY, "")
    if called:
        return shlex.quote(called)
    return APP_ID if shutil.which(APP_ID, path=environ.get("PATH")) else shlex.join(own_command(argv))
