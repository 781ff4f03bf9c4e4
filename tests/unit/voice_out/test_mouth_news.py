"""What came of goals is read out, and never while a person is being answered."""

from dataclasses import replace

import pytest

from jarvis_desktop.core.items.events import QuestionAsked, SpeakingEnded, SpeakingStarted
from jarvis_desktop.core.items.goals import GoalId, GoalSpoke
from jarvis_desktop.core.items.ids import MAIN_AGENT, SessionId, TurnId
from jarvis_desktop.core.items.turn import Origin
from tests.fakes.clock import START
from tests.unit.voice_out.test_mouth import QUESTION, Stage, begun, ended, stage

__all__ = ["stage"]

SPOKE = GoalSpoke(
    *(TurnId("g"), SessionId("s"), MAIN_AGENT, GoalId("g1"), "tell me", "Two are new.\n\n- A", START, 1),
    aloud="Two are new. And one is old.",
)


async def test_what_came_of_a_goal_is_read_sentence_by_sentence(stage: Stage) -> None:
    await stage.tell(SPOKE)
    await stage.hear_all()
    assert stage.started == ["Two are new.", "And one is old."]


async def test_what_is_not_to_be_read_is_not(stage: Stage) -> None:
    await stage.tell(replace(SPOKE, aloud=""))
    assert stage.texts == []


@pytest.mark.parametrize("origin", [Origin.TYPED, Origin.SPOKEN])
async def test_while_a_person_is_being_answered_nothing_of_it_is_read(stage: Stage, origin: Origin) -> None:
    await stage.tell(begun(origin), SPOKE)
    assert stage.texts == []
    await stage.tell(ended("Done."), SPOKE)
    assert "Two are new." in stage.texts


async def test_a_request_silences_it_in_the_middle(stage: Stage) -> None:
    await stage.tell(SPOKE)
    await stage.loudspeaker.drain(1)
    await stage.tell(begun(Origin.TYPED))
    assert stage.events == [SpeakingStarted("Two are new."), SpeakingEnded(cut=True)]
    await stage.hear_all()
    assert stage.started == ["Two are new."]


async def test_while_a_question_is_open_nothing_of_it_is_read(stage: Stage) -> None:
    await stage.tell(QuestionAsked(QUESTION), SPOKE)
    assert "Two are new." not in stage.texts
