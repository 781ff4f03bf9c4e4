"""The ears: from the microphone to requests, answers and interruptions, by the table of ``listening``."""

import logging

from jarvis_desktop.app.ears_facts import Surroundings
from jarvis_desktop.app.ears_hearing import Hearing, Woke
from jarvis_desktop.app.ears_judge import Judge
from jarvis_desktop.app.ears_marks import pass_on
from jarvis_desktop.app.ears_outbox import Outbox
from jarvis_desktop.app.ears_parts import PARTS_OF_TRIAL, EarsParts, EarsWiring
from jarvis_desktop.core.items.commands import Interrupt
from jarvis_desktop.core.items.events import (
    Event,
    HeardNothing,
    LevelHeard,
    NothingHeard,
    Part,
    VoiceState,
    VoiceStateChanged,
    WakeHeard,
)
from jarvis_desktop.core.items.setup import Trial
from jarvis_desktop.core.items.speech import ListenFor
from jarvis_desktop.core.ports import Captured, Microphone
from jarvis_desktop.core.settings import VoiceSettings
from jarvis_desktop.core.voice.endpointer import timing_for
from jarvis_desktop.core.voice.listening import Cue, after
from jarvis_desktop.core.voice.loudness import level
from jarvis_desktop.core.voice.wake_gate import GateTuning

log = logging.getLogger(__name__)

OWN_INTERRUPT_S = 1.0
"""An ``Interrupt`` that comes back within this time is the one that the ears gave themselves."""
FAULTS_TOLD = 3
HANDED_OVER_S = 5.0
"""A request that became no turn within this time (a command, a refusal) is not being thought about."""

_HEARS_A_REQUEST = (VoiceState.LISTENING, VoiceState.TRANSCRIBING)


class Ears:
    """Runs on the core's loop. Everything public is called on that loop and returns at once."""

    def __init__(
        self, microphone: Microphone, parts: EarsParts, settings: VoiceSettings, wiring: EarsWiring
    ) -> None:
        self._microphone = microphone
        self._settings = settings
        self._clock = wiring.clock
        self._texts = wiring.texts
        self._outbox = Outbox(wiring.post, wiring.emit)
        self._facts = Surroundings()
        self._hearing = Hearing(parts.wake, parts.vad, GateTuning(settings.wake_threshold))
        self._judge = Judge(self._facts, self._outbox, settings, wiring)
        self._judge.equip(parts.transcriber)
        self._judge.on_request_done = self._cue
        self._judge.on_stop = self._stop_everything
        self._judge.answers.on_done = self._hearing.stop
        self._state = VoiceState.IDLE
        self._muted = False
        self._target = ListenFor.WAKE_WORD
        self._told: VoiceStateChanged | None = None
        self._ready = parts.wake is not None
        self._own_interrupt_s = float("-inf")
        self._faults = 0
        self._trial: Trial | None = None
        """What a person is trying out; nothing that is heard becomes a request meanwhile."""
        self._handed_over_s = 0.0

    # --- what others tell the ears ------------------------------------------------------------

    def equip(self, parts: EarsParts) -> None:
        """Use these parts from now on; any may be missing, and no other will come."""
        self._hearing.equip(parts.wake, parts.vad)
        self._judge.equip(parts.transcriber)
        self._ready = True
        self._retarget()

    def on_event(self, event: Event) -> None:
        """React to turns, questions and our own voice; other events change nothing."""
        cue = self._facts.note(event, self._hearing.now_s)
        if cue is not None:
            self._cue(cue)

    def configure(self, settings: VoiceSettings) -> None:
        """These settings count from now on; what is being listened to goes on as it began."""
        self._settings = settings
        self._hearing.tune(GateTuning(settings.wake_threshold))
        self._judge.understand(settings.languages)

    def begin_trial(self, trial: Trial) -> str:
        """Only tell how loud it is, or also when the wake word is heard; why not, when that cannot be."""
        silent = () if self._microphone.live else (Part.MICROPHONE,)
        trouble = self._outbox.trouble_of(*silent, *PARTS_OF_TRIAL[trial])
        if not trouble:
            self._trial = trial
            self._give_up()
        return trouble

    def end_trial(self) -> None:
        """Listen as ever."""
        self._trial = None
        self._retarget()

    def talk_now(self) -> None:
        """Listen for a request without the wake word."""
        self._trial = None
        if self._muted or not self._microphone.live or not self._can_take_requests():
            self._outbox.put(NothingHeard(HeardNothing.CANCELLED, ListenFor.REQUEST))
            self._outbox.repeat(Part.MICROPHONE, Part.VAD, Part.TRANSCRIBER)
            return
        self._begin_request(Cue.TALK_NOW)

    def set_muted(self, muted: bool) -> None:  # noqa: FBT001 - it carries the value of the command SetMuted
        """Close or open the microphone; muted ears hear nothing, not even the wake word."""
        if muted == self._muted:
            return
        self._muted = muted
        self._microphone.set_muted(muted=muted)
        self._give_up()

    def interrupt(self) -> None:
        """Somebody pressed stop: what is being said is not waited for."""
        if self._clock.monotonic_s() - self._own_interrupt_s > OWN_INTERRUPT_S:
            self._give_up()

    def note_trouble(self, part: Part, text: str | None) -> None:
        """A part is in trouble, or works again (None)."""
        self._outbox.note(part, text)
        if not self._microphone.live and self._state is VoiceState.LISTENING:
            self._break_off()  # no sound comes, so no time-out would ever end the listening
        elif not self._microphone.live:
            self._judge.answers.break_off()
        self._retarget()

    # --- the way of the sound -----------------------------------------------------------------

    async def run(self) -> None:
        """Hear until the microphone is closed."""
        self._retarget()
        async with self._outbox.delivering(), self._judge.working():
            async for piece in self._microphone.chunks():
                self._hear_safely(piece)

    def _hear_safely(self, piece: Captured) -> None:
        try:
            self._hear(piece)
        except Exception as error:  # rim: the loop of the ears; deaf for good would be worse
            log.error("hearing failed", exc_info=error)
            self._faults += 1
            self._hearing.reset()
            self._give_up()
            if self._faults == FAULTS_TOLD:
                text = self._texts("Listening fails again and again. Please restart Jarvis.")
                self._outbox.note(Part.WAKE_WORD, text)

    def _hear(self, piece: Captured) -> None:
        if piece.after_gap:
            if self._state is VoiceState.LISTENING:
                self._break_off()
            self._judge.answers.break_off()
            self._hearing.reset()
        noticed = self._hearing.hear(piece.sound.pcm)
        self._judge.clock_offset_s = piece.at_s - self._hearing.now_s
        if self._state is VoiceState.LISTENING or self._target is ListenFor.ANSWER or self._trial:
            self._outbox.put(LevelHeard(level(piece.sound.pcm)))
        for one in noticed:
            if isinstance(one, Woke):
                self._woke(one)
            else:
                pass_on(one, self._judge, self._cue)
        late = self._hearing.now_s - self._handed_over_s > HANDED_OVER_S
        if self._state is VoiceState.THINKING and late and not self._facts.turn_running:
            self._cue(Cue.TURN_ENDED)
        self._retarget()

    def _woke(self, woke: Woke) -> None:
        if self._facts.unheeded and self._trial is None:
            log.info("wake word not heeded")
            return
        if self._trial is not Trial.MICROPHONE:
            self._outbox.put(WakeHeard(woke.score))
        if self._trial is not None:
            return
        if not self._can_take_requests():
            self._outbox.repeat(Part.VAD, Part.TRANSCRIBER)
            return
        self._begin_request(Cue.WOKE)

    def _can_take_requests(self) -> bool:
        return self._hearing.can_endpoint and self._judge.can_recognise

    def _begin_request(self, cue: Cue) -> None:
        """Listen for a request; the person talks over whatever goes on."""
        if self._facts.turn_running or self._facts.speaking or self._facts.asking:
            self._post_interrupt()
        self._judge.give_way()
        self._target = ListenFor.REQUEST
        self._open(ListenFor.REQUEST)
        self._cue(cue)

    # --- state --------------------------------------------------------------------------------

    def _cue(self, cue: Cue) -> None:
        state = after(self._state, cue)
        if cue is Cue.UNDERSTOOD:
            self._handed_over_s = self._hearing.now_s
        if state is VoiceState.IDLE and not (cue is Cue.STOPPED and self._muted):
            state = self._facts.going_on
        self._state = state
        self._retarget()

    def _wanted(self) -> ListenFor:
        at_rest = ListenFor.WAKE_WORD if self._hearing.can_wake else ListenFor.NOTHING
        if self._muted or self._trial is not None:
            return ListenFor.NOTHING if self._muted else at_rest
        if self._state in _HEARS_A_REQUEST:
            return ListenFor.REQUEST
        if self._facts.own_voice(self._hearing.now_s):
            return ListenFor.STOP
        if self._facts.answerable() is not None:
            return ListenFor.ANSWER
        if self._state is not VoiceState.IDLE:
            return ListenFor.STOP
        return at_rest

    def _retarget(self) -> None:
        """Listen for what is wanted now, and tell the state if it is another."""
        wanted = self._wanted()
        if wanted is not self._target:
            self._switch(wanted)
        if (
            wanted in (ListenFor.STOP, ListenFor.ANSWER)
            and self._hearing.listening is None
            and not self._judge.answers.weighing
        ):
            self._open(wanted)
        answer = self._facts.answering(
            listens=wanted is ListenFor.ANSWER,
            weighing=self._judge.answers.weighing,
            held=self._judge.answers.held,
            deaf=self._ready and not (self._microphone.live and self._can_take_requests()),
            aloud=self._settings.speak,
        )
        told = VoiceStateChanged(self._state, self._muted, wanted, self._ready, *answer)
        if told != self._told:
            self._told = told
            self._outbox.put(told)

    def _switch(self, wanted: ListenFor) -> None:
        piece = self._hearing.cut_off() if self._target is ListenFor.STOP else None
        if piece is not None and wanted is ListenFor.ANSWER:
            # A refusal begun while our voice was playing still counts; a yes from there never does.
            self._judge.piece(piece)
        self._judge.drop_trials()
        self._hearing.stop()
        self._target = wanted

    def _open(self, listen_for: ListenFor) -> None:
        timing = timing_for(
            listen_for,
            request_silence_s=self._settings.request_silence_s,
            answer_silence_s=self._settings.answer_silence_s,
        )
        self._hearing.listen(listen_for, timing)

    def _give_up(self) -> None:
        """Stop listening to a person; what still goes on around us decides the state."""
        if self._state in _HEARS_A_REQUEST:
            self._outbox.put(NothingHeard(HeardNothing.CANCELLED, ListenFor.REQUEST))
        self._judge.give_way()
        self._hearing.stop()
        self._cue(Cue.STOPPED)

    def _break_off(self) -> None:
        """The sound broke off in the middle of a request: what was said of it is given back, not acted on."""
        begun = None if self._muted else self._hearing.cut_off()
        self._give_up()
        if begun is not None and begun.listen_for is ListenFor.REQUEST:
            self._judge.give_back(begun)

    def _post_interrupt(self) -> None:
        self._own_interrupt_s = self._clock.monotonic_s()
        self._outbox.put(Interrupt())

    def _stop_everything(self) -> None:
        """A stop word was heard: speech and the running turn end."""
        if self._facts.turn_running or self._facts.speaking:
            self._post_interrupt()
