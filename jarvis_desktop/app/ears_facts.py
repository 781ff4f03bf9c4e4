"""What goes on around the ears, as the events tell it: turns, questions, our own voice."""

from jarvis_desktop.core.items.decisions import Question
from jarvis_desktop.core.items.events import (
    Event,
    QuestionAsked,
    QuestionSettled,
    SpeakingEnded,
    SpeakingStarted,
    TurnEnded,
    TurnStarted,
)
from jarvis_desktop.core.items.ids import QuestionId, TurnId
from jarvis_desktop.core.voice.heard_text import says_wake_phrase
from jarvis_desktop.core.voice.listening import Cue

ECHO_TAIL_S = 0.3
"""Our voice is still in the microphone's pipe this long after the loudspeaker fell silent."""
MAX_LISTENINGS = 20
"""How often an answer is listened for, per question (T-073)."""


class Surroundings:
    """Facts from events; asks nothing and decides nothing."""

    def __init__(self) -> None:
        self._turns: set[TurnId] = set()
        self._questions: dict[QuestionId, Question] = {}
        self._read: set[QuestionId] = set()
        """Questions whose reading has begun and ended."""
        self._reading: set[QuestionId] = set()
        self._listenings: dict[QuestionId, int] = {}
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
    def says_our_name(self) -> bool:
        """Our own voice is saying the wake word right now."""
        return self._spoken_text is not None and says_wake_phrase(self._spoken_text)

    def own_voice(self, now_s: float) -> bool:
        """Sound that arrives now may be our own voice."""
        return self.speaking or now_s < self._silent_from_s

    def refusable(self) -> Question | None:
        """The question that a spoken no may deny: exactly one is open, and it came by voice."""
        only = next(iter(self._questions.values())) if len(self._questions) == 1 else None
        return only if only is not None and only.spoken else None

    def answerable(self) -> Question | None:
        """The question that may be answered by voice now: read aloud, and not listened for too often."""
        question = self.refusable()
        if question is None or self.speaking or question.question_id not in self._read:
            return None
        return question if self._listenings.get(question.question_id, 0) < MAX_LISTENINGS else None

    def count_listening(self, question: Question) -> None:
        """Its answer was listened for once more."""
        self._listenings[question.question_id] = self._listenings.get(question.question_id, 0) + 1

    def close_listening(self, question: Question) -> None:
        """It was answered by voice; what is said until it is settled is no second answer."""
        self._listenings[question.question_id] = MAX_LISTENINGS

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
                return None

    def _settled(self, question_id: QuestionId) -> Cue:
        self._questions.pop(question_id, None)
        self._listenings.pop(question_id, None)
        self._read.discard(question_id)
        self._reading.discard(question_id)
        return Cue.QUESTION_SETTLED

    def _voice(self, event: SpeakingStarted | SpeakingEnded, now_s: float) -> Cue:
        if isinstance(event, SpeakingStarted):
            self._spoken_text = event.text
            if event.question_id is not None:
                self._reading.add(event.question_id)
            return Cue.SPEAKING_STARTED
        self._spoken_text = None
        self._silent_from_s = now_s + ECHO_TAIL_S
        if event.question_id is not None and event.question_id in self._reading:
            self._read.add(event.question_id)
        return Cue.SPEAKING_ENDED
