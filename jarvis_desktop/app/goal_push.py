"""What came of goals on the person's other devices; an address that does not take it is said, never shown."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from jarvis_desktop.core.items.events import ActivityKind, ActivityNoted
from jarvis_desktop.core.items.goal_notices import GoalNews
from jarvis_desktop.core.ports import Clock, Emit, Texts
from jarvis_desktop.ui.goal_notice import bundle_text, bundle_title


class Push(Protocol):
    """The way to other devices; never raises."""

    async def push(self, addresses: list[str], title: str, text: str) -> int:
        """How many of ``addresses`` took the message."""


@dataclass(frozen=True, slots=True)
class GoalPush:
    """Fills the ``Push`` of ``GoalOutside``."""

    push: Push
    addresses: Callable[[], str]
    """With blanks between them."""
    clock: Clock
    texts: Texts
    emit: Emit

    async def tell(self, news: tuple[GoalNews, ...]) -> bool:
        """Whether one of the addresses took it."""
        addresses = self.addresses().split()
        if not addresses:
            return False
        taken = await self.push.push(addresses, bundle_title(news, self.texts), bundle_text(news))
        if taken < len(addresses):
            text = self.texts("💭 {count} of {all} addresses did not take a message. See notify.push_to.")
            line = text.format(count=len(addresses) - taken, all=len(addresses))
            await self.emit(ActivityNoted(ActivityKind.TROUBLE, line, self.clock.now()))
        return taken > 0
