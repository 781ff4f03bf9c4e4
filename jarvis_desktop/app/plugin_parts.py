"""Plugins put together: the files and processes, and the hooks that turns call."""

from collections.abc import Callable
from dataclasses import dataclass

from jarvis_desktop.adapters.bwrap_sandbox import BwrapSandbox
from jarvis_desktop.adapters.extension_ledger import ExtensionLedger
from jarvis_desktop.adapters.extension_room import ExtensionRooms
from jarvis_desktop.app.live_settings import LiveSettings
from jarvis_desktop.app.options import Start
from jarvis_desktop.app.plugin_desk import PluginDesk, PluginParts
from jarvis_desktop.core.ports import Clock, Emit
from jarvis_desktop.core.turn.plugin_hooks import PluginHooks


@dataclass(frozen=True, slots=True)
class PluginNeighbours:
    """What plugins run in and whom they tell."""

    sandbox: BwrapSandbox
    live: LiveSettings
    changed: Callable[[], None]
    """What there is, or how it is, is something else."""
    tell: Emit
    """Of turns: those of agents that were asked are told under the person's own."""


@dataclass(frozen=True, slots=True)
class OpenPlugins:
    """Plugins as the rest of the program sees them."""

    desk: PluginDesk
    hooks: PluginHooks


def open_plugins(start: Start, clock: Clock, emit: Emit, near: PluginNeighbours) -> OpenPlugins:
    """The plugins of this start; none of them runs before somebody looks."""
    rooms = ExtensionRooms(
        start.home, near.sandbox, start.texts, network=lambda: near.live.now.security.sandbox_network != "off"
    )
    ledger = ExtensionLedger(start.home, start.texts)
    desk = PluginDesk(
        PluginParts(
            start.home,
            rooms,
            ledger,
            clock,
            start.texts,
            emit,
            near.changed,
            lambda: near.live.now.plugin.watch_files,
        )
    )
    return OpenPlugins(desk, PluginHooks(desk, clock, start.texts, near.tell))
