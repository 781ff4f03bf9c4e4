"""Weeks of trouble, a kill at every write, and checks that see what they are there to see."""

import asyncio
import sys
from pathlib import Path

import pytest

from jarvis_desktop.adapters import sqlite_goal_inbox as inbox
from jarvis_desktop.adapters.sqlite_schedule import SqliteSchedule
from tests.parts.goal_life import morning
from tests.parts.goal_life.checks import faults, table
from tests.parts.goal_life.days import Days, Plan
from tests.parts.goal_life.machine import Reaper
from tests.parts.program import ROOT

SMALL = Plan(seed=1, days=6, goals=6)
TINY = Plan(seed=3, days=2, goals=3)
CHILDREN = 12


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def test_weeks_of_trouble_lose_nothing_and_tell_and_run_nothing_twice(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    days = Days(SMALL, home)
    morning.run(days.run())
    counts = table(days)
    with capsys.disabled():
        print("", *(f"{name} {value}" for name, value in counts.items()), sep=" · ")
    assert faults(days) == []
    assert min(counts[name] for name in ("killed", "items in conversations", "items notified", "runs")) > 0


@pytest.mark.promise("G-020")
@pytest.mark.promise("G-120")
@pytest.mark.parametrize("rest", range(4))
def test_a_kill_at_any_write_of_a_morning_loses_nothing_and_repeats_nothing(home: Path, rest: int) -> None:
    """Decision 23 replaces the repeat of G-120."""
    number, killed = rest + 1, 1
    while killed:
        days = morning.run(morning.lived(home / str(number), Reaper(dies_at=number)))
        killed = days.counts["killed"]
        assert (number, faults(days)) == (number, [])
        number += 4
    assert number > 40, "the program has at least so many writes in a morning"


async def test_a_process_killed_by_the_system_at_any_write_leaves_a_home_that_goes_on(home: Path) -> None:
    home.mkdir()
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.parts.goal_life.morning", str(home), str(CHILDREN)),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(120):
        out, _ = await child.communicate()
    ends = [line.split() for line in out.decode().splitlines()]
    assert ends == [[str(number), str(morning.KILLED)] for number in range(1, CHILDREN + 1)]
    for number in range(1, CHILDREN + 1):
        days = await asyncio.to_thread(morning.run, morning.recovered(home / str(number)))
        assert (number, faults(days)) == (number, [])


def test_the_checks_see_an_item_that_is_told_but_not_marked(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "_tell", lambda *_: None)
    found = "\n".join(faults(_lived(home)))
    assert "told 2 times" in found
    assert "told and marked as told differ" in found


def test_the_checks_see_an_item_that_is_lost(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox, "_append", lambda *_: None)
    assert any(one.startswith("lost") for one in faults(_lived(home)))


def test_the_checks_see_a_run_that_is_done_twice(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def always(*_: object) -> bool:
        return True

    monkeypatch.setattr(SqliteSchedule, "claim", always)
    assert any(one.startswith("run twice") for one in faults(_lived(home)))


def _lived(home: Path) -> Days:
    days = Days(TINY, home)
    morning.run(days.run())
    return days
