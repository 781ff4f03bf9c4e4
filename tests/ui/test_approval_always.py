"""ALWAYS in the approval dialog: offered with everything it means in view, and armed like the rest."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit

from jarvis_desktop.core.items.decisions import Answer, Question, RuleOffer, Shown
from jarvis_desktop.core.items.rules import RuleLine
from jarvis_desktop.ui import offer_words
from jarvis_desktop.ui.qt.approval_body import Looks
from jarvis_desktop.ui.qt.approval_dialog import ApprovalDialog
from jarvis_desktop.ui.qt.approval_gate import ApprovalGate
from jarvis_desktop.ui.qt.theme import Theme
from tests.fakes.texts import PlainTexts
from tests.ui.conftest import Time
from tests.ui.samples import OFFER, OFFERED, QUESTION

SCREEN_PX = 768 - 40
"""A small screen, without its panel and the window's title."""


@dataclass
class Shop:
    """Makes dialogs that are shown, and keeps their answers."""

    theme: Theme
    time: Time = field(default_factory=Time)
    answers: list[Answer] = field(default_factory=list)
    made: list[ApprovalDialog] = field(default_factory=list)

    def show(self, question: Question) -> ApprovalDialog:
        dialog = ApprovalDialog(
            question,
            Looks(self.theme, PlainTexts()),
            gate=ApprovalGate(self.time.monotonic_s),
            now=self.time.now,
            answered=lambda _question, answer: self.answers.append(answer),
        )
        self.made.append(dialog)
        dialog.adjustSize()
        dialog.show()
        QApplication.sendEvent(dialog, QEvent(QEvent.Type.WindowDeactivate))
        return dialog

    def come_forward(self, dialog: ApprovalDialog) -> None:
        self.time.passed_s += 5
        QTest.mouseClick(dialog.sheet.hint, Qt.MouseButton.LeftButton)
        QApplication.sendEvent(dialog, QEvent(QEvent.Type.WindowActivate))


@pytest.fixture
def shop(qapp: QApplication) -> Iterator[Shop]:
    made = Shop(Theme(qapp, "light"))
    yield made
    for dialog in made.made:
        dialog.hide()
        dialog.deleteLater()
    made.theme.deleteLater()


def offering(*lines: RuleLine, **changes: object) -> Question:
    return replace(QUESTION, offer=replace(OFFER, lines=lines or OFFER.lines, **changes))  # type: ignore[arg-type]  # test shorthand


def texts_of(dialog: ApprovalDialog) -> str:
    labels = [label.text() for label in dialog.findChildren(QLabel)]
    return "\n".join([*labels, *(view.toPlainText() for view in dialog.findChildren(QPlainTextEdit))])


@pytest.mark.promise("T-057", "T-059")
def test_always_is_there_only_where_a_rule_is_proposed(shop: Shop) -> None:
    always = shop.show(OFFERED).sheet.always
    assert always is not None
    assert (always.text(), always.accessibleIdentifier()) == ("Always allow", "approval.always")
    assert shop.show(QUESTION).sheet.always is None
    assert "Always" not in texts_of(shop.show(QUESTION))


@pytest.mark.promise("T-091")
def test_the_exact_rules_their_file_and_examples_of_both_kinds_are_in_view(shop: Shop) -> None:
    dialog = shop.show(
        offering(RuleLine("bash", "git status"), RuleLine("bash", "npm test"), project_decides=True)
    )
    shown = texts_of(dialog)
    for text in (
        "“Always allow” saves this in approvals/main.yaml:",
        "bash: git status\nbash: npm test",
        "Runs without asking then",
        "\n".join(OFFER.passes),
        "Still asks",
        "\n".join(OFFER.asks),
        "From then on this runs without asking, whatever words follow, also to change or remove files.",
        "The rule covers whatever the project's own file says, also when that file changes.",
    ):
        assert text in shown


@pytest.mark.promise("T-057")
def test_always_passes_the_same_gate_as_every_other_button(shop: Shop) -> None:
    dialog = shop.show(OFFERED)
    always = dialog.sheet.always
    assert always is not None

    def press() -> None:
        QTest.mouseClick(always, Qt.MouseButton.LeftButton)
        always.click()  # what an accessibility press calls

    press()
    shop.time.passed_s += 30
    press()
    shop.come_forward(dialog)
    press()
    shop.time.passed_s += 0.9
    press()
    assert (shop.answers, always.property("waiting")) == ([], True)
    shop.time.passed_s += 1
    press()
    press()
    assert shop.answers == [Answer.ALWAYS]


def test_enter_still_allows_once_and_reaches_always_only_through_its_focus(shop: Shop) -> None:
    dialog = shop.show(OFFERED)
    shop.come_forward(dialog)
    shop.time.passed_s += 1
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    focused = shop.show(OFFERED)
    shop.come_forward(focused)
    shop.time.passed_s += 1
    assert focused.sheet.always is not None
    focused.sheet.always.setFocus()
    QTest.keyClick(focused.sheet.always, Qt.Key.Key_Return)
    assert shop.answers == [Answer.ALLOW, Answer.ALWAYS]


@pytest.mark.parametrize(
    "offer",
    [
        replace(OFFER, lines=(RuleLine("bash", "git \u202estatus"),)),
        replace(OFFER, lines=(RuleLine("bash", "\u0441url x"),)),
        replace(OFFER, file="approvals/m\u0430in.yaml"),
        replace(OFFER, lines=(RuleLine("write_file", "/srv/" + "x" * 3000 + "/*"),)),
    ],
)
def test_always_is_withheld_where_its_rule_cannot_be_shown_just_as_it_is(
    shop: Shop, offer: RuleOffer
) -> None:
    assert shop.show(replace(QUESTION, offer=offer)).sheet.always is None


def test_examples_of_a_folder_rule_show_where_they_differ(shop: Shop) -> None:
    folder = "/home/kim/사진/2026"
    dialog = shop.show(
        offering(
            RuleLine("write_file", f"{folder}/*"),
            passes=(f"{folder}/a.md",),
            asks=(f"{folder}/deeper/a.md", "/elsewhere/a.md"),
        )
    )
    shown = texts_of(dialog)
    assert f"write_file: {folder}/*" in shown
    assert "…/2026/a.md" in shown
    assert "…/2026/deeper/a.md\n/elsewhere/a.md" in shown
    assert "files in this folder are written without asking" in shown


def test_a_whole_tool_is_said_in_words() -> None:
    whole = replace(OFFER, lines=(RuleLine("web_fetch", "*"),), passes=("web_fetch: any call",), asks=())
    texts = PlainTexts()
    assert offer_words.passes(whole, texts) == ("every call of web_fetch",)
    assert offer_words.warnings(whole, texts) == (
        "From then on every call of this tool runs without asking.",
    )


def test_a_long_change_with_a_rule_to_show_still_fits_a_small_screen(shop: Shop) -> None:
    diff = "--- a\n+++ b\n" + "+x = 1\n" * 200
    question = replace(OFFERED, detail=diff, shown=Shown.DIFF, spoken=True)
    dialog = shop.show(question)
    assert dialog.sheet.tail is not None
    assert dialog.height() <= SCREEN_PX
