"""What people are told of MCP servers: which wait for them, and which do not work."""

from collections.abc import Sequence

from jarvis_desktop.app.extension_words import waiting_line
from jarvis_desktop.core.items.events import ActivityKind, ActivityNoted, Part, TroubleCleared, TroubleNoted
from jarvis_desktop.core.items.extensions import Extension
from jarvis_desktop.core.ports import Clock, Emit, Texts


class McpNotices:
    """Everything stands in one notice; only what is new becomes a line of the activity."""

    def __init__(self, clock: Clock, texts: Texts, emit: Emit) -> None:
        self._clock, self._texts, self._emit = clock, texts, emit
        self._told: dict[str, str] = {}
        """Line by server."""

    async def tell(self, shown: Sequence[Extension]) -> None:
        """As it is now."""
        lines = {one.name: line for one in shown if (line := self._line(one))}
        before, self._told = self._told, lines
        if lines == before:
            return
        if lines:
            await self._emit(TroubleNoted(Part.SERVERS, "\n".join(lines.values())))
        else:
            await self._emit(TroubleCleared(Part.SERVERS))
        for name, line in lines.items():
            if before.get(name) != line:
                await self._emit(ActivityNoted(ActivityKind.TROUBLE, line, self._clock.now()))

    async def tell_late(self, names: Sequence[str]) -> None:
        """These are still starting, and nobody waits for them any longer."""
        for name in names:
            text = self._texts("The MCP server {name} is still starting and is not waited for any longer.")
            await self._emit(ActivityNoted(ActivityKind.TROUBLE, text.format(name=name), self._clock.now()))

    def _line(self, one: Extension) -> str:
        if not one.digest:  # the settings' own notice tells what is wrong there
            return ""
        if one.trouble:
            return self._texts("MCP server {name}: {trouble}").format(name=one.name, trouble=one.trouble)
        return waiting_line(one, self._texts)
