"""The part of an approval dialog that says what ALWAYS saves; it has no say in what counts."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QVBoxLayout

from jarvis_desktop.core.items.decisions import RuleOffer, Shown
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui import offer_words
from jarvis_desktop.ui.qt.approval_body import Looks, wrapped_label
from jarvis_desktop.ui.qt.detail_view import DetailView
from jarvis_desktop.ui.qt.rows import plain_label

_MOST_LINES = 8
_NO_FRAME_PX = 9
"""Examples stand without the frame that a detail has."""
_PADDING_PX = 14
_GAP_PX = 10


class OfferBox(QFrame):
    """The exact rule lines and their file, examples of either kind, and what to mind."""

    def __init__(self, offer: RuleOffer, looks: Looks) -> None:
        super().__init__()
        texts = looks.texts
        self.setObjectName("offer")
        self.setAccessibleName(texts("What “Always allow” saves"))
        self._colours = looks.theme.colours
        self.whole = True
        """Everything can be read without scrolling; otherwise ALWAYS is not offered."""
        inside_px = looks.inside_px - 2 * _PADDING_PX
        column = QVBoxLayout(self)
        above_px = 5 if looks.cramped else 11
        column.setContentsMargins(_PADDING_PX, above_px, _PADDING_PX, above_px)
        column.setSpacing(3 if looks.cramped else 7)
        column.addWidget(wrapped_label(offer_words.heading(offer, texts), "offerText"))
        rules = self._code(offer_words.lines(offer), inside_px)
        rules.setAccessibleName(texts("Rule"))
        column.addWidget(rules)
        column.addLayout(self._examples(offer, texts, inside_px))
        for warning in offer_words.warnings(offer, texts):
            column.addWidget(wrapped_label(warning, "offerWarning"))

    def _examples(self, offer: RuleOffer, texts: Texts, width_px: int) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(_GAP_PX)
        grid.setVerticalSpacing(1)
        kinds = (
            (texts("Runs without asking then"), offer_words.passes(offer, texts)),
            (texts("Still asks"), offer_words.asks(offer)),
        )
        for column, (name, examples) in enumerate(kinds):
            grid.setColumnStretch(column, 1)
            if examples:
                view = self._code(examples, (width_px - _GAP_PX) // 2, "offerExamples")
                view.setFixedHeight(view.height() - _NO_FRAME_PX)
                view.setAccessibleName(name)
                grid.addWidget(plain_label(name, "offerKind"), 0, column)
                grid.addWidget(view, 1, column, Qt.AlignmentFlag.AlignTop)
        return grid

    def _code(self, lines: tuple[str, ...], width_px: int, name: str = "detail") -> DetailView:
        # A label wraps between words only, and would cut a long path off at the side.
        view = DetailView("\n".join(lines), Shown.TEXT, self._colours, most_lines=_MOST_LINES)
        view.setObjectName(name)
        self.whole = view.fit(width_px) and self.whole
        return view
