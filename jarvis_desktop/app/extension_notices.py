"""What people are told of their own tools and plugins: what waits for them, and what does not work."""

from collections.abc import Sequence

from jarvis_desktop.app.extension_words import waiting_line
from jarvis_desktop.core.items.events import ActivityKind, ActivityNoted, Part, TroubleCleared, TroubleNoted
from jarvis_desktop.core.items.extensions import Extension
from jarvis_desktop.core.ports import Clock, Emit, Texts


class ExtensionNotices:
    """Everything stands in one notice; only what is new becomes a line of the activity."""

    def __init__(self, clock: Clock, texts: Texts, emit: Emit) -> None:
        self._clock, self._texts, self._emit = clock, texts, emit
        self._told: dict[tuple[str, str], str] = {}
        """Line by the state of the file that it is about."""

    async def tell(self, shown: Sequence[Extension]) -> None:
        """As it is now."""
        lines = {(str(one.path), one.digest): line for one in shown if (line := self._line(one))}
        before, self._told = self._told, lines
        if lines == before:
            return
        if lines:
            await self._emit(TroubleNoted(Part.EXTENSIONS, "\n".join(lines.values())))
        else:
            await self._emit(TroubleCleared(Part.EXTENSIONS))
        for key, line in lines.items():
            if before.get(key) != line:
                await self._emit(ActivityNoted(ActivityKind.TROUBLE, line, self._clock.now()))

    def _line(self, one: Extension) -> str:
        file = f"{one.path.parent.name}/{one.name}{one.path.suffix}"
        if one.trouble:
            return f"{file}: {one.trouble}"
        return waiting_line(one, self._texts)
