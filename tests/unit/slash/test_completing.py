"""What is suggested while a command is typed."""

import pytest

from jarvis_desktop.core.items.ids import AgentId
from jarvis_desktop.core.items.rules import Rule, RuleLine
from jarvis_desktop.core.slash.completing import behind_a_name, name_choices, value_choices
from jarvis_desktop.core.slash.parsing import Slash, read
from jarvis_desktop.core.slash.registry import COMMANDS, Registry, descriptions
from tests.fakes.slash import FakeRules, Fakes
from tests.fakes.texts import PlainTexts


def names(line: str) -> list[str]:
    return [choice.text for choice in name_choices(line, descriptions(PlainTexts()))]


async def values(line: str, fakes: Fakes) -> list[str]:
    slash = read(line)
    assert isinstance(slash, Slash)
    command = Registry().find(slash.word)
    assert command is not None
    return [choice.text for choice in await value_choices(line, command, fakes.world())]


def test_a_lone_slash_suggests_every_command_in_order() -> None:
    assert names("/") == [f"/{command.name}" for command in COMMANDS]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("/m", ["/mcp", "/memory", "/model", "/mute"]),
        ("/M", ["/mcp", "/memory", "/model", "/mute"]),
        ("／ru", ["/rules"]),
        ("/도", ["/도움말", "/도구"]),
        ("/도움", ["/도움"]),
        ("/새", ["/새대화"]),
        ("/mute", ["/mute"]),
        ("/zzz", []),
        ("/etc", []),
        ("/help ", []),
        ("/a/b", []),
        ("//", []),
        (" /help", []),
        ("help", []),
        ("", []),
    ],
)
def test_names_and_aliases_are_suggested_by_how_they_begin(line: str, found: list[str]) -> None:
    assert names(line) == found


def test_a_suggestion_shows_what_may_follow_and_an_alias_shows_its_command() -> None:
    rules, help_ = (name_choices(line, descriptions(PlainTexts()))[0] for line in ("/rules", "/도움말"))
    assert (rules.label, rules.goes_on) == ("/rules revoke N | undo", True)
    assert help_.label.startswith("/도움말 = /help ")


def test_something_stands_behind_a_name_only_in_a_command() -> None:
    lines = ("/rules ", "/rules re", "/rules", "/etc/hosts x", "rules ", "//rules ")
    assert [behind_a_name(line) for line in lines] == [True, True, False, False, False, False]


async def test_rule_numbers_are_suggested_with_their_rules() -> None:
    rules = FakeRules(
        *(Rule(RuleLine("bash", f"git {word}"), "approvals.yaml", 1) for word in ("log", "diff"))
    )
    fakes = Fakes(rules=rules)
    assert await values("/rules ", fakes) == ["/rules revoke 1", "/rules revoke 2"]
    assert await values("/rules revoke 2", fakes) == ["/rules revoke 2"]
    assert await values("/규칙 2", fakes) == ["/규칙 revoke 2"]
    assert await values("/rules x", fakes) == []


async def test_agents_are_suggested_by_name_and_switches_by_word() -> None:
    fakes = Fakes()
    assert await values("/agent ka", fakes) == ["/agent KAREN"]
    assert await values("/voice o", fakes) == ["/voice on", "/voice off"]
    assert fakes.team.find(AgentId("karen")) is not None


async def test_a_suggestion_never_changes_anything() -> None:
    fakes = Fakes(rules=FakeRules(Rule(RuleLine("bash", "git log"), "approvals.yaml", 1)))
    for command in COMMANDS:
        await values(f"/{command.name} o", fakes)
    assert (fakes.muted, fakes.focus.on, fakes.settings.changed, fakes.exports.written) == (
        False,
        False,
        [],
        {},
    )
    assert (len(fakes.rules.rules), fakes.events) == (1, [])
