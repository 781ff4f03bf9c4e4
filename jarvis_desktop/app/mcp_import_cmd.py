"""``mcp import``: what a person hands over, never a command that Jarvis runs."""

import os
import sys
from pathlib import Path

from jarvis_desktop.adapters.call_kin import came_from_a_call
from jarvis_desktop.adapters.mcp_import import MOST_CHARACTERS, import_servers
from jarvis_desktop.app.cli_home import cli_home
from jarvis_desktop.app.extension_words import enabling
from jarvis_desktop.app.main import from_a_call_text
from jarvis_desktop.core.items.errors import ExtensionRefusedError
from jarvis_desktop.core.items.extensions import ExtensionKind
from jarvis_desktop.core.ports import Texts

STANDARD_INPUT = "-"


def import_from(file: str) -> int:
    """Take over the servers in a file.

    Raises:
        UserFixableError: it cannot be read or taken over, or a command of Jarvis wants it.
    """
    home = cli_home()
    texts = home.texts
    if came_from_a_call(os.getpid()):
        raise ExtensionRefusedError(from_a_call_text(texts))
    text = _read(file, texts)
    home.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    names = import_servers(home.folder, text, texts, "" if file == STANDARD_INPUT else file)
    said = texts.plural(
        "{names} stands in {file} now. It runs once you have enabled it, in Settings → MCP servers or with",
        "{names} stand in {file} now. They run once you have enabled them, in Settings → MCP servers or with",
        len(names),
    )
    commands = (f"  {enabling(ExtensionKind.SERVER, name)}" for name in names)
    print(said.format(names=", ".join(names), file=home.folder / "settings.yaml"), *commands, sep="\n")  # noqa: T201 - a command of the terminal
    return 0


def _read(file: str, texts: Texts) -> str:
    try:
        if file == STANDARD_INPUT:
            return sys.stdin.read(MOST_CHARACTERS + 1)
        with Path(file).expanduser().open(encoding="utf-8-sig") as opened:
            return opened.read(MOST_CHARACTERS + 1)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "UTF-8"
        text = texts("{file} cannot be read ({reason}). Nothing was taken over.")
        raise ExtensionRefusedError(text.format(file=file, reason=reason)) from error
