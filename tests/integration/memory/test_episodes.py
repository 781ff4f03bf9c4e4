"""Every turn leaves an episode that its agent finds again by text, time, tool and outcome."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from jarvis_desktop.adapters import sqlite_memory, sqlite_recall
from jarvis_desktop.adapters.sqlite_memory import SqliteMemory
from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId, TurnId
from jarvis_desktop.core.items.memory import Episode, KeptCall, KeptText, PatternName, Recall, SessionKind
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import TurnEnd
from jarvis_desktop.core.turn.repeats import HAVE_IT
from tests.fakes.clock import START, FakeClock
from tests.fakes.texts import PlainTexts
from tests.parts.memory import Past, call, pattern

KAREN = AgentId("karen")


async def asked(past: Past, agent: AgentId | None = MAIN_AGENT, **conditions: object) -> list[str]:
    """The requests of the episodes that are recalled, in their order."""
    wanted = replace(Recall(agent_id=agent, limit=20), **conditions)  # type: ignore[arg-type]
    return [str(one.request) for one in await past.memory.recall(wanted)]


async def test_an_episode_says_what_was_asked_done_and_answered(past: Past) -> None:
    messages = [
        *call("grep", "found", pattern="날씨"),
        *call("bash", "no", ResultStatus.DENIED, command="rm x"),
        *call("grep", HAVE_IT, pattern="날씨", path="."),
    ]
    request = await past.turn("날씨 메모를 찾아 줘", "두 개 있어요.", messages=messages)
    (episode,) = await past.memory.recall(Recall(agent_id=MAIN_AGENT))
    assert episode == Episode(
        request.turn_id,
        request.session_id,
        MAIN_AGENT,
        SessionKind.CONVERSATION,
        TurnEnd.ANSWERED,
        START,
        0.0,
        Language.KOREAN,
        "grep",
        KeptText("날씨 메모를 찾아 줘"),
        KeptText("두 개 있어요."),
        (KeptCall("grep", {"pattern": "날씨"}),),
        1,
    )


@pytest.mark.parametrize("end", list(TurnEnd))
async def test_a_turn_leaves_an_episode_however_it_ends(past: Past, end: TurnEnd) -> None:
    await past.turn("tidy my notes", "", end)
    assert [one.outcome for one in await past.memory.recall(Recall(outcome=end))] == [end]


@pytest.mark.parametrize("word", ["날씨", "청약", "서울"])
async def test_two_syllables_find_longer_words(past: Past, word: str) -> None:
    await past.turn("서울날씨가 어때", "주택청약홈을 봤어요")
    await past.turn("전혀 다른 이야기")
    assert await asked(past, text=word) == ["서울날씨가 어때"]


@pytest.mark.promise("T-048")
async def test_each_agent_recalls_its_own_past_alone(past: Past) -> None:
    await past.turn("나의 날씨 질문")
    await past.turn("카렌의 날씨 질문", agent=KAREN)
    assert await asked(past, text="날씨") == ["나의 날씨 질문"]
    assert await asked(past) == ["나의 날씨 질문"]
    assert await asked(past, KAREN, text="날씨") == ["카렌의 날씨 질문"]
    await past.memory.teach(pattern("Weather", "날씨"))
    request = await past.turn("날씨", agent=KAREN)
    assert await past.memory.fitting(request) == ()


async def test_time_tool_and_outcome_narrow_what_is_recalled(past: Past) -> None:
    await past.turn("last week", messages=call("bash", command="date"), days_ago=7)
    await past.turn("yesterday", messages=call("grep", pattern="x"), days_ago=1)
    await past.turn("just now", "", TurnEnd.FAILED, call("bash", "boom", ResultStatus.ERROR, command="make"))
    assert await asked(past) == ["just now", "yesterday", "last week"]
    assert await asked(past, since=START - timedelta(days=2)) == ["just now", "yesterday"]
    assert await asked(past, until=START - timedelta(days=2)) == ["last week"]
    assert await asked(past, tool="bash") == ["just now", "last week"], "its first tool, even if it failed"
    assert await asked(past, tool="bash", outcome=TurnEnd.ANSWERED) == ["last week"]
    assert await asked(past, text="last", tool="grep") == []
    assert await asked(past, text="last week", tool="bash", since=START - timedelta(days=9)) == ["last week"]


async def test_the_newer_of_two_alike_comes_first(past: Past) -> None:
    await past.turn("청약 공고 일정", days_ago=300)
    await past.turn("청약 공고 일정표", days_ago=2)
    assert await asked(past, text="청약 공고") == ["청약 공고 일정표", "청약 공고 일정"]


async def test_some_of_the_words_are_enough_when_no_episode_has_all(past: Past) -> None:
    await past.turn("부산 날씨")
    assert await asked(past, text="지난번에 물어본 날씨") == ["부산 날씨"]


async def test_the_whole_request_of_a_failed_turn_is_kept_up_to_16_thousand_characters(past: Past) -> None:
    await past.turn("good " * 400)
    await past.turn("x" * 9_000 + "end", "", TurnEnd.FAILED)
    await past.turn("h" * 20_000 + "end", "", TurnEnd.OVERFLOW)
    with closing(sqlite3.connect(past.folder / "jarvis.db")) as connection:
        kept = connection.execute("SELECT request, request_tail FROM replays ORDER BY turn").fetchall()
    assert [len(head) + len(tail) for head, tail in kept] == [9_003, 16_000]
    assert all((head + tail).endswith("end") for head, tail in kept)


async def test_what_a_person_changed_is_found_by_its_new_words_alone(past: Past) -> None:
    await past.turn("날씨를 물었다", "맑음")
    changed = await past.memory.change_episode(1, "기온을 물었다", "맑음")
    assert changed is not None
    assert await asked(past, text="기온") == ["기온을 물었다"]
    assert await asked(past, text="날씨") == []
    assert await past.memory.change_episode(99, "", "") is None


async def test_while_memory_is_off_nothing_is_kept_found_or_used(past: Past) -> None:
    await past.turn("before")
    await past.memory.teach(pattern("any", "before"))
    off = SqliteMemory(past.store, past.folder / "jarvis.db", past.clock, PlainTexts(), lambda: False)
    request = await replace(past, memory=off).turn("before, meanwhile")
    assert await off.recall(Recall()) == ()
    assert await off.fitting(request) == ()
    assert await asked(past) == ["before"]
    assert (await off.look(Recall())).total == 1, "the person still sees what there is"


async def test_what_is_taught_again_replaces_what_was_taught(past: Past) -> None:
    first = await past.memory.teach(pattern("Weather", "weather", content="Celsius"))
    again = await past.memory.teach(pattern("Weather", "weather", "날씨", content="Kelvin"))
    assert again.number == first.number
    request = await past.turn("날씨")
    (fits,) = await past.memory.fitting(request)
    assert fits == again
    await past.memory.used(request.turn_id, [PatternName(fits.number, fits.name)])
    await past.memory.used(request.turn_id, [PatternName(99, "gone meanwhile")])


async def test_an_index_of_another_version_is_made_anew(past: Past, home: Path) -> None:
    await past.turn("서울 날씨")
    with closing(sqlite3.connect(home / "jarvis.db")) as connection, connection:
        connection.execute("INSERT INTO episode_words(episode_words) VALUES ('delete-all')")
        connection.execute("UPDATE memory_state SET value = '0' WHERE name = 'index'")
    assert await asked(past, text="날씨") == []
    await past.memory.index_anew()
    assert await asked(past, text="날씨") == ["서울 날씨"]


async def test_a_page_knows_how_much_there_is_and_where_the_next_begins(past: Past) -> None:
    for number in range(5):
        await past.turn(f"request {number}", messages=call("bash", command="ls"))
    await past.turn("hers", agent=KAREN)
    first = await past.memory.look(Recall(limit=2))
    assert ([str(one.request) for one in first.episodes], first.total) == (["hers", "request 4"], 6)
    assert (first.agents, first.tools) == ((KAREN, MAIN_AGENT), ("bash",))
    then = await past.memory.look(Recall(agent_id=MAIN_AGENT, limit=2, before=first.episodes[-1].number))
    assert [str(one.request) for one in then.episodes] == ["request 3", "request 2"]


async def test_a_look_shows_one_moment_though_a_turn_ends_in_the_midst_of_it(
    past: Past, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await past.turn("before")
    found = sqlite_recall.recalled

    def with_a_turn_behind(
        connection: sqlite3.Connection, wanted: Recall, now: datetime
    ) -> tuple[Episode, ...]:
        episodes = found(connection, wanted, now)
        with closing(sqlite3.connect(home / "jarvis.db")) as writer, writer:
            writer.execute("UPDATE episodes SET leaving = 1")
        return episodes

    monkeypatch.setattr(sqlite_memory, "recalled", with_a_turn_behind)
    looked = await past.memory.look(Recall())
    assert (len(looked.episodes), looked.total) == (1, 1)


async def test_turns_from_before_episodes_become_some_and_stay_forgotten(past: Past, home: Path) -> None:
    for number in range(50):
        await past.turn(f"older {number} 날씨", messages=call("bash", command="date"))
    with closing(sqlite3.connect(home / "jarvis.db")) as connection, connection:
        connection.execute("DELETE FROM episodes")
        connection.execute("INSERT INTO episode_words(episode_words) VALUES ('delete-all')")
        connection.execute("UPDATE memory_state SET value = '45' WHERE name = 'past'")
    past.memory._clock = Hurried()
    await past.memory.remember_past()
    found = await past.memory.recall(Recall("날씨", tool="bash", limit=100))
    assert len(found) == 45
    assert {one.kind for one in found} == {SessionKind.CONVERSATION}
    await past.memory.let_go("episodes", found[0].number)
    await past.erase()
    await past.memory.remember_past()
    assert len(await past.memory.recall(Recall("날씨", limit=100))) == 44


async def test_a_turn_that_a_kill_had_cut_off_is_an_episode_too(past: Past, home: Path) -> None:
    session = (await past.store.begin_conversation(MAIN_AGENT, home)).session_id
    request = replace(await past.turn("before"), turn_id=TurnId("cut"), session_id=session, text="half 날씨")
    await past.store.begin_turn(request)
    restored = await past.store.restore(MAIN_AGENT, home)
    await past.memory.remember_interrupted([turn.turn_id for turn in restored.interrupted])
    assert await asked(past, text="날씨", outcome=TurnEnd.INTERRUPTED) == ["half 날씨"]
    await past.memory.remember_interrupted([TurnId("cut"), TurnId("unknown")])
    assert await asked(past, text="날씨") == ["half 날씨"], "twice is once"


class Hurried(FakeClock):
    """Never waits."""

    async def sleep(self, seconds: float) -> None:
        del seconds
