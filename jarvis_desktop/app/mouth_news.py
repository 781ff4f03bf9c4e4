"""Reads out what came by itself, and lets go of it as soon as the person wants something."""

from jarvis_desktop.app.mouth_saving import SavingTalk
from jarvis_desktop.app.mouth_speaker import Speaker
from jarvis_desktop.app.mouth_utterance import Utterance
from jarvis_desktop.core.items.events import Event, TurnEnded, TurnStarted
from jarvis_desktop.core.items.goals import GoalSpoke
from jarvis_desktop.core.items.ids import TurnId
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.voice.speakable import SentenceReader
from jarvis_desktop.core.voice.spoken_phrase import language_of


class NewsTalk:
    """Never speaks while a person is being answered; all of it stands in the window."""

    def __init__(self, talk: SavingTalk, speaker: Speaker, texts: Texts) -> None:
        self._talk, self._speaker, self._texts = talk, speaker, texts
        self._answering: set[TurnId] = set()
        """Turns of the person that run, spoken or typed."""
        self._news: set[TurnId] = set()

    def on_event(self, event: Event, *, may_speak: bool) -> None:
        """Speak, or be silent; returns at once. ``may_speak``: reading is on, and nothing is being asked."""
        match event:
            case TurnStarted(turn_id):
                self._answering.add(turn_id)
                self._hush()
            case TurnEnded(turn_id):
                self._answering.discard(turn_id)
            case GoalSpoke(turn_id=turn_id, aloud=text) if text and may_speak and not self._answering:
                self._news.add(turn_id)
                self._talk.add(self._sentences(turn_id, text))
            case _:
                pass

    def _hush(self) -> None:
        self._talk.drop(lambda waiting: waiting.turn_id in self._news)
        if self._speaker.current is not None and self._speaker.current.turn_id in self._news:
            self._speaker.cut_current()
        self._news.clear()

    def _sentences(self, turn_id: TurnId, text: str) -> list[Utterance]:
        reader = SentenceReader(self._texts)
        return [
            Utterance(one, language_of(one, self._texts.language), turn_id=turn_id)
            for one in (*reader.feed(text), *reader.flush())
        ]
