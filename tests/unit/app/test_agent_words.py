"""What windows say about agents."""

from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.ids import MAIN_AGENT
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.team_desk import AgentFact
from jarvis_desktop.ui.agent_words import purpose_text


def fact(purpose: str) -> AgentFact:
    card = AgentCard(MAIN_AGENT, "JARVIS", ("Jarvis",), purpose=purpose)
    return AgentFact("team/main.yaml", card, own=False)


def test_what_an_agent_is_for_is_said_in_the_language_of_the_window_where_it_comes_with_jarvis() -> None:
    korean = Catalog(Language.KOREAN)
    said = purpose_text(fact("Works with the files and programs of this computer."), korean)
    assert said == "이 컴퓨터의 파일과 프로그램을 다뤄요."
    assert purpose_text(fact("Writes minutes."), korean) == "Writes minutes."
    assert purpose_text(fact(""), korean) == "–"
