"""A question is on the screen before it is read aloud."""

import asyncio
from collections.abc import Callable

from jarvis_desktop.core.items.events import Event, QuestionAsked, QuestionSettled
from jarvis_desktop.core.items.ids import QuestionId

HEAD_START_S = 0.1
"""Nobody hears it, and a dialog shows in 40 instead of 57 ms: windows and voice share one interpreter
(``experiments.bench_dialog``)."""


class ScreenFirst:
    """Passes events on to the mouth, a question a moment later; one that is settled by then is never read.

    The ears are told at once: a refusal counts from the first moment, a yes only behind the whole reading.
    """

    def __init__(self, mouth: Callable[[Event], None], head_start_s: float = HEAD_START_S) -> None:
        self._mouth, self._head_start_s = mouth, head_start_s
        self._waiting: dict[QuestionId, asyncio.TimerHandle] = {}

    def on_event(self, event: Event) -> None:
        """React to what happens; returns at once."""
        match event:
            case QuestionAsked(question, None):
                later = asyncio.get_running_loop().call_later(self._head_start_s, self._ask, event)
                self._waiting[question.question_id] = later
                return
            case QuestionSettled(question) if question.question_id in self._waiting:
                self._waiting.pop(question.question_id).cancel()
            case _:
                pass
        self._mouth(event)

    def close(self) -> None:
        """Nothing is read any more."""
        while self._waiting:
            self._waiting.popitem()[1].cancel()

    def _ask(self, event: QuestionAsked) -> None:
        self._waiting.pop(event.question.question_id, None)
        self._mouth(event)
