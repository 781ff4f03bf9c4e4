"""Which approval questions are open, for whoever must keep still until they are settled."""

from collections.abc import Callable

from jarvis_desktop.core.items.events import Event, QuestionAsked, QuestionSettled
from jarvis_desktop.core.items.ids import QuestionId


class OpenQuestions:
    """Looks at events on their way to a front end."""

    def __init__(self, deliver: Callable[[Event], None]) -> None:
        self._deliver = deliver
        self._open: set[QuestionId] = set()

    def deliver(self, event: Event) -> None:
        """Noted, then handed on."""
        match event:
            case QuestionAsked():
                self._open.add(event.question.question_id)
            case QuestionSettled():
                self._open.discard(event.settled.question_id)
            case _:
                pass
        self._deliver(event)

    def none(self) -> bool:
        """Nobody is asked anything now."""
        return not self._open
