"""The common ``mcpServers`` JSON as servers of ours, and servers written into the settings."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jarvis_desktop.adapters.mcp_settings import read_servers, server_problems
from jarvis_desktop.adapters.settings_file import FILE_NAME
from jarvis_desktop.adapters.settings_problem import wrong_value
from jarvis_desktop.adapters.settings_write import rewrite_section
from jarvis_desktop.core.items.errors import ExtensionRefusedError, UserFixableError
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.server_settings import SERVERS

MOST_CHARACTERS = 200_000
WHOLES = ("mcpServers", "mcp_servers", "servers")
"""Under what other programs keep their servers."""
_TAKEN = ("command", "args", "env", "cwd", "url", "headers")
_PASSED_OVER = frozenset(
    {
        *(
            "disabled",
            "autoApprove",
            "alwaysAllow",
            "disabledTools",
            "enabled",
            "timeout",
            "description",
            "name",
        ),
        *("icon", "trust", "gallery", "version", "dev", "type", "transport", "serverUrl", "httpUrl"),
    }
)
"""What does not count here, or is read otherwise."""
_WAYS = {
    "sse": "sse",
    "http": "http",
    "streamable-http": "http",
    "streamableHttp": "http",
    "streamable_http": "http",
}
_THEIR_VARIABLE = re.compile(r"\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}")
_OTHER_VARIABLE = re.compile(r"\$\{[^}]*[:][^}]*\}|\$\{(?:workspaceFolder|userHome|workspaceRoot)\}")


def import_servers(home: Path, text: str, texts: Texts) -> tuple[str, ...]:
    """Names of the servers that stand in the settings now. Blocks; the disk is waited for.

    Raises:
        ExtensionRefusedError: nothing was written: it is no such JSON, or one server of it cannot be taken.
    """
    servers = servers_of(text, texts)
    there = read_servers(home / FILE_NAME)
    for name in servers:
        if name in there.servers or name in there.problems:
            raise ExtensionRefusedError(
                texts("There is a server called {name} already. Give one of them another name.").format(
                    name=name
                )
            )
    _write(home, servers, texts)
    return tuple(servers)


def remove_server(home: Path, name: str, texts: Texts) -> None:
    """It stands in the settings no more. Blocks; the disk is waited for.

    Raises:
        ExtensionRefusedError: there is none of that name, or the file cannot be written.
    """
    there = read_servers(home / FILE_NAME)
    if name not in there.servers and name not in there.problems:
        raise ExtensionRefusedError(texts("There is no server called {name}.").format(name=name))
    _write(home, {name: None}, texts)


def _write(home: Path, servers: Mapping[str, Mapping[str, Any] | None], texts: Texts) -> None:
    try:
        rewrite_section(home, SERVERS, servers, texts)
    except UserFixableError as error:
        raise ExtensionRefusedError(str(error)) from error


def servers_of(text: str, texts: Texts) -> dict[str, dict[str, Any]]:
    """The servers in a JSON text, in the words of our settings.

    Raises:
        ExtensionRefusedError: it is no such JSON, or one of them cannot be taken.
    """
    found = _named(_json(text, texts))
    if not found:
        raise ExtensionRefusedError(
            texts("This names no server. What is expected is JSON such as {example}.").format(
                example='{"mcpServers": {"time": {"command": "uvx", "args": ["mcp-server-time"]}}}'
            )
        )
    return {str(name): _server(str(name), one, texts) for name, one in found.items()}


def _json(text: str, texts: Texts) -> Any:
    if len(text) > MOST_CHARACTERS:
        raise ExtensionRefusedError(texts("This is longer than any list of servers."))
    # Editors take comments on lines of their own, and commas after the last one.
    plain = re.sub(r",(\s*[}\]])", r"\1", re.sub(r"(?m)^\s*//.*$", "", text)) if text.strip() else "{}"
    for one in (text, plain):
        try:
            return json.loads(one)
        except (ValueError, RecursionError) as error:
            trouble: Exception = error
    line = getattr(trouble, "lineno", 1)
    raise ExtensionRefusedError(
        texts("Line {line} is no JSON: {reason}. Nothing was taken over.").format(
            line=line, reason=getattr(trouble, "msg", type(trouble).__name__)
        )
    )


def _named(whole: Any) -> Mapping[str, Any]:
    """The servers by name, wherever in the text they stand."""
    if not isinstance(whole, dict):
        return {}
    for name in WHOLES:
        if isinstance(inner := whole.get(name), dict):
            return inner
    if isinstance(inner := whole.get("mcp"), dict):
        return _named(inner)
    entries = [one for one in whole.values() if isinstance(one, dict)]
    servers = entries and all({"command", "url", "serverUrl", "httpUrl"} & one.keys() for one in entries)
    return whole if servers and len(entries) == len(whole) else {}


def _server(name: str, theirs: Any, texts: Texts) -> dict[str, Any]:
    if not isinstance(theirs, dict):
        raise _refused(name, texts("it has neither command nor url"), texts)
    odd = sorted(theirs.keys() - {*_TAKEN, *_PASSED_OVER})
    if odd:
        raise _refused(name, texts("Jarvis does not know what {key} means").format(key=odd[0]), texts)
    ours = {key: theirs[key] for key in _TAKEN if theirs.get(key) not in (None, "", [], {})}
    for key in ("serverUrl", "httpUrl"):
        if theirs.get(key):
            ours.setdefault("url", theirs[key])
    way = theirs.get("type", theirs.get("transport", ""))
    if "url" in ours and way:
        if way not in _WAYS:
            raise _refused(name, texts("it speaks in a way that is not known: {way}").format(way=way), texts)
        ours["transport"] = _WAYS[way]
    written: dict[str, Any] = _ours(name, ours, texts)
    problems = server_problems(name, written)
    if problems:
        raise _refused(name, wrong_value(problems[0], texts).removesuffix("."), texts)
    return written


def _ours(name: str, value: Any, texts: Texts) -> Any:
    """``value`` with variables as we write them."""
    if isinstance(value, dict):
        return {str(key): _ours(name, one, texts) for key, one in value.items()}
    if isinstance(value, list):
        return [_ours(name, one, texts) for one in value]
    if not isinstance(value, str):
        return value
    text = _THEIR_VARIABLE.sub(r"${\1}", value)
    odd = _OTHER_VARIABLE.search(text)
    if odd:
        raise _refused(name, texts("only its own program knows what {key} is").format(key=odd[0]), texts)
    return text


def _refused(name: str, reason: str, texts: Texts) -> ExtensionRefusedError:
    text = texts("The server {name} cannot be taken over: {reason}. Nothing was written.")
    return ExtensionRefusedError(text.format(name=name[:60], reason=reason))
