"""The agents' desk over a real home: files are shown, edited, copied, and folders made."""

import asyncio
from pathlib import Path
from typing import TypeVar

import pytest

from jarvis_desktop.adapters.team_files import SHIPPED
from jarvis_desktop.app.agent_registry import AgentRegistry
from jarvis_desktop.app.team_desk import TeamDesk
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.rule_desk import (
    CheckRuleText,
    ReadRuleFile,
    RuleFileRead,
    RuleTextChecked,
    RuleTextSaved,
    RuleWishRefused,
    SaveRuleText,
    TextCommand,
)
from jarvis_desktop.core.items.team_desk import (
    AgentCopied,
    AgentFact,
    CopyAgent,
    Folder,
    FolderReady,
    LookAtTeam,
    PrepareFolder,
    TeamDeskCommand,
    TeamLooked,
    TeamWishRefused,
)
from tests.fakes.clock import FakeClock
from tests.fakes.texts import PlainTexts

FILE = "team/scribe.yaml"
GOOD = "name: Scribe\ntop_level: false\n"
E = TypeVar("E")


class Office:
    """The desk over a home, and what windows were told."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.told: list[Event] = []
        self.team = AgentRegistry(home, lambda: {"bash", "read_file"}, FakeClock(), PlainTexts(), self.emit)
        self.desk = TeamDesk(home, self.team, PlainTexts(), self.emit)

    async def emit(self, event: Event) -> None:
        self.told.append(event)

    async def ask(self, kind: type[E], *commands: TeamDeskCommand | TextCommand) -> E:
        """The last of that kind that is told about these."""
        self.told.clear()
        async with asyncio.timeout(60):
            for command in commands:
                self.desk.obey(command)
            await self.desk.close()
        return [one for one in self.told if isinstance(one, kind)][-1]

    async def look(self) -> dict[str, AgentFact]:
        return {one.file: one for one in (await self.ask(TeamLooked, LookAtTeam())).agents}

    def write(self, text: str) -> None:
        (self.home / "team").mkdir(exist_ok=True)
        (self.home / FILE).write_text(text, "utf-8")


@pytest.fixture
def office(tmp_path: Path) -> Office:
    return Office(tmp_path)


async def test_agents_of_the_app_of_the_person_and_delegates_are_told_with_their_files(
    office: Office,
) -> None:
    office.write(GOOD)
    agents = await office.look()
    assert set(agents) == {f"team/{path.name}" for path in SHIPPED.glob("*.yaml")} | {FILE}
    mine, karen = agents[FILE], agents["team/karen.yaml"]
    assert (mine.own, karen.own) == (True, False)
    assert mine.card is not None
    assert not mine.card.top_level
    assert mine.digest


async def test_a_file_that_takes_the_place_of_one_of_the_app_is_the_only_one_shown(office: Office) -> None:
    (office.home / "team").mkdir()
    (office.home / "team" / "mine.yaml").write_text("id: karen\nname: Karen the second\n")
    agents = await office.look()
    assert "team/karen.yaml" not in agents
    assert agents["team/mine.yaml"].own


async def test_a_broken_file_is_told_with_the_line_of_each_mistake(office: Office) -> None:
    office.write("name: Scribe\ntolos: [bash]\n")
    broken = (await office.look())[FILE]
    assert broken.card is None
    [problem] = broken.problems
    assert (problem.line, problem.is_warning) == (2, False)
    assert "tolos" in problem.text
    assert "tools" in problem.text


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (GOOD, 0, ""),
        ("name: Scribe\ntools: [bahs]\n", 2, "bash"),
        ("name: [\n", 2, "cannot be read"),
        ("", 0, ""),
    ],
)
async def test_a_text_is_checked_while_it_is_written(office: Office, text: str, line: int, said: str) -> None:
    checked = await office.ask(RuleTextChecked, CheckRuleText(7, FILE, text))
    assert checked.number == 7
    assert [one.line for one in checked.problems] == ([line] if said else [])
    assert all(said in one.text for one in checked.problems)


async def test_a_text_that_is_saved_counts_at_once(office: Office) -> None:
    office.write(GOOD)
    read = await office.ask(RuleFileRead, ReadRuleFile(FILE))
    assert read.text == GOOD
    await office.ask(RuleTextSaved, SaveRuleText(FILE, "name: Secretary\n", read.digest))
    card = next(card for card in office.team.agents() if card.agent_id == "scribe")
    assert card.name == "Secretary"


async def test_a_file_that_somebody_else_changed_is_not_written_over(office: Office) -> None:
    office.write(GOOD)
    read = await office.ask(RuleFileRead, ReadRuleFile(FILE))
    office.write("name: Theirs\n")
    theirs = await office.ask(RuleFileRead, SaveRuleText(FILE, "name: Mine\n", read.digest))
    assert theirs.text == "name: Theirs\n"
    assert (office.home / FILE).read_text() == "name: Theirs\n"


@pytest.mark.parametrize("file", ["team/../settings.yaml", "team/.hidden.yaml", "team/a/b.yaml", "team/x.py"])
async def test_only_files_of_agents_are_read_and_written_here(office: Office, file: str) -> None:
    await office.ask(RuleWishRefused, ReadRuleFile(file))
    await office.ask(RuleWishRefused, SaveRuleText(file, "name: x\n", ""))
    assert not (office.home / "settings.yaml").exists()


async def test_an_agent_of_the_app_is_copied_to_be_changed_and_nothing_is_written_over(
    office: Office,
) -> None:
    copied = await office.ask(AgentCopied, CopyAgent("team/karen.yaml"))
    assert copied.file == "team/karen.yaml"
    own = office.home / "team" / "karen.yaml"
    assert own.read_bytes() == (SHIPPED / "karen.yaml").read_bytes()
    assert (await office.look())["team/karen.yaml"].own
    own.write_text("name: Mine\n")
    await office.ask(TeamWishRefused, CopyAgent("team/karen.yaml"))
    assert own.read_text() == "name: Mine\n"


@pytest.mark.parametrize("folder", list(Folder))
async def test_a_folder_is_made_before_it_is_opened(office: Office, folder: Folder) -> None:
    ready = await office.ask(FolderReady, PrepareFolder(folder))
    assert Path(ready.path).is_dir()
    assert Path(ready.path).is_relative_to(office.home.resolve())


async def test_a_folder_that_cannot_be_made_is_said(office: Office) -> None:
    (office.home / "tools").write_text("a file")
    refused = await office.ask(TeamWishRefused, PrepareFolder(Folder.TOOLS))
    assert "tools" in refused.reason
