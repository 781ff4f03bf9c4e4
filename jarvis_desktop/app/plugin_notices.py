"""What people are told of plugins that wait for them or do not work."""

from collections.abc import Sequence

from jarvis_desktop.app.extension_words import waiting_line
from jarvis_desktop.core.items.events import ActivityKind, ActivityNoted, Part, TroubleCleared, TroubleNoted
from jarvis_desktop.core.items.extensions import Extension, ExtensionState
from jarvis_desktop.core.ports import Clock, Emit, Texts


class PluginNotices:
    """All of it stands in one notice. What comes or changes later is a line of the activity as well."""

    def __init__(self, clock: Clock, texts: Texts, emit: Emit) -> None:
        self._clock, self._texts, self._emit = clock, texts, emit
        self._lines: tuple[str, ...] = ()
        self._waiting: set[tuple[str, str]] | None = None
        """Name and digest of what is known to be waiting; None before anything was told."""

    async def tell(self, shown: Sequence[Extension]) -> None:
        """As it is now."""
        # A ledger that cannot be read is the trouble of every plugin.
        lines = tuple(dict.fromkeys(line for one in shown if (line := self._line(one))))
        before, self._lines = self._lines, lines
        if lines and lines != before:
            await self._emit(TroubleNoted(Part.PLUGINS, "\n".join(lines)))
        elif before and not lines:
            await self._emit(TroubleCleared(Part.PLUGINS))
        await self._tell_new(shown)

    async def _tell_new(self, shown: Sequence[Extension]) -> None:
        waiting = {(one.name, one.digest): one for one in shown if waiting_line(one, self._texts)}
        known, self._waiting = self._waiting, set(waiting)
        for key in sorted(waiting.keys() - known) if known is not None else ():
            # What one did that was changed is not done any more.
            changed = waiting[key].state is ExtensionState.CHANGED
            kind = ActivityKind.TROUBLE if changed else ActivityKind.TURN
            await self._emit(ActivityNoted(kind, waiting_line(waiting[key], self._texts), self._clock.now()))

    def _line(self, one: Extension) -> str:
        if one.state is ExtensionState.BROKEN:
            return one.trouble
        if one.state is ExtensionState.ENABLED and one.advice:  # a guard that nobody calls guards nothing
            text = self._texts("Plugin {plugin}: {reason}")
            return text.format(plugin=one.name, reason=one.advice)
        return waiting_line(one, self._texts)
