"""``jarvis-desktop goal``: goals from a terminal, and one turn without a window at a given time."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

import pytest

from jarvis_desktop.adapters.goal_files import GoalFiles
from jarvis_desktop.adapters.sqlite_store import SqliteStore, open_store
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.app.cli import run
from jarvis_desktop.app.options import DATABASE_NAME
from jarvis_desktop.core.items.goals import GoalState
from jarvis_desktop.core.items.ids import MAIN_AGENT, SessionId, TurnId
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Message, Origin, Role, TurnEnd, TurnRequest
from tests.fakes.texts import PlainTexts

T = TypeVar("T")

SETTINGS = "model: {backend: ollama, host: 'http://127.0.0.1:9'}\nagent: {working_directory: %s}\n"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home in which no model answers."""
    folder = tmp_path / ".jarvis"
    folder.mkdir(mode=0o700)
    (folder / "settings.yaml").write_text(SETTINGS % (tmp_path / "work"), "utf-8")
    monkeypatch.setenv("JARVIS_HOME", str(folder))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    return folder


def test_goals_are_given_listed_paused_and_stopped(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = GoalFiles(home)
    assert run(["goal", "add", "tell", "me", "only when X changes"]) == 0
    (goal,) = files.look(every_file=True).goals
    assert goal.sentence == "tell me only when X changes"
    assert "changes”. Jarvis is not running now. The first look is as soon as it runs" in (
        capsys.readouterr().out
    )
    assert run(["goal", "list"]) == 0
    said = capsys.readouterr().out
    assert goal.sentence in said
    assert "every hour from 9 to 21" in said
    assert run(["goal", "log", "X changes"]) == 0
    assert "It had no turn yet. The first one is as soon as Jarvis runs." in capsys.readouterr().out
    for word, state in (
        ("pause", GoalState.PAUSED),
        ("resume", GoalState.ACTIVE),
        ("stop", GoalState.STOPPED),
    ):
        assert run(["goal", word, "X changes"]) == 0
        assert files.look(every_file=True).goals[0].state is state
    assert run(["goal", "log", "X changes"]) == 0
    assert run(["goal", "stop", "never given"]) == 1


def test_one_turn_at_a_given_time_says_what_came_of_it(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["goal", "add", "tell me only when X changes"]) == 0
    capsys.readouterr()
    assert run(["goal", "run", "X changes", "--at", "2026-12-05T09:00+00:00", "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert (said["outcome"], said["at"][:16], said["called"], said["told"], said["held_back"]) == (
        "error",
        "2026-12-05T09:00",
        [],
        [],
        [],
    )
    assert "http://127.0.0.1:9" in said["why"]
    assert run(["goal", "pause", "X changes"]) == 0
    capsys.readouterr()
    assert run(["goal", "run", "X changes", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["outcome"] == "skipped-window"
    assert home.exists()


def test_a_turn_at_a_later_time_makes_no_conversation_too_old(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clock, texts = SystemClock(), PlainTexts()
    with (home / "settings.yaml").open("a", encoding="utf-8") as settings:
        settings.write("memory: {retention_days: 365}\n")
    request = TurnRequest(
        *(TurnId("1"), SessionId("s"), MAIN_AGENT, "buy milk", Origin.TYPED, Language.ENGLISH, home),
        clock.now(),
    )

    async def in_store(work: Callable[[SqliteStore], Awaitable[T]]) -> T:
        store = (await open_store(home / DATABASE_NAME, clock, texts)).store
        try:
            return await work(store)
        finally:
            await store.close()

    async def said(store: SqliteStore) -> SessionId:
        session = (await store.begin_conversation(MAIN_AGENT, home)).session_id
        await store.begin_turn(replace(request, session_id=session))
        await store.add_messages(request.turn_id, (Message(Role.USER, "buy milk"),))
        await store.end_turn(request.turn_id, TurnEnd.ANSWERED, "Noted.")
        return session

    session = asyncio.run(in_store(said))
    assert run(["goal", "add", "tell me only when X changes"]) == 0
    later = (clock.now() + timedelta(days=3650)).isoformat(timespec="minutes")
    assert run(["goal", "run", "X changes", "--at", later, "--json"]) == 1
    assert "error" in capsys.readouterr().out
    past = asyncio.run(in_store(lambda store: store.past(session)))
    assert [one.text for one in past] == ["buy milk"]


def test_what_is_no_goal_or_no_time_is_said(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["goal", "run", "nothing"]) == 1
    assert run(["goal", "run", "nothing", "--at", "soon"]) == 2
    assert "soon" in capsys.readouterr().err
    assert not (home / "goals").exists()


@pytest.mark.parametrize("word", ["stop", "pause", "resume", "중지"])
def test_a_goal_that_begins_like_a_change_is_given_and_changes_none(home: Path, word: str) -> None:
    files = GoalFiles(home)
    assert run(["goal", "add", "watch the build"]) == 0
    assert run(["goal", "add", word, "build"]) == 0
    goals = files.look(every_file=True).goals
    assert {(one.sentence, one.state) for one in goals} == {
        ("watch the build", GoalState.ACTIVE),
        (f"{word} build", GoalState.ACTIVE),
    }


def test_a_goal_of_no_words_is_refused(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["goal", "add", " "]) == 1
    said = capsys.readouterr()
    assert (said.out, "no goal was added" in said.err) == ("", True)
    assert not (home / "goals").exists()


@pytest.mark.parametrize("at", ["9999-12-31T23:59", "0001-01-01T00:00+09:00"])
def test_a_turn_at_an_end_of_the_calendar_is_refused(
    home: Path, at: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["goal", "run", "X changes", "--at", at]) == 2
    assert at in capsys.readouterr().err
    assert home.exists()
