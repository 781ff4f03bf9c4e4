"""The life of an approval question, as a table."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from jarvis_desktop.core.items.errors import InvariantError


class QuestionState(StrEnum):
    """Where a question stands."""

    WAITING = "waiting"
    """Another question is being shown; this one's time has not begun."""
    SHOWN = "shown"
    ANSWERED = "answered"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"


class QuestionCue(StrEnum):
    """What can happen to a question."""

    SHOW = "show"
    ANSWER = "answer"
    COVERED = "covered"
    """A rule that was made meanwhile answers it."""
    TIME_UP = "time_up"
    WITHDRAW = "withdraw"


NEXT: Mapping[tuple[QuestionState, QuestionCue], QuestionState] = MappingProxyType(
    {
        (QuestionState.WAITING, QuestionCue.SHOW): QuestionState.SHOWN,
        (QuestionState.WAITING, QuestionCue.COVERED): QuestionState.ANSWERED,
        (QuestionState.WAITING, QuestionCue.WITHDRAW): QuestionState.WITHDRAWN,
        (QuestionState.SHOWN, QuestionCue.ANSWER): QuestionState.ANSWERED,
        (QuestionState.SHOWN, QuestionCue.COVERED): QuestionState.ANSWERED,
        (QuestionState.SHOWN, QuestionCue.TIME_UP): QuestionState.EXPIRED,
        (QuestionState.SHOWN, QuestionCue.WITHDRAW): QuestionState.WITHDRAWN,
    }
)


def advance(state: QuestionState, cue: QuestionCue) -> QuestionState:
    """The state after ``cue``.

    Raises:
        InvariantError: the table has no such step; a question that is over stays over.
    """
    try:
        return NEXT[state, cue]
    except KeyError:
        raise InvariantError(f"a question that is {state.value} has no step for {cue.value}") from None
