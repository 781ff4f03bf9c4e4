"""The one table of the voice path: which state follows on which cue, and what is listened for."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from jarvis_desktop.core.items.errors import InvariantError
from jarvis_desktop.core.items.events import VoiceState as State


class Cue(StrEnum):
    """What happened to the voice path."""

    WOKE = "woke"
    TALK_NOW = "talk_now"
    ENDPOINTED = "endpointed"
    UNDERSTOOD = "understood"
    """A request was understood and handed over."""
    NOTHING = "nothing"
    """Listening came to nothing."""
    TURN_STARTED = "turn_started"
    TURN_ENDED = "turn_ended"
    QUESTION_ASKED = "question_asked"
    QUESTION_SETTLED = "question_settled"
    SPEAKING_STARTED = "speaking_started"
    SPEAKING_ENDED = "speaking_ended"
    STOPPED = "stopped"
    """Interrupted or muted by the person."""


_HEARS_A_PERSON = (State.LISTENING, State.TRANSCRIBING)
_OF_THE_TURN = (
    Cue.TURN_STARTED,
    Cue.TURN_ENDED,
    Cue.QUESTION_ASKED,
    Cue.QUESTION_SETTLED,
    Cue.SPEAKING_STARTED,
    Cue.SPEAKING_ENDED,
)

# IDLE as a successor means that nobody is being heard: ``settled`` then says what still goes on.
NEXT: Mapping[tuple[State, Cue], State] = MappingProxyType(
    {
        # The wake word and the button win over everything: the person talks over us.
        **{(state, cue): State.LISTENING for state in State for cue in (Cue.WOKE, Cue.TALK_NOW)},
        **{(state, Cue.STOPPED): State.IDLE for state in State},
        (State.LISTENING, Cue.ENDPOINTED): State.TRANSCRIBING,
        (State.LISTENING, Cue.NOTHING): State.IDLE,
        (State.TRANSCRIBING, Cue.NOTHING): State.IDLE,
        (State.TRANSCRIBING, Cue.UNDERSTOOD): State.THINKING,
        # While a person is being heard, nothing that a turn does takes the word from them.
        **{(state, cue): state for state in _HEARS_A_PERSON for cue in _OF_THE_TURN},
        (State.IDLE, Cue.TURN_STARTED): State.THINKING,
        (State.THINKING, Cue.TURN_STARTED): State.THINKING,
        (State.SPEAKING, Cue.TURN_STARTED): State.SPEAKING,
        (State.ASKING, Cue.TURN_STARTED): State.ASKING,
        (State.IDLE, Cue.TURN_ENDED): State.IDLE,
        (State.THINKING, Cue.TURN_ENDED): State.IDLE,
        (State.SPEAKING, Cue.TURN_ENDED): State.SPEAKING,
        (State.ASKING, Cue.TURN_ENDED): State.IDLE,
        (State.IDLE, Cue.QUESTION_ASKED): State.ASKING,
        (State.THINKING, Cue.QUESTION_ASKED): State.ASKING,
        (State.SPEAKING, Cue.QUESTION_ASKED): State.ASKING,
        (State.ASKING, Cue.QUESTION_ASKED): State.ASKING,
        (State.IDLE, Cue.QUESTION_SETTLED): State.IDLE,
        (State.THINKING, Cue.QUESTION_SETTLED): State.THINKING,
        (State.SPEAKING, Cue.QUESTION_SETTLED): State.SPEAKING,
        (State.ASKING, Cue.QUESTION_SETTLED): State.IDLE,
        (State.IDLE, Cue.SPEAKING_STARTED): State.SPEAKING,
        (State.THINKING, Cue.SPEAKING_STARTED): State.SPEAKING,
        (State.SPEAKING, Cue.SPEAKING_STARTED): State.SPEAKING,
        (State.ASKING, Cue.SPEAKING_STARTED): State.ASKING,
        (State.IDLE, Cue.SPEAKING_ENDED): State.IDLE,
        (State.THINKING, Cue.SPEAKING_ENDED): State.THINKING,
        (State.SPEAKING, Cue.SPEAKING_ENDED): State.IDLE,
        (State.ASKING, Cue.SPEAKING_ENDED): State.ASKING,
    }
)


def after(state: State, cue: Cue) -> State:
    """The state that follows.

    Raises:
        InvariantError: this cue cannot come in this state; both are named.
    """
    try:
        return NEXT[state, cue]
    except KeyError:
        raise InvariantError(f"the voice path got the cue {cue.value} in the state {state.value}") from None


def settled(*, asking: bool, speaking: bool, turn_running: bool) -> State:
    """The state when nobody is being heard, worked out by replaying what still holds."""
    state = State.IDLE
    for holds, cue in (
        (turn_running, Cue.TURN_STARTED),
        (speaking, Cue.SPEAKING_STARTED),
        (asking, Cue.QUESTION_ASKED),
    ):
        state = after(state, cue) if holds else state
    return state
