"""Situations around windows and dialogs, line by line, with the real broker behind them."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit

from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.commands import AnswerQuestion
from jarvis_desktop.core.items.decisions import Answer, QuestionEnd
from jarvis_desktop.core.items.events import AnswerRefused, Event, QuestionAsked, QuestionSettled
from jarvis_desktop.core.items.rules import RuleLine
from jarvis_desktop.core.policy.broker import APPROVAL_TIMEOUT_S
from jarvis_desktop.core.turn.tool_runner import DENIED, NOBODY, TIMED_OUT
from tests.ui.conftest import Stage as Windows
from tests.ui.room import Room, activity, buttons_by_default, comes_forward, rests, sees
from tests.unit.policy.asking import REQUEST

Staged = Callable[..., Windows]


# --- windows ------------------------------------------------------------------------------------


@pytest.mark.promise("T-068")
async def test_x16_with_no_window_open_a_call_is_denied_at_once_and_says_why(staged: Staged) -> None:
    room = Room(staged(start_hidden=True))
    running = await room.begin("make")
    assert running.done()
    assert (running.result().text, running.result().status) == (NOBODY, ResultStatus.DENIED)
    assert (room.core.clock.monotonic_s(), room.core.seen(QuestionAsked), room.visible()) == (0.0, [], [])
    assert room.bash.ran == []


@pytest.mark.promise("T-068", "T-069")
async def test_x17_when_the_last_window_goes_the_open_question_is_denied_at_once(staged: Staged) -> None:
    room = Room(staged())
    second = room.windows.desktop.open_window()
    running = await room.begin("make")
    second.hide()
    await room.pump()
    assert (running.done(), room.visible()) == (False, ["make"])
    room.windows.window.hide()
    await room.pump()
    assert running.done()
    assert (running.result().text, running.result().status) == (NOBODY, ResultStatus.DENIED)
    assert [event.settled.end for event in room.core.seen(QuestionSettled)] == [QuestionEnd.WITHDRAWN]
    assert (room.core.clock.monotonic_s(), room.dialogs, room.bash.ran) == (0.0, (), [])


@pytest.mark.promise("T-067")
async def test_x19_a_window_that_comes_back_shows_none_of_ten_answered_questions(staged: Staged) -> None:
    room = Room(staged())
    for number in range(10):
        running = await room.begin(f"make {number}")
        await room.answer(Answer.ALLOW if number % 2 else Answer.DENY)
        assert running.done()
    asked = len(room.core.seen(QuestionAsked))
    room.windows.window.hide()
    await room.pump()
    room.windows.window.show()
    late = room.windows.desktop.open_window()
    await room.pump()
    assert (asked, len(room.core.seen(QuestionAsked))) == (10, 10)
    assert (room.dialogs, late.isVisible()) == ((), True)


@pytest.mark.promise("T-029", "T-061", "T-066")
@pytest.mark.voice_bug("approval", "(detail thin in what was seen) Pop-up times out")
async def test_x20_a_question_that_ran_out_closes_once_in_each_of_three_windows(staged: Staged) -> None:
    room = Room(staged())
    windows = [room.windows.window, room.windows.desktop.open_window(), room.windows.desktop.open_window()]
    running = await room.begin("make")
    dialogs = [rests(dialog) for dialog in room.dialogs]
    assert [dialog.isVisible() for dialog in dialogs] == [True] * 3
    comes_forward(dialogs[0])
    await room.pass_time(APPROVAL_TIMEOUT_S)
    assert (running.result().text, running.result().status) == (TIMED_OUT, ResultStatus.TIMED_OUT)
    assert [event.settled.end for event in room.core.seen(QuestionSettled)] == [QuestionEnd.EXPIRED]
    assert (room.dialogs, [dialog.isVisible() for dialog in dialogs]) == ((), [False] * 3)
    for window in windows:
        told = [line for line in activity(window) if "time ran out" in line]
        assert [line.endswith(room.core.activity[0]) for line in told] == [True]
    dialogs[0].allow.click()
    await room.pump()
    assert (room.windows.of(AnswerQuestion), room.core.seen(AnswerRefused), room.bash.ran) == ([], [], [])


@pytest.mark.promise("T-059", "T-077")
async def test_x23_always_saves_what_was_proposed_whatever_a_window_made_of_it(staged: Staged) -> None:
    room = Room(staged())
    told = room.windows.take

    def forge(*events: Event) -> None:
        """A window that was told, or tells itself, of another rule than the one proposed."""
        for event in events:
            if isinstance(event, QuestionAsked) and event.question.offer is not None:
                wide = replace(event.question.offer, lines=(RuleLine("bash", "*"),))
                event = replace(event, question=replace(event.question, offer=wide))  # noqa: PLW2901 - forged
            told(event)

    room.core.show = forge
    running = await room.begin("git status")
    await room.answer(Answer.ALWAYS)
    assert running.result().status is ResultStatus.OK
    assert room.core.world.rules.lines == {REQUEST.agent_id: [RuleLine("bash", "git status")]}


# --- dialogs ------------------------------------------------------------------------------------


@pytest.mark.promise("T-058", "T-060")
@pytest.mark.voice_bug("approval", "Allow button has autofocus")
async def test_x25_keys_count_only_when_it_is_armed_and_space_only_on_a_button(staged: Staged) -> None:
    room = Room(staged())
    running = await room.begin("make")
    dialog = rests(room.dialog())
    keys = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Y)

    async def press(*codes: Qt.Key) -> None:
        for code in codes:
            QTest.keyClick(dialog.focusWidget() or dialog, code)
            await room.pump()

    assert (dialog.focusWidget(), buttons_by_default(dialog)) == (dialog, [])
    await press(*keys)
    room.windows.time.passed_s += 30
    await press(*keys)
    comes_forward(dialog)
    await press(*keys)
    assert (room.windows.of(AnswerQuestion), running.done(), dialog.focusWidget()) == ([], False, dialog)
    room.windows.time.passed_s += 1
    await press(Qt.Key.Key_Space, Qt.Key.Key_Y, Qt.Key.Key_Space)
    assert not running.done()
    await press(Qt.Key.Key_Return)
    assert (running.result().status, room.bash.ran) == (ResultStatus.OK, ["make"])


@pytest.mark.promise("T-060")
@pytest.mark.parametrize("code", [Qt.Key.Key_Space, Qt.Key.Key_Return])
async def test_x25_with_a_button_in_focus_the_key_is_that_buttons(staged: Staged, code: Qt.Key) -> None:
    room = Room(staged())
    running = await room.begin("make")
    dialog = rests(room.dialog())
    room.windows.time.passed_s += 5
    comes_forward(dialog)
    room.windows.time.passed_s += 1
    dialog.deny.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(dialog.deny, code)
    await room.pump()
    assert (running.result().text, room.bash.ran) == (DENIED, [])


@pytest.mark.promise("T-058")
async def test_x25_where_nobody_clicked_a_space_right_behind_a_tab_is_typing(staged: Staged) -> None:
    room = Room(staged())
    running = await room.begin("make")
    dialog = rests(room.dialog())
    QApplication.sendEvent(dialog, QEvent(QEvent.Type.WindowActivate))
    for seconds in (0.0, 5.0):
        room.windows.time.passed_s += seconds
        dialog.allow.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(dialog.allow, Qt.Key.Key_Space)
        await room.pump()
        assert not running.done()
        dialog.setFocus()
    room.windows.time.passed_s += 1
    dialog.allow.setFocus(Qt.FocusReason.TabFocusReason)
    room.windows.time.passed_s += 1
    QTest.keyClick(dialog.allow, Qt.Key.Key_Space)
    await room.pump()
    assert (running.result().status, room.bash.ran) == (ResultStatus.OK, ["make"])


HIDDEN = {
    "bidi": "\u202e",
    "isolate": "\u2066",
    "zero-width": "\u200b",
    "joiner": "\u200d",
    "no-break blank": "\u00a0",
    "escape": "\x1b",
    "bell": "\x07",
    "carriage return": "\r",
    "delete": "\x7f",
    "c1 control": "\x9b",
    "tag": "\U000e0041",
}


@pytest.mark.promise("T-059")
@pytest.mark.parametrize("sign", HIDDEN.values(), ids=HIDDEN)
async def test_x28_what_hides_is_shown_as_a_code_and_always_is_withheld(staged: Staged, sign: str) -> None:
    room = Room(staged())
    plain = await room.begin("git status")
    assert room.dialog().sheet.always is not None
    await room.answer(Answer.DENY)
    assert plain.done()
    running = await room.begin(f"git status {sign}x")
    sheet = room.dialog().sheet
    assert sheet.detail.toPlainText() == f"git status ⟨U+{ord(sign):04X}⟩x"
    assert sheet.always is None
    await room.answer(Answer.DENY)
    assert running.done()


END = "mv notes ~/last-words"
LONG = {
    "lines": "git status\n" + "true && \\\n" * 400 + END,
    "one line": "git status " + "x" * 5000 + "; " + END,
    "with a rule to offer": "git status " + "notes.txt " * 400 + END,
    "hangul": "git status " + "가나다라 " * 900 + "; " + END,
    "codes": "git status " + "\u202e" * 300 + "; " + END,
    "codes at the end": "git status " + "x" * 3000 + "\u202e" * 40 + "; " + END,
    "hangul at the end": "git status\n" * 40 + "echo " + "가나다라마바사" * 30 + "; " + END,
    "long last lines": "git status\n" + ("y" * 140 + "\n") * 30 + END,
}


@pytest.mark.parametrize("command", LONG.values(), ids=LONG)
async def test_x29_of_a_long_command_both_ends_are_in_view_and_all_of_it_in_reach(
    staged: Staged, command: str
) -> None:
    room = Room(staged())
    running = await room.begin(command)
    dialog = room.dialog()
    sheet = dialog.sheet
    assert sheet.tail is not None
    assert sees(sheet.detail, 0), "the beginning"
    end = len(sheet.tail.toPlainText()) - 1
    assert sheet.tail.toPlainText().endswith(END)
    assert sees(sheet.tail, end - len(END)), "the end"
    assert sees(sheet.tail, end), "the very end"
    assert sheet.detail.toPlainText().endswith(END)
    bar = sheet.detail.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert sees(sheet.detail, len(sheet.detail.toPlainText()) - 1), "all of it can be reached"
    assert any(f"{len(command):,} characters" in label.text() for label in dialog.findChildren(QLabel))
    await room.answer(Answer.DENY)
    assert running.done()


MARKUP = [
    '<a href="https://example.com">ls</a> <img src="file:///etc/passwd"> <b>bold</b><br>',
    "[ls](https://example.com) ![x](http://127.0.0.1/x.png) **bold** `code`",
    "<script>alert(1)</script>&lt;&amp;<!-- hidden -->",
]


@pytest.mark.parametrize("markup", MARKUP)
async def test_x31_markup_in_a_call_is_shown_as_the_text_that_it_is(staged: Staged, markup: str) -> None:
    room = Room(staged())
    running = await room.begin(f"echo {markup}")
    dialog = room.dialog()
    assert dialog.sheet.detail.toPlainText() == f"echo {markup}"
    views = dialog.findChildren(QPlainTextEdit)
    assert dialog.sheet.detail in views
    told = [label for label in dialog.findChildren(QLabel) if label.text()]
    assert told
    for label in told:
        assert label.textFormat() is Qt.TextFormat.PlainText
        assert not label.openExternalLinks()
    await room.answer(Answer.DENY)
    assert running.done()


@pytest.mark.voice_bug("approval", "(detail thin in what was seen) Pop-up times out")
async def test_a_dialog_lies_on_top_and_the_next_question_waits_for_its_turn(staged: Staged) -> None:
    room = Room(staged())
    first, second = await room.begin("make one"), await room.begin("make two")
    assert room.visible() == ["make one"]
    assert room.dialog().windowFlags() & Qt.WindowType.WindowStaysOnTopHint
    await room.pass_time(100)
    await room.answer(Answer.ALLOW)
    assert (first.done(), room.visible()) == (True, ["make two"])
    await room.pass_time(APPROVAL_TIMEOUT_S - 1)
    assert not second.done()
    await room.pass_time(1)
    assert second.result().status is ResultStatus.TIMED_OUT
    assert (room.bash.ran, room.dialogs) == (["make one"], ())
