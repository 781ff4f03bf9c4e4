"""What windows have been shown of the open conversation, for windows that open later."""

from dataclasses import replace
from datetime import datetime

from jarvis_desktop.core.items.delegation import DelegateEnded
from jarvis_desktop.core.items.events import Event, ToolFinished, TurnEnded, TurnStarted
from jarvis_desktop.core.items.goals import GoalSpoke
from jarvis_desktop.core.items.memory_desk import PatternsUsed
from jarvis_desktop.core.items.slash import SlashAnswered
from jarvis_desktop.core.items.turn import Origin, Role, StoredLine, TurnEnd


def lines_of(event: Event, now: datetime) -> tuple[StoredLine, ...]:  # noqa: PLR0911 - one for each event
    """The lines that an event adds; most add none."""
    match event:
        case TurnStarted(turn_id=turn_id, text=text, at=at):
            spoken = event.origin is Origin.SPOKEN
            asked = StoredLine(Role.USER, text, at, turn_id, complete=True, spoken=spoken)
            return (replace(asked, expansion=event.expansion),)
        case ToolFinished(turn_id=turn_id, call=call):
            status = event.result.status
            return (StoredLine(Role.TOOL, call.in_short, now, turn_id, complete=True, status=status),)
        case TurnEnded(turn_id=turn_id, text=text):
            complete = event.end is not TurnEnd.INTERRUPTED
            return (StoredLine(Role.ASSISTANT, text, now, turn_id, complete=complete),)
        case SlashAnswered(turn_id=turn_id, text=text, at=at):
            asked = StoredLine(Role.USER, text, at, turn_id, complete=True)
            return (asked, StoredLine(Role.ASSISTANT, event.to_keep, at, turn_id, complete=True))
        case GoalSpoke(turn_id=turn_id, text=text, at=at):
            return (StoredLine(Role.ASSISTANT, text, at, turn_id, complete=True),)
        case PatternsUsed(turn_id=turn_id, patterns=patterns):
            taught = ", ".join(one.name for one in patterns)
            return (StoredLine(Role.SYSTEM, taught, now, turn_id, complete=True),)
        case DelegateEnded(turn_id=turn_id, done=done):
            return (StoredLine(Role.TOOL, done.name, now, turn_id, complete=True, delegate=done),)
        case _:
            return ()
