"""What an approval dialog shows, without any say in what counts."""

from math import ceil

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from jarvis_desktop.core.items.decisions import Question, Shown
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui import offer_words, words
from jarvis_desktop.ui.picture import Face
from jarvis_desktop.ui.qt.approval_gate import Stage
from jarvis_desktop.ui.qt.approval_offer import OfferBox
from jarvis_desktop.ui.qt.detail_view import DetailView
from jarvis_desktop.ui.qt.header import LevelMeter
from jarvis_desktop.ui.qt.icons import pixmap
from jarvis_desktop.ui.qt.rows import plain_label
from jarvis_desktop.ui.qt.theme import Theme
from jarvis_desktop.ui.visible_text import Care, visible

WIDTH_PX = 640
_HEAD_LINES = 12
_HEAD_LINES_WITH_OFFER = 6
"""With a rule to show as well, the buttons must still be on a screen of 768 lines."""
_TAIL_CHARS = 220
_TAIL_LINES = 3
_SOON_S = 15.0


class ApprovalSheet:
    """The dialog's content: agent, tool, folder, detail, reason, time, and the buttons."""

    def __init__(self, dialog: QDialog, question: Question, theme: Theme, texts: Texts) -> None:
        self._dialog = dialog
        self._theme = theme
        self._texts = texts
        self._question = question
        self._stage: tuple[Stage, bool, bool] | None = None
        column = QVBoxLayout(dialog)
        column.setContentsMargins(24, 20, 24, 18)
        column.setSpacing(12)
        self.offer = self._offer_box()
        column.addLayout(self._top())
        column.addLayout(self._facts())
        self._add_detail(column)
        if self.offer is not None:
            column.addWidget(self.offer)
        column.addLayout(self._spoken())
        column.addSpacing(2)
        column.addLayout(self._bottom())
        dialog.setFixedWidth(WIDTH_PX)
        dialog.setAccessibleDescription(words.headline(question, texts))

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
        self.seconds = plain_label("", "seconds")
        self.seconds.setAccessibleName(self._texts("Seconds left to answer"))
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
            (texts("Agent"), words.agent_name(question.agent_id, texts)),
            (texts("Tool"), visible(question.call.name, Care.COMMAND)),
            (texts("Folder"), words.place(question.cwd)),
            (texts("Length"), words.size(question.detail, texts)),
        )
        beside = 2 if self.offer is not None else 1
        for index, (name, value) in enumerate(facts):
            row, column = index // beside, index % beside * 2
            grid.addWidget(plain_label(name, "factName"), row, column)
            label = plain_label(value, "fact")
            label.setWordWrap(True)
            label.setAccessibleName(f"{name}: {value}")
            grid.addWidget(label, row, column + 1)
            grid.setColumnStretch(column + 1, 1)
        return grid

    def _add_detail(self, column: QVBoxLayout) -> None:
        texts, question = self._texts, self._question
        whole = words.detail(question)
        names = {Shown.COMMAND: texts("Command"), Shown.DIFF: texts("Change"), Shown.TEXT: texts("Arguments")}
        most = _HEAD_LINES if self.offer is None else _HEAD_LINES_WITH_OFFER
        self.detail = DetailView(whole, question.shown, self._theme.colours, most_lines=most)
        self.detail.setAccessibleName(names[question.shown])
        column.addWidget(self.detail)
        self.tail: DetailView | None = None
        if self.detail.fit(WIDTH_PX - 48):
            return
        # The end of a long command must be seen without scrolling: "… && rm -rf ~" likes to sit there.
        self.tail = DetailView(_tail(whole), question.shown, self._theme.colours, most_lines=_TAIL_LINES + 1)
        self.tail.setAccessibleName(texts("The end of it"))
        self.tail.fit(WIDTH_PX - 48)
        column.addWidget(plain_label(texts("Scroll above for everything. It ends like this:"), "gateHint"))
        column.addWidget(self.tail)

    def _offer_box(self) -> OfferBox | None:
        """What ALWAYS would save; None where nothing is offered or not all of it would be in view."""
        offer = offer_words.offer(self._question)
        if offer is None:
            return None
        box = OfferBox(offer, self._theme.colours, self._texts, width_px=WIDTH_PX - 48)
        return box if box.whole else None

    def _spoken(self) -> QHBoxLayout:
        self._voice = plain_label(self._texts("You can also answer by voice: say yes or no."), "listening")
        self.meter = LevelMeter(self._theme, self._texts)
        self._voice.setVisible(self._question.spoken)
        self.meter.hide()
        row = QHBoxLayout()
        row.addWidget(self._voice, 1)
        row.addWidget(self.meter)
        return row

    def _bottom(self) -> QHBoxLayout:
        self.hint = plain_label("", "gateHint")
        self.hint.setWordWrap(True)
        self.deny = self._button(self._texts("Deny"), "deny", "approval.deny")
        self.allow = self._button(self._texts("Allow"), "primary", "approval.allow")
        self.always: QPushButton | None = None
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addWidget(self.hint, 1)
        row.addWidget(self.deny)
        if self.offer is not None:
            self.always = self._button(self._texts("Always allow"), "always", "approval.always")
            row.addWidget(self.always)
        row.addWidget(self.allow)
        return row

    def _button(self, text: str, kind: str, identifier: str) -> QPushButton:
        # Plain buttons: QDialogButtonBox makes its first accepting button the default when shown.
        button = QPushButton(text)
        button.setProperty("kind", kind)
        button.setAutoDefault(False)
        button.setDefault(False)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAccessibleName(text)
        button.setAccessibleIdentifier(identifier)
        button.setMinimumWidth(104)
        return button

    def show_stage(self, stage: Stage, *, sent: bool, enter: bool) -> None:
        """Say what a press would do now."""
        if self._stage == (stage, sent, enter):
            return
        self._stage = (stage, sent, enter)
        texts = self._texts
        if sent:
            hint = texts("Your answer is on its way…")
        elif stage is Stage.ARMED:
            hint = texts("Enter allows, Esc denies.") if enter else texts("Esc denies.")
        elif stage is Stage.ARMING:
            hint = texts("One moment, so that nothing is pressed by accident…")
        else:
            hint = texts("Click here first. This window does not take your keyboard by itself.")
        self.hint.setText(hint)
        for button in (self.allow, self.deny, self.always):
            if button is None:
                continue
            button.setProperty("waiting", sent or stage is not Stage.ARMED)
            button.style().polish(button)

    def show_left(self, left_s: float) -> None:
        """Say how long there is to answer."""
        text = self._texts("{seconds} s left").format(seconds=ceil(left_s))
        if left_s <= 0:
            text = self._texts("Time is up")
        if text == self.seconds.text():
            return
        self.seconds.setText(text)
        soon = left_s <= _SOON_S
        if self.seconds.property("soon") != soon:
            self.seconds.setProperty("soon", soon)
            self.seconds.style().polish(self.seconds)

    def show_listening(self, *, listens: bool) -> None:
        """Say whether a spoken answer would be heard."""
        self.meter.setVisible(listens)
        self._voice.setText(
            self._texts("Listening: say yes or no.")
            if listens
            else self._texts("You can also answer by voice: say yes or no.")
        )


def _tail(text: str) -> str:
    lines = text.rstrip("\n").split("\n")[-_TAIL_LINES:]
    tail = "\n".join(lines)
    return tail if len(tail) <= _TAIL_CHARS else f"…{tail[-_TAIL_CHARS:]}"
