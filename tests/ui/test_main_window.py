"""The window, through events in and commands out."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QGuiApplication, QInputMethodEvent, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QFrame,
    QLabel,
    QListWidget,
    QPlainTextEdit,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from jarvis_desktop.core.items.calls import ResultStatus, ToolCall, ToolResult
from jarvis_desktop.core.items.commands import (
    Attach,
    Detach,
    Interrupt,
    NewConversation,
    SetMuted,
    SubmitTurn,
    TalkNow,
    Tick,
)
from jarvis_desktop.core.items.decisions import AnswerFate
from jarvis_desktop.core.items.events import (
    ActivityKind,
    ActivityNoted,
    AnswerRefused,
    ConversationOpened,
    CoreStopped,
    HeardNothing,
    LevelHeard,
    ModelWaiting,
    NothingHeard,
    Part,
    QuestionAsked,
    ReplyDelta,
    ReplyReplaced,
    RequestRefused,
    StoredLine,
    ToolCalled,
    ToolFinished,
    Transcribed,
    TroubleCleared,
    TroubleNoted,
    TurnEnded,
    TurnQueued,
    VoiceState,
    VoiceStateChanged,
    WakeHeard,
)
from jarvis_desktop.core.items.ids import MAIN_AGENT, CallId, TurnId, WindowId
from jarvis_desktop.core.items.schedule import Typing
from jarvis_desktop.core.items.setup import SettingsChanged
from jarvis_desktop.core.items.speech import Language, ListenFor
from jarvis_desktop.core.items.turn import Origin, Role, TurnEnd
from tests.ui.conftest import Stage
from tests.ui.samples import NOW, QUESTION, SESSION, TURN, started


def compose(stage: Stage, text: str) -> None:
    """Commit ``text`` as an input method does."""
    event = QInputMethodEvent()
    event.setCommitString(text)
    QApplication.sendEvent(stage.window.composer.field, event)


def preedit(stage: Stage, text: str) -> None:
    """A syllable that is still being composed."""
    QApplication.sendEvent(stage.window.composer.field, QInputMethodEvent(text, []))


def submitted(stage: Stage) -> list[str]:
    return [command.text for command in stage.of(SubmitTurn) if isinstance(command, SubmitTurn)]


def opened(*lines: StoredLine, window_id: WindowId | None = None) -> ConversationOpened:
    return ConversationOpened(SESSION, MAIN_AGENT, lines, window_id)


def line(role: Role, text: str, turn: str = "old", *, complete: bool = True) -> StoredLine:
    return StoredLine(role, text, NOW, TurnId(turn), complete)


# --- the input line ---------------------------------------------------------------------------


def test_enter_sends_the_typed_text_once(stage: Stage) -> None:
    compose(stage, "안녕 hello")
    QTest.keyClick(stage.window.composer.field, Qt.Key.Key_Return)
    QTest.keyClick(stage.window.composer.field, Qt.Key.Key_Return)
    assert stage.of(SubmitTurn) == [SubmitTurn("안녕 hello", Origin.TYPED)]
    assert stage.window.composer.text == ""


@pytest.mark.voice_bug("path_locale", "Korean IME: last syllable sent twice on Enter")
def test_enter_while_composing_sends_the_syllable_exactly_once(stage: Stage) -> None:
    preedit(stage, "안")
    QTest.keyClick(stage.window.composer.field, Qt.Key.Key_Return)
    assert submitted(stage) == []
    compose(stage, "안")
    assert (submitted(stage), stage.window.composer.text) == (["안"], "")


def test_a_syllable_that_was_given_up_is_not_sent_later(stage: Stage) -> None:
    field = stage.window.composer.field
    preedit(stage, "안")
    QTest.keyClick(field, Qt.Key.Key_Return)
    field.clearFocus()
    preedit(stage, "")
    compose(stage, "녕")
    assert (submitted(stage), stage.window.composer.text) == ([], "녕")


def test_shift_enter_breaks_the_line_and_the_field_grows(stage: Stage) -> None:
    field = stage.window.composer.field
    before = field.height()
    compose(stage, "one")
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    compose(stage, "two")
    assert (stage.window.composer.text, submitted(stage)) == ("one\ntwo", [])
    assert field.height() > before


def test_too_long_a_text_stays_and_is_counted(staged: Callable[..., Stage]) -> None:
    stage = staged(input_limit=10)
    composer = stage.window.composer
    compose(stage, "x" * 12)
    QTest.keyClick(composer.field, Qt.Key.Key_Return)
    assert (submitted(stage), composer.text, composer.counter.text()) == ([], "x" * 12, "12 / 10")
    assert not composer.button.isEnabled()


def test_another_limit_counts_at_once_in_every_window(staged: Callable[..., Stage]) -> None:
    stage = staged(input_limit=10)
    compose(stage, "x" * 12)
    stage.take(SettingsChanged({"security.input_max_length": 20}))
    assert stage.window.composer.counter.text() == "12 / 20"
    assert stage.window.composer.button.isEnabled()
    other = stage.desktop.open_window(show=False)
    other.composer.field.setPlainText("x" * 21)
    assert other.composer.counter.text() == "21 / 20"


def test_up_and_down_walk_through_earlier_requests_and_back_to_the_draft(stage: Stage) -> None:
    composer = stage.window.composer
    for text in ("first", "second"):
        compose(stage, text)
        QTest.keyClick(composer.field, Qt.Key.Key_Return)
    compose(stage, "draft")
    seen = []
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Down):
        QTest.keyClick(composer.field, key)
        seen.append(composer.text)
    assert seen == ["second", "first", "first", "second", "draft"]


def test_unsent_text_survives_closing_and_another_conversation(stage: Stage) -> None:
    compose(stage, "not yet")
    stage.window.hide()
    stage.take(opened(line(Role.USER, "x")))
    stage.desktop._open()
    assert stage.window.composer.text == "not yet"


def test_esc_interrupts_from_the_input_line_and_keeps_the_text(stage: Stage) -> None:
    compose(stage, "keep me")
    QTest.keyClick(stage.window.composer.field, Qt.Key.Key_Escape)
    assert stage.of(Interrupt) == [Interrupt()]
    assert stage.window.composer.text == "keep me"


def test_the_button_stops_a_running_turn_and_sends_when_something_is_typed(stage: Stage) -> None:
    button = stage.window.composer.button
    stage.take(started())
    assert button.accessibleName() == "Stop"
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert stage.of(Interrupt) == [Interrupt()]
    compose(stage, "next")
    assert button.accessibleName() == "Send"
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert submitted(stage) == ["next"]


# --- the conversation -------------------------------------------------------------------------


def test_an_answer_streams_and_ends_as_markdown(stage: Stage) -> None:
    stage.take(started("hi"), ReplyDelta(TURN, "It is **bo"), ReplyDelta(TURN, "ld**."))
    answer = stage.window.transcript.answers[0]
    stage.take(TurnEnded(TURN, SESSION, TurnEnd.ANSWERED, "It is **bold**."))
    assert (answer.view.toPlainText(), answer.text, answer.marked) == ("It is bold.", "It is **bold**.", "")


def test_a_fast_stream_is_drawn_a_few_times_not_once_a_piece(stage: Stage, qtbot: QtBot) -> None:
    stage.take(started())
    for number in range(500):
        stage.desktop._take(ReplyDelta(TURN, f"word{number} "))
    view = stage.window.transcript.answers[0].view
    qtbot.waitUntil(lambda: "word499" in view.toPlainText(), timeout=2000)
    assert view.renders < 20


def test_html_and_pictures_of_a_model_are_text_and_load_nothing(stage: Stage) -> None:
    evil = "<script>alert(1)</script> <b>x</b> ![p](file:///etc/passwd) ![q](http://127.0.0.1:9/x.png)"
    stage.take(started(), TurnEnded(TURN, SESSION, TurnEnd.ANSWERED, evil))
    view = stage.window.transcript.answers[0].view
    assert "<script>alert(1)</script>" in view.toPlainText()
    picture = view.document().resource(QTextDocument.ResourceType.ImageResource.value, QUrl("file:///x.png"))
    assert (picture.width(), picture.height()) == (1, 1)


@pytest.mark.parametrize(
    ("target", "opens"),
    [("https://example.org/a", True), ("file:///etc/passwd", False), ("javascript:alert(1)", False)],
)
def test_only_web_links_open_and_only_on_a_click(stage: Stage, target: str, *, opens: bool) -> None:
    stage.take(started(), TurnEnded(TURN, SESSION, TurnEnd.ANSWERED, f"[link]({target})"))
    view = stage.window.transcript.answers[0].view
    went: list[str] = []
    view.open_link = lambda url: went.append(url.toString())
    assert went == []
    view.anchorClicked.emit(QUrl(target))
    assert went == ([target] if opens else [])


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("Get it from https://ollama.com/download.", ["https://ollama.com/download"]),
        ("**https://a.b/c?x=1...**, https://d.e/f!", ["https://a.b/c?x=1", "https://d.e/f"]),
        ("[a.](https://a.b/c.)", ["https://a.b/c."]),
    ],
)
def test_a_link_ends_before_the_full_stop(stage: Stage, text: str, links: list[str]) -> None:
    stage.take(started(), TurnEnded(TURN, SESSION, TurnEnd.ANSWERED, text))
    block = stage.window.transcript.answers[0].view.document().begin()
    found, shown, iterator = list[str](), "", block.begin()
    while not iterator.atEnd():
        form, part = iterator.fragment().charFormat(), iterator.fragment().text()
        found += [form.anchorHref()] if form.isAnchor() else []
        shown += part
        if not form.isAnchor():
            assert not form.fontUnderline()
        iterator += 1
    assert (found, shown) == (links, block.text())


def test_stored_lines_are_shown_and_a_broken_one_is_marked(stage: Stage) -> None:
    stage.take(
        opened(
            line(Role.USER, "first"),
            line(Role.ASSISTANT, "whole"),
            line(Role.USER, "second", "cut"),
            line(Role.ASSISTANT, "half an ans", "cut", complete=False),
        )
    )
    shown = [(answer.text, answer.marked) for answer in stage.window.transcript.answers]
    assert shown == [("whole", ""), ("half an ans", "Interrupted")]


def test_a_restored_conversation_shows_its_tools_and_what_was_spoken(stage: Stage) -> None:
    stage.take(
        opened(
            replace(line(Role.USER, "first"), spoken=True),
            line(Role.TOOL, "bash touch x"),
            replace(line(Role.TOOL, "read_file none"), status=ResultStatus.ERROR),
            line(Role.ASSISTANT, "done"),
            line(Role.USER, "second", "typed"),
        )
    )
    shown = stage.window.transcript.answers[0].findChildren(QLabel, "tool")
    assert [(tool.text(), tool.property("bad")) for tool in shown] == [
        ("✓  bash touch x", False),
        ("✕  read_file none", True),
    ]
    spoken = [tip for tip in stage.window.transcript.findChildren(QLabel) if tip.toolTip() == "Spoken"]
    assert len(spoken) == 1


def test_a_window_that_comes_late_goes_on_streaming_the_running_turn(stage: Stage) -> None:
    stage.take(started("hi"), ReplyDelta(TURN, "so far"))
    late = stage.desktop.open_window()
    stage.take(opened(line(Role.USER, "hi", "turn"), window_id=late.window_id))
    stage.take(ReplyDelta(TURN, " so good"))
    assert [answer.text for answer in late.transcript.answers] == ["so far so good"]
    assert [answer.text for answer in stage.window.transcript.answers] == ["so far so good"]


def test_a_waiting_request_is_shown_until_its_turn_comes(stage: Stage) -> None:
    stage.take(started("one"), TurnQueued("two", Origin.TYPED, 1))
    assert [text for text, _ in stage.window.transcript._queued] == ["two"]
    stage.take(TurnEnded(TURN, SESSION, TurnEnd.ANSWERED, "1"), started("two", TurnId("t2")))
    assert not stage.window.transcript._queued


def test_tools_show_beside_the_answer_and_failures_stand_out(stage: Stage) -> None:
    call = ToolCall(CallId("c"), "bash", {"command": "ls\u202e"})
    result = ToolResult(CallId("c"), "bash", "<b>no</b>", ResultStatus.ERROR)
    stage.take(started(), ToolCalled(TURN, call), ToolFinished(TURN, call, result, 1.26))
    label = stage.window.transcript.answers[0]._tools["c"]
    assert label.text() == "✕  bash ls⟨U+202E⟩   1.3 s"
    assert label.textFormat() is Qt.TextFormat.PlainText


@pytest.mark.parametrize("command", ["오늘은 산책을 했다 " * 20, "/usr/share/" * 40, "가" * 400])
def test_no_line_makes_the_conversation_wider_than_the_window(stage: Stage, command: str) -> None:
    call = ToolCall(CallId("c"), "bash", {"command": command, "timeout_s": 30.0})
    result = ToolResult(CallId("c"), "bash", "", ResultStatus.OK)
    stage.take(started(command), TurnQueued(command, Origin.TYPED, 1), ToolCalled(TURN, call))
    stage.take(ToolFinished(TURN, call, result, 1.26), ReplyDelta(TURN, f"`{command}`"))
    stage.take(Transcribed(command, Language.KOREAN, ListenFor.REQUEST))
    view = stage.window.transcript
    label = view.answers[0]._tools["c"]
    for width in (1000, 620):
        stage.window.resize(width, 720)
        QApplication.processEvents()
        rows = view.widget()
        assert rows is not None
        assert rows.width() <= view.viewport().width()
        for part in (*rows.findChildren(QLabel), stage.window.header.state):
            if part.isVisible():
                right = part.mapTo(stage.window, part.rect().bottomRight()).x()
                assert right <= view.mapTo(stage.window, view.rect().bottomRight()).x()
        assert "…" in label.text()
        assert label.text().endswith("   1.3 s")
        bubble = view.findChild(QFrame, "bubble")
        assert bubble is not None
        assert bubble.mapTo(view, bubble.rect().topRight()).x() <= view.viewport().width()
        assert bubble.mapTo(view, bubble.rect().topLeft()).x() >= 0


def test_a_tool_line_names_the_main_argument_only(stage: Stage) -> None:
    calls = (
        ToolCall(CallId("a"), "bash", {"timeout_s": 30.0, "command": "touch x"}),
        ToolCall(CallId("b"), "list_dir", {"path": "."}),
        ToolCall(CallId("c"), "grep", {"path": "src", "pattern": "def ", "glob": None}),
        ToolCall(CallId("d"), "clock", {"seconds": True}),
    )
    stage.take(started(), *(ToolCalled(TURN, call) for call in calls))
    lines = [label.text() for label in stage.window.transcript.answers[0]._tools.values()]
    assert lines == ["⋯  bash touch x", "⋯  list_dir .", "⋯  grep def", "⋯  clock"]


def test_waiting_for_the_model_says_how_long(stage: Stage) -> None:
    stage.take(started(), ModelWaiting(TURN, 7.6))
    assert stage.window.transcript.answers[0]._waiting.text() == "Waiting for the model (8 s)…"


def test_a_replaced_answer_and_a_bad_end_are_shown(stage: Stage) -> None:
    stage.take(started(), ReplyDelta(TURN, "wrong"), ReplyReplaced(TURN, "right"))
    stage.take(TurnEnded(TURN, SESSION, TurnEnd.INTERRUPTED, "right"))
    answer = stage.window.transcript.answers[0]
    assert (answer.text, answer.marked) == ("right", "Interrupted")


def test_it_follows_the_end_only_while_the_person_is_there(stage: Stage, qtbot: QtBot) -> None:
    bar = stage.window.transcript.verticalScrollBar()
    stage.take(opened(*(line(Role.USER, f"line {n}", str(n)) for n in range(60))))
    qtbot.waitUntil(lambda: bar.maximum() > 0 and bar.value() == bar.maximum())
    bar.setValue(0)
    stage.take(ActivityNoted(ActivityKind.TURN, "x", NOW), ReplyDelta(TurnId("59"), "more\n\n" * 20))
    qtbot.wait(80)
    assert bar.value() == 0
    stage.window.transcript.follow()
    stage.take(ReplyDelta(TurnId("59"), "and more\n\n" * 20))
    qtbot.waitUntil(lambda: bar.value() == bar.maximum())


def test_copying_the_last_answer_gives_its_markdown(stage: Stage) -> None:
    stage.take(started(), TurnEnded(TURN, SESSION, TurnEnd.ANSWERED, "**bold**"))
    stage.window.transcript.copy_last()
    assert QGuiApplication.clipboard().text() == "**bold**"


def test_a_very_long_conversation_builds_only_its_end(stage: Stage) -> None:
    stage.take(opened(*(line(Role.ASSISTANT, str(n), str(n)) for n in range(260))))
    answers = stage.window.transcript.answers
    assert (len(answers), answers[0].text, answers[-1].text) == (200, "60", "259")


# --- header, strips, activity -----------------------------------------------------------------


def voice(state: VoiceState, listen_for: ListenFor, *, muted: bool = False) -> VoiceStateChanged:
    return VoiceStateChanged(state, muted, listen_for)


def test_listening_is_visible_with_a_live_level(stage: Stage) -> None:
    header = stage.window.header
    assert header.meter.isHidden()
    stage.take(WakeHeard(0.9), voice(VoiceState.LISTENING, ListenFor.REQUEST), LevelHeard(0.5))
    assert (header.meter.isVisible(), header.meter.levels[-1], header.state.text()) == (
        True,
        0.5,
        "Listening",
    )
    stage.take(voice(VoiceState.TRANSCRIBING, ListenFor.NOTHING))
    assert header.state.text() == "Understanding what you said…"
    stage.take(
        Transcribed("파일 보여 줘", Language.KOREAN, ListenFor.REQUEST),
        voice(VoiceState.THINKING, ListenFor.STOP),
    )
    assert (header.meter.isHidden(), header.state.text()) == (True, "“파일 보여 줘”")


def test_the_header_gives_its_spare_room_to_the_words(stage: Stage) -> None:
    header = stage.window.header
    assert header.state.width() > header.width() / 3
    assert header.talk.x() > header.width() / 2


def test_listening_to_nothing_says_why(stage: Stage) -> None:
    stage.take(NothingHeard(HeardNothing.TOO_QUIET, ListenFor.REQUEST))
    assert stage.window.header.state.text().startswith("That was too quiet.")


def test_the_header_sends_its_orders(stage: Stage) -> None:
    header = stage.window.header
    for button in (header.talk, header.mute, header.fresh):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert [c for c in stage.sent if isinstance(c, TalkNow | SetMuted | NewConversation)] == [
        TalkNow(),
        SetMuted(muted=True),
        NewConversation(),
    ]


def test_mute_shows_what_the_core_says(stage: Stage) -> None:
    stage.take(voice(VoiceState.IDLE, ListenFor.NOTHING, muted=True))
    header = stage.window.header
    assert (header.mute.isChecked(), header.talk.isEnabled()) == (True, False)
    assert header.state.text() == "Microphone is off"


def test_each_trouble_has_a_line_that_can_be_dismissed_and_clears_itself(stage: Stage) -> None:
    strips = stage.window.strips
    stage.take(TroubleNoted(Part.OLLAMA, "No server."), TroubleNoted(Part.MICROPHONE, "No microphone."))
    assert list(strips.trouble_texts) == ["No server.", "No microphone."]
    close = strips._troubles[Part.OLLAMA].findChildren(QToolButton)[0]
    QTest.mouseClick(close, Qt.MouseButton.LeftButton)
    stage.take(TroubleNoted(Part.OLLAMA, "No server."))
    assert list(strips.trouble_texts) == ["No microphone."]
    stage.take(TroubleNoted(Part.OLLAMA, "No model."))
    assert list(strips.trouble_texts) == ["No microphone.", "No model."]
    stage.take(TroubleCleared(Part.MICROPHONE), TroubleCleared(Part.OLLAMA))
    assert (strips.trouble_texts, strips.isHidden()) == ((), True)


def test_a_stopped_core_swallows_nothing_and_says_so_for_good(stage: Stage) -> None:
    window, said = stage.window, "The database jarvis.db cannot be opened."
    compose(stage, "precious")
    stage.take(started(), QuestionAsked(QUESTION))
    stage.take(TroubleNoted(Part.DATABASE, said), CoreStopped(said), TroubleNoted(Part.VOICE, "No voice."))
    QTest.keyClick(window.composer.field, Qt.Key.Key_Return)
    QTest.mouseClick(window.composer.button, Qt.MouseButton.LeftButton)
    assert (submitted(stage), window.composer.text) == ([], "precious")
    assert not window.composer.button.isEnabled()
    assert list(window.strips.trouble_texts) == [said, "No voice."]
    for close in window.strips.findChildren(QAbstractButton):
        if close.isVisible():
            QTest.mouseClick(close, Qt.MouseButton.LeftButton)
    stage.desktop.theme.choose("dark")
    assert list(window.strips.trouble_texts) == [said]
    assert (window.header.state.text(), stage.desktop.desk.dialogs) == ("Something needs attention", ())
    late = stage.desktop.open_window()
    assert (late.strips.trouble_texts[0], late.composer.button.isEnabled()) == (said, False)


def test_a_request_that_a_stopping_core_did_not_take_comes_back(stage: Stage) -> None:
    for text in ("taken", "not taken"):
        compose(stage, text)
        QTest.keyClick(stage.window.composer.field, Qt.Key.Key_Return)
        stage.take(*[started(text)] if text == "taken" else [CoreStopped("It has stopped.")])
    assert stage.window.composer.text == "not taken"


def test_a_refused_request_comes_back_unless_something_else_is_typed(stage: Stage) -> None:
    stage.take(RequestRefused("far too long", "The request is too long."))
    window = stage.window
    assert (window.composer.text, window.strips.notice_text) == ("far too long", "The request is too long.")
    stage.take(RequestRefused("another", "The request is too long."))
    assert window.composer.text == "far too long"


def test_the_same_trouble_is_shown_once(stage: Stage) -> None:
    stage.take(
        TroubleNoted(Part.MODEL, "No server."),
        TroubleNoted(Part.OLLAMA, "No server."),
        TroubleNoted(Part.OLLAMA, "No server."),
        *(ActivityNoted(ActivityKind.TROUBLE, "No server.", NOW) for _ in range(2)),
    )
    assert list(stage.window.strips.trouble_texts) == ["No server."]
    assert list(stage.window.activity.shown) == ["09:00  No server."]
    stage.take(TroubleCleared(Part.MODEL))
    assert list(stage.window.strips.trouble_texts) == ["No server."]
    stage.take(TroubleCleared(Part.OLLAMA))
    assert list(stage.window.strips.trouble_texts) == []


def test_a_refused_answer_is_explained_where_it_was_given(stage: Stage) -> None:
    other = stage.desktop.open_window()
    stage.take(
        AnswerRefused(QUESTION.question_id, AnswerFate.ALREADY_ANSWERED, stage.window.window_id),
    )
    assert stage.window.strips.notice_text == "This was already answered somewhere else."
    assert other.strips.notice_text == ""


def test_the_activity_list_filters_by_kind(stage: Stage) -> None:
    panel = stage.window.activity
    stage.take(
        ActivityNoted(ActivityKind.TOOL, "read_file", NOW),
        ActivityNoted(ActivityKind.APPROVAL, "⚡ approval · bash <b>", NOW),
    )
    panel.filter.setCurrentIndex(panel.filter.findData(ActivityKind.APPROVAL))
    assert list(panel.shown) == ["09:00  ⚡ approval · bash <b>"]
    stage.take(ActivityNoted(ActivityKind.TOOL, "grep", NOW))
    assert len(panel.shown) == 1
    panel.filter.setCurrentIndex(0)
    assert len(panel.shown) == 3


# --- the whole window -------------------------------------------------------------------------


def test_a_shown_window_is_a_place_to_answer_and_a_hidden_one_is_not(stage: Stage) -> None:
    window_id = stage.window.window_id
    stage.window.hide()
    stage.desktop._open()
    assert [c for c in stage.sent if isinstance(c, Attach | Detach)] == [
        Attach(window_id),
        Detach(window_id),
        Attach(window_id),
    ]


def test_every_control_has_a_name_and_the_keyboard_reaches_it(stage: Stage) -> None:
    stage.take(TroubleNoted(Part.OLLAMA, "No server."))
    kinds = (QAbstractButton, QComboBox, QListWidget, QPlainTextEdit)
    controls = [
        widget
        for widget in stage.window.findChildren(QWidget)
        if isinstance(widget, kinds) and widget.isVisible() and not widget.objectName().startswith("qt_")
    ]
    nameless = [w for w in controls if not (w.accessibleName() or (hasattr(w, "text") and w.text()))]
    unreachable = [w for w in controls if not w.focusPolicy() & Qt.FocusPolicy.TabFocus and w.isEnabled()]
    assert len(controls) >= 8
    assert (nameless, unreachable) == ([], [])


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_changing_the_theme_keeps_everything_that_is_shown(stage: Stage, theme: str) -> None:
    stage.take(started(), ReplyDelta(TURN, "`code` and\n\n```\nblock\n```"), TroubleNoted(Part.VOICE, "x"))
    stage.window.transcript.answers[0].view.flush()
    before = stage.window.transcript.answers[0].view.toPlainText()
    stage.desktop.theme.choose("dark" if theme == "dark" else "light")
    after = stage.window.transcript.answers[0].view.toPlainText()
    assert (after, stage.window.strips.trouble_texts) == (before, ("x",))


def test_the_idle_clock_says_how_long_nobody_did_anything(stage: Stage) -> None:
    stage.desktop.idle.touched()
    stage.desktop.idle.tick()
    ticks = [command for command in stage.sent if isinstance(command, Tick)]
    assert [replace(tick, idle_s=0) for tick in ticks] == [Tick(NOW, 0)]
    assert 0 <= ticks[0].idle_s < 5


def test_the_first_key_and_a_syllable_that_is_composed_say_that_a_person_types(stage: Stage) -> None:
    stage.window.composer.field.insertPlainText("h")
    assert [command for command in stage.sent if isinstance(command, Typing)] == [Typing()]
    typed: list[bool] = []
    stage.window.composer.typed.connect(lambda: typed.append(True))
    stage.window.composer.field.inputMethodEvent(QInputMethodEvent("ㅎ", []))
    assert typed
    typed.clear()
    stage.window.composer.set_busy(True)
    assert not typed, "nobody typed when a turn began"


def test_nobody_is_told_to_speak_to_ears_that_do_not_listen(stage: Stage) -> None:
    greeting = stage.window.transcript.greeting
    ways = greeting.findChildren(QLabel, "hint")[0]
    assert ways.text() == "Say “Hey Jarvis”, press the microphone, or just type."
    stage.take(VoiceStateChanged(VoiceState.IDLE, muted=False, listen_for=ListenFor.NOTHING))
    assert ways.text() == "Type what I should do."
    stage.take(VoiceStateChanged(VoiceState.IDLE, muted=False, listen_for=ListenFor.WAKE_WORD))
    assert ways.text() == "Say “Hey Jarvis”, press the microphone, or just type."
