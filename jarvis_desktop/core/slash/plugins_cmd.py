"""``/plugins``: the code of one's own that turns call."""

from collections.abc import Mapping, Sequence

from jarvis_desktop.core.items.extensions import Extension, ExtensionState
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.slash.command import Said, SlashCommand, Value
from jarvis_desktop.core.slash.markup import code, listed, plain, whole
from jarvis_desktop.core.slash.near import nearest
from jarvis_desktop.core.slash.parsing import folded
from jarvis_desktop.core.slash.world import World


class PluginsCommand(SlashCommand):
    """Show your plugins: code of your own that is called in every turn.

    /plugins: all of them, what they are called for, and what went wrong in any
    /plugins NAME: the whole code of that one
    """

    name = "plugins"
    also = ("플러그인",)
    waits = True

    async def run(self, rest: str, world: World) -> Said:
        """A list, or one file."""
        plugins = await world.plugins.look()
        if not rest:
            return Said(_list(plugins, world))
        word = folded(rest)
        found = next((one for one in plugins if folded(one.name) == word), None)
        if found is not None:
            return Said(_one(found, world.texts))
        text = world.texts("There is no plugin {name}.").format(name=code(rest))
        near = nearest(word, (one.name for one in plugins))
        if near:
            text += " " + world.texts("Did you mean {name}?").format(name=code(f"/plugins {near}"))
        return Said(f"{text}\n\n{_list(plugins, world)}", well=False)

    async def values(self, typed: str, world: World) -> Sequence[Value]:
        """The names of all plugins."""
        del typed
        states = _states(world.texts)
        return [Value(one.name, states[one.state]) for one in await world.plugins.look()]


def _list(plugins: Sequence[Extension], world: World) -> str:
    texts, folder = world.texts, code(str(world.plugins.folder))
    if not plugins:
        text = texts(
            "There are no plugins yet. One is a Python file {example} in {folder}, with functions that turns "
            "call."
        )
        return text.format(example=code("name.py"), folder=folder)
    hint = texts(
        "{command} shows the code of one. You enable and switch them off in Settings → Extensions "
        "(Ctrl+Alt+,). The files lie in {folder}."
    ).format(command=code(texts("/plugins NAME")), folder=folder)
    return f"{listed([_line(one, texts) for one in plugins])}\n\n{hint}"


def _line(plugin: Extension, texts: Texts) -> str:
    hooks = ", ".join(code(one.name) for one in plugin.offers) or texts("no hooks")
    line = f"{code(plugin.name)} — **{_states(texts)[plugin.state]}** · {hooks}"
    said = [plain(one, len(one)) for one in (plugin.trouble, plugin.advice) if one]
    return " — ".join((line, *said))


def _one(plugin: Extension, texts: Texts) -> str:
    return f"{_line(plugin, texts)}\n\n{code(str(plugin.path))}\n\n{whole(plugin.source)}"


def _states(texts: Texts) -> Mapping[ExtensionState, str]:
    return {
        ExtensionState.WAITING: texts("waits for you to enable it"),
        ExtensionState.CHANGED: texts("changed, and waits for you to enable it again"),
        ExtensionState.ENABLED: texts("enabled"),
        ExtensionState.STARTING: texts("starting"),
        ExtensionState.BROKEN: texts("broken"),
        ExtensionState.OFF: texts("off"),
        ExtensionState.GONE: texts("its file is gone"),
    }
