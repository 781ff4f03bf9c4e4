"""The common ``mcpServers`` JSON as servers of ours, and servers written into the settings."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jarvis_desktop.adapters.mcp_json import Source
from jarvis_desktop.adapters.mcp_settings import read_servers, server_problems
from jarvis_desktop.adapters.settings_file import FILE_NAME
from jarvis_desktop.adapters.settings_problem import closest, wrong_value
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


def import_servers(home: Path, text: str, texts: Texts, file: str = "") -> tuple[str, ...]:
    """Names of the servers that stand in the settings now. Blocks; the disk is waited for.

    file: where the text was read; empty for what was pasted.

    Raises:
        ExtensionRefusedError: nothing was written: it is no such JSON, or one server of it cannot be taken.
    """
    servers = servers_of(Source(text, file), texts)
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


def servers_of(source: Source, texts: Texts) -> dict[str, dict[str, Any]]:
    """The servers in a JSON text, in the words of our settings.

    Raises:
        ExtensionRefusedError: it is no such JSON, or one of them cannot be taken.
    """
    if len(source.text) > MOST_CHARACTERS:
        text = texts("this is longer than any list of servers.")
        raise ExtensionRefusedError(source.placed(None, text, texts))
    found = _named(source.json(texts))
    if not found:
        text = texts("this names no server. What is expected is JSON such as {example}.").format(
            example='{"mcpServers": {"time": {"command": "uvx", "args": ["mcp-server-time"]}}}'
        )
        raise ExtensionRefusedError(source.placed(None, text, texts))
    servers: dict[str, dict[str, Any]] = {}
    for name, one in found.items():
        try:
            servers[str(name)] = _server(str(name), one, texts)
        except _OddServerError as error:
            text = texts("the server {name} cannot be taken over: {reason}. Nothing was written.")
            said = text.format(name=name[:60], reason=error)
            raise ExtensionRefusedError(source.placed(source.line(name, *error.keys), said, texts)) from error
    return servers


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


class _OddServerError(ValueError):
    """Why one cannot be taken over."""

    def __init__(self, reason: str, *keys: str) -> None:
        """keys: where in the server's entry."""
        super().__init__(reason)
        self.keys = keys


def _server(name: str, theirs: Any, texts: Texts) -> dict[str, Any]:
    if not isinstance(theirs, dict):
        raise _OddServerError(texts("it has neither command nor url"))
    odd = sorted(theirs.keys() - {*_TAKEN, *_PASSED_OVER})
    if odd:
        raise _OddServerError(_unknown(odd[0], texts), odd[0])
    ours = {key: theirs[key] for key in _TAKEN if theirs.get(key) not in (None, "", [], {})}
    for key in ("serverUrl", "httpUrl"):
        if theirs.get(key):
            ours.setdefault("url", theirs[key])
    way = theirs.get("type", theirs.get("transport", ""))
    if "url" in ours and way:
        if way not in _WAYS:
            raise _OddServerError(texts("it speaks in a way that is not known: {way}").format(way=way))
        ours["transport"] = _WAYS[way]
    written: dict[str, Any] = _ours(ours, texts)
    problems = server_problems(name, written)
    if problems:
        raise _OddServerError(wrong_value(problems[0], texts).removesuffix("."))
    return written


def _unknown(key: str, texts: Texts) -> str:
    near = closest(key.casefold(), _TAKEN)
    if near:
        text = texts("Jarvis does not know what {key} means (did you mean {near}?)")
        return text.format(key=key[:60], near=near)
    return texts("Jarvis does not know what {key} means").format(key=key[:60])


def _ours(value: Any, texts: Texts) -> Any:
    """``value`` with variables as we write them."""
    if isinstance(value, dict):
        return {str(key): _ours(one, texts) for key, one in value.items()}
    if isinstance(value, list):
        return [_ours(one, texts) for one in value]
    if not isinstance(value, str):
        return value
    text = _THEIR_VARIABLE.sub(r"${\1}", value)
    odd = _OTHER_VARIABLE.search(text)
    if odd:
        raise _OddServerError(texts("only its own program knows what {key} is").format(key=odd[0]))
    return text
