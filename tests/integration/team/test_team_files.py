"""The agents' files on a real disk: added, edited, replaced, broken, mended and deleted."""

import os
import shutil
from pathlib import Path

import pytest

from jarvis_desktop.adapters.team_files import SHIPPED, TeamFiles
from jarvis_desktop.adapters.team_problem import Instead, TeamTrouble, team_sentence
from jarvis_desktop.core.items.agents import AgentCard, Boundaries, ModelWish, VoiceWish
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId
from jarvis_desktop.core.items.speech import Language
from tests.fakes.texts import PlainTexts

TOOLS = frozenset(
    [
        "bash",
        "read_file",
        "write_file",
        "edit_file",
        "glob",
        "grep",
        "list_dir",
        "web_search",
        "web_fetch",
        "recall_episodes",
        "remember_task_pattern",
    ]
)
SCRIBE = """\
name: Scribe
answers_to: [서기]
purpose: Writes things down.
language: ko
persona: |
  You write things down.
model:
  name: qwen3:8b
  temperature: 0.5
voice:
  pitch: 30
tools:
  - read_file
  - write_file
boundaries:
  ask: [write_file]
  never: [bash]
"""


class Disk:
    """A home with a folder of agents."""

    def __init__(self, home: Path, shipped: Path = SHIPPED) -> None:
        self.home = home
        self.tools = set(TOOLS)
        self.files = TeamFiles(home, lambda: self.tools, shipped)

    def write(self, text: str, name: str = "scribe.yaml") -> Path:
        path = self.home / "team" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    def replace(self, text: str, name: str = "scribe.yaml") -> None:
        """As editors save: another file takes the name in one step."""
        draft = self.home / "draft"
        draft.write_text(text, "utf-8")
        draft.replace(self.home / "team" / name)

    def card(self, agent_id: str = "scribe") -> AgentCard | None:
        return next((card for card in self.files.look().cards if card.agent_id == agent_id), None)

    def told(self) -> list[str]:
        return [team_sentence(problem, PlainTexts()) for problem in self.files.look().problems]


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    return Disk(tmp_path)


def test_the_agents_that_come_with_the_app_are_without_mistakes(disk: Disk) -> None:
    read = disk.files.look()
    assert ([card.agent_id for card in read.cards], read.problems) == (["karen", MAIN_AGENT], ())
    karen = disk.card("karen")
    assert karen is not None
    assert {"KAREN", "카렌"} <= set(karen.answers_to)
    assert karen.tools is not None
    assert set(karen.tools) <= TOOLS


@pytest.mark.promise("G-054")
def test_karen_asks_before_she_touches_a_persons_housing_profile(disk: Disk) -> None:
    karen = disk.card("karen")
    assert karen is not None
    assert karen.boundaries == Boundaries(ask=frozenset({"housing_profile"}))


def test_everything_that_a_file_says_is_on_the_card(disk: Disk) -> None:
    disk.write(SCRIBE)
    assert disk.card() == AgentCard(
        agent_id=AgentId("scribe"),
        name="Scribe",
        answers_to=("Scribe", "서기"),
        purpose="Writes things down.",
        language=Language.KOREAN,
        persona="You write things down.",
        model=ModelWish("qwen3:8b", 0.5),
        voice=VoiceWish(pitch=30),
        tools=("read_file", "write_file"),
        boundaries=Boundaries(frozenset({"write_file"}), frozenset({"bash"})),
    )
    assert disk.told() == []


def test_nothing_is_read_again_while_nothing_changed(disk: Disk) -> None:
    disk.write(SCRIBE)
    assert disk.files.look() is disk.files.look()


def test_a_folder_that_is_made_after_the_start_counts_at_the_next_look(disk: Disk) -> None:
    assert disk.card() is None
    disk.write(SCRIBE)
    assert disk.card() is not None


def test_an_edit_counts_at_the_next_look(disk: Disk) -> None:
    disk.write(SCRIBE)
    disk.files.look()
    disk.write(SCRIBE.replace("Scribe", "Writer"))
    card = disk.card()
    assert card is not None
    assert card.name == "Writer"


def test_a_file_that_is_exchanged_in_one_step_counts_even_with_the_same_size_and_time(disk: Disk) -> None:
    path = disk.write(SCRIBE)
    disk.files.look()
    state = path.stat()
    disk.replace(SCRIBE.replace("Scribe", "Bcribe"))
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    card = disk.card()
    assert card is not None
    assert card.name == "Bcribe"


def test_a_deleted_file_takes_its_agent_along(disk: Disk) -> None:
    path = disk.write(SCRIBE)
    disk.files.look()
    path.unlink()
    assert disk.card() is None


def test_a_file_of_ones_own_takes_the_place_of_the_one_that_comes_with_the_app(disk: Disk) -> None:
    path = disk.write("id: karen\nname: Eva\ntools: []\n", "my_karen.yaml")
    karen = disk.card("karen")
    assert karen is not None
    assert (karen.name, karen.tools, karen.persona) == ("Eva", (), "")
    path.unlink()
    karen = disk.card("karen")
    assert karen is not None
    assert karen.name == "KAREN"


def test_of_a_file_that_breaks_the_last_good_state_holds_until_it_is_mended(disk: Disk) -> None:
    disk.write(SCRIBE)
    good = disk.card()
    disk.write(SCRIBE + "never: [bash\n")
    assert disk.card() == good
    assert disk.told()[0].startswith("team/scribe.yaml, line ")
    assert disk.told()[0].endswith("Until it is mended, the agent stays as it was.")
    disk.write(SCRIBE.replace("Scribe", "Writer"))
    card = disk.card()
    assert (card and card.name, disk.told()) == ("Writer", [])


@pytest.mark.parametrize(
    "content",
    ["", "# nothing yet\n", "- a list\n", "name: [", "\x00\x01", "just words", "&a\nname: A\nmodel: *a\n"],
)
def test_a_file_that_is_no_agent_changes_nothing_that_held(disk: Disk, content: str) -> None:
    disk.write(SCRIBE)
    good = disk.card()
    disk.write(content)
    assert disk.card() == good
    assert disk.told()


def test_broken_at_the_start_the_one_that_comes_with_the_app_is_used(disk: Disk) -> None:
    disk.write("name: [", "karen.yaml")
    karen = disk.card("karen")
    assert karen is not None
    assert karen.name == "KAREN"
    assert disk.told()[0].endswith("Until it is mended, the one that comes with Jarvis is used.")


def test_broken_at_the_start_an_agent_of_ones_own_is_left_out(disk: Disk) -> None:
    disk.write("name: [")
    assert disk.card() is None
    assert disk.told()[0].endswith("Until it is mended, this agent is left out.")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("tools: [read_flie]", "line 2: no tool is called “read_flie”. Did you mean read_file?"),
        ("tols: [bash]", "line 2: an agent's file has no line called tols. Did you mean tools?"),
        (
            "boundaries: {nevr: [bash]}",
            "line 2: an agent's file has no line called boundaries.nevr. Did you mean never?",
        ),
        (
            "boundaries:\n  never:\n    - read_file\n    - bahs",
            "line 5: no tool is called “bahs”. Did you mean bash?",
        ),
        ("voice: {pitch: 300}", "line 2: voice.pitch is 300, the most allowed is 99."),
        ("language: fr", "line 2: language is fr, allowed are 'auto', 'ko' or 'en'."),
        ("model: gemma4:e2b", "line 2: model is gemma4:e2b, but lines are expected under it."),
        ("tools: bash", "line 2: tools is bash, a list is expected."),
        ("id: ../approvals", "line 2: ../approvals cannot be an id"),
        ("id: main\ntop_level: false", "line 3: top_level is false, but main is the agent"),
        ("persona: 7", "line 2: persona is 7, a text is expected."),
        ("purpose: " + "x" * 300, "at most 200 characters are allowed"),
    ],
)
def test_a_mistake_is_told_with_file_line_and_the_word_that_was_meant(
    disk: Disk, line: str, told: str
) -> None:
    disk.write(f"name: Scribe\n{line}\n")
    assert disk.card() is None
    assert disk.told()[0].startswith("team/scribe.yaml, line ")
    assert told in disk.told()[0]


def test_a_file_without_a_name_says_so(disk: Disk) -> None:
    disk.write("persona: Hello.\n")
    assert "team/scribe.yaml: the line name is missing." in disk.told()[0]


def test_a_tool_that_is_not_there_now_is_told_and_counts_once_it_is(disk: Disk) -> None:
    disk.write("name: Scribe\ntools: [zeppelin]\nboundaries: {never: [zeppelin]}\n")
    card = disk.card()
    assert card is not None
    assert card.boundaries.never == {"zeppelin"}
    assert len(disk.told()) == 2
    assert "“zeppelin” now" in disk.told()[0]
    disk.tools.add("zeppelin")
    assert disk.told() == []


def test_a_word_that_is_only_a_little_like_a_tool_is_no_slip_of_the_pen(disk: Disk) -> None:
    disk.tools.add("schedule")
    disk.write("name: Scribe\nboundaries: {never: [shell]}\n")
    [problem] = disk.files.look().problems
    assert (problem.trouble, problem.meant) == (TeamTrouble.NO_TOOL_NOW, "")
    assert disk.card() is not None


def test_a_list_of_tools_that_was_left_empty_gives_none_of_them(disk: Disk) -> None:
    disk.write("name: Scribe\ntools:\nmodel:\n")
    card = disk.card()
    assert card is not None
    assert card.tools == ()


def test_two_files_cannot_be_the_same_agent(disk: Disk) -> None:
    disk.write(SCRIBE)
    disk.write("id: scribe\nname: Other\n", "zzz.yaml")
    card = disk.card()
    assert card is not None
    assert card.name == "Scribe"
    [problem] = disk.files.look().problems
    assert (problem.trouble, problem.line, problem.instead) == (TeamTrouble.ID_TAKEN, 1, Instead.NOTHING)


def test_two_agents_cannot_answer_to_the_same_name(disk: Disk) -> None:
    disk.write("name: Scribe\nanswers_to: [자비스]\n")
    [problem] = disk.files.look().problems
    assert (problem.trouble, problem.found, problem.breaks) == (TeamTrouble.NAME_TAKEN, "자비스", False)
    assert disk.card() is not None


def test_what_is_no_agents_file_is_passed_over(disk: Disk) -> None:
    disk.write("nonsense: [", ".scribe.yaml.swp")
    disk.write("nonsense: [", ".hidden.yaml")
    disk.write("nonsense: [", "notes.txt")
    (disk.home / "team" / "dangling.yaml").symlink_to(disk.home / "nowhere")
    assert disk.told() == []


def test_a_pipe_or_a_folder_in_the_place_of_a_file_is_told_and_not_waited_for(disk: Disk) -> None:
    (disk.home / "team" / "folder.yaml").mkdir(parents=True)
    os.mkfifo(disk.home / "team" / "pipe.yaml")
    assert len(disk.told()) == 2


def test_an_installed_app_finds_its_agents_beside_its_code(tmp_path: Path) -> None:
    copy = tmp_path / "site-packages" / "jarvis_desktop" / "team"
    shutil.copytree(SHIPPED, copy)
    disk = Disk(tmp_path, copy)
    assert disk.card(MAIN_AGENT) is not None
