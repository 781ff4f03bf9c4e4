"""What of a slash command is said aloud: next to nothing."""

from jarvis_desktop.core.items.events import QuestionAsked
from jarvis_desktop.core.items.slash import SlashAnswered
from jarvis_desktop.core.items.turn import Origin
from tests.fakes.clock import START
from tests.unit.voice_out.questions import a_question
from tests.unit.voice_out.test_mouth import READING, SESSION, TURN, Stage


def answered(aloud: str) -> SlashAnswered:
    return SlashAnswered(TURN, SESSION, "/voice on", "Answers are read.", Origin.TYPED, START, aloud=aloud)


async def said(stage: Stage, *events: SlashAnswered | QuestionAsked) -> list[str]:
    await stage.tell(*events)
    await stage.hear_all()
    await stage.close()
    return stage.texts


async def test_an_answer_of_a_command_is_read_by_eyes_alone() -> None:
    assert await said(Stage(), answered("")) == []


async def test_what_is_meant_to_be_heard_is_said() -> None:
    assert await said(Stage(), answered("This is how I sound.")) == ["This is how I sound."]


async def test_nothing_is_said_with_reading_aloud_switched_off() -> None:
    assert await said(Stage(speak=False), answered("This is how I sound.")) == []


async def test_nothing_is_said_into_an_open_question() -> None:
    question = QuestionAsked(a_question("make test"))
    assert await said(Stage(), question, answered("This is how I sound.")) == [READING]
