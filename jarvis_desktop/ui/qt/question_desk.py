"""All approval dialogs: one for each open question in each place where a person can answer."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from time import monotonic

from PySide6.QtCore import QPoint, QRect

from jarvis_desktop.core.items.commands import AnswerQuestion, Command
from jarvis_desktop.core.items.decisions import Answer, AnsweredBy, Question
from jarvis_desktop.core.items.events import (
    AnswerRefused,
    CoreStopped,
    Event,
    LevelHeard,
    QuestionAsked,
    QuestionSettled,
    VoiceState,
    VoiceStateChanged,
)
from jarvis_desktop.core.items.ids import QuestionId, WindowId
from jarvis_desktop.core.items.speech import ListenFor
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.picture import Picture
from jarvis_desktop.ui.qt.approval_dialog import ApprovalDialog, alert
from jarvis_desktop.ui.qt.approval_gate import ARM_S, ApprovalGate
from jarvis_desktop.ui.qt.theme import Theme

_STEP_PX = 28


@dataclass(frozen=True, slots=True)
class Place:
    """Where a dialog belongs: an open window, or the tray."""

    window_id: WindowId
    around: QRect
    """Screen area that the dialog is centred on."""


@dataclass(frozen=True, slots=True)
class DeskParts:
    """What the desk works with."""

    send: Callable[[Command], None]
    theme: Theme
    texts: Texts
    picture: Picture
    places: Callable[[], tuple[Place, ...]]
    """Open windows, or the tray when there are none."""
    now: Callable[[], datetime]
    monotonic_s: Callable[[], float] = monotonic
    arm_s: float = ARM_S


class QuestionDesk:
    """Opens, moves and closes the dialogs; the open questions themselves live in the picture."""

    def __init__(self, parts: DeskParts) -> None:
        self._parts = parts
        self._dialogs: dict[tuple[QuestionId, WindowId], ApprovalDialog] = {}

    def take(self, event: Event) -> None:
        """Follow the questions; the picture has taken the event already."""
        match event:
            case QuestionAsked():
                self.sync()
            case QuestionSettled():
                self._close(event.question.question_id)
            case AnswerRefused():
                self._refused(event)
            case CoreStopped():
                self.close_all()
            case LevelHeard():
                for dialog in self._dialogs.values():
                    dialog.heard(event.level)
            case VoiceStateChanged():
                self._listen(event)
            case _:
                pass

    def sync(self) -> None:
        """Every open question has a dialog in every place; call it when a place comes or goes."""
        places = self._parts.places()
        for question in self._parts.picture.questions.values():
            self._sync(question, places)

    def _sync(self, question: Question, places: tuple[Place, ...]) -> None:
        wanted = {place.window_id: place for place in places}
        have = {where for asked, where in self._dialogs if asked == question.question_id}
        missing = [window_id for window_id in wanted if window_id not in have]
        for gone in have - wanted.keys():
            dialog = self._dialogs.pop((question.question_id, gone))
            if missing:
                # The window went to the tray: its dialog stays as it is and answers for the tray now.
                self._dialogs[question.question_id, missing.pop(0)] = dialog
            else:
                self._drop(dialog)
        for window_id in missing:
            self._open(question, wanted[window_id])

    def _open(self, question: Question, place: Place) -> None:
        parts = self._parts
        dialog = ApprovalDialog(
            question,
            parts.theme,
            parts.texts,
            gate=ApprovalGate(parts.monotonic_s, parts.arm_s),
            now=parts.now,
            answered=self._answered,
        )
        self._dialogs[question.question_id, place.window_id] = dialog
        dialog.adjustSize()
        offset = QPoint(_STEP_PX, _STEP_PX) * (len(self._dialogs) - 1)
        dialog.move(place.around.center() - dialog.rect().center() + offset)
        dialog.show()
        alert(dialog)

    def _answered(self, question: Question, answer: Answer) -> None:
        where = next(
            (
                window_id
                for (asked, window_id), dialog in self._dialogs.items()
                if asked == question.question_id and dialog.sent
            ),
            None,
        )
        self._parts.send(
            AnswerQuestion(question.question_id, question.digest, answer, AnsweredBy.WINDOW, where)
        )

    def recall(self, question_id: QuestionId | None = None) -> None:
        """A person wants to see a question: this one, or the oldest."""
        self.sync()
        for (asked, _), dialog in self._dialogs.items():
            if question_id in (None, asked):
                dialog.recall()
                return

    def disturbed(self) -> None:
        """A window of ours went away; what was still meant for it must not count in a dialog."""
        for dialog in self._dialogs.values():
            dialog.gate.touched()

    def retranslate(self) -> None:
        """Every dialog anew in the language now in force; it has to rest a second again before it counts."""
        picture = self._parts.picture
        self.close_all()
        self.sync()
        self._listen(VoiceStateChanged(picture.voice, muted=picture.muted, listen_for=picture.listen_for))

    def close_all(self) -> None:
        """The program ends."""
        while self._dialogs:
            self._drop(self._dialogs.popitem()[1])

    @property
    def dialogs(self) -> tuple[ApprovalDialog, ...]:
        """All dialogs, put-away ones included."""
        return tuple(self._dialogs.values())

    def _close(self, question_id: QuestionId) -> None:
        self.disturbed()
        for key in [key for key in self._dialogs if key[0] == question_id]:
            self._drop(self._dialogs.pop(key))

    def _drop(self, dialog: ApprovalDialog) -> None:
        dialog.hide()
        dialog.deleteLater()

    def _refused(self, event: AnswerRefused) -> None:
        for (asked, where), dialog in self._dialogs.items():
            if asked == event.question_id and event.window_id in (None, where):
                dialog.reopen()

    def _listen(self, event: VoiceStateChanged) -> None:
        listens = event.state is VoiceState.ASKING and event.listen_for is ListenFor.ANSWER
        for dialog in self._dialogs.values():
            dialog.listening(listens=listens and dialog.question.spoken)
