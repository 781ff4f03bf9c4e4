"""Suggestions over the input line: keyboard, mouse, Korean input, screen reader."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.core.items.commands import Interrupt, Quit, SubmitTurn
from jarvis_desktop.core.items.events import ConversationOpened, RequestRefused, TurnEnded
from jarvis_desktop.core.items.ids import MAIN_AGENT, TurnId, WindowId
from jarvis_desktop.core.items.slash import (
    AskChoices,
    Choice,
    FocusChanged,
    QuitAsked,
    SlashAnswered,
    SlashChoices,
)
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Origin, TurnEnd
from jarvis_desktop.core.slash.registry import COMMANDS
from jarvis_desktop.ui.qt.slash_completion import SlashCompletion
from tests.ui.conftest import Stage
from tests.ui.samples import NOW, SESSION, TURN, started


@pytest.fixture
def stage(staged: Callable[..., Stage]) -> Stage:
    """A window with the focus in its input line."""
    stage = staged()
    focus(stage)
    return stage


def focus(stage: Stage) -> None:
    stage.window.activateWindow()
    stage.window.composer.field.setFocus()
    QTest.qWaitForWindowActive(stage.window)
    assert stage.window.composer.field.hasFocus()


def write(stage: Stage, text: str) -> None:
    QTest.keyClicks(stage.window.composer.field, text)
    QApplication.processEvents()


def press(stage: Stage, key: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(stage.window.composer.field, key, held)
    QApplication.processEvents()


def compose(stage: Stage, preedit: str, commit: str = "") -> None:
    """What an input method does with one key."""
    event = QInputMethodEvent(preedit, [])
    event.setCommitString(commit)
    QApplication.sendEvent(stage.window.composer.field, event)
    QApplication.processEvents()


def popup(stage: Stage) -> SlashCompletion:
    return stage.window.composer.completion


def rows(stage: Stage) -> list[str]:
    return [choice.text for choice in popup(stage).model.choices] if popup(stage).shown else []


def sent(stage: Stage) -> list[str]:
    return [command.text for command in stage.of(SubmitTurn) if isinstance(command, SubmitTurn)]


def answer(stage: Stage, *choices: Choice, text: str | None = None, window: WindowId | None = None) -> None:
    line = stage.window.composer.text if text is None else text
    stage.take(SlashChoices(window or stage.window.window_id, line, choices))


RULES = (Choice("/rules revoke 1", "revoke 1", "bash: git status"), Choice("/rules undo", "undo"))

# --- what is shown ----------------------------------------------------------------------------


def test_a_slash_shows_every_command_and_letters_narrow_them(stage: Stage) -> None:
    write(stage, "/")
    assert rows(stage) == [f"/{command.name}" for command in COMMANDS]
    write(stage, "m")
    assert rows(stage) == ["/mcp", "/memory", "/model", "/mute"]
    write(stage, "zz")
    assert rows(stage) == []
    press(stage, Qt.Key.Key_Backspace)
    press(stage, Qt.Key.Key_Backspace)
    assert rows(stage) == ["/mcp", "/memory", "/model", "/mute"]


@pytest.mark.parametrize("text", ["hello /help", " /help", "//help", "/etc/hosts", "help"])
def test_nothing_is_suggested_for_what_is_no_command(stage: Stage, text: str) -> None:
    write(stage, text)
    assert rows(stage) == []


def test_the_list_lies_above_the_input_line_inside_the_window(stage: Stage) -> None:
    write(stage, "/")
    window, composer = stage.window, stage.window.composer
    top_left = popup(stage).mapTo(window, QPoint(0, 0))
    bottom = top_left.y() + popup(stage).height()
    assert 0 <= top_left.y() < bottom <= composer.mapTo(window, QPoint(0, 0)).y()
    assert popup(stage).width() == composer.width()
    window.resize(500, 430)
    QApplication.processEvents()
    assert popup(stage).width() == composer.width()
    assert popup(stage).mapTo(window, QPoint(0, 0)).y() >= 0


def test_the_list_never_has_the_focus_and_goes_with_it(stage: Stage) -> None:
    write(stage, "/")
    assert stage.window.composer.field.hasFocus()
    stage.window.composer.button.setFocus()
    QApplication.processEvents()
    assert rows(stage) == []
    focus(stage)
    QApplication.processEvents()
    assert rows(stage) != []


# --- keys -------------------------------------------------------------------------------------


def test_tab_takes_the_marked_row_and_keeps_the_focus(stage: Stage) -> None:
    write(stage, "/he")
    press(stage, Qt.Key.Key_Tab)
    assert (stage.window.composer.text, sent(stage)) == ("/help ", [])
    assert stage.window.composer.field.hasFocus()


def test_arrows_move_around_and_enter_takes_without_sending(stage: Stage) -> None:
    write(stage, "/")
    press(stage, Qt.Key.Key_Up)
    assert popup(stage).current == popup(stage).model.choices[-1]
    press(stage, Qt.Key.Key_Down)
    press(stage, Qt.Key.Key_Down)
    press(stage, Qt.Key.Key_Return)
    assert (stage.window.composer.text, sent(stage)) == (f"/{COMMANDS[1].name} ", [])


def test_a_command_that_is_typed_whole_is_sent_by_one_enter(stage: Stage) -> None:
    write(stage, "/new")
    press(stage, Qt.Key.Key_Return)
    assert (sent(stage), stage.window.composer.text, rows(stage)) == (["/new"], "", [])


def test_enter_never_sends_more_than_was_typed(stage: Stage) -> None:
    write(stage, "/q")
    press(stage, Qt.Key.Key_Return)
    assert (sent(stage), stage.window.composer.text) == ([], "/quit")
    press(stage, Qt.Key.Key_Return)
    assert sent(stage) == ["/quit"]


def test_escape_closes_the_list_only_and_it_stays_closed_for_this_command(stage: Stage) -> None:
    write(stage, "/m")
    press(stage, Qt.Key.Key_Escape)
    assert (rows(stage), stage.window.composer.text, stage.of(Interrupt)) == ([], "/m", [])
    write(stage, "o")
    assert rows(stage) == []
    press(stage, Qt.Key.Key_Return)
    assert sent(stage) == ["/mo"]
    write(stage, "/m")
    assert rows(stage) == ["/mcp", "/memory", "/model", "/mute"]


def test_escape_with_the_list_closed_interrupts_as_ever(stage: Stage) -> None:
    write(stage, "/m")
    press(stage, Qt.Key.Key_Escape)
    press(stage, Qt.Key.Key_Escape)
    assert stage.of(Interrupt) == [Interrupt()]


def test_arrows_walk_through_earlier_commands_without_a_list_in_the_way(stage: Stage) -> None:
    for line in ("/new", "/mute"):
        write(stage, line)
        press(stage, Qt.Key.Key_Return)
    press(stage, Qt.Key.Key_Up)
    assert (stage.window.composer.text, rows(stage)) == ("/mute", [])
    press(stage, Qt.Key.Key_Up)
    assert (stage.window.composer.text, rows(stage)) == ("/new", [])
    press(stage, Qt.Key.Key_Down)
    press(stage, Qt.Key.Key_Down)
    write(stage, "/mu")
    assert rows(stage) == ["/mute"]


def test_without_a_list_tab_goes_on_to_the_next_control(stage: Stage) -> None:
    write(stage, "hello")
    press(stage, Qt.Key.Key_Tab)
    assert not stage.window.composer.field.hasFocus()


def test_shift_enter_and_shift_tab_are_the_lines_own(stage: Stage) -> None:
    write(stage, "/m")
    press(stage, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert (stage.window.composer.text, rows(stage), sent(stage)) == ("/m\n", [], [])


def test_what_was_completed_can_be_undone(stage: Stage) -> None:
    write(stage, "/he")
    press(stage, Qt.Key.Key_Tab)
    press(stage, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert stage.window.composer.text == "/he"


# --- values -----------------------------------------------------------------------------------


def test_behind_a_name_the_core_is_asked_and_its_answer_shown(stage: Stage) -> None:
    write(stage, "/rules ")
    assert stage.of(AskChoices)[-1] == AskChoices("/rules ", stage.window.window_id)
    answer(stage, *RULES)
    assert rows(stage) == ["/rules revoke 1", "/rules undo"]


def test_enter_sends_the_line_as_it_is_until_a_value_was_chosen(stage: Stage) -> None:
    write(stage, "/rules ")
    answer(stage, *RULES)
    press(stage, Qt.Key.Key_Return)
    assert sent(stage) == ["/rules"]
    write(stage, "/rules ")
    answer(stage, *RULES)
    press(stage, Qt.Key.Key_Down)
    press(stage, Qt.Key.Key_Return)
    assert (sent(stage), stage.window.composer.text) == (["/rules"], "/rules revoke 1")


def test_an_answer_that_comes_too_late_or_is_of_another_window_is_dropped(stage: Stage) -> None:
    write(stage, "/rules ")
    answer(stage, *RULES, window=WindowId("other"))
    assert rows(stage) == []
    write(stage, "re")
    answer(stage, *RULES, text="/rules ")
    assert rows(stage) == []


def test_a_value_that_is_whole_needs_no_list(stage: Stage) -> None:
    write(stage, "/rules undo")
    answer(stage, RULES[1])
    assert rows(stage) == []


def test_an_empty_answer_shows_nothing(stage: Stage) -> None:
    write(stage, "/history words")
    answer(stage)
    assert rows(stage) == []


# --- mouse ------------------------------------------------------------------------------------


def test_a_click_takes_a_row_and_leaves_the_cursor_in_the_line(stage: Stage) -> None:
    write(stage, "/m")
    view = popup(stage).list
    place = view.visualRect(popup(stage).model.index(2)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    QApplication.processEvents()
    assert (stage.window.composer.text, sent(stage)) == ("/model ", [])
    assert stage.window.composer.field.hasFocus()


# --- Korean input -----------------------------------------------------------------------------


def test_nothing_is_suggested_while_a_syllable_is_being_composed(stage: Stage) -> None:
    write(stage, "/")
    compose(stage, "ㄷ")
    assert rows(stage) == []
    compose(stage, "도")
    assert rows(stage) == []
    compose(stage, "우", commit="도")
    assert (rows(stage), stage.window.composer.text) == ([], "/도")
    compose(stage, "", commit="우")
    assert rows(stage) == []
    press(stage, Qt.Key.Key_Backspace)
    assert rows(stage) == ["/도움말", "/도구"]


@pytest.mark.parametrize("key", [Qt.Key.Key_Tab, Qt.Key.Key_Down, Qt.Key.Key_Up])
def test_keys_are_the_input_methods_while_it_composes(stage: Stage, key: Qt.Key) -> None:
    write(stage, "/")
    compose(stage, "도")
    press(stage, key)
    assert stage.window.composer.text == "/"


def test_enter_while_composing_sends_what_was_committed_once(stage: Stage) -> None:
    compose(stage, "", commit="/도움")
    compose(stage, "말")
    press(stage, Qt.Key.Key_Return)
    compose(stage, "", commit="말")
    assert (sent(stage), stage.window.composer.text) == (["/도움말"], "")


def test_a_wide_slash_from_a_korean_input_method_suggests_the_same(stage: Stage) -> None:
    compose(stage, "", commit="／새")
    assert rows(stage) == ["/새대화"]
    press(stage, Qt.Key.Key_Tab)
    assert stage.window.composer.text == "/새대화"


# --- screen reader ----------------------------------------------------------------------------


def test_the_list_and_its_rows_have_names_to_listen_to(staged: Callable[..., Stage]) -> None:
    stage = staged(texts=Catalog(Language.KOREAN))
    focus(stage)
    write(stage, "/m")
    view = popup(stage).list
    assert view.accessibleName() == "입력할 수 있는 명령"
    spoken = popup(stage).model.index(2).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.startswith("/model 이름: 어느")


def test_what_appears_and_what_is_marked_is_announced(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []

    def heard(event: object) -> None:
        if isinstance(event, QAccessibleAnnouncementEvent):
            said.append(event.message())

    monkeypatch.setattr(QAccessible, "updateAccessibility", heard)
    write(stage, "/m")
    press(stage, Qt.Key.Key_Down)
    assert said[-2].startswith("4 suggestions. /mcp")
    assert said[-1].startswith("/memory")


# --- the conversation -------------------------------------------------------------------------


def answered(text: str = "/help", words: str = "- `/help` — all", **fields: object) -> SlashAnswered:
    return SlashAnswered(TurnId("c"), SESSION, text, words, Origin.TYPED, NOW, **fields)  # type: ignore[arg-type]


def test_an_answer_stands_in_the_conversation_as_markdown(stage: Stage) -> None:
    stage.take(ConversationOpened(SESSION, MAIN_AGENT, ()), answered())
    (row,) = stage.window.transcript.answers
    assert (row.text, row.view.toPlainText()) == ("- `/help` — all", "/help — all")


def test_a_turn_goes_on_above_the_answer_of_a_command(stage: Stage) -> None:
    stage.take(ConversationOpened(SESSION, MAIN_AGENT, ()), started("hello"), answered())
    assert stage.desktop.picture.turn is not None
    stage.take(TurnEnded(TURN, SESSION, TurnEnd.ANSWERED, "Hi."))
    assert [row.text for row in stage.window.transcript.answers] == ["Hi.", "- `/help` — all"]


def test_an_unknown_command_comes_back_into_the_line(stage: Stage) -> None:
    write(stage, "/hlep")
    press(stage, Qt.Key.Key_Return)
    stage.take(RequestRefused("/hlep", "There is no command /hlep."))
    assert stage.window.composer.text == "/hlep"


def test_a_command_of_another_program_is_not_given_back_here(stage: Stage) -> None:
    stage.take(RequestRefused("/hlep", "There is no command /hlep.", "errand"))
    assert stage.window.composer.text == ""


def test_a_blank_before_a_slash_is_sent_along(stage: Stage) -> None:
    write(stage, "  /help me ")
    press(stage, Qt.Key.Key_Return)
    assert sent(stage) == [" /help me"]


def test_quit_by_command_ends_the_desktop_like_the_menu_does(stage: Stage) -> None:
    stage.take(QuitAsked())
    assert stage.of(Quit) == [Quit()]
    assert not stage.window.isVisible()


def test_focus_is_said_where_the_state_is_said(stage: Stage) -> None:
    stage.take(FocusChanged(on=True, until=NOW))
    assert stage.desktop.picture.focus.on
    stage.take(FocusChanged(on=False))
    assert not stage.desktop.picture.focus.on
