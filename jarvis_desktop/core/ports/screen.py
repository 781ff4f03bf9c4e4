"""What the desktop around our windows can show."""

from typing import Protocol

from jarvis_desktop.core.items.notice import Notice


class Notices(Protocol):
    """The desktop's own messages. Both calls return at once, from any thread, and never raise."""

    def show(self, notice: Notice) -> None:
        """The person may see it soon."""

    def withdraw(self, notice_id: str) -> None:
        """It is of no use any more."""
