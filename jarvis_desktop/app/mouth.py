"""Reads answers and questions aloud, from the same events that the window shows."""

from jarvis_desktop.adapters.chimes import LISTENING, TROUBLE
from jarvis_desktop.app.mouth_news import NewsTalk
from jarvis_desktop.app.mouth_saving import SavingTalk
from jarvis_desktop.app.mouth_speaker import MouthParts, Speaker
from jarvis_desktop.app.mouth_utterance import Utterance
from jarvis_desktop.core.items.agents import NO_VOICE_WISH, VoiceWish
from jarvis_desktop.core.items.decisions import AnswerFate, Question
from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.items.events import (
    AnswerRefused,
    AnswerUnclear,
    Event,
    HeardNothing,
    ModelWaiting,
    NothingHeard,
    QuestionAsked,
    QuestionSettled,
    ReplyDelta,
    ReplyMayChange,
    ReplyReplaced,
    SavingEnded,
    SavingOffered,
    TurnEnded,
    TurnStarted,
    VoiceState,
    VoiceStateChanged,
    WakeHeard,
)
from jarvis_desktop.core.items.ids import QuestionId, TurnId
from jarvis_desktop.core.items.slash import SlashAnswered
from jarvis_desktop.core.items.speech import ListenFor
from jarvis_desktop.core.items.turn import Origin, TurnEnd
from jarvis_desktop.core.ports import Emit, Texts
from jarvis_desktop.core.settings import VoiceSettings
from jarvis_desktop.core.voice.question_speech import question_speech
from jarvis_desktop.core.voice.speakable import SentenceReader
from jarvis_desktop.core.voice.spoken_phrase import language_of

PATIENCE_S = 3.0
"""After so long without a word of the model the person is told to wait, once per turn."""
_SHUT_OUT = (AnswerFate.SCREEN_LOCKED, AnswerFate.DESKTOP_LENT)
ONE_CHIME_S = 1.0
"""The wake word and the listening that follows it get one chime together."""


class _SpokenTurn:
    """A turn whose answer is read aloud while it streams."""

    def __init__(self, texts: Texts, wish: VoiceWish) -> None:
        self._texts = texts
        self.wish = wish
        self._reader = SentenceReader(texts)
        self.fed = ""
        self.asked_for_patience = False
        self.waits = False
        """The answer may still become another one: it is read when it is complete."""

    def feed(self, delta: str) -> list[str]:
        self.fed += delta
        return self._reader.feed(delta)

    def flush(self) -> list[str]:
        return self._reader.flush()

    def start_over(self) -> None:
        self._reader, self.fed = SentenceReader(self._texts), ""


class Mouth:
    """Speaks one thing after another; ``cut`` is "stop reading" and no more."""

    def __init__(self, parts: MouthParts, emit: Emit, settings: VoiceSettings) -> None:
        self._parts = parts
        self._settings = settings
        self._speaker = Speaker(parts, emit)
        self._talk = SavingTalk(self._speaker, parts.texts)
        self._news = NewsTalk(self._talk, self._speaker, parts.texts)
        self._turns: dict[TurnId, _SpokenTurn] = {}
        self._question: Question | None = None
        self._unread: Question | None = None
        """A question whose reading was cut while it stays open; it is read again."""
        self._chimed_at_s = -ONE_CHIME_S

    async def run(self) -> None:
        """Speak what arrives, without end."""
        await self._speaker.run()

    def cut(self) -> None:
        """Silence at once: what plays, what waits and what is being synthesised."""
        current = self._speaker.current
        if current is not None and current.question_id is not None:
            self._unread = self._question
        self._talk.forget()
        self._speaker.cut()

    def configure(self, settings: VoiceSettings) -> None:
        """These settings count from now on; with ``speak`` off no more of an answer is read."""
        self._settings = settings
        if settings.speak:
            return
        self._turns.clear()
        self._talk.drop(lambda waiting: waiting.question_id is None)
        if self._speaker.current is not None and self._speaker.current.question_id is None:
            self._speaker.cut_current()

    async def try_out(self, text: str) -> None:
        """The chime and ``text`` are played, whatever the settings say; returns when they were heard or cut.

        Raises:
            UserFixableError: a question is open, and nothing else may be said meanwhile.
            MissingPartError: no voice or no loudspeaker.
        """
        chime = self._parts.chimes.get(LISTENING)
        if chime is not None and chime.pcm:
            await self._parts.loudspeaker.play(chime)
        await self.say(text)

    async def say(self, text: str) -> None:
        """Read ``text`` aloud; returns when it was heard or cut. ``run`` must be running.

        Raises:
            UserFixableError: a question is open, and nothing else may be said meanwhile.
            MissingPartError: no voice or no loudspeaker.
        """
        if self._question is not None:
            raise UserFixableError(
                self._parts.texts("A question is waiting for an answer. Answer it first, then try again.")
            )
        reader = SentenceReader(self._parts.texts)
        said = [self._utterance(sentence) for sentence in (*reader.feed(text), *reader.flush())]
        self._speaker.add(said)
        for utterance in said:
            trouble = await utterance.over
            if trouble is not None:
                raise trouble

    def ask_again(self) -> None:
        """Read the open question once more, since its answer was not understood."""
        if self._question is not None:
            self._read_question(self._question, again=True)

    def on_event(self, event: Event) -> None:
        """React to what happens; returns at once."""
        self._news.on_event(event, may_speak=self._settings.speak and self._question is None)
        match event:
            case QuestionAsked(question, None) if question.spoken and self._settings.speak:
                self._question = question
                self._read_question(question)
            case QuestionSettled(question):
                self._forget(question)
            case WakeHeard():
                self.cut()
                self._chime(LISTENING)
            case VoiceStateChanged(state=state, listen_for=listen_for):
                self._on_voice_state(state, listen_for)
            case NothingHeard(reason, ListenFor.REQUEST):
                if reason in (HeardNothing.UNCLEAR, HeardNothing.TOO_QUIET):
                    self._chime(TROUBLE)
                self._read_unread()
            case _:
                self._on_answer_event(event)

    def _on_answer_event(self, event: Event) -> None:
        match event:
            case AnswerUnclear(question_id) if self._asks(question_id):
                self.ask_again()
            case AnswerRefused(question_id, fate, None) if self._asks(question_id) and fate in _SHUT_OUT:
                self._speaker.add([self._shut_out(question_id, fate)])
            case SavingOffered(question) if question.spoken and self._settings.speak:
                self._talk.offer(question)
            case SavingEnded():
                self._talk.end(event)
            case _:
                self._on_turn_event(event)

    # --- answers -------------------------------------------------------------------------------

    def _on_turn_event(self, event: Event) -> None:
        match event:
            case TurnStarted(turn_id=turn_id, origin=Origin.SPOKEN, card=card) if self._settings.speak:
                wish = NO_VOICE_WISH if card is None else card.voice
                self._turns[turn_id] = _SpokenTurn(self._parts.texts, wish)
            case ReplyMayChange(turn_id) if turn_id in self._turns:
                self._turns[turn_id].waits = True
            case ReplyDelta(turn_id, text):
                self._say_of_turn(turn_id, text)
            case ReplyReplaced(turn_id, text):
                self._replace(turn_id, text)
            case ModelWaiting(turn_id, waited_s) if waited_s >= PATIENCE_S:
                self._ask_for_patience(turn_id)
            case TurnEnded():
                self._end_turn(event)
            case SlashAnswered(aloud=text) if text and self._settings.speak and self._question is None:
                self._speaker.add([self._utterance(text)])
            case _:
                pass

    def _say_of_turn(self, turn_id: TurnId, text: str) -> None:
        turn = self._turns.get(turn_id)
        if turn is not None and not turn.waits:
            self._talk.add(self._utterance(sentence, turn_id) for sentence in turn.feed(text))

    def _replace(self, turn_id: TurnId, text: str) -> None:
        turn = self._turns.get(turn_id)
        if turn is None or turn.waits:
            return
        if not text.startswith(turn.fed):
            self._talk.drop(lambda waiting: waiting.turn_id == turn_id)
            turn.start_over()
        self._say_of_turn(turn_id, text[len(turn.fed) :])

    def _end_turn(self, event: TurnEnded) -> None:
        turn = self._turns.get(event.turn_id)
        if turn is None:
            return
        turn.waits = False
        if event.end is TurnEnd.FAILED:
            self._chime(TROUBLE)
        if event.end is not TurnEnd.INTERRUPTED:
            if not turn.fed:
                self._say_of_turn(event.turn_id, event.text)
            self._talk.add(self._utterance(sentence, event.turn_id) for sentence in turn.flush())
        del self._turns[event.turn_id]

    def _ask_for_patience(self, turn_id: TurnId) -> None:
        turn = self._turns.get(turn_id)
        if turn is not None and not turn.asked_for_patience and not turn.fed:
            turn.asked_for_patience = True
            self._talk.add([self._utterance(self._parts.texts("One moment."), turn_id)])

    def _utterance(self, sentence: str, turn_id: TurnId | None = None) -> Utterance:
        turn = self._turns.get(turn_id) if turn_id is not None else None
        wish = NO_VOICE_WISH if turn is None else turn.wish
        language = language_of(sentence, self._parts.texts.language)
        return Utterance(sentence, language, turn_id=turn_id, wish=wish)

    # --- questions -----------------------------------------------------------------------------

    def _read_question(self, question: Question, *, again: bool = False) -> None:
        """A question goes before all that waits, which is out of date by then."""
        self._unread = None
        self._speaker.drop(lambda _: True)
        speech = question_speech(question, self._parts.texts, again=again)
        # A question that only the screen can show is never told as read, so that no voice can allow it.
        self._speaker.add(
            [
                Utterance(
                    speech.text,
                    self._parts.texts.language,
                    question_id=question.question_id,
                    answerable=not speech.screen_only,
                )
            ]
        )

    def _asks(self, question_id: QuestionId) -> bool:
        return self._question is not None and self._question.question_id == question_id

    def _shut_out(self, question_id: QuestionId, fate: AnswerFate) -> Utterance:
        text = self._parts.texts(
            "The screen is locked, so nothing is allowed by voice or message. Unlock it first, or say deny."
        )
        if fate is AnswerFate.DESKTOP_LENT:
            text = self._parts.texts(
                "A command uses the desktop, so nothing is allowed by voice. Use the buttons, or say deny."
            )
        # Not told as a reading of the question: one that only the screen can allow would become answerable.
        return Utterance(text, self._parts.texts.language, question_id=question_id, answerable=False)

    def _read_unread(self) -> None:
        if self._unread is not None and self._unread is self._question:
            self._read_question(self._unread)

    def _forget(self, question: Question) -> None:
        if self._question is not None and self._question.question_id == question.question_id:
            self._question = self._unread = None
        self._speaker.drop(lambda waiting: waiting.question_id == question.question_id)
        current = self._speaker.current
        if current is not None and current.question_id == question.question_id:
            self._speaker.cut_current()

    # --- chimes --------------------------------------------------------------------------------

    def _on_voice_state(self, state: VoiceState, listen_for: ListenFor) -> None:
        if state is VoiceState.LISTENING and listen_for is ListenFor.REQUEST:
            self._chime(LISTENING)
        elif state in (VoiceState.IDLE, VoiceState.ASKING):
            self._read_unread()

    def _chime(self, name: str) -> None:
        now_s = self._parts.clock.monotonic_s()
        sound = self._parts.chimes.get(name)
        if not self._settings.earcon or sound is None or not sound.pcm:
            return
        if name == LISTENING and now_s - self._chimed_at_s < ONE_CHIME_S:
            return
        self._chimed_at_s = now_s
        self._speaker.chime(sound)
