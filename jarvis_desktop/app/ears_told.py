"""What the ears tell of words they heard, and of sound that held none."""

from jarvis_desktop.app.ears_hearing import Segment
from jarvis_desktop.app.ears_outbox import Outbox
from jarvis_desktop.app.ears_recognise import HeardWords
from jarvis_desktop.core.items.events import HeardNothing, NothingHeard, Part, Transcribed
from jarvis_desktop.core.items.speech import ListenFor
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.voice.loudness import FAINT_DBFS, dbfs

FAINT_TOLD = 3
"""This many faint utterances in a row: the microphone is too quiet, and the person should know."""


class Told:
    """Tells it, and notes how often it was too quiet."""

    def __init__(self, outbox: Outbox, texts: Texts) -> None:
        self._outbox = outbox
        self._texts = texts
        self._faint = 0

    def understood(self, heard: HeardWords, listen_for: ListenFor) -> None:
        """These words were heard."""
        self._note_faint(faint=False)
        self._outbox.put(Transcribed(heard.text, heard.language, listen_for))

    def nothing(self, segment: Segment, heard: HeardWords | None) -> None:
        """Sound without words that count, and why."""
        reason = HeardNothing.UNCLEAR
        if dbfs(segment.sound.pcm) < FAINT_DBFS:
            reason = HeardNothing.TOO_QUIET
        elif heard is not None and heard.echo:
            reason = HeardNothing.ECHO
        self._note_faint(faint=reason is HeardNothing.TOO_QUIET)
        self._outbox.put(NothingHeard(reason, segment.listen_for))

    def _note_faint(self, *, faint: bool) -> None:
        if faint:
            self._faint += 1
            if self._faint >= FAINT_TOLD:  # again: the language may be another one
                text = self._texts(
                    "The microphone is very quiet. Turn up its level in the system's sound settings."
                )
                self._outbox.note(Part.MICROPHONE, text)
            return
        if self._faint >= FAINT_TOLD:
            self._outbox.note(Part.MICROPHONE, None)
        self._faint = 0
