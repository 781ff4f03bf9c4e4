"""``/mcp``: the MCP servers of the settings."""

from collections.abc import Mapping, Sequence

from jarvis_desktop.core.items.extensions import Extension, ExtensionState
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.slash.command import Said, SlashCommand, Value
from jarvis_desktop.core.slash.markup import code, listed, plain, whole
from jarvis_desktop.core.slash.near import nearest
from jarvis_desktop.core.slash.parsing import folded
from jarvis_desktop.core.slash.world import World

LONGEST_PURPOSE = 120


class McpCommand(SlashCommand):
    """Show the MCP servers: whether they are connected, which tools they bring, what went wrong.

    /mcp: all of them, with their state and their last trouble
    /mcp NAME: the definition and the tools of that one
    """

    name = "mcp"
    also = ("서버",)
    waits = True

    async def run(self, rest: str, world: World) -> Said:
        """A list, or one server."""
        servers, texts = await world.servers.look(), world.texts
        if not rest:
            return Said(_list(servers, texts))
        found = next((one for one in servers if folded(one.name) == folded(rest)), None)
        if found is not None:
            return Said(_one(found, texts))
        text = texts("There is no server called {name}.").format(name=code(rest))
        near = nearest(folded(rest), (one.name for one in servers))
        if near:
            text += " " + texts("Did you mean {name}?").format(name=code(f"/mcp {near}"))
        return Said(f"{text}\n\n{_list(servers, texts)}", well=False)

    async def values(self, typed: str, world: World) -> Sequence[Value]:
        """The names of all servers."""
        del typed
        states = _states(world.texts)
        return [Value(one.name, states[one.state]) for one in await world.servers.look()]


def _list(servers: Sequence[Extension], texts: Texts) -> str:
    if not servers:
        text = texts(
            "There are no MCP servers yet. Name one under {section} in settings.yaml, or take over the JSON "
            "of another program with {command}."
        )
        return text.format(section=code("mcp_servers"), command=code("jarvis-desktop mcp import FILE"))
    hint = texts(
        "{command} shows one with its tools. You enable and switch them off in Settings → MCP servers "
        "(Ctrl+Alt+,)."
    ).format(command=code(texts("/mcp NAME")))
    return f"{listed([_line(one, texts) for one in servers])}\n\n{hint}"


def _line(server: Extension, texts: Texts) -> str:
    count = len(server.offers)
    tools = f" · {texts.plural('{count} tool', '{count} tools', count).format(count=count)}" if count else ""
    line = f"{code(server.name)} — **{_states(texts)[server.state]}**{tools}"
    return f"{line} — {plain(server.trouble, len(server.trouble))}" if server.trouble else line


def _one(server: Extension, texts: Texts) -> str:
    tools = [f"{code(one.name)} — {plain(one.purpose, LONGEST_PURPOSE)}" for one in server.offers]
    parts = [_line(server, texts), whole(server.source) if server.source else "", listed(tools)]
    return "\n\n".join(part for part in parts if part)


def _states(texts: Texts) -> Mapping[ExtensionState, str]:
    return {
        ExtensionState.WAITING: texts("waits for you to enable it"),
        ExtensionState.CHANGED: texts("changed, and waits for you to enable it again"),
        ExtensionState.ENABLED: texts("connected"),
        ExtensionState.STARTING: texts("starting"),
        ExtensionState.BROKEN: texts("not connected"),
        ExtensionState.OFF: texts("off"),
        ExtensionState.GONE: texts("not in the settings any more"),
    }
