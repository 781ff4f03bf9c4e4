"""The page with all settings over a real file: each setting is found, changed, explained and reset."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QDesktopServices, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QPushButton, QWidget

from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.adapters.settings_file import load_settings
from jarvis_desktop.app.live_settings import dotted
from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.items.settings_desk import HIDDEN, LookAtSettings
from jarvis_desktop.core.items.setup import ChangeSetting
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.setting_fields import SettingField, ValueKind, all_fields, sections
from jarvis_desktop.core.settings import STRICTEST
from jarvis_desktop.ui import setting_words
from jarvis_desktop.ui.qt.settings_all_page import AllPage
from jarvis_desktop.ui.qt.settings_page import Place, SettingsParts, Ways
from jarvis_desktop.ui.qt.settings_values_control import Control
from jarvis_desktop.ui.qt.settings_values_controls import ChoiceControl, ChoicesControl, SwitchControl
from jarvis_desktop.ui.qt.settings_values_row import SettingRow
from jarvis_desktop.ui.qt.settings_values_typed import LinesControl, SecretControl, TextControl
from jarvis_desktop.ui.qt.theme import Theme
from jarvis_desktop.ui.setting_weaker import weaker_text
from jarvis_desktop.ui.setup_picture import SetupPicture
from tests.fakes.texts import PlainTexts
from tests.integration.settings.test_live_settings import VALUES
from tests.parts.live_settings import SettingsRoom

FIELDS = {field.name: field for field in all_fields()}
BAD: dict[ValueKind, str] = {
    ValueKind.SWITCH: "perhaps",
    ValueKind.CHOICE: "chartreuse",
    ValueKind.CHOICES: "[fr]",
    ValueKind.WHOLE: "99999999999",
    ValueKind.NUMBER: "9999",
    ValueKind.TEXT: "[1, 2]",
    ValueKind.LINES: "7",
    ValueKind.FOLDER: "[1, 2]",
}
"""What no setting of the kind can be. A secret can be anything, so that no message ever quotes it."""


class Book:
    """The page, with the real desk behind it."""

    def __init__(self, room: SettingsRoom, theme: Theme) -> None:
        self.room = room
        self.sent: list[Command] = []
        self.lines: list[tuple[str, int | str]] = []
        self.places: list[Place] = []
        send = self.sent.append
        parts = SettingsParts(send, send, theme, room.texts, SetupPicture(), lambda: None, lambda _: None)
        ways = Ways(
            lambda _: None,
            lambda _: None,
            lambda *at: self.lines.append(at),
            self.places.append,
            lambda _: None,
        )
        self.page = AllPage(parts, ways)
        self.page.resize(900, 700)
        self.page.show()
        self.page.entered()
        self.serve()

    def serve(self) -> None:
        """Do what was asked for until nothing more is; what waits for more typing is asked for now."""
        for _ in range(6):
            if self.page._timer.isActive():
                self.page._timer.stop()
                self.page._timer.timeout.emit()
            commands, self.sent[:] = list(self.sent), []
            if not commands:
                return
            for event in self.room.ask(*commands):
                self.page.take(event)
            QApplication.processEvents()

    def look(self) -> None:
        """Time goes by."""
        self.sent.append(LookAtSettings())
        self.serve()

    def row(self, name: str) -> SettingRow:
        return self.page.rows[name]

    def set(self, name: str, value: object) -> None:
        """As a person does it, up to a question whether they are sure."""
        control = self.row(name).control
        match control:
            case SwitchControl():
                press(control.box)
            case ChoiceControl():
                control.box.setCurrentIndex(control.box.findData(value))
                control.box.activated.emit(control.box.currentIndex())
            case ChoicesControl():
                for one, box in control.boxes.items():
                    assert isinstance(value, tuple)
                    if box.isChecked() != (one in value):
                        press(box)
            case LinesControl():
                assert isinstance(value, tuple)
                write(control.edit, "\n".join(value))
                press(control.save)
            case TextControl():
                write(control.edit, setting_words.number_text(value))
                QTest.keyClick(control.edit, Qt.Key.Key_Return)
        self.serve()

    def sure(self, name: str) -> None:
        """Where a person is asked whether they are sure, they are."""
        if self.row(name).warning.isVisible():
            press(self.row(name).do_it)
            self.serve()


def press(button: QWidget) -> None:
    assert button.isVisible()
    button.click()  # type: ignore[attr-defined] # buttons and boxes


def write(edit: QLineEdit | QPlainTextEdit, text: str) -> None:
    edit.selectAll()
    QTest.keyClick(edit, Qt.Key.Key_Backspace)
    if isinstance(edit, QPlainTextEdit):
        edit.insertPlainText(text)
    else:
        edit.insert(text)
        edit.textEdited.emit(text)


def shown(field: SettingField, value: object) -> object:
    return HIDDEN if field.kind is ValueKind.SECRET and value else value


@pytest.fixture(scope="module")
def theme(qapp: QApplication) -> Theme:
    return Theme(qapp, "light")


@pytest.fixture
def opened(tmp_path: Path, theme: Theme) -> Iterator[Callable[..., Book]]:
    """Opens the page over a file with this text."""
    books: list[Book] = []

    def open_book(text: str = "", language: Language = Language.ENGLISH) -> Book:
        if text:
            (tmp_path / "settings.yaml").write_text(text, "utf-8")
        books.append(Book(SettingsRoom(tmp_path, language), theme))
        return books[-1]

    yield open_book
    for book in books:
        book.room.close()
        book.page.hide()
        book.page.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def test_every_declared_setting_has_a_row_and_another_value_to_try() -> None:
    assert set(FIELDS) == set(VALUES)


@pytest.mark.parametrize("name", FIELDS)
def test_what_is_changed_in_the_window_stands_in_the_file_counts_and_can_be_reset(
    opened: Callable[..., Book], name: str
) -> None:
    field, comment = FIELDS[name], "# mine\n"
    book = opened(comment)
    book.set(name, VALUES[name])
    book.sure(name)
    assert book.room.values[name] == VALUES[name]
    assert dotted(load_settings(book.room.home, {})[0])[name] == VALUES[name]
    assert book.room.text.startswith(comment)
    row = book.row(name)
    assert (row.state.text(), row.dirty) == ("Saved", False)
    assert row.control.value() == shown(field, VALUES[name])
    press(row.reset)
    book.serve()
    book.sure(name)
    assert book.room.values[name] == field.default
    assert row.control.value() == field.default
    assert not row.reset.isVisible()


@pytest.mark.parametrize("name", FIELDS)
def test_what_is_changed_in_the_file_is_seen_in_the_window_and_a_bad_value_is_explained(
    opened: Callable[..., Book], name: str
) -> None:
    field, (section, _, key) = FIELDS[name], name.partition(".")
    book = opened()
    value = VALUES[name]
    book.room.file.write_text(f"{section}:\n  {key}: {list(value) if isinstance(value, tuple) else value}\n")
    book.look()
    row = book.row(name)
    assert row.control.value() == shown(field, value)
    assert not row.written.isVisible()
    if field.kind is ValueKind.SECRET:
        return
    book.room.file.write_text(f"{section}:\n  {key}: {BAD[field.kind]}\n")
    book.look()
    assert f"settings.yaml, line 2: {name} is" in row.written.text()
    assert book.page.looked is not None
    assert set(row.written.text().split("\n")) <= set(book.page.looked.problems)
    assert (
        row.control.value() == book.room.values[name] == (tuple_or_same(STRICTEST.get((section, key), value)))
    )
    press(row.show_line)
    assert book.lines == [("settings.yaml", 2)]


def tuple_or_same(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


@pytest.mark.parametrize(
    ("name", "typed", "words"),
    [
        ("voice.wake_threshold", "lots", "a number is expected"),
        ("security.input_max_length", "lots", "a whole number is expected"),
        ("voice.request_silence_s", "30", "the most allowed is 5 (seconds)"),
        ("model.context_tokens", "12", "the least allowed is 1024 (tokens)"),
        ("model.name", "", "it must not be empty"),
        ("ui.hotkey", "Q", "Q"),
        ("security.dangerous_commands", ("sudo", "("), "This cannot be used"),
    ],
)
def test_a_bad_value_is_explained_while_it_is_written_and_never_saved(
    opened: Callable[..., Book], name: str, typed: object, words: str
) -> None:
    book = opened()
    control = book.row(name).control
    assert isinstance(control, TextControl | LinesControl)
    write(control.edit, "\n".join(typed) if isinstance(typed, tuple) else str(typed))
    book.serve()
    assert words in book.row(name).problem.text()
    assert words in control.edit.accessibleDescription()
    book.set(name, typed)
    book.sure(name)
    assert words in book.row(name).problem.text()
    assert book.room.text == ""
    QTest.keyClick(control.edit, Qt.Key.Key_Escape)
    assert control.value() == FIELDS[name].default
    assert not book.row(name).problem.isVisible()


def test_variables_that_win_are_named_and_their_settings_cannot_be_changed_here(
    opened: Callable[..., Book], monkeypatch: pytest.MonkeyPatch
) -> None:
    variables = {name: f"JARVIS_{name.replace('.', '__').upper()}" for name in FIELDS}
    for name, variable in variables.items():
        value = VALUES[name]
        monkeypatch.setenv(variable, ",".join(value) if isinstance(value, tuple) else str(value))
    book = opened()
    for name, variable in variables.items():
        row = book.row(name)
        assert row.locked.text() == f"Set by the environment variable {variable}, which wins over the file."
        assert row.locked.text() in (row.control.focusProxy() or row).accessibleDescription()
        assert not row.control.isEnabled()
        assert not row.reset.isVisible()
        assert row.control.value() == shown(FIELDS[name], VALUES[name])


def test_a_secret_is_shown_as_dots_and_never_reaches_the_window(opened: Callable[..., Book]) -> None:
    book = opened("web: {brave_key: BSA-0815}\n")
    control = book.row("web.brave_key").control
    assert isinstance(control, SecretControl)
    assert control.edit.echoMode() is QLineEdit.EchoMode.Password
    assert (control.edit.text(), control.edit.placeholderText()) == ("", HIDDEN)
    assert "BSA-0815" not in repr(book.page.looked)
    control.edit.editingFinished.emit()
    book.serve()
    assert book.room.values["web.brave_key"] == "BSA-0815"


# --- finding ----------------------------------------------------------------------------------


def visible_rows(book: Book) -> set[str]:
    return {name for name, row in book.page.rows.items() if row.isVisibleTo(book.page)}


FOUND = {
    "voice.wake_threshold": {"voice.wake_threshold"},
    "WAKE score": {"voice.wake_threshold"},
    "호출어": {"voice.wake_threshold"},
    "brave key": {"web.brave_key"},
    "스피커 이름": {"voice.output_device"},
    "sandbox network": {"security.sandbox_network"},
    "no such thing": set[str](),
}


@pytest.mark.parametrize("language", Language)
def test_a_setting_is_found_by_words_of_both_languages_and_by_its_name_in_the_file(
    opened: Callable[..., Book], language: Language
) -> None:
    book = opened(language=language)
    for words, found in FOUND.items():
        book.page.search.setText(words)
        assert visible_rows(book) == found
        assert book.page.nothing.isVisibleTo(book.page) == (not found)
        cards = {name for name, card in book.page.cards.items() if card.isVisibleTo(book.page)}
        assert cards == {name.partition(".")[0] for name in found}


def test_every_setting_is_found_by_each_of_its_names_in_either_language(opened: Callable[..., Book]) -> None:
    book = opened()
    korean = SettingsRoom(book.room.home, Language.KOREAN)
    for field in FIELDS.values():
        for text in (
            field.name,
            field.title,
            field.what,
            korean.texts(field.title),
            korean.texts(field.what),
        ):
            book.page.search.setText(text)
            assert field.name in visible_rows(book), text
    korean.close()


def test_every_name_and_every_sentence_is_there_in_korean() -> None:
    korean = Catalog(Language.KOREAN)
    declared = [text for field in FIELDS.values() for text in (field.title, field.what)]
    missing = [text for text in (*declared, *(one.title for one in sections())) if korean(text) == text]
    assert missing == []


def test_one_section_can_be_looked_at_alone(opened: Callable[..., Book]) -> None:
    book = opened()
    book.page.section.setCurrentIndex(book.page.section.findData("web"))
    book.page.section.activated.emit(book.page.section.currentIndex())
    assert visible_rows(book) == {name for name in FIELDS if name.startswith("web.")}
    assert book.page.count.text() == "4 settings"


# --- protection -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "held", "weaker", "words"),
    [
        ("security.require_approval_for", ("bash", "write_file"), ("write_file",), "without asking you"),
        ("security.require_approval_for", ("*",), ("bash",), "except bash"),
        ("security.require_approval_for", ("*",), (), "Every tool"),
        ("security.dangerous_commands", ("sudo", "mkfs"), ("mkfs",), "sudo"),
        ("security.sandbox_network", "off", "auto", "reach the network"),
        ("model.allowed_host", "", "http://gpu:11434", "http://gpu:11434"),
    ],
)
def test_protecting_less_is_done_only_by_somebody_who_was_told_what_becomes_possible(
    opened: Callable[..., Book], name: str, held: object, weaker: object, words: str
) -> None:
    section, _, key = name.partition(".")
    text = f"{section}:\n  {key}: {list(held) if isinstance(held, tuple) else repr(held)}\n".replace("'", '"')
    book = opened(text)
    row = book.row(name)
    book.set(name, weaker)
    assert words in row.possible.text()
    assert row.leave.hasFocus() or not book.page.isActiveWindow()
    assert book.room.text == text
    press(row.leave)
    book.serve()
    assert (book.room.values[name], row.control.value()) == (held, held)
    book.set(name, weaker)
    press(row.do_it)
    book.serve()
    assert (book.room.values[name], row.warning.isVisible()) == (weaker, False)


@pytest.mark.parametrize("key", [key for key in STRICTEST if key[1] != "input_max_length"])
def test_leaving_the_strictest_value_always_asks_and_going_there_never_does(key: tuple[str, str]) -> None:
    name = ".".join(key)
    default = FIELDS[name].default
    assert weaker_text(name, STRICTEST[key], default, PlainTexts())
    assert not weaker_text(name, default, STRICTEST[key], PlainTexts())


def test_a_question_about_a_change_goes_when_the_file_says_something_else(
    opened: Callable[..., Book],
) -> None:
    book = opened("security: {require_approval_for: [bash, edit_file]}\n")
    book.set("security.require_approval_for", ("bash",))
    row = book.row("security.require_approval_for")
    assert row.warning.isVisible()
    book.room.file.write_text("security: {require_approval_for: [bash, write_file]}\n")
    book.look()
    assert not row.warning.isVisible()
    assert row.control.value() == ("bash", "write_file")


# --- writing while others write ---------------------------------------------------------------


def test_what_is_being_written_stays_when_the_file_changes_and_the_person_is_told(
    opened: Callable[..., Book],
) -> None:
    book = opened()
    control = book.row("model.name").control
    assert isinstance(control, TextControl)
    write(control.edit, "mine")
    book.room.file.write_text("model: {name: theirs}\n")
    book.look()
    assert control.value() == "mine"
    assert "theirs" in book.row("model.name").problem.text()
    QTest.keyClick(control.edit, Qt.Key.Key_Return)
    book.serve()
    assert book.room.values["model.name"] == "mine"


def test_a_page_in_another_language_takes_over_what_was_written_and_looked_for(
    opened: Callable[..., Book],
) -> None:
    old, new = opened(), opened(language=Language.KOREAN)
    control = old.row("model.name").control
    assert isinstance(control, TextControl)
    write(control.edit, "mine")
    old.page.search.setText("model")
    new.page.take_over(old.page.typed())
    assert new.row("model.name").control.value() == "mine"
    assert new.row("model.name").dirty
    assert new.page.search.text() == "model"


def test_two_quick_clicks_on_a_switch_end_where_they_began(opened: Callable[..., Book]) -> None:
    book = opened()
    control = book.row("voice.speak").control
    assert isinstance(control, SwitchControl)
    press(control.box)
    press(control.box)
    assert [one for one in book.sent if isinstance(one, ChangeSetting)] == [
        ChangeSetting("voice.speak", value=False),
        ChangeSetting("voice.speak", value=True),
    ]
    book.serve()
    assert control.box.isChecked()


def test_a_file_that_cannot_be_written_is_told_at_the_setting(opened: Callable[..., Book]) -> None:
    book = opened("- no settings at all\n")
    book.set("voice.speak", value=False)
    row = book.row("voice.speak")
    assert "Mend it, then try again." in row.problem.text()
    assert row.control.value() is True


def test_a_setting_says_which_other_one_it_needs(opened: Callable[..., Book]) -> None:
    book = opened("web: {enabled: false}\nmodel: {backend: embedded}\n")
    assert book.row("web.brave_key").needs.text() == "Needs “Web”, which is off."
    assert "Needs Ollama" in book.row("model.host").needs.text()
    book.set("web.enabled", value=True)
    assert not book.row("web.brave_key").needs.isVisible()


# --- by keyboard and for screen readers -------------------------------------------------------


@pytest.mark.parametrize("language", Language)
def test_every_control_has_a_name_and_says_what_the_setting_does(
    opened: Callable[..., Book], language: Language
) -> None:
    book = opened(language=language)
    texts = book.room.texts
    names = []
    for name, row in book.page.rows.items():
        inputs = [one for one in row.control.findChildren(QWidget) if one.accessibleIdentifier()]
        assert inputs
        for one in inputs:
            assert texts(FIELDS[name].title) in one.accessibleName()
            assert texts(FIELDS[name].what) in one.accessibleDescription()
            assert one.focusPolicy() & Qt.FocusPolicy.TabFocus
            names.append(one.accessibleIdentifier())
        for button in row.findChildren(QPushButton):
            assert row.title in button.accessibleName()
    assert len(names) == len(set(names))


def test_every_choice_of_every_setting_has_a_word() -> None:
    assert {one for field in FIELDS.values() for one in field.choices} <= set(setting_words.CHOICES)


def test_a_number_goes_up_and_down_by_keys_and_stays_within_its_bounds(opened: Callable[..., Book]) -> None:
    book = opened()
    control = book.row("voice.request_silence_s").control
    assert isinstance(control, TextControl)
    QTest.keyClick(control.edit, Qt.Key.Key_Up)
    assert control.value() == pytest.approx(0.8)
    for _ in range(9):
        QTest.keyClick(control.edit, Qt.Key.Key_Down)
    assert control.value() == pytest.approx(0.3)
    QTest.keyClick(control.edit, Qt.Key.Key_Return)
    book.serve()
    assert book.room.values["voice.request_silence_s"] == pytest.approx(0.3)


def test_scrolling_past_a_choice_does_not_change_it(opened: Callable[..., Book]) -> None:
    book = opened()
    control = book.row("ui.theme").control
    assert isinstance(control, ChoiceControl)
    middle = control.box.rect().center()
    wheel = QWheelEvent(
        QPointF(middle),
        QPointF(control.box.mapToGlobal(middle)),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(control.box, wheel)
    book.serve()
    assert (control.value(), book.room.text) == ("system", "")


def test_the_folder_opens_and_the_text_is_one_click_away(
    opened: Callable[..., Book], monkeypatch: pytest.MonkeyPatch
) -> None:
    places: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: places.append(url.toLocalFile()))
    book = opened()
    press(book.page.folder)
    press(book.page.text)
    assert places == [str(book.room.home)]
    assert book.lines == [("settings.yaml", 0)]


@pytest.mark.parametrize("word", ["", "mcp", "MCP servers", "서버"])
def test_servers_are_found_here_and_lead_to_their_page(opened: Callable[..., Book], word: str) -> None:
    book = opened("")
    book.page.search.setText(word)
    assert book.page.servers.isVisible()
    assert not book.page.nothing.isVisible()
    book.page.servers.click()
    assert book.places == [Place.SERVERS]
    book.page.search.setText("microphone")
    assert not book.page.servers.isVisible()


def test_no_control_is_without_a_kind() -> None:
    assert {field.kind for field in FIELDS.values()} == set(ValueKind)
    assert issubclass(TextControl, Control)
