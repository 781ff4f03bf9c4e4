"""What goes on around the ears, as the events tell it: turns, questions, our own voice."""

from dataclasses import dataclass

from jarvis_desktop.core.items.decisions import AnswerFate, Question
from jarvis_desktop.core.items.events import (
    AnswerRefused,
    Event,
    QuestionAsked,
    QuestionSettled,
    SavingEnded,
    SavingOffered,
    SpeakingEnded,
    SpeakingStarted,
    TurnEnded,
    TurnStarted,
    VoiceState,
)
from jarvis_desktop.core.items.ids import QuestionId, TurnId
from jarvis_desktop.core.items.slash import FocusChanged
from jarvis_desktop.core.items.spoken import MAX_LISTENINGS, AnswerStage, saving_id
from jarvis_desktop.core.voice.heard_text import says_wake_phrase
from jarvis_desktop.core.voice.listening import Cue, settled

ECHO_TAIL_S = 0.15
"""Our voice is in the microphone's pipe this long after the loudspeaker fell silent, which is told about
0.1 s after the last audible sound. What of it comes later was going on when listening began, and the
endpointer takes that for nobody's answer. 0.3 s let people wait 0.3 s (experiments/bench_dialog.py)."""


@dataclass(frozen=True, slots=True)
class Topic:
    """What a spoken answer would be about."""

    question: Question
    saving: bool = False
    """Its call was allowed by a spoken ALWAYS; what is open is whether the rule is saved."""

    @property
    def topic_id(self) -> QuestionId:
        """The id under which it is read aloud."""
        question_id = self.question.question_id
        return saving_id(question_id) if self.saving else question_id


class Surroundings:
    """Facts from events; asks nothing and decides nothing."""

    def __init__(self) -> None:
        self._turns: set[TurnId] = set()
        self._questions: dict[QuestionId, Question] = {}
        self._saving: Question | None = None
        """Its rule was read back, or is about to be."""
        self._read: set[QuestionId] = set()
        """Questions whose reading has begun and ended."""
        self._reading: set[QuestionId] = set()
        self._listenings: dict[QuestionId, int] = {}
        self._closed: set[QuestionId] = set()
        """Answered by voice; what is said until they are settled is no second answer."""
        self._unclear: set[QuestionId] = set()
        """One answer to these was neither yes nor no."""
        self._in_focus = False
        self._spoken_text: str | None = None
        """What our voice is saying; None while it is silent."""
        self._silent_from_s = 0.0

    @property
    def turn_running(self) -> bool:
        """At least one turn is being worked on."""
        return bool(self._turns)

    @property
    def speaking(self) -> bool:
        """Something leaves our loudspeaker."""
        return self._spoken_text is not None

    @property
    def asking(self) -> bool:
        """At least one question is open."""
        return bool(self._questions)

    @property
    def going_on(self) -> VoiceState:
        """The state while nobody is being heard."""
        return settled(asking=self.asking, speaking=self.speaking, turn_running=self.turn_running)

    @property
    def unheeded(self) -> bool:
        """Nobody is to be woken: our own voice says the wake word right now, or the person is in focus."""
        own = self._spoken_text is not None and says_wake_phrase(self._spoken_text)
        return own or self._in_focus

    def own_voice(self, now_s: float) -> bool:
        """Sound that arrives now may be our own voice."""
        return self.speaking or now_s < self._silent_from_s

    def refusable(self) -> Topic | None:
        """What a spoken no may deny: exactly one question is open, and it came by voice."""
        if not self._questions:
            # A rule that was never read back, or not yet, must not take a "stop" for itself.
            rule = self.saving
            return rule if rule is not None and rule.topic_id in self._reading else None
        only = next(iter(self._questions.values())) if len(self._questions) == 1 else None
        return Topic(only) if only is not None and only.spoken else None

    def answerable(self) -> Topic | None:
        """What may be answered by voice now: read aloud, and not listened for too often."""
        topic = self.refusable()
        if topic is None or self.speaking or topic.topic_id not in self._read:
            return None
        open_ = topic.topic_id not in self._closed and self._count(topic) < MAX_LISTENINGS
        return topic if open_ else None

    def answering(
        self, *, listens: bool, weighing: bool, held: bool, deaf: bool, aloud: bool
    ) -> tuple[int, AnswerStage]:
        """Which listening for an answer this is (0: none), and how far a spoken answer is.

        listens: an answer is listened for now; weighing: one is being recognised; held: a yes may be taken
        back; deaf: nothing can be heard; aloud: questions are read aloud here.
        """
        topic = self.refusable() if self._questions else self.saving
        if topic is None:
            return 0, AnswerStage.NONE
        unread = not aloud and topic.topic_id not in self._read
        reasons = (
            (topic.topic_id in self._closed, AnswerStage.GIVEN),
            (self._count(topic) >= MAX_LISTENINGS, AnswerStage.USED_UP),
            (deaf, AnswerStage.DEAF),
            (unread, AnswerStage.UNREAD),
            (not listens, AnswerStage.WAITING),
            (held, AnswerStage.HELD),
            (weighing, AnswerStage.RECOGNISING),
        )
        answer = next((reason for holds, reason in reasons if holds), AnswerStage.LISTENING)
        return (self._count(topic) + 1 if listens else 0), answer

    @property
    def saving(self) -> Topic | None:
        """The rule that waits for its second yes."""
        return None if self._saving is None else Topic(self._saving, saving=True)

    def count_listening(self, topic: Topic) -> None:
        """Its answer was listened for once more."""
        self._listenings[topic.topic_id] = self._count(topic) + 1

    def close_listening(self, topic: Topic) -> None:
        """It was answered by voice; what is said until it is settled is no second answer."""
        self._closed.add(topic.topic_id)

    def first_unclear(self, topic: Topic) -> bool:
        """Whether this unclear answer is the first to it; the second denies (decision 17)."""
        first = topic.topic_id not in self._unclear
        self._unclear.add(topic.topic_id)
        return first

    def _count(self, topic: Topic) -> int:
        return self._listenings.get(topic.topic_id, 0)

    def note(self, event: Event, now_s: float) -> Cue | None:
        """The cue that an event gives; None for events that do not concern the ears."""
        match event:
            case TurnStarted():
                self._turns.add(event.turn_id)
                return Cue.TURN_STARTED
            case TurnEnded():
                self._turns.discard(event.turn_id)
                return Cue.TURN_ENDED
            case QuestionAsked():
                self._questions[event.question.question_id] = event.question
                return Cue.QUESTION_ASKED
            case QuestionSettled():
                return self._settled(event.question.question_id)
            case SpeakingStarted() | SpeakingEnded():
                return self._voice(event, now_s)
            case _:
                self._note_answers(event)
                return None

    def _note_answers(self, event: Event) -> None:
        match event:
            case FocusChanged(on):
                self._in_focus = on
            case AnswerRefused(fate=AnswerFate.SCREEN_LOCKED | AnswerFate.DESKTOP_LENT):
                # A no still counts, and a yes after unlocking, or when the desktop is given back.
                self._closed.discard(event.question_id)
            case SavingOffered():
                self._saving = event.question
            case SavingEnded() if self._saving and self._saving.question_id == event.question_id:
                self._saving = None
                self._forget(saving_id(event.question_id))
            case _:
                pass

    def _settled(self, question_id: QuestionId) -> Cue:
        self._questions.pop(question_id, None)
        self._forget(question_id)
        return Cue.QUESTION_SETTLED

    def _forget(self, topic_id: QuestionId) -> None:
        self._listenings.pop(topic_id, None)
        for known in (self._read, self._reading, self._closed, self._unclear):
            known.discard(topic_id)

    def _voice(self, event: SpeakingStarted | SpeakingEnded, now_s: float) -> Cue:
        if isinstance(event, SpeakingStarted):
            self._spoken_text = event.text
            if event.question_id is not None:
                self._reading.add(event.question_id)
            return Cue.SPEAKING_STARTED
        self._spoken_text = None
        self._silent_from_s = now_s + ECHO_TAIL_S
        # Who heard half of a question has not heard what it asks; the mouth reads it again.
        if event.question_id is not None and event.question_id in self._reading and not event.cut:
            self._read.add(event.question_id)
        return Cue.SPEAKING_ENDED
