"""Plugins that do in this process what a test tells them to."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from jarvis_desktop.core.items.calls import Json
from jarvis_desktop.core.items.errors import PluginFailedError, PluginGoneError
from jarvis_desktop.core.items.hooks import Hook, HookTrouble
from jarvis_desktop.core.ports import Plugin

Does = Callable[[Any], Json]
"""Given what a plugin would be given: JSON values in a dict."""


class FakePlugin:
    """Fills ``Plugin``: ``FakePlugin("guard", before_tool_call=lambda payload: "no")``."""

    def __init__(self, name: str, *, digest: str = "d1", **hooks: Does) -> None:
        self.name = name
        self.digest = digest
        self._does = {Hook(hook): does for hook, does in hooks.items()}
        self.asked: list[tuple[Hook, Mapping[str, Json]]] = []
        self.gone = False

    def doing(self, hooks: Mapping[Hook, Does]) -> "FakePlugin":
        """This one, with these hooks."""
        self._does = dict(hooks)
        return self

    @property
    def hooks(self) -> Collection[Hook]:
        return self._does.keys()

    async def call(self, hook: Hook, payload: Mapping[str, Json]) -> Json:
        if self.gone:
            raise PluginGoneError
        self.asked.append((hook, payload))
        return self._does[hook](payload)


@dataclass
class FakePlugins:
    """Fills ``Plugins``."""

    there: list[Plugin] = field(default_factory=list)
    told: list[tuple[str, str, bool]] = field(default_factory=list)
    looks: int = 0
    held: int = 0
    """Plugins that running turns keep as they are."""

    async def for_turn(self) -> Sequence[Plugin]:
        self.looks += 1
        self.held += len(self.there)
        return tuple(self.there)

    def let_go(self, plugins: Sequence[Plugin]) -> None:
        self.held -= len(plugins)

    async def troubled(self, plugin: Plugin, trouble: str, *, off: bool) -> None:
        self.told.append((plugin.name, trouble, off))
        if off:
            self.there.remove(plugin)
            assert isinstance(plugin, FakePlugin)
            plugin.gone = True


def plugins(*there: Plugin) -> FakePlugins:
    return FakePlugins(list(there))


def fails(trouble: HookTrouble, said: str = "") -> Does:
    """A hook that gives nothing."""

    def does(payload: Any) -> Json:
        raise PluginFailedError(trouble, said)

    return does


def gives(value: Json) -> Does:
    """A hook that returns this, whatever it is asked."""
    return lambda payload: value
