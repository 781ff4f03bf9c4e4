"""Each agent has its own conversation; a name, a click or a command decides which one is talked in."""

import asyncio
from dataclasses import replace

from jarvis_desktop.core.items.agents import AgentsListed
from jarvis_desktop.core.items.commands import Attach, NewConversation, SubmitTurn, SwitchAgent, Tick
from jarvis_desktop.core.items.events import (
    ActivityKind,
    ActivityNoted,
    ConversationOpened,
    TurnEnded,
    TurnQueued,
    TurnStarted,
)
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId, WindowId
from jarvis_desktop.core.items.slash import OpenStored
from jarvis_desktop.core.items.turn import Origin, TurnEnd
from tests.fakes.chat_model import ScriptedModel, says
from tests.fakes.clock import START
from tests.fakes.team import JARVIS, KAREN, FakeTeam
from tests.unit.app.stage import Stage, playing

KAREN_ID = KAREN.agent_id


def typed(text: str) -> SubmitTurn:
    return SubmitTurn(text, Origin.TYPED)


async def test_each_agent_keeps_its_own_conversation() -> None:
    stage = Stage(ScriptedModel(says("One."), says("Two."), says("Three.")))
    async with playing(stage):
        stage.post(typed("to jarvis"))
        await stage.until(TurnEnded)
        stage.post(SwitchAgent(KAREN_ID), typed("to karen"))
        await stage.until(TurnEnded, 2)
        stage.post(SwitchAgent(MAIN_AGENT))
        back = await stage.until(ConversationOpened, 3)
        stage.post(typed("again"))
        await stage.until(TurnEnded, 3)
    opened = stage.seen(ConversationOpened)
    assert [one.agent_id for one in opened] == [MAIN_AGENT, KAREN_ID, MAIN_AGENT]
    assert [line.text for line in back.lines] == ["to jarvis", "One."]
    assert back.session_id == opened[0].session_id
    assert [turn.card for turn in stage.seen(TurnStarted)] == [JARVIS, KAREN, JARVIS]
    said = ["\n".join(message.text for message in request.messages) for request in stage.model.requests]
    assert "to jarvis" not in said[1]
    assert "One." in said[2]
    assert "to karen" not in said[2]


async def test_a_conversation_of_an_earlier_run_is_reopened_with_its_lines() -> None:
    stage = Stage(ScriptedModel(says("Hello.")))
    async with playing(stage):
        stage.post(SwitchAgent(KAREN_ID), typed("remember me"))
        await stage.until(TurnEnded)
    again = Stage(ScriptedModel(), store=stage.store)
    async with playing(again):
        again.post(SwitchAgent(KAREN_ID))
        opened = await again.until(ConversationOpened, 2)
    assert [line.text for line in opened.lines] == ["remember me", "Hello."]


async def test_a_request_that_calls_an_agent_runs_in_its_conversation_which_windows_then_show() -> None:
    stage = Stage(ScriptedModel(says("Nothing new."), says("And still nothing.")))
    async with playing(stage):
        stage.post(typed("카렌아 새 공고 있어?"))
        await stage.until(TurnEnded)
        stage.post(typed("and now?"))
        await stage.until(TurnEnded, 2)
    opened = stage.seen(ConversationOpened)[-1]
    begun = [(turn.text, turn.session_id, turn.card) for turn in stage.seen(TurnStarted)]
    assert opened.agent_id == KAREN_ID
    assert begun == [
        ("카렌아 새 공고 있어?", opened.session_id, KAREN),
        ("and now?", opened.session_id, KAREN),
    ]


async def test_a_spoken_request_calls_an_agent_just_as_well() -> None:
    stage = Stage(ScriptedModel(says("Nothing new.")))
    async with playing(stage):
        stage.post(SubmitTurn("Karen, is there anything new?", Origin.SPOKEN))
        await stage.until(TurnEnded)
    assert [turn.card for turn in stage.seen(TurnStarted)] == [KAREN]


async def test_an_agent_that_is_only_called_by_its_name_answers_to_that() -> None:
    stage = Stage(ScriptedModel(says("Yes?")))
    async with playing(stage):
        stage.post(SubmitTurn("카렌아", Origin.SPOKEN))
        ended = await stage.until(TurnEnded)
    assert stage.seen(ConversationOpened)[-1].agent_id == KAREN_ID
    assert (ended.session_id, ended.text) == (stage.seen(ConversationOpened)[-1].session_id, "Yes?")


async def test_a_name_that_is_only_spoken_about_changes_nothing() -> None:
    stage = Stage(ScriptedModel(says("It is here.")))
    async with playing(stage):
        stage.post(typed("Karen's file, where is it?"))
        await stage.until(TurnEnded)
    assert [turn.card for turn in stage.seen(TurnStarted)] == [JARVIS]


async def test_what_runs_goes_on_when_another_agent_is_turned_to_and_what_waits_is_not_lost() -> None:
    hold = asyncio.Event()
    stage = Stage(ScriptedModel((hold, *says("Long done.")), says("Second."), says("Hi.")))
    async with playing(stage):
        stage.post(typed("long work"))
        await stage.until(TurnStarted)
        stage.post(typed("and then"))
        await stage.until(TurnQueued)
        stage.post(typed("Karen, hello"))
        queued = await stage.until(TurnQueued, 2)
        shown = stage.seen(ConversationOpened)[-1]
        stage.post(SwitchAgent(MAIN_AGENT))
        back = await stage.until(ConversationOpened, 3)
        hold.set()
        await stage.until(TurnEnded, 3)
    assert (shown.agent_id, shown.waiting, queued.session_id) == (KAREN_ID, (), shown.session_id)
    assert ([line.text for line in back.lines], back.waiting) == (["long work"], ("and then",))
    ends = [(turn.session_id, turn.end, turn.text) for turn in stage.seen(TurnEnded)]
    assert ends == [
        (back.session_id, TurnEnd.ANSWERED, "Long done."),
        (back.session_id, TurnEnd.ANSWERED, "Second."),
        (shown.session_id, TurnEnd.ANSWERED, "Hi."),
    ]


async def test_a_new_conversation_with_one_agent_leaves_the_work_of_another_alone() -> None:
    hold = asyncio.Event()
    stage = Stage(ScriptedModel((hold, *says("Done."))))
    async with playing(stage):
        stage.post(typed("long work"))
        await stage.until(TurnStarted)
        stage.post(SwitchAgent(KAREN_ID), NewConversation())
        await stage.until(ConversationOpened, 3)
        hold.set()
        ended = await stage.until(TurnEnded)
        stage.post(SwitchAgent(MAIN_AGENT))
        back = await stage.until(ConversationOpened, 4)
    assert (ended.end, ended.text) == (TurnEnd.ANSWERED, "Done.")
    assert [line.text for line in back.lines] == ["long work", "Done."]


async def test_a_stored_conversation_of_another_agent_takes_nothing_from_the_one_that_is_left() -> None:
    before = Stage(ScriptedModel(says("Hello.")))
    async with playing(before):
        before.post(SwitchAgent(KAREN_ID), typed("remember me"))
        stored = await before.until(TurnEnded)
    hold = asyncio.Event()
    stage = Stage(ScriptedModel((hold, *says("One.")), says("Two.")), store=before.store)
    async with playing(stage):
        stage.post(typed("for jarvis"))
        await stage.until(TurnStarted)
        stage.post(typed("for jarvis, too"), OpenStored(stored.session_id))
        opened = await stage.until(ConversationOpened, 2)
        hold.set()
        await stage.until(TurnEnded, 2)
    assert (opened.agent_id, [line.text for line in opened.lines]) == (KAREN_ID, ["remember me", "Hello."])
    assert [turn.card for turn in stage.seen(TurnStarted)] == [JARVIS, JARVIS]
    assert [turn.end for turn in stage.seen(TurnEnded)] == [TurnEnd.ANSWERED, TurnEnd.ANSWERED]


async def test_a_window_is_told_who_there_is_to_talk_with() -> None:
    helper = replace(KAREN, agent_id=AgentId("helper"), name="Helper", top_level=False)
    stage = Stage(ScriptedModel(), team=FakeTeam(JARVIS, KAREN, helper))
    async with playing(stage):
        stage.post(Attach(WindowId("late")), SwitchAgent(helper.agent_id))
        listed = await stage.until(AgentsListed, 2)
        told = await stage.until(ActivityNoted)
    assert listed == AgentsListed((JARVIS, KAREN), WindowId("late"))
    assert told.kind is ActivityKind.TROUBLE
    assert stage.seen(ConversationOpened)[-1].agent_id == MAIN_AGENT


async def test_a_running_turn_keeps_the_card_that_it_began_with_and_the_next_one_has_the_new() -> None:
    hold = asyncio.Event()
    team = FakeTeam()
    stage = Stage(ScriptedModel((hold, *says("One.")), says("Two.")), team=team)
    fresh = replace(JARVIS, persona="You are somebody new.")
    async with playing(stage):
        stage.post(typed("first"))
        await stage.until(TurnStarted)
        team.put(fresh, KAREN)
        stage.post(Tick(START, 0), typed("second"))
        await stage.until(TurnQueued)
        hold.set()
        await stage.until(TurnEnded, 2)
    assert [turn.card for turn in stage.seen(TurnStarted)] == [JARVIS, fresh]


async def test_a_request_of_an_agent_that_went_meanwhile_ends_with_the_reason() -> None:
    hold = asyncio.Event()
    team = FakeTeam()
    stage = Stage(ScriptedModel((hold, *says("One."))), team=team)
    async with playing(stage):
        stage.post(typed("first"))
        await stage.until(TurnStarted)
        stage.post(typed("Karen, second"))
        await stage.until(TurnQueued)
        team.put(JARVIS)
        hold.set()
        await stage.until(TurnEnded, 2)
    gone = stage.seen(TurnEnded)[-1]
    assert gone.end is TurnEnd.FAILED
    assert "karen is not there any more" in gone.text


async def test_windows_turn_to_the_main_agent_when_the_one_they_show_is_gone() -> None:
    stage = Stage(ScriptedModel())
    async with playing(stage):
        stage.post(SwitchAgent(KAREN_ID))
        await stage.until(ConversationOpened, 2)
        stage.announce(AgentsListed((JARVIS,)))
        opened = await stage.until(ConversationOpened, 3)
    assert opened.agent_id == MAIN_AGENT
