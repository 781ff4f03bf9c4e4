"""When jobs run, when they do not, and that none runs twice: the scheduler on its real ledger."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from jarvis_desktop.core.items.schedule import Job, JobId, RunEnd, RunResult
from tests.integration.schedule.stage import Stage, at, daily

FAILED = RunResult(RunEnd.FAILED, "no model", again=True)


@pytest.mark.goal_bug("duplicate", "Daily reminders fire on")
async def test_a_job_runs_at_its_time_and_not_again_that_day() -> None:
    stage = Stage("2026-12-01T07:00", daily())

    await stage.until("2026-12-02T07:59")

    assert stage.began == [("tea", at("2026-12-01T08:00"))]
    assert stage.ends == [("2026-12-01T08:00", RunEnd.DONE)]


async def test_a_job_that_runs_once_runs_once_and_its_file_goes() -> None:
    stage = Stage("2026-12-01T07:00", Job(JobId("egg"), task="Egg!", at=at("2026-12-01T07:06")))

    await stage.until("2026-12-01T09:00")

    assert stage.began == [("egg", at("2026-12-01T07:06"))]
    assert stage.jobs.by_id == {}


async def test_a_time_that_was_set_while_the_program_was_off_is_made_up_for() -> None:
    stage = Stage("2026-12-01T09:00", Job(JobId("egg"), task="Egg!", at=at("2026-12-01T07:06")))

    await stage.tick()

    assert stage.ends == [("2026-12-01T07:06", RunEnd.DONE)]


async def test_what_was_due_once_more_than_a_day_ago_is_told_and_not_done() -> None:
    stage = Stage("2026-12-04T09:00", Job(JobId("egg"), task="Egg!", at=at("2026-12-01T07:06")))

    await stage.tick()
    await stage.tick()

    assert (stage.ends, stage.began) == ([("2026-12-01T07:06", RunEnd.MISSED)], [])


@pytest.mark.goal_bug("sleep", "After waking, every missed")
@pytest.mark.parametrize("hours", [8, 56])
async def test_after_a_sleep_one_run_makes_up_for_all_that_were_missed(hours: int) -> None:
    stage = Stage("2026-12-01T10:01", daily(cron="0 9-21 * * *"))
    await stage.tick()
    slept = stage.clock.at + timedelta(hours=hours)

    await stage.tick(slept)
    await stage.tick()

    assert stage.began == [("tea", slept)]


async def test_what_was_missed_is_not_made_up_for_outside_its_hours_but_shown() -> None:
    stage = Stage("2026-12-01T10:30", daily(cron="0 9-21 * * *"))
    await stage.tick()

    await stage.tick("2026-12-01T22:10")
    await stage.until("2026-12-02T09:00")

    assert stage.ends == [("2026-12-01T21:00", RunEnd.MISSED), ("2026-12-02T09:00", RunEnd.DONE)]


@pytest.mark.goal_bug("restart", "All tasks missed while")
async def test_ten_overdue_jobs_come_one_after_another() -> None:
    stage = Stage("2026-12-01T10:01", *(daily(f"job{number}", "0 11 * * *") for number in range(10)))
    await stage.tick()

    await stage.tick("2026-12-01T15:00")
    first = len(stage.began)
    await stage.until("2026-12-01T15:10")

    assert (first, len(stage.began), stage.most) == (1, 10, 1)


async def test_never_more_than_two_run_at_once() -> None:
    stage = Stage("2026-12-01T10:59", *(daily(f"job{number}", "0 11 * * *") for number in range(5)))
    stage.hold = asyncio.Event()
    await stage.until("2026-12-01T11:01")
    assert stage.most == 2
    stage.hold.set()

    await stage.until("2026-12-01T11:06")

    assert (len(stage.began), stage.most) == (5, 2)


@pytest.mark.goal_bug("restart", "13 jobs that ran")
async def test_a_restart_does_not_repeat_what_ran() -> None:
    stage = Stage("2026-12-01T06:59", daily(cron="0 7 * * *"))
    await stage.until("2026-12-01T07:02")

    await stage.restart("2026-12-02T00:05")
    await stage.tick()

    assert len(stage.began) == 1


async def test_a_run_that_was_cut_off_is_told_and_not_repeated() -> None:
    stage = Stage("2026-12-01T07:59", daily())
    stage.hold = asyncio.Event()
    await stage.until("2026-12-01T08:01")

    await stage.restart("2026-12-01T08:05")
    stage.hold = None
    await stage.until("2026-12-01T08:10")

    assert stage.ends == [("2026-12-01T08:00", RunEnd.INTERRUPTED)]
    assert len(stage.began) == 1


@pytest.mark.goal_bug("clock", "After the clock is")
async def test_a_clock_that_is_set_back_starts_nothing_twice_and_goes_on() -> None:
    stage = Stage("2026-12-01T09:59", daily(cron="0 * * * *"))
    await stage.until("2026-12-01T10:01")
    await stage.tick("2026-12-01T12:01")

    await stage.tick("2026-12-01T10:30")
    await stage.until("2026-12-01T13:01")

    assert [began for _, began in stage.began] == [
        at("2026-12-01T10:00"),
        at("2026-12-01T12:01"),
        at("2026-12-01T11:00"),
        at("2026-12-01T13:00"),
    ]


async def test_a_running_job_is_not_started_again_whatever_the_clock_does() -> None:
    stage = Stage("2026-12-01T09:59", daily(cron="0 * * * *"))
    stage.hold = asyncio.Event()
    await stage.until("2026-12-01T10:01")

    await stage.tick("2026-12-01T07:00")
    await stage.tick("2026-12-01T11:00")

    assert len(stage.began) == 1
    stage.hold.set()


async def test_failures_wait_1_5_15_and_60_minutes() -> None:
    stage = Stage("2026-12-01T07:59", daily())
    stage.results = [FAILED] * 9

    await stage.until("2026-12-01T11:00")

    assert [began.strftime("%H:%M") for _, began in stage.began] == [
        "08:00",
        "08:01",
        "08:06",
        "08:21",
        "09:21",
    ]


async def test_a_failure_that_may_have_changed_something_waits_for_the_next_time() -> None:
    stage = Stage("2026-12-01T07:59", daily())
    stage.results = [RunResult(RunEnd.FAILED, "broke")]

    await stage.until("2026-12-02T08:01")

    assert [began for _, began in stage.began] == [at("2026-12-01T08:00"), at("2026-12-02T08:00")]


async def test_the_person_goes_first() -> None:
    stage = Stage("2026-12-01T07:59", daily())
    stage.may_begin = False
    await stage.until("2026-12-01T08:10")
    assert stage.began == []

    stage.may_begin = True
    await stage.tick()

    assert len(stage.began) == 1


@pytest.mark.promise("T-049")
async def test_switched_off_nothing_runs() -> None:
    stage = Stage("2026-12-01T07:59", daily())
    stage.on = False

    await stage.until("2026-12-01T09:00")

    assert stage.began == []


async def test_a_paused_job_makes_up_for_nothing_when_it_goes_on() -> None:
    stage = Stage("2026-12-01T07:00", daily(cron="0 9-21 * * *"))
    await stage.tick()
    await stage.jobs.set_enabled(JobId("tea"), enabled=False)
    await stage.tick("2026-12-01T12:30")
    await stage.jobs.set_enabled(JobId("tea"), enabled=True)

    await stage.tick()
    await stage.until("2026-12-01T13:00")

    assert stage.began == [("tea", at("2026-12-01T13:00"))]


async def test_an_edited_job_counts_anew() -> None:
    stage = Stage("2026-12-01T07:00", daily(cron="0 * * * *"))
    await stage.tick()
    for minute in range(20):
        stage.jobs.by_id[JobId("tea")] = daily(cron=f"{minute} */3 * * *")
        await stage.tick()

    await stage.until("2026-12-01T09:30")

    assert [began for _, began in stage.began] == [at("2026-12-01T09:19")]


async def test_a_night_asleep_in_another_zone_makes_up_for_nothing_there() -> None:
    stage = Stage("2026-12-01T22:30", daily(), zone="Asia/Seoul")
    await stage.until("2026-12-01T23:01")
    stage.zone = "Europe/Berlin"

    await stage.until("2026-12-02T07:01", timedelta(minutes=1))

    assert [began for _, began in stage.began] == [at("2026-12-01T23:00"), at("2026-12-02T07:00")]


@pytest.mark.goal_bug("timezone", "Jobs with CRON_TZ=UTC are")
async def test_a_job_of_another_zone_keeps_its_zone() -> None:
    job = replace(daily(cron="30 1 * * *"), zone="UTC")
    stage = Stage("2026-10-25T00:00", job, zone="Europe/London")

    await stage.until("2026-10-25T03:00")

    assert stage.began == [("tea", at("2026-10-25T01:30"))]


@pytest.mark.goal_bug("dst", "Runs generated before the")
@pytest.mark.parametrize(("cron", "times"), [("30 1 * * *", 1), ("30 * * * *", 5), ("*/30 * * * *", 10)])
async def test_the_repeated_hour_runs_a_fixed_time_once_and_every_real_hour(cron: str, times: int) -> None:
    stage = Stage("2026-10-24T23:45", daily(cron=cron), zone="Europe/London")

    await stage.until("2026-10-25T04:31")

    assert len(stage.began) == times


async def test_a_run_by_hand_is_a_run_of_its_own() -> None:
    stage = Stage("2026-12-01T07:59:50", daily())

    assert await stage.scheduler.run_now(JobId("tea"))
    await stage.until("2026-12-01T08:01")

    assert len(stage.began) == 2
    assert not await stage.scheduler.run_now(JobId("nobody"))


async def test_closing_stops_what_runs_and_writes_it_down() -> None:
    stage = Stage("2026-12-01T07:59", daily())
    stage.hold = asyncio.Event()
    await stage.until("2026-12-01T08:01")

    await stage.scheduler.close()

    assert stage.ends == [("2026-12-01T08:00", RunEnd.INTERRUPTED)]


async def test_a_run_that_breaks_ends_as_failed(caplog: pytest.LogCaptureFixture) -> None:
    stage = Stage("2026-12-01T07:59", replace(daily(), task=""))

    async def broken() -> None:
        raise ZeroDivisionError

    stage.hold = asyncio.Event()
    stage.hold.wait = broken  # type: ignore[method-assign,assignment]  # a bug in the work
    await stage.until("2026-12-01T08:00")

    assert stage.ends == [("2026-12-01T08:00", RunEnd.FAILED)]
    assert "a run broke" in caplog.text


async def test_a_job_whose_time_cannot_be_told_stops_no_other() -> None:
    bad = Job(JobId("a"), task="x", at=at("9999-12-31T23:59:00-05:00"))
    nowhere = Job(JobId("b"), task="x", cron="0 8 * * *", zone="Mars")
    stage = Stage("2026-12-01T07:00", bad, nowhere, daily())

    await stage.until("2026-12-01T08:30")

    assert stage.began == [("tea", at("2026-12-01T08:00"))]
