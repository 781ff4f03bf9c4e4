"""One morning of two goals, short enough to be killed at each of its writes; also by a signal, in a child.

    python -m tests.parts.goal_life.morning FOLDER N

kills one process after another at its first, second … N-th write, each in a folder of its own.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

from jarvis_desktop.core.items.ids import MAIN_AGENT
from tests.parts.goal_life.days import BEGAN, Days, Plan, sentence
from tests.parts.goal_life.machine import OneThreadLoop, Reaper
from tests.parts.goal_life.world import Listed

T = TypeVar("T")
PLAN = Plan(seed=7, days=0, goals=2)
HOURS_S = 3 * 3600.0
KILLED = -signal.SIGKILL


def run(work: Coroutine[Any, Any, T]) -> T:
    """What comes of it, on a loop that takes no time."""
    with asyncio.Runner(loop_factory=OneThreadLoop) as runner:
        return runner.run(work)


async def lived(home: Path, reaper: Reaper) -> Days:
    """A morning in which the program dies where ``reaper`` says, is started again, and has time to settle."""
    days = fresh_days(home)
    with days.machine():
        await days.start(reaper)
        await days.reborn()
        await _given(days)
        await _pass(days, 900)
        await days.life.asks(1500)  # over the next turn, which can only be told by a notification
        _list(days, "s00", 3, 4)
        await _pass(days, HOURS_S / 2)
        _list(days, "s01", 3)
        await _pass(days, HOURS_S / 2)
        await _given(days)  # a person whose wish was lost with the program says it again
        await days.calms_down(HOURS_S)
    return days


async def recovered(home: Path) -> Days:
    """The program is started once more in a home in which it was killed, and has time to settle."""
    days = fresh_days(home)
    days.clock.asleep_s(2 * HOURS_S)
    for name in days.world.sources:
        _list(days, name, 3, 4)
    with days.machine():
        await days.start()
        await _given(days)
        await days.calms_down(HOURS_S)
    return days


def fresh_days(home: Path) -> Days:
    """Two sources with two items each, on a morning at nine."""
    days = Days(PLAN, home)
    days.clock.asleep_s(BEGAN.replace(hour=0, minute=5).timestamp() + 86_400 - BEGAN.timestamp())
    for number in range(PLAN.goals):
        name = f"s{number:02}"
        days.add_source(name)
        _list(days, name, 1, 2)
    return days


def _list(days: Days, name: str, *numbers: int) -> None:
    for number in numbers:
        days.world.sources[name].listed[f"k{number}"] = Listed(f"k{number}", 1, None)


async def _given(days: Days) -> None:
    for name in days.world.sources:
        keeping = days.life.goals.keeping
        given = keeping.give(MAIN_AGENT, sentence(name))
        await days.life.as_far_as_it_comes(_alone(given))
        await days.reborn()


async def _alone(given: Coroutine[Any, Any, object]) -> None:
    await given


async def _pass(days: Days, seconds: float) -> None:
    until_s = days.clock.lived_s + seconds
    while days.clock.lived_s < until_s:
        await days.goes_on()


def main(folder: Path, most: int) -> None:
    """Kill them; print how each ended."""
    for number in range(1, most + 1):
        child = os.fork()
        if child == 0:
            run(lived(folder / str(number), Reaper(dies_at=number, real=True)))
            os._exit(0)
        print(number, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
