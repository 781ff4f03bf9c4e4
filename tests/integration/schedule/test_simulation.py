"""A kill between any two writes, and weeks of sleep, restarts and jumping clocks: no run twice, none lost."""

import asyncio
from datetime import timedelta
from random import Random

import pytest

from jarvis_desktop.core.items.schedule import Job, JobId, RunEnd, RunResult
from tests.fakes.clock import settle
from tests.integration.schedule.stage import Stage, at, daily

DAYS, JOBS = 12, 8


def _jobs() -> tuple[Job, ...]:
    return (daily(), Job(JobId("egg"), task="Egg!", at=at("2026-12-01T08:03")))


@pytest.mark.goal_bug("sleep", "PC slept inside the")
@pytest.mark.goal_bug("restart", "A slot that falls")
@pytest.mark.parametrize("where", ["before", "after"])
@pytest.mark.parametrize("commit", range(1, 26))
async def test_a_kill_at_any_write_neither_repeats_nor_loses_a_run(commit: int, where: str) -> None:
    stage = Stage("2026-12-01T07:58", *_jobs())
    setattr(stage.store, f"dies_{where}", commit)

    while not stage.store.dead and stage.clock.at < at("2026-12-01T08:10"):
        try:
            await stage.tick()
        except Exception:
            assert stage.store.dead
    await settle(5)
    await stage.restart()
    await stage.until("2026-12-01T08:16")

    runs = {(run.job_id, run.due_at): run for run in await _ledger(stage)}
    assert runs.keys() == {("tea", at("2026-12-01T08:00")), ("egg", at("2026-12-01T08:03"))}
    assert max(stage.done.values()) == 1
    for key, run in runs.items():
        # What was cut off is written down as that; everything else was really done.
        assert run.end is RunEnd.INTERRUPTED or (run.end is RunEnd.DONE and stage.done[key] == 1)


async def _ledger(stage: Stage):  # type: ignore[no-untyped-def]  # what the ledger says
    from jarvis_desktop.adapters.sqlite_schedule import SqliteSchedule

    return await SqliteSchedule(stage.store).runs(limit=100_000)


@pytest.mark.parametrize("seed", range(2))
async def test_a_month_of_trouble_runs_nothing_twice_and_loses_nothing(
    seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    chance = Random(seed)
    crons = ["0 * * * *", "0 9-21 * * *", "*/30 * * * *", "15 8 * * 1-5", "30 2 * * *", "0 */6 * * *"]
    jobs = [daily(f"job{number}", chance.choice(crons)) for number in range(JOBS)]
    once = [
        Job(
            JobId(f"once{number}"),
            task="x",
            at=at("2026-10-10T00:00") + timedelta(minutes=chance.randrange(17_000)),
        )
        for number in range(20)
    ]
    stage = Stage("2026-10-10T00:00", *jobs, *once, zone="Europe/Berlin")
    counts = dict.fromkeys(("ticks", "kills", "sleeps", "jumps", "zones", "failures"), 0)
    end = stage.clock.at + timedelta(days=DAYS)
    while stage.clock.at < end:
        counts["ticks"] += 1
        await _something_happens(stage, chance, counts)
        await stage.tick(stage.clock.at + timedelta(minutes=7))
    stage.may_begin = True
    await stage.restart()
    await stage.until((end + timedelta(days=2)).isoformat(), timedelta(minutes=7))

    runs = await _ledger(stage)
    with capsys.disabled():
        print(f"\nseed {seed}: {counts}, {len(runs)} runs, {sum(stage.done.values())} of them begun")
    failed_again = counts["failures"]
    assert sum(count - 1 for count in stage.done.values()) <= failed_again
    assert len({(run.job_id, run.due_at) for run in runs}) == len(runs)
    assert all(run.end is not None for run in runs)
    assert {job.job_id for job in once} <= {run.job_id for run in runs}, "what was due once has an end"
    assert {job.job_id for job in jobs} <= {run.job_id for run in runs if run.end is RunEnd.DONE}
    assert stage.most <= 2


async def _something_happens(stage: Stage, chance: Random, counts: dict[str, int]) -> None:
    what = chance.random()
    if what < 0.02:
        counts["kills"] += 1
        setattr(
            stage.store,
            chance.choice(["dies_before", "dies_after"]),
            stage.store.commits + chance.randrange(1, 30),
        )
        for _ in range(3):
            if not stage.store.dead:
                try:
                    await stage.tick(stage.clock.at + timedelta(minutes=7))
                except Exception:
                    assert stage.store.dead
        await stage.restart()
    elif what < 0.04:
        counts["sleeps"] += 1
        stage.clock.at += timedelta(hours=chance.randrange(1, 20))
    elif what < 0.05:
        counts["jumps"] += 1
        stage.clock.at += timedelta(minutes=chance.randrange(-180, 180))
    elif what < 0.055:
        counts["zones"] += 1
        stage.zone = chance.choice(["Europe/Berlin", "Asia/Seoul", "America/New_York"])
    elif what < 0.08:
        counts["failures"] += 1
        stage.results.append(RunResult(RunEnd.FAILED, "no model", again=True))
    elif what < 0.1:
        stage.may_begin = not stage.may_begin
    await asyncio.sleep(0)
