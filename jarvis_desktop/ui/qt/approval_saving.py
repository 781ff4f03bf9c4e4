"""The second question of a spoken ALWAYS, for people who look: save the rule that was read back, or not."""

from collections.abc import Callable
from datetime import datetime, timedelta
from math import ceil

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from jarvis_desktop.core.items.decisions import Question
from jarvis_desktop.core.policy.late_saving import SAVE_WITHIN_S
from jarvis_desktop.ui import offer_words, words
from jarvis_desktop.ui.picture import Face
from jarvis_desktop.ui.qt.approval_body import Body, Looks, answer_button, seconds_label, show_waiting
from jarvis_desktop.ui.qt.approval_gate import ApprovalGate, Stage
from jarvis_desktop.ui.qt.approval_gated import GatedDialog, Press
from jarvis_desktop.ui.qt.approval_offer import OfferBox
from jarvis_desktop.ui.qt.approval_voice import VoiceBox
from jarvis_desktop.ui.qt.icons import pixmap
from jarvis_desktop.ui.qt.rows import plain_label
from jarvis_desktop.ui.spoken_picture import SpokenPicture, heard_line, voice_line


class SavingDialog(GatedDialog):
    """One rule. Calls ``decided`` at most once; closing it with the X decides nothing."""

    def __init__(
        self,
        question: Question,
        looks: Looks,
        *,
        gate: ApprovalGate,
        now: Callable[[], datetime],
        decided: Callable[[Question, bool], None],
    ) -> None:
        """question: it is settled; its call was allowed for this once."""
        self._texts = texts = looks.texts
        super().__init__(gate, texts("Save this rule?"))
        self.question = question
        self._now = now
        self._decided = decided
        self._until = now() + timedelta(seconds=SAVE_WITHIN_S)
        self.sent = False
        self.voice = VoiceBox(looks.theme, texts)
        self.hint = plain_label("", "gateHint")
        self.seconds = seconds_label(texts)
        self.keep_out = answer_button(texts("Do not save"), "deny", "saving.no")
        self.save = self._lay_out(looks)
        self.keep_out.clicked.connect(lambda: self._decide(save=False, press=Press.BUTTON))
        if self.save is not None:
            self.save.clicked.connect(lambda: self._decide(save=True, press=Press.BUTTON))
        self.guard()

    def _lay_out(self, looks: Looks) -> QPushButton | None:
        """The button that saves; what it saves must be in view, all of it (decision 14)."""
        column = looks.column(self)
        column.addLayout(self._top())
        body = Body(looks.texts, cramped=looks.cramped)
        offer, whole = offer_words.offer(self.question), False
        if offer is not None:
            box = OfferBox(offer, looks)
            body.column.addWidget(box)
            whole = box.whole
        body.grow(looks.inside_px)
        column.addWidget(body)
        column.addWidget(self.voice)
        bottom = self._bottom()
        column.addLayout(bottom)
        self.setFixedWidth(looks.width_px)
        over_px = column.totalHeightForWidth(looks.width_px) - looks.room.height()
        if over_px > 0:
            body.shrink(over_px)
        if over_px > 0 or not whole:
            return None
        save = answer_button(looks.texts("Save the rule"), "primary", "saving.yes")
        bottom.addWidget(save)
        return save

    def _top(self) -> QHBoxLayout:
        texts = self._texts
        icon = QLabel()
        icon.setPixmap(pixmap(Face.ASKING.value, 38, ratio=self.devicePixelRatioF()))
        headline = plain_label(texts("Save this rule?"), "headline")
        font = headline.font()
        font.setPointSizeF(font.pointSizeF() * 1.25)
        headline.setFont(font)
        why = plain_label(
            texts(
                "You said always. {what} was allowed this once; the rule is saved only by a second yes."
            ).format(what=words.short_call(self.question)),
            "why",
        )
        why.setWordWrap(True)
        self.setAccessibleDescription(why.text())
        lines = QVBoxLayout()
        lines.setSpacing(3)
        lines.addWidget(headline)
        lines.addWidget(why)
        row = QHBoxLayout()
        row.setSpacing(14)
        row.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(lines, 1)
        row.addWidget(self.seconds, 0, Qt.AlignmentFlag.AlignTop)
        return row

    def _bottom(self) -> QHBoxLayout:
        self.hint.setWordWrap(True)
        self.hint.setFixedHeight(2 * self.hint.fontMetrics().lineSpacing() + 2)
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addWidget(self.hint, 1)
        row.addWidget(self.keep_out)
        return row

    def _decide(self, *, save: bool, press: Press) -> None:
        if not self.passes(press) or self.sent:
            self.came_too_early()
            return
        self.sent = True
        self.refresh()
        self._decided(self.question, save)

    def escaped(self) -> None:
        """Esc saves nothing, when it counts."""
        self._decide(save=False, press=Press.ESCAPE)

    def show_voice(self, picture: SpokenPicture) -> None:
        """What voice does with this rule now."""
        line = voice_line(picture, self.question, self._texts, saving=True)
        heard = heard_line(picture, self.question, self._texts)
        new = self.voice.show_voice(line, heard, listens=picture.listens)
        if new and self.isVisible():
            self.announce(new)

    def heard(self, level: float) -> None:
        """Loudness at the microphone."""
        self.voice.meter.heard(level)

    def refresh(self) -> None:
        """Show how far the gate and the time are."""
        texts, left_s = self._texts, (self._until - self._now()).total_seconds()
        text = texts("{seconds} s left").format(seconds=ceil(left_s)) if left_s > 0 else texts("Time is up")
        if text != self.seconds.text():
            self.seconds.setText(text)
            self.seconds.setAccessibleName(texts("Time to answer: {left}").format(left=text))
        hint = self._hint(self.gate.stage)
        if hint == self.hint.text():
            return
        first = not self.hint.text()
        self.hint.setText(hint)
        for button in (self.keep_out, self.save):
            if button is not None:
                show_waiting(button, hint, waiting=self.sent or not self.gate.armed)
        if not first:
            self.announce(hint)

    def _hint(self, stage: Stage) -> str:
        texts = self._texts
        if self.sent:
            return texts("Your answer is on its way…")
        if stage is Stage.ARMED and self.save is None:
            return texts("Not all of it is in view, so a click cannot save it. Esc saves nothing.")
        if stage is Stage.ARMED:
            return texts("Esc saves nothing.")
        if stage is Stage.ARMING:
            return texts("One moment, so that nothing is pressed by accident…")
        return texts("Click here first. This window does not take your keyboard by itself.")
