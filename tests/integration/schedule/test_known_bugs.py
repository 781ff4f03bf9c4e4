"""What went wrong with schedules elsewhere: sleep, restarts, crashes, and clocks that change."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.adapters.local_zone import zone_named
from jarvis_desktop.adapters.schedule_files import ScheduleFiles
from jarvis_desktop.adapters.sqlite_schedule import SqliteSchedule
from jarvis_desktop.app.idle_loop import IdleLoop, IdleParts
from jarvis_desktop.app.person_first import PersonFirst
from jarvis_desktop.core.items.commands import Tick
from jarvis_desktop.core.items.schedule import Job, JobId, JobKind, JobRan, Run, RunEnd
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.scheduler.scheduler import timing_of
from jarvis_desktop.ui.schedule_words import ran_line
from tests.fakes.clock import settle
from tests.fakes.schedule import zone_by_name
from tests.fakes.texts import PlainTexts
from tests.integration.schedule.stage import Stage, at, daily

TEA = JobId("tea")


def began(stage: Stage) -> list[datetime]:
    return [moment for _, moment in stage.began]


@pytest.mark.goal_bug("sleep", "Morning routines never ran")
async def test_the_first_tick_after_a_night_begins_what_is_due_whatever_other_clocks_say() -> None:
    stage = Stage("2026-12-01T23:00", daily(), daily("noon", "0 9-10 * * *"))
    person = PersonFirst(stage.clock)
    loop = IdleLoop(IdleParts(stage.scheduler, person, stage.clock, works=True))
    for now in ("2026-12-01T23:00", "2026-12-02T12:00"):  # the clock that only grows stands still meanwhile
        stage.clock.at = at(now)
        loop.ticked(Tick(stage.clock.at, 600.0))
        await settle(20)
    await loop.close()
    assert stage.began == [("tea", at("2026-12-02T12:00"))]
    assert ("2026-12-02T10:00", RunEnd.MISSED) in stage.ends, "what is not made up for has a row, too"


@pytest.mark.goal_bug("sleep", "A job due Sunday")
@pytest.mark.goal_bug("sleep", "A Friday 16:00 job")
@pytest.mark.parametrize(
    ("cron", "before", "due", "woke", "then"),
    [
        ("30 10 * * 0", "2026-12-06T10:00", "2026-12-06T10:30", "2026-12-08T18:57", "2026-12-13T10:30"),
        ("0 16 * * 5", "2026-12-04T15:00", "2026-12-04T16:00", "2026-12-06T10:06", "2026-12-11T16:00"),
    ],
)
async def test_what_is_made_up_for_says_when_it_was_due_and_the_next_time_is_counted_from_now(
    cron: str, before: str, due: str, woke: str, then: str
) -> None:
    stage = Stage(before, daily(cron=cron))
    await stage.tick()
    await stage.tick(woke)
    (ran,) = stage.told
    assert (ran.run.due_at, ran.run.began_at, ran.run.end) == (at(due), at(woke), RunEnd.DONE)
    assert ran_line(ran, PlainTexts()).startswith("⏰ Say hello.: done late, it was due at ")
    assert stage.scheduler.next_due(daily(cron=cron)) == (at(then),)


def test_what_ran_on_time_says_nothing_of_lateness() -> None:
    ran = JobRan(daily(), Run(TEA, at("2026-12-01T08:00"), at("2026-12-01T08:00:30"), RunEnd.DONE))
    assert ran_line(ran, PlainTexts()) == "⏰ Say hello.: done"
    assert "늦게" not in ran_line(ran, Catalog(Language.KOREAN))


@pytest.mark.goal_bug("sleep", "After resume a job")
async def test_five_minutes_after_its_time_it_runs_at_the_first_tick_and_the_next_time_lies_ahead() -> None:
    stage = Stage("2026-12-01T07:59", daily())
    await stage.tick()
    await stage.tick("2026-12-01T08:05")
    assert began(stage) == [at("2026-12-01T08:05")]
    assert stage.scheduler.next_due(daily()) == (at("2026-12-02T08:00"),)


@pytest.mark.goal_bug("sleep", "After sleep the missed")
async def test_two_signals_in_the_same_moment_begin_one_run() -> None:
    stage = Stage("2026-12-01T07:00", daily())
    await stage.tick()
    stage.clock.at = at("2026-12-01T12:00")
    await asyncio.gather(*(stage.scheduler.tick() for _ in range(3)))
    await settle(8)
    await stage.tick()
    assert len(stage.began) == 1


@pytest.mark.goal_bug("missed", "Weekly cleanup on a")
async def test_a_loop_that_stood_still_over_the_time_runs_it_all_the_same() -> None:
    stage = Stage("2026-12-06T07:59:58", daily(cron="0 8 * * 0"))
    await stage.tick("2026-12-06T07:59:59")
    await stage.tick("2026-12-06T08:00:05")
    assert stage.ends == [("2026-12-06T08:00", RunEnd.DONE)]


@pytest.mark.goal_bug("restart", "After a power cut")
async def test_while_much_is_made_up_for_lists_answer_and_what_is_taken_away_never_runs() -> None:
    jobs = [daily(f"job{number:02}", "0 11 * * *") for number in range(45)]
    stage = Stage("2026-12-01T10:01", *jobs)
    await stage.tick()
    await stage.restart("2026-12-01T15:00")
    stage.hold = asyncio.Event()
    await stage.tick()
    async with asyncio.timeout(10):  # nothing of it waits for the run, which has no end yet
        runs = await SqliteSchedule(stage.store).runs()
        assert [run.end for run in runs] == [None]
        assert stage.scheduler.next_due(jobs[9]) == (at("2026-12-02T11:00"),)
        await stage.jobs.remove(jobs[44].job_id)
    stage.hold.set()
    await stage.until("2026-12-01T16:00")
    assert {job_id for job_id, _ in stage.began} == {job.job_id for job in jobs[:44]}


@pytest.mark.goal_bug("restart", "A missed job restarts")
@pytest.mark.parametrize("kind", list(JobKind))
async def test_a_job_that_ends_the_program_is_done_once_each_time_and_paused_the_second(
    kind: JobKind,
) -> None:
    job = Job(JobId("goal-g1"), kind, "Boom", "0 * * * *")
    stage = Stage("2026-12-01T07:59", job)
    for hour in (8, 9, 10):
        stage.hold = asyncio.Event()
        await stage.until(f"2026-12-01T{hour:02}:01")
        await stage.restart()
        await stage.tick()
    assert began(stage) == [at("2026-12-01T08:00"), at("2026-12-01T09:00")]
    assert not stage.jobs.by_id[job.job_id].enabled
    first, second = [one.run.text for one in stage.told]
    command = "/goal resume g1" if kind is JobKind.GOAL else "/schedule resume goal-g1"
    assert first == ""
    assert second == (
        f"Jarvis ended in the middle of it twice in a row, so it is paused. {command} lets it go on."
    )


async def test_ends_that_a_person_wanted_pause_nothing() -> None:
    stage = Stage("2026-12-01T07:59", daily(cron="0 * * * *"))
    for hour in (8, 9, 10):
        stage.hold = asyncio.Event()
        await stage.until(f"2026-12-01T{hour:02}:01")
        await stage.scheduler.close()
        await stage.restart()
    assert len(stage.began) == 3
    assert stage.jobs.by_id[TEA].enabled


@pytest.mark.goal_bug("restart", "Restart at 22:10 sends")
async def test_a_start_after_the_hours_of_a_job_shows_what_was_missed_and_waits_until_morning() -> None:
    stage = Stage("2026-12-01T10:30", daily(cron="0 9-21 * * *"))
    await stage.tick()
    await stage.restart("2026-12-01T22:10")
    await stage.until("2026-12-02T08:59")
    assert (stage.began, stage.ends) == ([], [("2026-12-01T21:00", RunEnd.MISSED)])
    await stage.tick("2026-12-02T09:00")
    assert began(stage) == [at("2026-12-02T09:00")]


@pytest.mark.goal_bug("restart", "Occurrences that already ran")
@pytest.mark.parametrize("once", [True, False])
async def test_an_older_file_that_comes_back_repeats_nothing(*, once: bool) -> None:
    job = Job(TEA, task="Tea", at=at("2026-12-01T08:00")) if once else daily()
    stage = Stage("2026-12-01T07:59", job)
    await stage.until("2026-12-01T08:02")
    stage.jobs.by_id[TEA] = daily(cron="0 20 * * *")
    await stage.tick()
    stage.jobs.by_id[TEA] = job
    await stage.restart("2026-12-01T08:00:30")  # and the clock is set back to the very minute
    await stage.until("2026-12-01T12:00")
    assert len(stage.began) == 1


# --- clocks that change -----------------------------------------------------------------------


@pytest.mark.goal_bug("dst", "After the change no")
@pytest.mark.parametrize("day", ["2026-03-08", "2026-11-01"])
async def test_hourly_jobs_go_on_over_both_changes(day: str) -> None:
    stage = Stage(f"{day}T00:30", daily(cron="0 * * * *"), zone="America/Los_Angeles")
    await stage.until((at(f"{day}T00:30") + timedelta(hours=36)).isoformat(), timedelta(minutes=5))
    assert len(stage.began) == 36


@pytest.mark.goal_bug("dst", "Reminders sent twice on")
@pytest.mark.parametrize("day", ["2026-03-07", "2026-10-31"])
async def test_a_program_that_runs_over_the_change_reminds_once_a_day(day: str) -> None:
    stage = Stage(f"{day}T12:00", daily(cron="0 9 * * *"), zone="America/Los_Angeles")
    await stage.until((at(f"{day}T12:00") + timedelta(days=3)).isoformat(), timedelta(minutes=5))
    wall = [moment.astimezone(zone_by_name()("America/Los_Angeles")) for moment in began(stage)]
    assert [(one.hour, one.minute) for one in wall] == [(9, 0)] * 3


@pytest.mark.goal_bug("dst", "A 02:00 automation does")
async def test_a_time_that_the_clock_skips_runs_at_the_first_moment_behind_the_gap() -> None:
    stage = Stage("2026-03-29T00:30", daily(cron="0 2 * * *"), zone="Europe/Berlin")
    await stage.until("2026-03-29T03:00")
    assert began(stage) == [at("2026-03-29T01:00")]  # 03:00 on the wall


@pytest.mark.goal_bug("dst", "A 02:01 automation was")
async def test_in_the_hour_that_comes_twice_each_tick_looks_once_and_one_run_begins() -> None:
    stage = Stage("2026-10-24T23:50", daily(cron="1 2 * * *"), zone="Europe/Berlin")
    await stage.until("2026-10-25T03:00")
    assert began(stage) == [at("2026-10-25T00:01")]
    ticks = (at("2026-10-25T03:00") - at("2026-10-24T23:50")) / timedelta(seconds=30)
    assert len(stage.problems) == ticks, "one look at the jobs for each tick"


@pytest.mark.goal_bug("timezone", "'0 9 * *")
async def test_the_zone_in_a_file_is_the_zone_of_its_times_in_summer_and_winter(tmp_path: Path) -> None:
    files = ScheduleFiles(tmp_path, zone_named, PlainTexts())
    await files.add(Job(TEA, task="Tea", cron="0 9 * * *", zone="America/New_York"))
    (job,) = (await files.look()).jobs
    timing = timing_of(job, zone_named, PlainTexts())
    found = [timing.next_after(datetime(2026, month, 15, tzinfo=UTC)) for month in (1, 7)]
    assert [one.astimezone(UTC).hour for one in found if one] == [14, 13]
