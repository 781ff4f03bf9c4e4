"""The conversation that is open: where it works, what windows were shown of it, what the model remembers."""

from collections.abc import Sequence
from datetime import datetime

from jarvis_desktop.app.shown_lines import lines_of
from jarvis_desktop.core.items.events import ConversationOpened, Event, StoredLine
from jarvis_desktop.core.items.ids import WindowId
from jarvis_desktop.core.items.turn import Message
from jarvis_desktop.core.ports import Conversation, Restored


class OpenConversation:
    """Exactly one is open at any time."""

    def __init__(self, restored: Restored) -> None:
        self.now: Conversation = restored.conversation
        self.past: tuple[Message, ...] = restored.messages
        """For the model: complete turns, oldest first."""
        self._lines = list(restored.lines)

    def exchange(self, restored: Restored) -> None:
        """Another one is open from now on."""
        self.now, self.past = restored.conversation, restored.messages
        self._lines = list(restored.lines)

    def remember(self, messages: Sequence[Message]) -> None:
        """The model may read these again."""
        self.past += tuple(messages)

    def note(self, event: Event, now: datetime) -> None:
        """Keep what is shown, for windows that open later."""
        for line in lines_of(event, now):
            self._lines.insert(self._place(line), line)

    def opened(self, window_id: WindowId | None = None) -> ConversationOpened:
        """What windows are told; only the one when it came later than the others."""
        return ConversationOpened(self.now.session_id, self.now.agent_id, tuple(self._lines), window_id)

    def _place(self, line: StoredLine) -> int:
        """Behind what belongs to the same turn: a command may have been answered while a turn went on."""
        for index in range(len(self._lines), 0, -1):
            if self._lines[index - 1].turn_id == line.turn_id:
                return index
        return len(self._lines)
