"""Trying out microphone, wake word and loudspeaker."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from jarvis_desktop.app.loop_parts import Speaking
from jarvis_desktop.app.setup_trials import LONGEST_S, Trials
from jarvis_desktop.core.items.errors import AudioUnavailableError
from jarvis_desktop.core.items.events import Event, Part, TroubleNoted, VoiceState, VoiceStateChanged
from jarvis_desktop.core.items.setup import Trial, TrialChanged
from jarvis_desktop.core.items.speech import ListenFor
from tests.fakes.clock import FakeClock, settle
from tests.fakes.texts import PlainTexts

MIC, WAKE, SOUND = Trial.MICROPHONE, Trial.WAKE_WORD, Trial.LOUDSPEAKER


class Voice:
    """A voice that does what the test says."""

    def __init__(self) -> None:
        self.now: Trial | None = None
        self.refusal = ""
        self.live = True
        self.said: list[str] = []
        self.heard = asyncio.Event()
        self.broken: AudioUnavailableError | None = None

    def begin_trial(self, trial: Trial) -> str:
        if not self.refusal:
            self.now = trial
        return self.refusal

    def end_trial(self) -> None:
        self.now = None

    async def try_out(self, text: str) -> None:
        self.said.append(text)
        if self.broken:
            raise self.broken
        await self.heard.wait()

    @property
    def mouth(self) -> Speaking:
        return self

    def cut(self) -> None:
        self.heard.set()


class Stage:
    """Trials, and what people are told."""

    def __init__(self) -> None:
        self.voice, self.clock = Voice(), FakeClock()
        self.told: list[TrialChanged] = []
        self.trials = Trials(self.voice, self.clock, PlainTexts(), self._emit)

    async def _emit(self, event: Event) -> None:
        assert isinstance(event, TrialChanged)
        self.told.append(event)

    async def begin(self, trial: Trial) -> None:
        self.trials.begin(trial)
        await settle()

    async def end(self, trial: Trial) -> None:
        self.trials.end(trial)
        await settle()

    async def see(self, event: Event) -> None:
        self.trials.on_event(event)
        await settle()


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    made = Stage()
    yield made
    await made.trials.close()


def heard(state: VoiceState = VoiceState.IDLE, *, muted: bool = False) -> VoiceStateChanged:
    return VoiceStateChanged(state, muted, ListenFor.NOTHING)


def running(trial: Trial) -> TrialChanged:
    return TrialChanged(trial, running=True)


def over(trial: Trial, trouble: str = "") -> TrialChanged:
    return TrialChanged(trial, running=False, trouble=trouble)


@pytest.mark.parametrize("trial", [MIC, WAKE])
async def test_a_trial_runs_until_somebody_has_had_enough(stage: Stage, trial: Trial) -> None:
    await stage.begin(trial)
    assert (stage.voice.now, stage.told) == (trial, [running(trial)])
    await stage.end(trial)
    assert (stage.voice.now, stage.told) == (None, [running(trial), over(trial)])


async def test_a_forgotten_trial_ends_by_itself(stage: Stage) -> None:
    await stage.begin(WAKE)
    await stage.clock.advance(LONGEST_S - 1)
    assert stage.told == [running(WAKE)]
    await stage.clock.advance(1)
    assert (stage.voice.now, stage.told[-1]) == (None, over(WAKE))


async def test_ending_what_does_not_run_changes_nothing(stage: Stage) -> None:
    await stage.begin(MIC)
    await stage.end(WAKE)
    await stage.end(SOUND)
    assert stage.voice.now is MIC


async def test_the_next_trial_ends_the_one_before(stage: Stage) -> None:
    await stage.begin(MIC)
    await stage.begin(WAKE)
    assert stage.voice.now is WAKE
    assert stage.told == [running(MIC), over(MIC), running(WAKE)]


async def test_a_trial_that_cannot_begin_says_why(stage: Stage) -> None:
    stage.voice.refusal = "No microphone was found."
    await stage.begin(MIC)
    assert stage.told == [over(MIC, "No microphone was found.")]


async def test_a_muted_microphone_is_not_tried_out(stage: Stage) -> None:
    await stage.see(heard(muted=True))
    await stage.begin(MIC)
    assert stage.told == [over(MIC, "The microphone is muted. Turn it on again, then try.")]
    await stage.see(heard())
    await stage.begin(MIC)
    assert stage.voice.now is MIC


async def test_trouble_with_a_part_ends_the_trials_that_need_it(stage: Stage) -> None:
    await stage.begin(MIC)
    await stage.see(TroubleNoted(Part.WAKE_WORD, "No model."))
    assert stage.voice.now is MIC
    await stage.see(TroubleNoted(Part.MICROPHONE, "Nothing but silence."))
    assert stage.voice.now is MIC
    stage.voice.live = False
    await stage.see(TroubleNoted(Part.MICROPHONE, "It went away."))
    assert stage.told[-1] == over(MIC, "It went away.")
    await stage.begin(WAKE)
    await stage.see(TroubleNoted(Part.WAKE_WORD, "No model."))
    assert stage.told[-1] == over(WAKE, "No model.")


@pytest.mark.parametrize("event", [heard(VoiceState.LISTENING), heard(muted=True)])
async def test_a_person_who_talks_or_mutes_ends_the_trial(stage: Stage, event: Event) -> None:
    await stage.begin(WAKE)
    await stage.see(event)
    assert stage.told[-1] == over(WAKE)


async def test_the_loudspeaker_says_a_sentence_and_the_trial_is_over(stage: Stage) -> None:
    await stage.begin(SOUND)
    assert (stage.told, stage.voice.said) == ([running(SOUND)], ["Hello, this is how I sound."])
    stage.voice.heard.set()
    await settle()
    assert stage.told[-1] == over(SOUND)


async def test_the_loudspeaker_can_be_stopped_in_the_middle(stage: Stage) -> None:
    await stage.begin(SOUND)
    await stage.end(SOUND)
    assert stage.told == [running(SOUND), over(SOUND)]


async def test_a_loudspeaker_that_cannot_be_opened_is_said(stage: Stage) -> None:
    stage.voice.broken = AudioUnavailableError("No loudspeaker could be opened.")
    await stage.begin(SOUND)
    assert stage.told == [running(SOUND), over(SOUND, "No loudspeaker could be opened.")]


async def test_closing_ends_the_trial_that_runs() -> None:
    stage = Stage()
    await stage.begin(MIC)
    await stage.trials.close()
    assert stage.voice.now is None


async def test_of_trials_asked_for_in_one_go_only_the_last_one_runs(stage: Stage) -> None:
    await stage.begin(MIC)
    for trial in (WAKE, SOUND, WAKE, MIC, WAKE):
        stage.trials.begin(trial)
    await settle()

    assert (stage.voice.now, stage.voice.said) == (WAKE, [])
    assert [told.trial for told in stage.told if told.running] == [MIC, WAKE]
    assert stage.told[-1] == running(WAKE)


async def test_a_trial_that_is_ended_before_it_began_does_not_begin(stage: Stage) -> None:
    stage.trials.begin(MIC)
    stage.trials.end(MIC)
    await settle()

    assert (stage.voice.now, stage.told) == (None, [TrialChanged(MIC, running=False)])
