"""Which requests call an agent by name, and which only speak about one."""

import pytest

from jarvis_desktop.core.agents.addressing import addressed
from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.ids import AgentId
from tests.fakes.team import JARVIS, KAREN

TEAM = (JARVIS, KAREN)
KIM = AgentCard(AgentId("kim"), "Karen Kim", ("Karen Kim",))


@pytest.mark.parametrize(
    "text",
    [
        "KAREN, 새 공고 알려줘",
        "Karen: what is new?",
        "karen! look at this",
        "카렌, 새 공고 알려줘",
        "카렌아 새 공고 알려줘",
        "카렌아, 새 공고 알려줘",
        "카레나 새 공고 알려줘",
        "카렌! 공고",
        "카렌 씨, 공고 알려줘",
        "카렌님, 공고 알려줘",
        "카렌，공고",
        "KAREN아 공고 알려줘",
        "hey Karen what is new",
        "Hi Karen, what is new",
        "야 카렌아 공고 있어?",
        "헤이 카렌 공고 있어?",
        "저기, 카렌, 공고 있어?",
        "카렌... 공고 있어?",
        "  카렌, 공고",
        "\u110f\u1161\u1105\u1166\u11ab, 공고",
    ],
)
def test_a_request_that_begins_with_a_called_name_is_for_that_agent(text: str) -> None:
    assert addressed(text, TEAM) is KAREN


@pytest.mark.parametrize("text", ["KAREN", "카렌아", "카렌?", "karen!", "hey Karen", "카렌 씨", "Hi Karen."])
def test_a_name_alone_calls_too(text: str) -> None:
    assert addressed(text, TEAM) is KAREN


@pytest.mark.parametrize(
    "text",
    [
        "Karen's file has two pages",
        "Karen’s file",
        "Karen is my sister",
        "Karen-based naming",
        "Karenina is a novel",
        "Ask Karen, please",
        "카렌의 파일을 열어 줘",
        "카렌이 보낸 메일",
        "카렌은 누구야?",
        "카렌 파일 열어 줘",
        "카렌한테 물어봐",
        "카렌에게, 이 파일을",
        "카렌야 새 공고",
        "카렌님의 파일",
        "카렌 님 파일 열어 줘",
        "카레나무",
        "hi Karen's file",
        "karen.txt 를 열어 줘",
        "karen.yaml",
        "안녕 카렌, 안녕 자비스",
        "",
        ",",
    ],
)
def test_a_name_that_is_only_spoken_about_calls_nobody(text: str) -> None:
    assert addressed(text, TEAM) is None


@pytest.mark.parametrize(("text", "name"), [("자비스야 안녕", True), ("자비스아 안녕", False)])
def test_the_particle_follows_the_last_sound(text: str, *, name: bool) -> None:
    assert (addressed(text, TEAM) is JARVIS) is name


def test_the_longer_name_is_meant_where_one_begins_like_another() -> None:
    assert addressed("Karen Kim, hello", (KAREN, KIM)) is KIM
