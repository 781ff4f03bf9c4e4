"""What voice does with an open question, for people who only look: how far it is, and what was heard."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from jarvis_desktop.core.items.decisions import AnswerFate, Question
from jarvis_desktop.core.items.events import (
    AnswerRefused,
    AnswerUnclear,
    Event,
    HeardNothing,
    NothingHeard,
    QuestionAsked,
    SavingEnded,
    SavingOffered,
    Transcribed,
    VoiceState,
    VoiceStateChanged,
)
from jarvis_desktop.core.items.ids import QuestionId
from jarvis_desktop.core.items.speech import ListenFor
from jarvis_desktop.core.items.spoken import MAX_LISTENINGS, AnswerStage
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.voice.question_speech import question_speech, saving_speech
from jarvis_desktop.ui.visible_text import one_line

_HEARD_CHARS = 120
_UNCLEAR_CHARS = 30
"""Fewer, so that what to say instead fits beside them."""
_IDLE = VoiceStateChanged(VoiceState.IDLE, muted=False, listen_for=ListenFor.NOTHING)


@dataclass(slots=True)
class SpokenPicture:
    """The voice's side of what is open. ``take`` every event, in order."""

    voice: VoiceStateChanged = _IDLE
    saving: Question | None = None
    """Its rule was read back after a spoken ALWAYS, and waits for a second yes."""
    heard: str = ""
    """The last words that were heard as an answer."""
    nothing: HeardNothing | None = None
    """Why the last listening for an answer ended without words."""
    unclear: set[QuestionId] = field(default_factory=set)
    """One spoken answer to these was neither yes nor no."""
    refused: dict[QuestionId, AnswerFate] = field(default_factory=dict)
    """Why a spoken yes to these was none."""

    unreadable: dict[tuple[QuestionId, bool], bool] = field(default_factory=dict)
    """Whether it cannot be read aloud in full; worked out once for each question."""

    @property
    def listens(self) -> bool:
        """An answer is listened for at this moment."""
        return self.voice.answer is AnswerStage.LISTENING and not self.voice.muted

    def take(self, event: Event) -> None:
        """The picture after ``event``."""
        match event:
            case VoiceStateChanged():
                self.voice = event
            case QuestionAsked(window_id=None):
                self._begin()
            case SavingOffered():
                self._begin()
                self.saving = event.question
            case SavingEnded():
                self.saving = None
            case AnswerRefused(fate=AnswerFate.SCREEN_LOCKED | AnswerFate.DESKTOP_LENT, window_id=None):
                self.refused[event.question_id] = event.fate
            case _:
                self._take_heard(event)

    def _take_heard(self, event: Event) -> None:
        match event:
            case Transcribed() if event.listen_for in (ListenFor.ANSWER, ListenFor.STOP):
                self.heard, self.nothing = event.text, None
            case NothingHeard(listen_for=ListenFor.ANSWER):
                self.nothing = event.reason
            case AnswerUnclear():
                self.unclear.add(event.question_id)
            case _:
                pass

    def _begin(self) -> None:
        self.heard, self.nothing = "", None
        self.unclear.clear()
        self.refused.clear()
        self.unreadable.clear()


def voice_line(picture: SpokenPicture, question: Question, texts: Texts, *, saving: bool = False) -> str:
    """What voice does now, and where only buttons answer, why."""
    voice = picture.voice
    if voice.muted:
        return texts("Not listening, because the microphone is off: answer with the buttons.")
    if voice.state in (VoiceState.LISTENING, VoiceState.TRANSCRIBING):
        return texts("Listening to a new request; this stays open.")
    key = (question.question_id, saving)
    if key not in picture.unreadable:
        picture.unreadable[key] = _screen_only(question, texts, saving=saving)
    if voice.answer not in _SAID and picture.unreadable[key]:
        return _only_the_screen(texts, saving=saving)
    if voice.answer in (AnswerStage.NONE, AnswerStage.WAITING):
        return texts("Reading the rule aloud…") if saving else texts("Speaking the question…")
    return _LINES[voice.answer](texts).format(nth=voice.listening, most=MAX_LISTENINGS)


def heard_line(picture: SpokenPicture, question: Question, texts: Texts) -> str:
    """What was heard last and what it came to; empty while there is nothing to say."""
    refused = picture.refused.get(question.question_id)
    if refused is AnswerFate.SCREEN_LOCKED:
        return texts("A yes by voice does not count while the screen is locked.")
    if refused is not None:
        return texts("A yes by voice does not count while a command uses the desktop.")
    if picture.nothing is not None:
        return _nothing(picture.nothing, texts)
    asked_again = question.question_id in picture.unclear and picture.voice.answer is not AnswerStage.GIVEN
    chars = _UNCLEAR_CHARS if asked_again else _HEARD_CHARS
    said = texts("Heard: “{words}”.").format(words=one_line(picture.heard, chars))
    if asked_again:
        unclear = texts(
            "That was neither yes nor no, so it is asked once more: say “allow it” or “no”, "
            "or use the buttons. If it stays unclear: denied."
        )
        return f"{said} {unclear}" if picture.heard else unclear
    return said if picture.heard else ""


_SAID = (AnswerStage.DEAF, AnswerStage.UNREAD, AnswerStage.GIVEN, AnswerStage.USED_UP)
_LINES: Mapping[AnswerStage, Callable[[Texts], str]] = {
    AnswerStage.LISTENING: lambda texts: texts("Listening {nth} of {most}: say yes or no."),
    AnswerStage.RECOGNISING: lambda texts: texts("Recognising what you said ({nth} of {most})…"),
    AnswerStage.HELD: lambda texts: texts("Heard. It counts in a moment, unless you go on speaking."),
    AnswerStage.GIVEN: lambda texts: texts("Your spoken answer was taken."),
    AnswerStage.USED_UP: lambda texts: texts(
        "Not listening any more, after {most} times: answer with the buttons."
    ),
    AnswerStage.UNREAD: lambda texts: texts(
        "Not listening, because reading aloud is switched off: answer with the buttons."
    ),
    AnswerStage.DEAF: lambda texts: texts(
        "Not listening, because microphone or speech recognition is missing: answer with the buttons."
    ),
}


def _screen_only(question: Question, texts: Texts, *, saving: bool) -> bool:
    if saving:
        return question.offer is None or saving_speech(question.offer, texts).screen_only
    return question_speech(question, texts).screen_only


def _only_the_screen(texts: Texts, *, saving: bool) -> str:
    if saving:
        return texts("The rule is too long or unusual to be read aloud: answer with the buttons.")
    return texts("Too long or unusual to be read aloud: only the buttons can allow it. You can still say no.")


def _nothing(reason: HeardNothing, texts: Texts) -> str:
    return {
        HeardNothing.SILENCE: texts("Nothing was said."),
        HeardNothing.UNCLEAR: texts(
            "Something was heard, but no words for sure: say “allow it” or “no”, or use the buttons."
        ),
        HeardNothing.TOO_QUIET: texts("That was too quiet. Come closer to the microphone."),
        HeardNothing.ECHO: texts("Only Jarvis's own voice was heard."),
        HeardNothing.CANCELLED: texts("The sound broke off, so that nothing counts. Please say it again."),
    }[reason]
