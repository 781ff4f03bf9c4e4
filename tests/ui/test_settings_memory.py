"""The memory page: what it shows, what it asks for, and what takes an accident to forget."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLineEdit, QPlainTextEdit, QWidget

from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId
from jarvis_desktop.core.items.memory import Recall
from jarvis_desktop.core.items.memory_desk import (
    ChangeEpisode,
    ChangePattern,
    EpisodeChanged,
    Erased,
    ForgetBegun,
    ForgetEpisode,
    ForgetEverything,
    ForgetPattern,
    ForgetUndone,
    LookAtMemory,
    MemoryLooked,
    MemoryWishRefused,
    PatternChanged,
    Remembered,
    UndoForget,
)
from jarvis_desktop.core.items.setup import ChangeSetting
from jarvis_desktop.core.items.turn import TurnEnd
from jarvis_desktop.ui.qt.settings_memory_page import EPISODES, MemoryPage
from jarvis_desktop.ui.qt.settings_page import Place
from tests.parts.memory import pattern
from tests.ui.conftest import Stage
from tests.unit.memory.test_recall import episode

KAREN = AgentId("karen")
NAMES = {MAIN_AGENT: "JARVIS", KAREN: "KAREN"}
EPISODE = replace(episode(2), outcome=TurnEnd.FAILED)
PATTERN = replace(pattern("Weather", "날씨", "weather", content="Celsius"), number=5)


class Memory:
    """The page on a stage; the test answers in the desk's place."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        stage.desktop.settings.open(Place.MEMORY)
        window = stage.desktop.settings.window
        assert window is not None
        page = window.pages[Place.MEMORY]
        assert isinstance(page, MemoryPage)
        self.window, self.page = window, page

    def told(self, *, more: int = 0, enabled: bool = True, days: int = 0) -> None:
        """The answer to the last look."""
        found = Remembered(
            (*(episode(100 + number) for number in range(more)), EPISODE, episode(1)),
            (PATTERN,),
            2 + more,
            tuple(NAMES),
            ("bash",),
        )
        asked = [one for one in self.stage.sent if isinstance(one, LookAtMemory)][-1]
        self.stage.take(MemoryLooked(asked.number, found, enabled, days, NAMES))

    def sent(self) -> object:
        """What was sent last, looks left out."""
        return [one for one in self.stage.sent if not isinstance(one, LookAtMemory)][-1]

    @property
    def looked(self) -> LookAtMemory:
        return [one for one in self.stage.sent if isinstance(one, LookAtMemory)][-1]


@pytest.fixture
def memory(staged: Callable[..., Stage]) -> Memory:
    memory = Memory(staged(start_hidden=True))
    memory.told()
    return memory


def press(button: QAbstractButton) -> None:
    assert button.isVisible()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_what_is_remembered_and_taught_shows_with_whose_it_is(memory: Memory) -> None:
    table = memory.page.episodes.table
    items = [table.item(0, column) for column in range(4)]
    assert [item.text() for item in items if item][1:] == ["날씨?", "Failed", "JARVIS"]
    assert memory.page.episodes.count.text() == "2 of 2 turns"
    taught = memory.page.patterns.table.item(0, 1)
    assert taught is not None
    assert taught.text() == "날씨, weather"
    assert memory.page.patterns.about.text() == "Celsius"


def test_an_answer_to_an_older_look_changes_nothing(memory: Memory) -> None:
    old = memory.looked.number
    memory.page.look()
    memory.stage.take(MemoryLooked(old, Remembered((), (), 0, (), ()), True, 0, {}))
    assert memory.page.episodes.table.rowCount() == 2


def test_filters_and_words_say_what_is_looked_for(memory: Memory) -> None:
    card = memory.page.episodes
    card.outcome.setCurrentIndex(card.outcome.findData("failed"))
    card.agent.setCurrentIndex(card.agent.findData("karen"))
    card.tool.setCurrentIndex(card.tool.findData("bash"))
    card.since.setCurrentIndex(1)
    card.text.setText(" 날씨 ")
    card._timer.timeout.emit()
    assert memory.looked.wanted == Recall(
        text="날씨", tool="bash", outcome=TurnEnd.FAILED, agent_id=KAREN, limit=EPISODES + 1
    )
    assert memory.looked.within_s == 86_400


def test_more_begins_behind_the_last_one_that_is_shown(memory: Memory) -> None:
    memory.page.look()
    memory.told(more=EPISODES)
    assert memory.page.episodes.table.rowCount() == EPISODES
    press(memory.page.episodes.more)
    assert memory.looked.wanted.before == memory.page.episodes.shown[-1].number
    memory.told()
    assert memory.page.episodes.table.rowCount() == EPISODES + 2


def test_a_turn_is_forgotten_by_key_and_taken_back_while_the_seconds_run(memory: Memory) -> None:
    card = memory.page.episodes
    card.table.setFocus()
    QTest.keyClick(card.table, Qt.Key.Key_Delete)
    wish = ForgetEpisode(2)
    assert memory.sent() == wish
    memory.stage.take(ForgetBegun(wish, 10))
    assert card.undo_bar.isVisible()
    assert "In 10 seconds" in card.undo_bar.said.text()
    card.undo_bar._timer.timeout.emit()
    assert "In 9 seconds" in card.undo_bar.said.text()
    assert not memory.page.patterns.undo_bar.isVisible()
    press(card.undo_bar.undo)
    assert memory.sent() == UndoForget(wish)
    memory.stage.take(ForgetUndone(wish))
    assert not card.undo_bar.isVisible()


def test_what_is_erased_cannot_be_taken_back(memory: Memory) -> None:
    bar, wish = memory.page.episodes.undo_bar, ForgetEpisode(2)
    memory.stage.take(ForgetBegun(wish, 1))
    bar._timer.timeout.emit()
    assert "being deleted" in bar.said.text()
    assert not bar.undo.isEnabled()
    memory.stage.take(Erased((EPISODE.turn_id,), (wish,)))
    assert not bar.isVisible()


def test_trouble_is_said_on_the_page(memory: Memory) -> None:
    memory.stage.take(MemoryWishRefused("jarvis.db cannot be used: the disk is full."))
    assert "the disk is full" in memory.page.trouble.text()
    memory.stage.take(ForgetUndone(ForgetEpisode(2)))
    assert not memory.page.trouble.isVisible()


def test_a_turn_is_changed_only_after_asking_for_it(memory: Memory) -> None:
    card = memory.page.episodes
    assert card.request.isReadOnly()
    press(card.edit)
    card.request.setPlainText("기온?")
    press(card.save)
    assert memory.sent() == ChangeEpisode(2, "기온?", "맑음")
    memory.stage.take(EpisodeChanged(EPISODE))
    assert card.request.isReadOnly()
    assert card.edit.hasFocus()


def test_a_turn_that_ends_meanwhile_does_not_disturb_the_writing(memory: Memory) -> None:
    card = memory.page.episodes
    press(card.edit)
    card.request.setPlainText("half writ")
    memory.page.look()
    memory.told()
    assert card.request.toPlainText() == "half writ"


def test_what_was_taught_is_changed_and_forgotten(memory: Memory) -> None:
    card = memory.page.patterns
    press(card.change)
    card.content.setPlainText("Kelvin")
    card.keywords.setText("날씨, weather,, 날씨 ")
    press(card.save)
    changed = replace(PATTERN, content="Kelvin")
    assert memory.sent() == ChangePattern(changed)
    memory.stage.take(PatternChanged(changed))
    assert not card.editor.isVisible()
    press(card.forget)
    assert memory.sent() == ForgetPattern(5)
    memory.stage.take(ForgetBegun(ForgetPattern(5), 10))
    assert card.undo_bar.isVisible()


@pytest.mark.parametrize("text", ["", "x" * 1501])
def test_what_is_too_long_or_nothing_cannot_be_saved(memory: Memory, text: str) -> None:
    card = memory.page.patterns
    press(card.change)
    card.content.setPlainText(text)
    assert not card.save.isEnabled()


def test_everything_is_forgotten_only_after_one_more_question_that_enter_answers_with_no(
    memory: Memory,
) -> None:
    card = memory.page.everything
    press(card.begin)
    assert card.no.hasFocus()
    QTest.keyClick(card.no, Qt.Key.Key_Space)
    assert not card.sure.isVisible()
    assert not [one for one in memory.stage.sent if isinstance(one, ForgetEverything)]
    card.whose.setCurrentIndex(card.whose.findData("karen"))
    press(card.begin)
    assert "KAREN" in card.question.text()
    press(card.yes)
    assert memory.sent() == ForgetEverything(KAREN)


def test_another_choice_or_closing_puts_the_question_away(memory: Memory) -> None:
    card = memory.page.everything
    press(card.begin)
    card.whose.activated.emit(1)
    assert not card.sure.isVisible()
    press(card.begin)
    memory.window.reject()
    assert card.sure.isHidden()


def test_memory_is_switched_and_kept_for_as_long_as_a_person_wants(memory: Memory) -> None:
    page = memory.page
    press(page.enabled)
    assert memory.sent() == ChangeSetting("memory.enabled", False)
    page.kept.setCurrentIndex(page.kept.findData(30))
    page.kept.activated.emit(page.kept.currentIndex())
    assert memory.sent() == ChangeSetting("memory.retention_days", 30)
    page.look()
    memory.told(enabled=False, days=12)
    assert (page.enabled.isChecked(), page.kept.currentText()) == (False, "for 12 days")
    assert page.kept_note.isVisible()


def test_every_control_of_the_page_has_a_name(memory: Memory) -> None:
    press(memory.page.everything.begin)
    press(memory.page.patterns.change)
    for kind in (QAbstractButton, QComboBox, QLineEdit, QPlainTextEdit):
        for control in memory.page.findChildren(kind):
            if control.isVisible() and isinstance(control, QWidget):
                assert control.accessibleName() or getattr(control, "text", str)(), control.objectName()
    QApplication.processEvents()
