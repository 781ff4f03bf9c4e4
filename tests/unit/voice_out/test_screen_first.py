"""A question is shown before it is read, and what is settled by then is never read."""

import asyncio
from dataclasses import replace

from jarvis_desktop.app.screen_first import ScreenFirst
from jarvis_desktop.core.items.decisions import Answer, AnsweredBy, QuestionEnd, Settled
from jarvis_desktop.core.items.events import Event, QuestionAsked, QuestionSettled
from jarvis_desktop.core.items.ids import QuestionId, WindowId
from tests.unit.voice_out.questions import a_question

OTHER = replace(a_question("git status"), question_id=QuestionId("question-2"))


class Mouth:
    """Notes what it is told."""

    def __init__(self) -> None:
        self.told: list[Event] = []
        self._more = asyncio.Event()

    def on_event(self, event: Event) -> None:
        self.told.append(event)
        self._more.set()

    async def until(self, event: Event) -> None:
        async with asyncio.timeout(10):
            while event not in self.told:
                self._more.clear()
                await self._more.wait()


async def test_a_question_is_read_a_moment_later_and_nothing_else_waits() -> None:
    mouth = Mouth()
    first = ScreenFirst(mouth.on_event, 0.01)
    asked = QuestionAsked(a_question("make test"))
    again = QuestionAsked(asked.question, WindowId("late"))
    first.on_event(asked)
    assert mouth.told == []
    first.on_event(again)
    assert mouth.told == [again]
    await mouth.until(asked)


async def test_what_is_settled_by_then_is_never_read() -> None:
    mouth = Mouth()
    first = ScreenFirst(mouth.on_event, 0.01)
    over, open_ = QuestionAsked(a_question("make test")), QuestionAsked(OTHER)
    first.on_event(over)
    denied = Settled(over.question.question_id, QuestionEnd.ANSWERED, Answer.DENY, AnsweredBy.WINDOW)
    end = QuestionSettled(over.question, denied)
    first.on_event(end)
    first.on_event(open_)
    await mouth.until(open_)
    assert mouth.told == [end, open_]


async def test_and_nothing_is_read_when_the_voice_is_closed() -> None:
    mouth = Mouth()
    closed, other = ScreenFirst(mouth.on_event, 0.01), ScreenFirst(mouth.on_event, 0.02)
    closed.on_event(QuestionAsked(a_question("make test")))
    closed.close()
    open_ = QuestionAsked(OTHER)
    other.on_event(open_)
    await mouth.until(open_)
    assert mouth.told == [open_]
