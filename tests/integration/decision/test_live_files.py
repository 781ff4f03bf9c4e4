"""Settings and rule files that a person edits while the program runs."""

from pathlib import Path

import pytest

from jarvis_desktop.adapters.rule_book import FileRuleBook
from jarvis_desktop.adapters.rule_files import RuleFiles
from jarvis_desktop.adapters.settings_file import load_settings
from jarvis_desktop.app.decision_parts import ToldRules, machine_place, open_reading
from jarvis_desktop.app.live_settings import LiveSettings
from jarvis_desktop.app.options import Start
from jarvis_desktop.core.items.events import ActivityNoted, Event, Part, TroubleCleared, TroubleNoted
from jarvis_desktop.core.items.ids import MAIN_AGENT
from jarvis_desktop.core.items.room import PERSONS_ROOM
from jarvis_desktop.core.items.rules import RuleLine
from jarvis_desktop.core.items.setup import SettingsChanged
from jarvis_desktop.core.ports import NoSandbox
from jarvis_desktop.core.settings import DANGEROUS_COMMANDS
from tests.fakes.clock import FakeClock
from tests.fakes.texts import PlainTexts

LS = RuleLine("bash", "ls")


class Told:
    """Keeps what people are told in words."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    async def emit(self, event: Event) -> None:
        if not isinstance(event, SettingsChanged):
            self.events.append(event)

    def take(self) -> list[tuple[type[Event], str]]:
        """What was told since the last look."""
        events, self.events = self.events, []
        return [(type(event), getattr(event, "text", "")) for event in events]


def started(home: Path) -> Start:
    settings, problems = load_settings(home, {})
    return Start(home, settings, PlainTexts(), problems, voice=False)


async def test_an_edited_setting_counts_at_the_next_decision(tmp_path: Path) -> None:
    told = Told()
    security = LiveSettings(started(tmp_path), told.emit)
    await security.announce()
    assert (await security.fresh()).dangerous_commands == DANGEROUS_COMMANDS
    (tmp_path / "settings.yaml").write_text("security:\n  dangerous_commands: [sudo, deploy]\n")
    assert security.known().dangerous_commands == DANGEROUS_COMMANDS
    assert (await security.fresh()).dangerous_commands == ("sudo", "deploy")
    assert security.known().dangerous_commands == ("sudo", "deploy")
    (tmp_path / "settings.yaml").unlink()
    assert (await security.fresh()).dangerous_commands == DANGEROUS_COMMANDS
    assert told.take() == []


@pytest.mark.promise("T-183")
async def test_a_wrong_danger_entry_is_said_at_the_start_and_as_over_when_it_is_mended(
    tmp_path: Path,
) -> None:
    file, told = tmp_path / "settings.yaml", Told()
    file.write_text('security:\n  dangerous_commands: ["("]\n')
    security = LiveSettings(started(tmp_path), told.emit)
    await security.announce()
    ((kind, text),) = told.take()
    assert kind is TroubleNoted
    assert text.startswith("security.dangerous_commands in settings.yaml: '(' is neither")
    await security.fresh()
    assert told.take() == []
    file.write_text("security:\n  dangerous_commands: [sudo]\n")
    await security.fresh()
    assert told.events == [TroubleCleared(Part.SETTINGS)]


async def test_a_setting_broken_while_running_is_strict_and_said_once(tmp_path: Path) -> None:
    file, told = tmp_path / "settings.yaml", Told()
    security = LiveSettings(started(tmp_path), told.emit)
    file.write_text("security:\n  require_approval_for: 3\n")
    for _ in range(2):
        assert (await security.fresh()).require_approval_for == ("*",)
    ((kind, text),) = told.take()
    assert (kind, text.startswith("settings.yaml, line 2: ")) == (TroubleNoted, True)


async def test_a_rule_that_does_not_count_is_said_once_in_window_and_activity_list(tmp_path: Path) -> None:
    told, file = Told(), tmp_path / "approvals.yaml"
    rules = ToldRules(FileRuleBook(RuleFiles(tmp_path)), FakeClock(), PlainTexts(), told.emit)
    file.write_text("rules:\n  - {tool: bash, pattern: ls}\n")
    first = await rules.load(MAIN_AGENT)
    assert (await rules.load(MAIN_AGENT)) is first
    assert told.take() == []
    file.write_text("rules:\n  - {tool: bash}\n  - {tool: bash, pattern: ls}\n")
    for _ in range(2):
        held = await rules.load(MAIN_AGENT)
        assert [rule.line for rule in held.rules] == [LS]
    said = told.take()
    assert [kind for kind, _ in said] == [TroubleNoted, ActivityNoted]
    assert all(text.startswith("An approval rule does not count. approvals.yaml, line 2") for _, text in said)
    file.write_text("rules: 3\n")
    await rules.load(MAIN_AGENT)
    assert [kind for kind, _ in told.take()] == [TroubleNoted, ActivityNoted]
    file.unlink()
    assert (await rules.load(MAIN_AGENT)).rules == ()
    assert told.events == [TroubleCleared(Part.RULES)]


async def test_rules_are_saved_and_revoked_through_the_same_book(tmp_path: Path) -> None:
    rules = ToldRules(FileRuleBook(RuleFiles(tmp_path)), FakeClock(), PlainTexts(), Told().emit)
    assert rules.file_of(MAIN_AGENT) == "approvals/main.yaml"
    assert await rules.save(MAIN_AGENT, (LS,)) == (LS,)
    assert await rules.save(MAIN_AGENT, (LS,)) == ()
    (rule,) = (await rules.load(MAIN_AGENT)).rules
    await rules.revoke(rule)
    assert (await rules.load(MAIN_AGENT)).rules == ()


async def test_the_machine_is_read_with_links_of_the_home_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "home").symlink_to(tmp_path / "real")
    place = machine_place(tmp_path / "app", tmp_path / "home")
    assert (place.home, place.real_home) == (str(tmp_path / "home"), str(tmp_path / "real"))
    assert machine_place(tmp_path / "app", tmp_path / "real").real_home == ""
    start = started(tmp_path)
    reading = open_reading(start, FakeClock(), LiveSettings(start, Told().emit), Told().emit, NoSandbox())
    assert (await reading.sandbox.holds("/", PERSONS_ROOM), reading.place.app_home) == (False, str(tmp_path))
    assert await reading.lookup.facts(()) == {}
    assert await reading.lookup.scripts(()) == {}
