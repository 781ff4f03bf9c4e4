"""Agents by id and by name."""

import pytest

from jarvis_desktop.core.agents.roster import Roster
from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.ids import AgentId
from tests.fakes.team import JARVIS, KAREN

DECOMPOSED = "\u110f\u1161\u1105\u1166\u11ab"
"""카렌 as some keyboards and file systems write it."""
ADA = AgentCard(AgentId("ada"), "Ada Lovelace", ("ada lovelace", "에이다"))


def test_the_main_agent_comes_first_and_the_others_by_name() -> None:
    assert Roster((KAREN, ADA, JARVIS)).cards == (JARVIS, ADA, KAREN)


@pytest.mark.parametrize("word", ["karen", "KAREN", " Karen ", "카렌", DECOMPOSED])
def test_an_agent_is_found_by_any_of_its_names_in_any_case(word: str) -> None:
    assert Roster((JARVIS, KAREN)).named(word) is KAREN


def test_a_name_of_several_words_is_one_name() -> None:
    assert Roster((JARVIS, ADA)).named("ada  lovelace") is ADA
    assert Roster((JARVIS, ADA)).named("ada lovelace jr") is None


def test_nobody_answers_to_nothing() -> None:
    assert Roster((JARVIS, KAREN)).named("  ") is None
    assert Roster((JARVIS, KAREN)).find(AgentId("nobody")) is None
