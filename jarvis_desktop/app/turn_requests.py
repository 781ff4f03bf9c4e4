"""What a person sent becomes a request of the conversation that is open."""

from jarvis_desktop.app.loop_parts import LoopParts
from jarvis_desktop.core.items.events import TurnStarted
from jarvis_desktop.core.items.ids import TurnId, fresh_id
from jarvis_desktop.core.items.turn import Origin, TurnRequest
from jarvis_desktop.core.ports import Conversation


def request_in(conversation: Conversation, text: str, origin: Origin, parts: LoopParts) -> TurnRequest:
    """A request that is asked now."""
    return TurnRequest(
        turn_id=TurnId(fresh_id()),
        session_id=conversation.session_id,
        agent_id=conversation.agent_id,
        text=text,
        origin=origin,
        language=parts.texts.language,
        cwd=conversation.cwd,
        asked_at=parts.clock.now(),
    )


def started(request: TurnRequest) -> TurnStarted:
    """What is told when work on it begins."""
    return TurnStarted(
        request.turn_id,
        request.session_id,
        request.shown,
        request.origin,
        request.asked_at,
        request.card,
        request.expansion,
    )
