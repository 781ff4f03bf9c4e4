"""The approval dialog: shows exactly what would run, and counts only what a person surely meant."""

from collections.abc import Callable
from datetime import datetime

from PySide6.QtWidgets import QApplication

from jarvis_desktop.core.items.decisions import Answer, Question
from jarvis_desktop.ui.qt.approval_body import Looks
from jarvis_desktop.ui.qt.approval_gate import ApprovalGate, Stage
from jarvis_desktop.ui.qt.approval_gated import GatedDialog, Press
from jarvis_desktop.ui.qt.approval_sheet import ApprovalSheet
from jarvis_desktop.ui.spoken_picture import SpokenPicture, heard_line, voice_line

_TOLD_S = (60, 30, 10)
"""Screen readers say it when so many seconds are left."""


class ApprovalDialog(GatedDialog):
    """One question. Calls ``answered`` at most once; closing it with the X decides nothing."""

    def __init__(
        self,
        question: Question,
        looks: Looks,
        *,
        gate: ApprovalGate,
        now: Callable[[], datetime],
        answered: Callable[[Question, Answer], None],
    ) -> None:
        super().__init__(gate, looks.texts("Jarvis asks for permission"))
        self.question = question
        self._texts = looks.texts
        self._now = now
        self._answered = answered
        self._sent = False
        self._told_s = float("inf")
        self.sheet = ApprovalSheet(self, question, looks)
        self.allow, self.deny = self.sheet.allow, self.sheet.deny
        self.allow.clicked.connect(lambda: self._decide(Answer.ALLOW, Press.BUTTON))
        self.deny.clicked.connect(lambda: self._decide(Answer.DENY, Press.BUTTON))
        if self.sheet.always is not None:
            self.sheet.always.clicked.connect(lambda: self._decide(Answer.ALWAYS, Press.BUTTON))
        if self.sheet.desktop is not None:
            self.sheet.desktop.toggled.connect(self._toggled_desktop)
        self.guard()

    # --- the decision -------------------------------------------------------------------------

    def _decide(self, answer: Answer, press: Press) -> None:
        if not self.passes(press) or self._sent or self._late():
            self.came_too_early()
            return
        self._sent = True
        self.refresh()
        self._answered(self.question, answer)

    def _toggled_desktop(self, ticked: bool) -> None:  # noqa: FBT001 - Qt's signal
        """The desktop is lent for one call and never by a rule; a tick that comes too early is none."""
        box, always = self.sheet.desktop, self.sheet.always
        if ticked and box is not None and not self.passes(Press.BUTTON):
            box.setChecked(False)
            self.came_too_early()
        if always is not None:
            always.setEnabled(not self.lends_desktop)

    def entered(self) -> None:
        """Enter allows, when it counts."""
        self._decide(Answer.ALLOW, Press.ENTER)

    def escaped(self) -> None:
        """Esc denies, when it counts."""
        self._decide(Answer.DENY, Press.ESCAPE)

    @property
    def sent(self) -> bool:
        """An answer was given here and is on its way."""
        return self._sent

    @property
    def lends_desktop(self) -> bool:
        """The call that is allowed here may use the desktop."""
        return self.sheet.lends_desktop()

    def reopen(self) -> None:
        """The answer was refused while the question is still open; it can be answered again."""
        self._sent = False
        self.came_too_early()

    # --- what it shows ------------------------------------------------------------------------

    def show_voice(self, picture: SpokenPicture) -> None:
        """What voice does with this question now."""
        if self.sheet.voice is not None:
            line = voice_line(picture, self.question, self._texts)
            heard = heard_line(picture, self.question, self._texts)
            new = self.sheet.voice.show_voice(line, heard, listens=picture.listens)
            if new and self.isVisible():
                self.announce(new)

    def heard(self, level: float) -> None:
        """Loudness at the microphone."""
        if self.sheet.voice is not None:
            self.sheet.voice.meter.heard(level)

    def _late(self) -> bool:
        return self._now() >= self.question.deadline_at

    def refresh(self) -> None:
        """Show how far the gate and the time are."""
        # A wall clock that was set back buys no time, so the dialog promises none.
        since = max(self._now(), self.question.asked_at)
        left_s = (self.question.deadline_at - since).total_seconds()
        stage = Stage.INACTIVE if self._sent or left_s <= 0 else self.gate.stage
        new = self.sheet.show_stage(stage, sent=self._sent, enter=self.gate.enter_allows)
        self.sheet.show_left(max(0.0, left_s))
        if new and self.isVisible():
            self.announce(new)
        self._tell_left(left_s)

    def _tell_left(self, left_s: float) -> None:
        passed = [mark for mark in _TOLD_S if left_s <= mark < self._told_s]
        self._told_s = min(self._told_s, left_s)
        if passed and self.isVisible():
            self.announce(self.sheet.seconds.text())


def alert(dialog: GatedDialog) -> None:
    """Make the task bar entry blink; takes no focus."""
    QApplication.alert(dialog, 0)
