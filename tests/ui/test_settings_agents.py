"""The page of agents over real files: who is shown, and how their files are changed from the window."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QTableWidget

from jarvis_desktop.app.agent_registry import AgentRegistry
from jarvis_desktop.app.team_desk import TeamDesk
from jarvis_desktop.core.items.events import AgentsListed, Event
from jarvis_desktop.core.items.rule_desk import TextOrder
from jarvis_desktop.core.items.team_desk import CopyAgent, LookAtTeam, TeamOrder
from jarvis_desktop.ui.qt.settings_agents_page import AgentsPage
from jarvis_desktop.ui.qt.settings_files_page import FilesPage
from jarvis_desktop.ui.qt.settings_page import Place, raw_text
from jarvis_desktop.ui.qt.settings_window import SettingsWindow
from tests.fakes.clock import FakeClock
from tests.fakes.texts import PlainTexts
from tests.ui.conftest import Stage

SCRIBE = "name: Scribe\npurpose: Writes.\ntop_level: false\ntools: [read_file]\nboundaries: {ask: [bash]}\n"


class Team:
    """The window on a stage, with the real desk over a home behind it."""

    def __init__(self, stage: Stage, home: Path, runner: asyncio.Runner) -> None:
        self.stage, self.home, self._runner, self._answered = stage, home, runner, 0
        self._told: list[Event] = []
        registry = AgentRegistry(home, lambda: {"bash", "read_file"}, FakeClock(), PlainTexts(), self._emit)
        self._desk = TeamDesk(home, registry, PlainTexts(), self._emit)
        stage.desktop.settings.open(Place.AGENTS)
        self.serve()

    async def _emit(self, event: Event) -> None:
        self._told.append(event)

    @property
    def window(self) -> SettingsWindow:
        window = self.stage.desktop.settings.window
        assert window is not None
        return window

    @property
    def page(self) -> AgentsPage:
        page = self.window.pages[Place.AGENTS]
        assert isinstance(page, AgentsPage)
        return page

    @property
    def files(self) -> FilesPage:
        page = self.window.pages[Place.FILES]
        assert isinstance(page, FilesPage)
        return page

    def serve(self) -> None:
        """Do what was asked for, until nothing more is."""
        for _ in range(6):
            for page in self.window.pages.values():
                timer = getattr(page, "_timer", None)
                if timer is not None and timer.isActive():
                    timer.stop()
                    timer.timeout.emit()
            commands = self.stage.sent[self._answered :]
            self._answered = len(self.stage.sent)
            if not commands:
                return

            async def done(wanted: list[object]) -> None:
                for one in wanted:
                    if isinstance(one, TeamOrder) or (isinstance(one, TextOrder) and "team/" in one.file):
                        self._desk.obey(one)  # type: ignore[arg-type] # orders are commands
                await self._desk.close()

            self._runner.run(done(list(commands)))
            events, self._told = self._told, []
            self.stage.take(*events)

    def choose(self, file: str) -> None:
        self.page.table.choose([one.file for one in self.page.agents].index(file))
        QApplication.processEvents()

    def press(self, button: QAbstractButton) -> None:
        assert button.isVisible()
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        self.serve()


@pytest.fixture
def team(staged: Callable[..., Stage], tmp_path: Path) -> Iterator[Team]:
    (tmp_path / "team").mkdir()
    (tmp_path / "team" / "scribe.yaml").write_text(SCRIBE, "utf-8")
    with asyncio.Runner() as runner:
        yield Team(staged(start_hidden=True), tmp_path, runner)


def column(table: QTableWidget, number: int) -> list[str]:
    items = (table.item(row, number) for row in range(table.rowCount()))
    return [item.text() if item else "" for item in items]


def test_all_agents_show_delegates_among_them_with_what_they_may_use(team: Team) -> None:
    assert column(team.page.table, 0) == ["Scribe", "KAREN", "JARVIS"]
    team.choose("team/scribe.yaml")
    facts = {what.text(): said.text() for what, said in team.page.facts if what.text()}
    assert facts == {
        "Talks with": "other agents only",
        "Tools": "read_file",
        "Always asks before": "bash",
        "Model": "as in the settings",
    } | ({"Answers to": "Scribe"} if "Answers to" in facts else {})
    assert team.page.path.text() == "team/scribe.yaml · Yours"


def test_an_own_file_is_edited_with_its_mistakes_at_their_lines(team: Team) -> None:
    team.choose("team/scribe.yaml")
    team.press(team.page.edit)
    assert (team.window.place, team.files.shown) == (Place.FILES, "team/scribe.yaml")
    assert raw_text(team.files.editor) == SCRIBE
    team.files.editor.setPlainText(SCRIBE + "tolos: []\n")
    team.serve()
    assert set(team.files.editor.marked) == {6}
    team.files.editor.setPlainText(SCRIBE.replace("Writes.", "Writes minutes."))
    team.serve()
    assert team.files.editor.marked == {}
    team.files.save.click()
    team.serve()
    assert "Writes minutes." in (team.home / "team" / "scribe.yaml").read_text()
    team.window.go(Place.AGENTS)
    team.serve()
    assert "Writes minutes." in column(team.page.table, 1)


def test_what_was_changed_on_disk_is_not_written_over(team: Team) -> None:
    team.window._to_file("team/scribe.yaml", 0)
    team.serve()
    team.files.editor.setPlainText("name: Mine\n")
    (team.home / "team" / "scribe.yaml").write_text("name: Theirs\n")
    team.files.save.click()
    team.serve()
    assert team.files.conflict.isVisible()
    assert (team.home / "team" / "scribe.yaml").read_text() == "name: Theirs\n"
    team.files.conflict.keep.click()
    team.serve()
    assert (team.home / "team" / "scribe.yaml").read_text() == "name: Mine\n"


def test_one_that_comes_with_the_app_is_copied_before_it_is_changed(team: Team) -> None:
    team.choose("team/karen.yaml")
    assert not team.page.edit.isVisible()
    team.press(team.page.copy)
    assert team.stage.of(CopyAgent) == [CopyAgent("team/karen.yaml")]
    assert (team.window.place, team.files.shown) == (Place.FILES, "team/karen.yaml")
    assert "KAREN" in raw_text(team.files.editor)
    assert (team.home / "team" / "karen.yaml").is_file()


def test_enter_on_one_of_the_app_leads_to_copying_and_does_not_do_it(team: Team) -> None:
    team.choose("team/karen.yaml")
    QTest.keyClick(team.page.table, Qt.Key.Key_Return)
    assert team.stage.of(CopyAgent) == []
    assert team.page.copy.hasFocus()


def test_what_is_wrong_is_a_sentence_whose_quotes_are_no_codes(team: Team) -> None:
    (team.home / "team" / "clerk.yaml").write_text("name: Clerk\ntools: [nix\u202e]\n")
    team.stage.take(AgentsListed(()))
    team.serve()
    team.choose("team/clerk.yaml")
    text = team.page.problems.item(0).text()
    assert "“nix⟨U+202E⟩”" in text


def test_a_broken_file_is_shown_with_what_is_wrong_and_leads_to_the_line(team: Team) -> None:
    (team.home / "team" / "clerk.yaml").write_text("name: Clerk\ntolos: [bash]\n")
    team.stage.take(AgentsListed(()))
    team.serve()
    team.choose("team/clerk.yaml")
    assert team.page.problems.count() == 1
    item = team.page.problems.item(0)
    assert "Line 2" in item.text()
    team.page.problems.itemActivated.emit(item)
    team.serve()
    assert team.files.shown == "team/clerk.yaml"
    assert team.files.editor.textCursor().blockNumber() == 1


def test_the_chosen_one_stays_chosen_when_others_come(team: Team) -> None:
    team.choose("team/karen.yaml")
    (team.home / "team" / "aaa.yaml").write_text("name: First\n")
    team.stage.take(AgentsListed(()))
    team.serve()
    assert team.page.name.text() == "KAREN"


def test_the_page_asks_again_only_while_it_is_seen(team: Team) -> None:
    team.window.hide()
    before = len(team.stage.of(LookAtTeam))
    team.stage.take(AgentsListed(()))
    assert len(team.stage.of(LookAtTeam)) == before
