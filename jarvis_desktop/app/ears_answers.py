"""What becomes of a spoken answer: a refusal counts at once, a yes when it was not taken back in time."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass

from jarvis_desktop.app.ears_facts import Surroundings, Topic
from jarvis_desktop.app.ears_hearing import Segment
from jarvis_desktop.app.ears_outbox import Outbox
from jarvis_desktop.app.ears_recognise import Recogniser, SpokenReply
from jarvis_desktop.app.ears_told import Told
from jarvis_desktop.app.ears_trial import Trial
from jarvis_desktop.core.items.commands import AnswerQuestion, DecideSaving
from jarvis_desktop.core.items.decisions import Answer, AnsweredBy
from jarvis_desktop.core.items.events import AnswerUnclear, HeardNothing, NothingHeard
from jarvis_desktop.core.items.speech import ListenFor
from jarvis_desktop.core.voice.spoken_answer import PERMITTING, SpokenLabel, may_ask_back


@dataclass(frozen=True, slots=True)
class _Held:
    """A yes that may still be taken back."""

    topic: Topic
    label: SpokenLabel
    text: str


class Answers:
    """One answer at a time; what the person adds to it in time makes it another answer."""

    def __init__(
        self,
        facts: Surroundings,
        outbox: Outbox,
        told: Told,
        spawn: Callable[[Coroutine[None, None, None]], None],
    ) -> None:
        self._facts = facts
        self._outbox = outbox
        self._told = told
        self._spawn = spawn
        self._trial: Trial[SpokenReply] = Trial()
        self._recognising: asyncio.Task[SpokenReply | None] | None = None
        self._held: _Held | None = None
        self._over = False
        """The time for taking back is over; what is still being recognised counts as soon as it is."""
        self._endless = False
        """They went on speaking when listening ended; what they said is no yes."""
        self._epoch = 0
        """Grows whenever what is being recognised is void."""
        self.on_done: Callable[[], None] = lambda: None
        """Told when an answer came to something; the next one begins afresh."""

    @property
    def weighing(self) -> bool:
        """An answer is being recognised or held; nothing else is taken for one meanwhile."""
        return self._recognising is not None or self._held is not None

    @property
    def held(self) -> bool:
        """A yes was heard, and waits for being taken back."""
        return self._held is not None

    def drop(self) -> None:
        """What is being recognised or held is void."""
        self._epoch += 1
        self._trial.drop()
        if self._recognising is not None:
            self._recognising.cancel()
        self._recognising = self._held = None
        self._over = self._endless = False

    def break_off(self) -> None:
        """The sound broke off: what was said in the gap is unknown, so that no yes from before it counts."""
        topic = self._facts.answerable()
        if self.weighing and topic is not None:
            self.drop()
            self._facts.count_listening(topic)
            self._outbox.put(NothingHeard(HeardNothing.CANCELLED, ListenFor.ANSWER))

    def try_early(self, segment: Segment, recogniser: Recogniser) -> None:
        """A pause that may be the end: recognise what is there."""
        self._trial.begin(lambda: recogniser.answer(segment))

    def lull(self, segment: Segment, recogniser: Recogniser) -> None:
        """The person seems to have said it: act on a refusal, hold a yes."""
        topic = self._facts.answerable()
        if topic is None or self.weighing:
            return
        self._recognising = self._trial.settle(lambda: recogniser.answer(segment))
        self._spawn(self._weighed(segment, topic, self._recognising, self._epoch))

    def ended(self) -> None:
        """The time for taking it back is over."""
        self._over = True
        if self._held is not None:
            self._act(self._held)

    def capped(self, segment: Segment, recogniser: Recogniser) -> None:
        """They talk on and on: what they would still say is not heard, so that this is no yes."""
        self.drop()
        self._over = self._endless = True
        self.lull(segment, recogniser)

    async def _weighed(
        self,
        segment: Segment,
        topic: Topic,
        recognising: asyncio.Task[SpokenReply | None],
        epoch: int,
    ) -> None:
        reply = await recognising
        if epoch != self._epoch:
            return
        self._recognising = None
        if self._facts.answerable() != topic:
            return
        if reply is None or not reply.words.text:
            self._facts.count_listening(topic)
            self._told.nothing(segment, reply.words if reply else None)
            self._done()
            return
        self._told.understood(reply.words, ListenFor.ANSWER)
        permits = reply.label in PERMITTING
        label = SpokenLabel.UNCLEAR if self._endless and permits else reply.label
        self._held = _Held(topic, label, reply.words.text)
        if self._over or label not in PERMITTING:
            self._act(self._held)

    def _act(self, held: _Held) -> None:
        if self._facts.answerable() == held.topic:
            self.give(held.topic, held.label, held.text)
        self._done()

    def _done(self) -> None:
        self.drop()
        self.on_done()

    def give(self, topic: Topic, label: SpokenLabel, text: str = "") -> None:
        """Pass on what was said; a question whose answer was unclear is asked once more.

        So is one that was answered by 네 or 응 alone, which may ask back; said again, it is a yes.
        """
        unclear = label is SpokenLabel.UNCLEAR or (label in PERMITTING and may_ask_back(text))
        if not topic.saving and unclear and self._facts.first_unclear(topic):
            self._facts.count_listening(topic)
            self._outbox.put(AnswerUnclear(topic.question.question_id))
            return
        self._facts.close_listening(topic)
        if topic.saving:
            self._outbox.put(saving(topic, save=label in PERMITTING))
        else:
            self._outbox.put(_spoken(topic, label))


def _spoken(topic: Topic, label: SpokenLabel) -> AnswerQuestion:
    """ALWAYS as it was said: the broker allows once for it and has the rule read back (decision 19)."""
    answer = Answer(label.value) if label in PERMITTING else Answer.DENY
    question = topic.question
    return AnswerQuestion(question.question_id, question.digest, answer, AnsweredBy.VOICE)


def saving(topic: Topic, *, save: bool) -> DecideSaving:
    """Whether the rule that was read back is saved."""
    return DecideSaving(topic.question.question_id, topic.question.digest, save)
