"""Whether a call has the desktop now: it could press, say and hear what a person does (decision 37)."""

from collections.abc import Iterator
from contextlib import contextmanager

from jarvis_desktop.core.items.commands import AnswerQuestion
from jarvis_desktop.core.items.decisions import Answer, AnsweredBy, Question
from jarvis_desktop.core.items.room import Room, RoomKind


def may_lend(command: AnswerQuestion, question: Question) -> bool:
    """Whether the desktop, if the answer lends it, is lent by a press in a window, once, and by no rule."""
    pressed = command.by is AnsweredBy.WINDOW and command.answer is Answer.ALLOW
    return not command.desktop or (pressed and question.desktop)


class DesktopLoan:
    """Counts the calls that have the desktop; while there is one, nothing is allowed from afar."""

    def __init__(self) -> None:
        self._calls = 0

    @property
    def lent(self) -> bool:
        """A call has the desktop."""
        return self._calls > 0

    @contextmanager
    def during(self, room: Room) -> Iterator[None]:
        """A call runs in ``room`` while inside."""
        takes = room.kind is RoomKind.DESKTOP
        self._calls += takes
        try:
            yield
        finally:
            self._calls -= takes
