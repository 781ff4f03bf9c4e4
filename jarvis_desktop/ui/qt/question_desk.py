"""All approval dialogs: one for each open question in each place where a person can answer."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from time import monotonic

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QGuiApplication

from jarvis_desktop.core.items.commands import AnswerQuestion, Command, DecideSaving
from jarvis_desktop.core.items.decisions import Answer, AnsweredBy, Question
from jarvis_desktop.core.items.events import (
    AnswerRefused,
    CoreStopped,
    Event,
    LevelHeard,
    QuestionAsked,
    QuestionSettled,
    SavingEnded,
    SavingOffered,
    TurnStarted,
)
from jarvis_desktop.core.items.ids import QuestionId, WindowId
from jarvis_desktop.core.items.spoken import saving_id
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.picture import Picture
from jarvis_desktop.ui.qt.approval_body import Looks
from jarvis_desktop.ui.qt.approval_dialog import ApprovalDialog, alert
from jarvis_desktop.ui.qt.approval_gate import ARM_S, ApprovalGate
from jarvis_desktop.ui.qt.approval_saving import SavingDialog
from jarvis_desktop.ui.qt.detail_view import get_ready
from jarvis_desktop.ui.qt.theme import Theme
from jarvis_desktop.ui.spoken_picture import SpokenPicture

_STEP_PX = 28
_TITLE_PX, _FRAME_PX = 34, 4
"""What a window manager puts around a dialog, at most."""


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
        self._spoken = SpokenPicture()
        self._ready = False
        """What a first question needs is loaded, or is being loaded."""
        self._dialogs: dict[tuple[QuestionId, WindowId], ApprovalDialog | SavingDialog] = {}

    def take(self, event: Event) -> None:
        """Follow the questions; the picture has taken the event already."""
        self._spoken.take(event)
        if isinstance(event, LevelHeard):
            for dialog in self._dialogs.values():
                dialog.heard(event.level)
            return
        self._take(event)
        for dialog in self._dialogs.values():
            dialog.show_voice(self._spoken)

    def _take(self, event: Event) -> None:
        match event:
            case TurnStarted() if not self._ready:
                self._ready = True
                get_ready()
            case QuestionAsked() | SavingOffered():
                self.sync()
            case QuestionSettled():
                self._close(event.question.question_id)
            case SavingEnded():
                self._close(saving_id(event.question_id))
            case AnswerRefused():
                self._refused(event)
            case CoreStopped():
                self.close_all()
            case _:
                pass

    def sync(self) -> None:
        """All that is open has a dialog in every place; call it when a place comes or goes."""
        places = self._parts.places()
        for question in self._parts.picture.questions.values():
            self._sync(question.question_id, places, partial(self._question_dialog, question))
        saving = self._spoken.saving
        if saving is not None:
            self._sync(saving_id(saving.question_id), places, partial(self._saving_dialog, saving))

    def _sync(
        self,
        topic_id: QuestionId,
        places: tuple[Place, ...],
        make: Callable[[QSize], ApprovalDialog | SavingDialog],
    ) -> None:
        wanted = {place.window_id: place for place in places}
        have = {where for asked, where in self._dialogs if asked == topic_id}
        missing = [window_id for window_id in wanted if window_id not in have]
        for gone in have - wanted.keys():
            dialog = self._dialogs.pop((topic_id, gone))
            if missing:
                # The window went to the tray: its dialog stays as it is and answers for the tray now.
                self._dialogs[topic_id, missing.pop(0)] = dialog
            else:
                self._drop(dialog)
        for window_id in missing:
            self._open((topic_id, window_id), wanted[window_id], make)

    def _open(
        self,
        key: tuple[QuestionId, WindowId],
        place: Place,
        make: Callable[[QSize], ApprovalDialog | SavingDialog],
    ) -> None:
        screen = QGuiApplication.screenAt(place.around.center()) or QGuiApplication.primaryScreen()
        room = screen.availableGeometry().adjusted(0, 0, -2 * _FRAME_PX, -_TITLE_PX - _FRAME_PX)
        dialog = make(room.size())
        self._dialogs[key] = dialog
        dialog.show_voice(self._spoken)
        dialog.place(place.around, _STEP_PX * (len(self._dialogs) - 1), room)
        dialog.show()
        dialog.announce(dialog.accessibleDescription())
        alert(dialog)

    def _question_dialog(self, question: Question, room: QSize) -> ApprovalDialog:
        parts = self._parts
        return ApprovalDialog(
            question,
            Looks(parts.theme, parts.texts, room),
            gate=ApprovalGate(parts.monotonic_s, parts.arm_s),
            now=parts.now,
            answered=self._answered,
        )

    def _saving_dialog(self, question: Question, room: QSize) -> SavingDialog:
        parts = self._parts
        return SavingDialog(
            question,
            Looks(parts.theme, parts.texts, room),
            gate=ApprovalGate(parts.monotonic_s, parts.arm_s),
            now=parts.now,
            decided=self._decided,
        )

    def _answered(self, question: Question, answer: Answer) -> None:
        where, lends = next(
            (
                (window_id, dialog.lends_desktop)
                for (asked, window_id), dialog in self._dialogs.items()
                if asked == question.question_id and isinstance(dialog, ApprovalDialog) and dialog.sent
            ),
            (None, False),
        )
        lent = lends and answer is Answer.ALLOW
        self._parts.send(
            AnswerQuestion(question.question_id, question.digest, answer, AnsweredBy.WINDOW, where, lent)
        )

    def _decided(self, question: Question, save: bool) -> None:  # noqa: FBT001 - a callback with one meaning
        self._parts.send(DecideSaving(question.question_id, question.digest, save, AnsweredBy.WINDOW))

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
        self.close_all()
        self.sync()

    def close_all(self) -> None:
        """The program ends."""
        while self._dialogs:
            self._drop(self._dialogs.popitem()[1])

    @property
    def dialogs(self) -> tuple[ApprovalDialog, ...]:
        """All dialogs of questions, put-away ones included."""
        return tuple(one for one in self._dialogs.values() if isinstance(one, ApprovalDialog))

    @property
    def savings(self) -> tuple[SavingDialog, ...]:
        """All dialogs about a rule that waits for its second yes."""
        return tuple(one for one in self._dialogs.values() if isinstance(one, SavingDialog))

    def _close(self, topic_id: QuestionId) -> None:
        self.disturbed()
        for key in [key for key in self._dialogs if key[0] == topic_id]:
            self._drop(self._dialogs.pop(key))

    def _drop(self, dialog: ApprovalDialog | SavingDialog) -> None:
        dialog.hide()
        dialog.deleteLater()

    def _refused(self, event: AnswerRefused) -> None:
        for (asked, where), dialog in self._dialogs.items():
            ours = asked == event.question_id and event.window_id in (None, where)
            if ours and isinstance(dialog, ApprovalDialog):
                dialog.reopen()
