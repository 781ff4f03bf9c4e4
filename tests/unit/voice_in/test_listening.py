"""The table of the voice path, walked in full."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.core.items.errors import InvariantError
from jarvis_desktop.core.items.events import VoiceState
from jarvis_desktop.core.voice.listening import NEXT, Cue, after, settled

ABSENT = {
    *((state, Cue.ENDPOINTED) for state in VoiceState if state is not VoiceState.LISTENING),
    *((state, Cue.UNDERSTOOD) for state in VoiceState if state is not VoiceState.TRANSCRIBING),
    *(
        (state, Cue.NOTHING)
        for state in VoiceState
        if state not in (VoiceState.LISTENING, VoiceState.TRANSCRIBING)
    ),
}


@pytest.mark.parametrize(("state", "cue"), list(product(VoiceState, Cue)))
def test_every_pair_either_leads_somewhere_or_is_refused_by_name(state: VoiceState, cue: Cue) -> None:
    if (state, cue) not in ABSENT:
        assert after(state, cue) is NEXT[state, cue]
        return
    with pytest.raises(InvariantError, match=f"{cue.value} in the state {state.value}"):
        after(state, cue)


@pytest.mark.parametrize("state", list(VoiceState))
def test_the_wake_word_and_the_button_are_heard_in_every_state(state: VoiceState) -> None:
    assert after(state, Cue.WOKE) is after(state, Cue.TALK_NOW) is VoiceState.LISTENING


@pytest.mark.parametrize("state", list(VoiceState))
def test_stopping_ends_every_state(state: VoiceState) -> None:
    assert after(state, Cue.STOPPED) is VoiceState.IDLE


@pytest.mark.parametrize(
    ("asking", "speaking", "turn_running", "state"),
    [
        (False, False, False, VoiceState.IDLE),
        (False, False, True, VoiceState.THINKING),
        (False, True, False, VoiceState.SPEAKING),
        (False, True, True, VoiceState.SPEAKING),
        (True, False, False, VoiceState.ASKING),
        (True, False, True, VoiceState.ASKING),
        (True, True, False, VoiceState.ASKING),
        (True, True, True, VoiceState.ASKING),
    ],
)
def test_what_still_holds_decides_where_the_path_comes_to_rest(
    *, asking: bool, speaking: bool, turn_running: bool, state: VoiceState
) -> None:
    assert settled(asking=asking, speaking=speaking, turn_running=turn_running) is state


@pytest.mark.voice_bug("wake", "Wake detector not resumed after stop")
@given(st.lists(st.sampled_from(list(Cue)), max_size=60))
def test_any_row_of_possible_cues_and_a_stop_leave_the_path_idle(cues: list[Cue]) -> None:
    state = VoiceState.IDLE
    for cue in cues:
        state = NEXT.get((state, cue), state)
    assert after(state, Cue.STOPPED) is VoiceState.IDLE
