"""What an approval dialog shows, without any say in what counts."""

from math import ceil

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QDialog, QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from jarvis_desktop.core.items.decisions import Question, Shown
from jarvis_desktop.ui import offer_words, words
from jarvis_desktop.ui.picture import Face
from jarvis_desktop.ui.qt.approval_body import (
    Body,
    Looks,
    answer_button,
    seconds_label,
    show_waiting,
    wrapped_label,
)
from jarvis_desktop.ui.qt.approval_gate import Stage
from jarvis_desktop.ui.qt.approval_offer import OfferBox
from jarvis_desktop.ui.qt.approval_tail import tail_view
from jarvis_desktop.ui.qt.approval_voice import VoiceBox
from jarvis_desktop.ui.qt.detail_view import DetailView
from jarvis_desktop.ui.qt.icons import pixmap
from jarvis_desktop.ui.qt.rows import plain_label
from jarvis_desktop.ui.visible_text import Care, visible

_HEAD_LINES = 12
_LEAST_LINES = 3
"""On a small screen; with less nobody could read on."""
_SOON_S = 15.0


class ApprovalSheet:
    """The dialog's content: agent, tool, folder, detail, reason, time, and the buttons."""

    def __init__(self, dialog: QDialog, question: Question, looks: Looks) -> None:
        """What does not fit the room scrolls; the buttons never do."""
        self._dialog = dialog
        self._looks = looks
        self._theme, self._texts = theme, texts = looks.theme, looks.texts
        self._question = question
        self._stage: tuple[Stage, bool, bool] | None = None
        self._inside_px = looks.inside_px
        column = looks.column(dialog)
        self.offer = self._offer_box()
        self.always: QPushButton | None = None
        column.addLayout(self._top())
        self.body = Body(texts, cramped=looks.cramped)
        self._fill_body()
        column.addWidget(self.body)
        self.voice: VoiceBox | None = None
        if question.spoken:
            self.voice = VoiceBox(theme, texts)
            column.addWidget(self.voice)
        column.addSpacing(2)
        column.addLayout(self._bottom())
        dialog.setFixedWidth(looks.width_px)
        self.show_left((question.deadline_at - question.asked_at).total_seconds())
        dialog.setAccessibleDescription(f"{words.headline(question, texts)}. {words.why(question, texts)}")
        self._fit(column)

    def _fit(self, column: QVBoxLayout) -> None:
        """Fewer lines first, then no ALWAYS, then scrolling: what it saves must be in view (decision 14)."""

        def too_high_px() -> int:
            self.body.grow(self._inside_px)
            column.invalidate()
            return column.totalHeightForWidth(self._looks.width_px) - self._looks.room.height()

        lines, over_px = _HEAD_LINES, too_high_px()
        while over_px > 0 and lines > _LEAST_LINES:
            lines -= 1
            self._show_lines(lines)
            over_px = too_high_px()
        if over_px > 0 and self.offer is not None:
            self._withhold_always()
            over_px = too_high_px()
        if over_px > 0:
            self.body.shrink(over_px)
            column.invalidate()

    def _withhold_always(self) -> None:
        if self.offer is not None and self.always is not None:
            self.offer.hide()
            self.always.hide()
            self.offer = self.always = None
            self.withheld = wrapped_label(
                self._texts(
                    "“Always allow” is not offered: what it saves would not be in view on this screen."
                ),
                "gateHint",
            )
            self.body.column.addWidget(self.withheld)

    def _top(self) -> QHBoxLayout:
        icon = QLabel()
        icon.setPixmap(pixmap(Face.ASKING.value, 38, ratio=self._dialog.devicePixelRatioF()))
        headline = plain_label(words.headline(self._question, self._texts), "headline")
        font = headline.font()
        font.setPointSizeF(font.pointSizeF() * 1.25)
        headline.setFont(font)
        headline.setWordWrap(True)
        why = plain_label(words.why(self._question, self._texts), "why")
        why.setWordWrap(True)
        lines = QVBoxLayout()
        lines.setSpacing(3)
        lines.addWidget(headline)
        lines.addWidget(why)
        self.seconds = seconds_label(self._texts)
        row = QHBoxLayout()
        row.setSpacing(14)
        row.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(lines, 1)
        row.addWidget(self.seconds, 0, Qt.AlignmentFlag.AlignTop)
        return row

    def _facts(self) -> QGridLayout:
        texts, question = self._texts, self._question
        grid = QGridLayout()
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(4)
        facts = (
            (texts("Agent"), words.agents(question, texts)),
            (texts("Tool"), visible(question.call.name, Care.COMMAND)),
            (texts("Folder"), words.place(question.cwd)),
            (texts("Length"), words.size(question.detail, texts)),
        )
        beside = 2 if self.offer is not None or self.body.cramped else 1
        for index, (name, value) in enumerate(facts):
            row, column = index // beside, index % beside * 2
            grid.addWidget(plain_label(name, "factName"), row, column)
            label = plain_label(value, "fact")
            label.setWordWrap(True)
            label.setAccessibleName(f"{name}: {value}")
            grid.addWidget(label, row, column + 1)
            grid.setColumnStretch(column + 1, 1)
        return grid

    def _fill_body(self) -> None:
        texts, question = self._texts, self._question
        self._whole = words.detail(question)
        names = {Shown.COMMAND: texts("Command"), Shown.DIFF: texts("Change"), Shown.TEXT: texts("Arguments")}
        self.detail = DetailView(self._whole, question.shown, self._theme.colours, most_lines=_HEAD_LINES)
        self.detail.setAccessibleName(names[question.shown])
        self._tail_at = QVBoxLayout()
        self._tail_at.setSpacing(self.body.column.spacing())
        self.tail: DetailView | None = None
        self.desktop = self._desktop_box()
        self.body.column.addLayout(self._facts())
        self.body.column.addWidget(self.detail)
        self.body.column.addLayout(self._tail_at)
        for part in (self.offer, self.desktop):
            if part is not None:
                self.body.column.addWidget(part)
        self._show_lines(_HEAD_LINES)

    def _show_lines(self, most: int) -> None:
        # The end of a long command must be seen without scrolling: "… && rm -rf ~" likes to sit there.
        self.detail.show_at_most(most)
        if self.detail.fit(self._inside_px) or self.tail is not None:
            return
        self.tail = tail_view(self._whole, self._question.shown, self._theme.colours, self._inside_px)
        self.tail.setAccessibleName(self._texts("The end of it"))
        self._tail_at.addWidget(
            plain_label(self._texts("Scroll above for everything. It ends like this:"), "gateHint")
        )
        self._tail_at.addWidget(self.tail)

    def _desktop_box(self) -> QCheckBox | None:
        if not self._question.desktop:
            return None
        box = QCheckBox(
            self._texts("Let it see and control the desktop this once: screen, keyboard, mouse, sound")
        )
        box.setToolTip(
            self._texts("For this once. Meanwhile it can see and press everything, and voice allows nothing.")
        )
        box.setAccessibleDescription(box.toolTip())
        box.setAccessibleIdentifier("approval.desktop")
        box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return box

    def _offer_box(self) -> OfferBox | None:
        """What ALWAYS would save; None where nothing is offered or not all of it would be in view."""
        offer = offer_words.offer(self._question)
        if offer is None:
            return None
        box = OfferBox(offer, self._looks)
        return box if box.whole else None

    def _bottom(self) -> QHBoxLayout:
        texts = self._texts
        self.hint = plain_label("", "gateHint")
        self.hint.setWordWrap(True)
        self.hint.setFixedHeight(2 * self.hint.fontMetrics().lineSpacing() + 2)
        self.deny = answer_button(texts("Deny"), "deny", "approval.deny")
        self.allow = answer_button(texts("Allow"), "primary", "approval.allow")
        if self.offer is not None:
            self.always = answer_button(texts("Always allow"), "always", "approval.always")
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addWidget(self.hint, 1)
        for button in (self.deny, self.always, self.allow):
            if button is not None:
                row.addWidget(button)
        return row

    def lends_desktop(self) -> bool:
        """The box is ticked."""
        return self.desktop is not None and self.desktop.isChecked()

    def show_stage(self, stage: Stage, *, sent: bool, enter: bool) -> str:
        """Say what a press would do now; the text comes back when there was another one before."""
        if self._stage == (stage, sent, enter):
            return ""
        first = self._stage is None
        self._stage = (stage, sent, enter)
        texts = self._texts
        if sent:
            hint = texts("Your answer is on its way…")
        elif stage is Stage.ARMED:
            hint = (
                texts("Enter allows, Esc denies.")
                if enter
                else texts("Esc denies. Tab leads to the buttons.")
            )
        elif stage is Stage.ARMING:
            hint = texts("One moment, so that nothing is pressed by accident…")
        else:
            hint = texts("Click here first. This window does not take your keyboard by itself.")
        self.hint.setText(hint)
        for button in (self.allow, self.deny, self.always):
            if button is not None:
                show_waiting(button, hint, waiting=sent or stage is not Stage.ARMED)
        return "" if first else hint

    def show_left(self, left_s: float) -> None:
        """Say how long there is to answer."""
        text = self._texts("{seconds} s left").format(seconds=ceil(left_s))
        if left_s <= 0:
            text = self._texts("Time is up")
        if text == self.seconds.text():
            return
        self.seconds.setText(text)
        self.seconds.setAccessibleName(self._texts("Time to answer: {left}").format(left=text))
        soon = left_s <= _SOON_S
        if self.seconds.property("soon") != soon:
            self.seconds.setProperty("soon", soon)
            self.seconds.style().polish(self.seconds)
