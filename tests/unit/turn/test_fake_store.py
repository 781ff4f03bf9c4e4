"""The store that other tests stand on behaves like a store."""

from dataclasses import replace

from jarvis_desktop.core.items.ids import MAIN_AGENT
from jarvis_desktop.core.items.turn import Message, Role, TurnEnd
from jarvis_desktop.core.ports import ConversationStore, InterruptedTurn
from tests.fakes.store import FakeStore
from tests.unit.policy.asking import REQUEST


async def test_what_was_begun_is_there_after_a_restart_and_an_open_turn_is_interrupted() -> None:
    store: ConversationStore = FakeStore()
    begun = await store.begin_conversation(MAIN_AGENT, REQUEST.cwd)
    request = replace(REQUEST, session_id=begun.session_id)
    await store.begin_turn(request)
    await store.set_reply(request.turn_id, "It is")
    await store.add_messages(request.turn_id, [Message(Role.USER, "run ls")])
    restored = await store.restore(MAIN_AGENT, REQUEST.cwd)
    assert (restored.conversation, restored.messages) == (begun, (Message(Role.USER, "run ls"),))
    assert restored.interrupted == (InterruptedTurn(request.turn_id, "run ls", request.asked_at),)
    assert [(line.text, line.complete) for line in restored.lines] == [("run ls", True), ("It is", False)]
    await store.end_turn(request.turn_id, TurnEnd.ANSWERED, "It is blue.")
    assert (await store.restore(MAIN_AGENT, REQUEST.cwd)).interrupted == ()
