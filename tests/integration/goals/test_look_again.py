"""Files that change where no watching tells of it: each tick looks, and the loop waits for none of it."""

import asyncio
from datetime import datetime

from jarvis_desktop.app.idle_loop import IdleLoop, IdleParts
from jarvis_desktop.app.person_first import PersonFirst
from jarvis_desktop.core.items.commands import Tick
from tests.fakes.clock import settle
from tests.integration.goals.house import GOAL, House
from tests.integration.schedule.stage import Stage, at, daily


def tick(now: datetime) -> Tick:
    return Tick(now, 600.0)


async def test_each_tick_looks_at_goals_beside_what_is_due_and_a_slow_look_holds_up_nothing() -> None:
    stage = Stage("2026-12-01T07:59:40", daily(cron="* * * * *"))
    hung, looks = asyncio.Event(), list[int]()

    async def look() -> None:
        looks.append(1)
        await hung.wait()

    parts = IdleParts(stage.scheduler, PersonFirst(stage.clock), stage.clock, works=True, beside=(look,))
    loop = IdleLoop(parts)
    for minute in range(4):
        stage.clock.at = at(f"2026-12-01T08:0{minute}")
        loop.ticked(tick(stage.clock.at))
        await settle(20)
    assert (len(looks), len(stage.began)) == (1, 3), "it is not begun anew while it runs"
    hung.set()
    await settle()
    loop.ticked(tick(stage.clock.at))
    await settle()
    assert len(looks) == 2
    await loop.close()


async def test_a_look_that_breaks_ends_neither_the_loop_nor_the_next_look() -> None:
    stage, looks = Stage("2026-12-01T08:00"), list[int]()

    async def look() -> None:
        looks.append(1)
        raise OSError("the disk is gone")

    parts = IdleParts(stage.scheduler, PersonFirst(stage.clock), stage.clock, works=True, beside=(look,))
    loop = IdleLoop(parts)
    for _ in range(2):
        loop.ticked(tick(stage.clock.at))
        await settle()
    await loop.close()
    assert len(looks) == 2


async def test_a_file_that_was_written_over_in_its_place_is_noticed_by_a_tick(house: House) -> None:
    await house.book.look()
    path = house.home / f"goals/{GOAL.goal_id}.json"
    text = path.read_text("utf-8").replace("0 9-21 * * *", "0 7-21 * * *")
    with path.open("r+", encoding="utf-8") as file:  # in place: the folder does not change
        file.write(text)
    await house.book.tick()
    (goal,) = (await house.book.look()).goals
    assert goal.cron == "0 7-21 * * *"
