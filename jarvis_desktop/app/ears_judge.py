"""What becomes of a stretch of speech: a request, an answer, a stop word or nothing."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager

from jarvis_desktop.app.ears_answers import Answers, saving
from jarvis_desktop.app.ears_facts import Surroundings, Topic
from jarvis_desktop.app.ears_hearing import Segment
from jarvis_desktop.app.ears_outbox import Outbox
from jarvis_desktop.app.ears_parts import EarsWiring
from jarvis_desktop.app.ears_recognise import HeardWords, Recogniser
from jarvis_desktop.app.ears_told import Told
from jarvis_desktop.app.ears_trial import Trial, bounded
from jarvis_desktop.core.items.commands import SubmitTurn
from jarvis_desktop.core.items.events import (
    ActivityKind,
    ActivityNoted,
    HeardNothing,
    NothingHeard,
    RequestRefused,
)
from jarvis_desktop.core.items.speech import Language, ListenFor
from jarvis_desktop.core.items.turn import Origin
from jarvis_desktop.core.ports import Transcriber
from jarvis_desktop.core.settings import VoiceSettings
from jarvis_desktop.core.voice.answer_model import AnswerReader
from jarvis_desktop.core.voice.listening import Cue
from jarvis_desktop.core.voice.spoken_answer import (
    SpokenLabel,
    is_plain_refusal,
    is_stop,
)

MAX_PIECES = 2
"""Stop words wait in no longer row than this behind our own echo being recognised."""


class Judge:
    """Recognises segments beside the sound, and says what they come to."""

    def __init__(
        self, facts: Surroundings, outbox: Outbox, settings: VoiceSettings, wiring: EarsWiring
    ) -> None:
        self._facts = facts
        self._outbox = outbox
        self._wiring = wiring
        self._texts = wiring.texts
        self._languages = tuple(Language(one) for one in settings.languages)
        self._reader = AnswerReader(wiring.model, wiring.clock)
        self._recogniser: Recogniser | None = None
        self._requests: Trial[HeardWords] = Trial()
        self._tasks: set[asyncio.Task[None]] = set()
        self._pieces = 0
        self._epoch = 0
        """Grows whenever something else is listened for; results from before are void."""
        self._told = Told(outbox, wiring.texts)
        self.answers = Answers(facts, outbox, self._told, self._spawn)
        """Spoken answers to what is open."""
        self.clock_offset_s = 0.0
        """Add to stream time for ``Clock.monotonic_s``."""
        self.on_request_done: Callable[[Cue], None] = lambda _cue: None
        """Told UNDERSTOOD or NOTHING."""
        self.on_stop: Callable[[], None] = lambda: None
        """Told when a stop word was heard."""

    @property
    def can_recognise(self) -> bool:
        """Speech recognition is there."""
        return self._recogniser is not None

    def equip(self, transcriber: Transcriber | None) -> None:
        """Recognise with this one from now on."""
        hint = self._texts.language if self._recogniser is None else self._recogniser.hint
        self._recogniser = None
        if transcriber is not None:
            self._recogniser = Recogniser(transcriber, self._languages, self._strip, self._reader.read)
            self._recogniser.hint = hint

    def understand(self, languages: Iterable[str]) -> None:
        """People speak these languages from now on."""
        self._languages = tuple(Language(one) for one in languages)
        if self._recogniser is not None:
            self._recogniser.languages = self._languages
            if self._recogniser.hint not in self._languages:
                self._recogniser.hint = None

    @asynccontextmanager
    async def working(self) -> AsyncIterator[None]:
        """Recognitions that are still running at the end are ended."""
        try:
            yield
        finally:
            self.drop_trials()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    # --- beginnings ---------------------------------------------------------------------------

    def drop_trials(self) -> None:
        """What is being recognised for a request or an answer is void."""
        self._epoch += 1
        self._requests.drop()
        self.answers.drop()

    def give_way(self) -> None:
        """Something else is listened for: besides, a rule that was read back is not saved."""
        self.drop_trials()
        if self._facts.saving is not None:
            self._outbox.put(saving(self._facts.saving, save=False))

    def try_early(self, segment: Segment) -> None:
        """A pause that may be the end: recognise what is there."""
        recogniser = self._recogniser
        if recogniser is None:
            return
        if segment.listen_for is ListenFor.REQUEST:
            self._requests.begin(lambda: recogniser.request(segment))
        else:
            self.answers.try_early(segment, recogniser)

    def request(self, segment: Segment, *, capped: bool) -> None:
        """The request is over."""
        if capped:
            text = self._texts("That was longer than I can take at once. I took what I had heard so far.")
            self._outbox.put(ActivityNoted(ActivityKind.VOICE, text, self._wiring.clock.now()))
        self._spawn(self._finish_request(segment, self._epoch))

    def answer(self, segment: Segment) -> None:
        """The answer to the open question seems to be over."""
        if self._recogniser is not None:
            self.answers.lull(segment, self._recogniser)

    def answer_without_end(self, segment: Segment) -> None:
        """The answer goes on for longer than is listened."""
        if self._recogniser is not None:
            self.answers.capped(segment, self._recogniser)

    def piece(self, segment: Segment) -> None:
        """Something was said while only stop and refusal words count."""
        if self._recogniser is not None and self._pieces < MAX_PIECES:
            self._pieces += 1
            self._spawn(self._finish_piece(segment, self._facts.refusable()))

    def give_back(self, segment: Segment) -> None:
        """The sound broke off in a request: its words come back as text, for a "not" may be missing."""
        if self._recogniser is not None:
            self._spawn(self._finish_broken(segment, self._recogniser))

    def silence(self, listen_for: ListenFor) -> None:
        """Nobody spoke in time."""
        self._outbox.put(NothingHeard(HeardNothing.SILENCE, listen_for))
        topic = self._facts.answerable()
        if listen_for is ListenFor.REQUEST:
            self.on_request_done(Cue.NOTHING)
        elif topic is not None and topic.saving:
            self.answers.give(topic, SpokenLabel.UNCLEAR)
        elif topic is not None:
            self._facts.count_listening(topic)

    # --- ends ---------------------------------------------------------------------------------

    async def _finish_request(self, segment: Segment, epoch: int) -> None:
        heard = await self._heard_request(segment)
        if epoch != self._epoch:
            return
        if heard is None or not heard.text:
            self._told.nothing(segment, heard)
            self.on_request_done(Cue.NOTHING)
        elif is_stop(heard.text):  # "hey jarvis, stop": the wake word has stopped everything already
            self._outbox.put(NothingHeard(HeardNothing.CANCELLED, ListenFor.REQUEST))
            self.on_request_done(Cue.NOTHING)
        else:
            if self._recogniser is not None:
                self._recogniser.hint = heard.language
            self._told.understood(heard, ListenFor.REQUEST)
            self._outbox.put(SubmitTurn(heard.text, Origin.SPOKEN))
            self.on_request_done(Cue.UNDERSTOOD)

    async def _finish_broken(self, segment: Segment, recogniser: Recogniser) -> None:
        heard = await bounded(recogniser.request(segment))
        if heard is not None and heard.text:
            reason = self._texts(
                'The microphone went away in the middle of a sentence. What was heard is kept: "{text}". '
                "Finish it by typing, or say it again."
            )
            self._outbox.put(RequestRefused(heard.text, reason.format(text=heard.text)))

    async def _heard_request(self, segment: Segment) -> HeardWords | None:
        recogniser = self._recogniser
        if recogniser is None:
            return None
        return await self._requests.settle(lambda: recogniser.request(segment))

    async def _finish_piece(self, segment: Segment, topic: Topic | None) -> None:
        try:
            heard = await bounded(self._piece_words(segment))
        finally:
            self._pieces -= 1
        if heard is None or not heard.text:
            return
        if topic is not None and self._facts.refusable() == topic:
            if is_plain_refusal(heard.text) or is_stop(heard.text):
                self._told.understood(heard, ListenFor.STOP)
                self.answers.give(topic, SpokenLabel.DENY)
        elif is_stop(heard.text):
            self._told.understood(heard, ListenFor.STOP)
            self.on_stop()

    async def _piece_words(self, segment: Segment) -> HeardWords | None:
        return await self._recogniser.piece(segment) if self._recogniser is not None else None

    # --- small things ---------------------------------------------------------------------------

    def _strip(self, words: str, ended_at_s: float) -> str:
        return self._wiring.guard.strip(words, ended_at_s + self.clock_offset_s)

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
