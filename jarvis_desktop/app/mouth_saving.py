"""Reads back the rule of a spoken ALWAYS, and keeps everything else from being said until it is decided."""

from collections.abc import Callable, Iterable

from jarvis_desktop.app.mouth_speaker import Speaker
from jarvis_desktop.app.mouth_utterance import Utterance
from jarvis_desktop.core.items.decisions import Question
from jarvis_desktop.core.items.events import SavingEnded
from jarvis_desktop.core.items.ids import QuestionId
from jarvis_desktop.core.items.spoken import saving_id
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.voice.question_speech import saving_speech


class SavingTalk:
    """Stands between the mouth and its speaker: nothing heard while our voice plays could save a rule."""

    def __init__(self, speaker: Speaker, texts: Texts) -> None:
        self._speaker = speaker
        self._texts = texts
        self._open: QuestionId | None = None
        """The question whose rule was read back."""
        self._held: list[Utterance] = []

    def add(self, utterances: Iterable[Utterance]) -> None:
        """Say these, when no rule is being decided about."""
        if self._open is None:
            self._speaker.add(utterances)
        else:
            self._held.extend(utterances)

    def offer(self, question: Question) -> None:
        """Read the rule back, or say that it cannot be read."""
        if question.offer is None:
            return
        speech = saving_speech(question.offer, self._texts)
        if not speech.screen_only:
            self._open = question.question_id
        read = None if speech.screen_only else saving_id(question.question_id)
        self._speaker.add([self._said(speech.text, read)])

    def end(self, event: SavingEnded) -> None:
        """It is decided: say so where something was saved or failed, and go on."""
        if self._open != event.question_id:
            return
        read, held = saving_id(event.question_id), self._held
        self.forget()
        self._speaker.drop(lambda waiting: waiting.question_id == read)
        current = self._speaker.current
        if current is not None and current.question_id == read:
            self._speaker.cut_current()
        if event.saved:
            self._speaker.add([self._said(self._texts("The rule is saved."))])
        elif event.problem:
            self._speaker.add([self._said(self._texts("The rule could not be saved."))])
        self._speaker.add(held)

    def forget(self) -> None:
        """Nothing is held back any more, and what was is never said."""
        self._open, self._held = None, []

    def drop(self, is_unwanted: Callable[[Utterance], bool]) -> None:
        """Never say what waits and is unwanted."""
        self._held = [waiting for waiting in self._held if not is_unwanted(waiting)]
        self._speaker.drop(is_unwanted)

    def _said(self, text: str, question_id: QuestionId | None = None) -> Utterance:
        return Utterance(text, self._texts.language, question_id=question_id)
