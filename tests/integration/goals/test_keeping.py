"""What people do with goals, and the job that each goal has while it is looked after."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from jarvis_desktop.adapters.local_zone import zone_named
from jarvis_desktop.adapters.schedule_files import ScheduleFiles
from jarvis_desktop.app.goal_keeping import GoalKeeping, KeepingParts
from jarvis_desktop.core.goals import life
from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.items.goals import Goal, GoalCue, GoalId, GoalOutcome, GoalRun, GoalState, HeldWhy
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId
from jarvis_desktop.core.items.schedule import Job, JobId, JobKind
from jarvis_desktop.core.ports.scheduling import JobsRead
from jarvis_desktop.core.turn.goal_telling import Settled
from tests.fakes.chat_model import ScriptedModel
from tests.fakes.clock import settle
from tests.integration.goals.house import GOAL, LOOKS, House, answer


class FakeJobs:
    """Fills ``Jobs``."""

    def __init__(self) -> None:
        self.jobs: dict[JobId, Job] = {}

    async def look(self) -> JobsRead:
        return JobsRead(tuple(self.jobs.values()))

    async def add(self, job: Job) -> Job:
        self.jobs[job.job_id] = job
        return job

    async def remove(self, job_id: JobId) -> bool:
        return self.jobs.pop(job_id, None) is not None

    async def set_enabled(self, job_id: JobId, *, enabled: bool) -> bool:
        self.jobs[job_id] = replace(self.jobs[job_id], enabled=enabled)
        return True


@pytest.fixture
def jobs() -> FakeJobs:
    return FakeJobs()


@pytest.fixture
async def keeping(house: House, jobs: FakeJobs) -> AsyncIterator[GoalKeeping]:
    parts = KeepingParts(
        house.book,
        house.history,
        house.costs,
        lambda: jobs,
        house.turns,
        lambda: "Asia/Seoul",
        house.clock,
        house.texts,
    )
    kept = GoalKeeping(parts)
    yield kept
    await kept.close()  # a turn that was begun ends before the database does


@pytest.mark.promise("G-016")
@pytest.mark.promise("G-027")
async def test_a_goal_that_is_given_has_a_job_of_its_name_in_the_zone_of_the_machine(
    house: House, jobs: FakeJobs, keeping: GoalKeeping
) -> None:
    goal, new = await keeping.give(MAIN_AGENT, "  Tell me\tnew notices ")
    assert (new, goal.sentence, goal.zone) == (True, "Tell me new notices", "Asia/Seoul")
    assert jobs.jobs == {
        f"goal-{goal.goal_id}": Job(
            JobId(f"goal-{goal.goal_id}"),
            JobKind.GOAL,
            "Tell me new notices",
            "0 9-21 * * *",
            zone="Asia/Seoul",
            agent_id=MAIN_AGENT,
        )
    }
    assert house.files.find(goal.goal_id) == goal


@pytest.mark.parametrize(
    ("cue", "state", "enabled"),
    [
        (GoalCue.PAUSE, GoalState.PAUSED, False),
        (GoalCue.SNOOZE, GoalState.SNOOZED, True),
        (GoalCue.RESUME, GoalState.ACTIVE, True),
        (GoalCue.STOP, GoalState.STOPPED, None),
    ],
)
async def test_the_job_follows_the_goal(
    house: House,
    jobs: FakeJobs,
    keeping: GoalKeeping,
    cue: GoalCue,
    state: GoalState,
    enabled: bool | None,  # noqa: FBT001 - a row of the table
) -> None:
    await keeping.tend()
    changed = await keeping.cue(GOAL, cue, house.clock.now().replace(hour=20))
    assert changed.state is state
    assert [job.enabled for job in jobs.jobs.values()] == ([] if enabled is None else [enabled])


async def test_a_goal_whose_file_came_by_hand_gets_its_job_and_one_that_went_loses_it(
    house: House, jobs: FakeJobs, keeping: GoalKeeping
) -> None:
    (house.home / "goals/mine.json").write_text(
        json.dumps({"agent": "main", "goal": "내 것", "created_at": "2026-12-01T09:00:00+09:00"}), "utf-8"
    )
    await keeping.tend()
    assert sorted(jobs.jobs) == sorted([f"goal-{GOAL.goal_id}", "goal-mine"])
    (house.home / "goals/mine.json").write_text("{ half", "utf-8")
    await keeping.tend()
    assert "goal-mine" in jobs.jobs  # it rests, and what a person wrote into the job stays
    (house.home / "goals/mine.json").unlink()
    await keeping.tend()
    assert list(jobs.jobs) == [f"goal-{GOAL.goal_id}"]


async def test_real_files_of_jobs_say_the_same_and_are_left_alone(house: House) -> None:
    files = ScheduleFiles(house.home, zone_named, house.texts)
    parts = KeepingParts(
        house.book,
        house.history,
        house.costs,
        lambda: files,
        house.turns,
        lambda: "Asia/Seoul",
        house.clock,
        house.texts,
    )
    kept = GoalKeeping(parts)
    await kept.tend()
    path = house.home / f"schedules/goal-{GOAL.goal_id}.yaml"
    before = path.stat().st_mtime_ns
    await kept.tend()
    read = await files.look()
    assert ([one.goal_id for one in read.jobs], read.problems) == ([GOAL.goal_id], ())
    assert path.stat().st_mtime_ns == before
    await kept.cue(GOAL, GoalCue.PAUSE)
    assert [job.enabled for job in (await files.look()).jobs] == [False]
    await kept.cue(GOAL, GoalCue.STOP)
    assert not path.exists()


async def test_a_job_that_a_person_switched_off_pauses_the_goal_and_is_not_switched_on_again(
    house: House, jobs: FakeJobs, keeping: GoalKeeping
) -> None:
    await keeping.tend()
    await jobs.set_enabled(JobId(f"goal-{GOAL.goal_id}"), enabled=False)
    await keeping.tend()
    await keeping.tend()
    assert (house.goal.state, [job.enabled for job in jobs.jobs.values()]) == (GoalState.PAUSED, [False])


@pytest.mark.goal_bug("edit", "After editing the schedule the workflow")
async def test_times_edited_in_the_goals_file_are_those_of_its_job(
    house: House, jobs: FakeJobs, keeping: GoalKeeping
) -> None:
    await keeping.tend()
    house.files.change(GOAL.goal_id, lambda one: replace(one, cron="0 */3 * * *"))
    await keeping.tend()
    assert [job.cron for job in jobs.jobs.values()] == ["0 */3 * * *"]


async def test_other_words_keep_what_was_told_and_two_goals_never_become_one(
    house: House, keeping: GoalKeeping
) -> None:
    await house.advance(LOOKS, answer())
    other = replace(GOAL, goal_id=GoalId("other"), sentence="다른 것만 알려줘")
    house.files.give(other)  # given by a person it would have a turn now, on the same model
    with pytest.raises(UserFixableError, match="in these words already"):
        await keeping.edit(other, GOAL.sentence)
    changed = await keeping.edit(GOAL, "서울 공고만 알려줘")
    assert (changed.goal_id, await house.history.told(GOAL.goal_id)) == (GOAL.goal_id, {"n1": ""})
    assert (await house.advance(answer(), goal=changed)).told == ()  # other words, so the model is asked


async def test_what_is_no_sentence_is_refused(keeping: GoalKeeping) -> None:
    for sentence in ("  ", "가" * 501):
        with pytest.raises(UserFixableError, match="at most 500"):
            await keeping.give(MAIN_AGENT, sentence)
    gone = Goal(GOAL.goal_id, MAIN_AGENT, "x", "UTC", GOAL.created_at)
    with pytest.raises(UserFixableError, match="not there any more"):
        await keeping.cue(replace(gone, goal_id="never"), GoalCue.PAUSE)  # type: ignore[arg-type]  # an id


@pytest.mark.promise("G-026")
async def test_a_first_turn_that_was_cut_off_is_had_again_at_the_next_start(
    house: House, keeping: GoalKeeping
) -> None:
    await house.history.add_run(GoalRun(GOAL.goal_id, house.clock.now(), GoalOutcome.INTERRUPTED))
    house.model = ScriptedModel(LOOKS, answer())
    await keeping.start()
    newest, _ = await house.history.runs(GOAL.goal_id, 9)
    assert newest.outcome is GoalOutcome.TOLD


async def test_a_single_request_begins_no_turn_that_it_could_not_end(house: House, jobs: FakeJobs) -> None:
    parts = KeepingParts(
        house.book,
        house.history,
        house.costs,
        lambda: jobs,
        house.turns,
        lambda: "Asia/Seoul",
        house.clock,
        house.texts,
    )
    keeping = GoalKeeping(replace(parts, stays=False))
    house.model = ScriptedModel()
    goal, new = await keeping.give(MAIN_AGENT, "Tell me new notices")
    await settle()
    await keeping.close()
    assert (new, keeping.looks_now, await house.history.runs(goal.goal_id, 9)) == (True, False, ())


@pytest.mark.promise("G-026")
async def test_a_goal_that_never_had_a_turn_has_it_at_the_start_and_no_other(
    house: House, keeping: GoalKeeping
) -> None:
    house.model = ScriptedModel(LOOKS, answer())
    await keeping.start()
    assert len(await house.history.runs(GOAL.goal_id, 9)) == 1
    await keeping.start()
    assert len(await house.history.runs(GOAL.goal_id, 9)) == 1


async def test_a_turn_that_runs_is_ended_with_the_program(house: House, keeping: GoalKeeping) -> None:
    never = asyncio.Event()
    house.model = ScriptedModel((never,))
    keeping.begin(GOAL.goal_id)
    async with asyncio.timeout(10):
        while not house.model.requests:
            await asyncio.sleep(0)
    await keeping.close()
    assert house.model.open_streams == 0


@pytest.mark.parametrize("cue", [GoalCue.STOP, GoalCue.PAUSE])
async def test_a_goal_that_is_ended_or_paused_looks_no_more_and_tells_nothing(
    house: House, keeping: GoalKeeping, cue: GoalCue
) -> None:
    house.model = ScriptedModel(LOOKS, (asyncio.Event(),))
    keeping.begin(GOAL.goal_id)
    async with asyncio.timeout(10):
        while len(house.model.requests) < 2:
            await asyncio.sleep(0)
        await keeping.cue(GOAL, cue)
        while not (rows := await house.history.runs(GOAL.goal_id, 9)):
            await asyncio.sleep(0)
    assert [(one.outcome, one.model_turns) for one in rows] == [(GoalOutcome.INTERRUPTED, 1)]
    assert (house.model.open_streams, await house.history.told(GOAL.goal_id)) == (0, {})
    assert [one.key for one in await house.history.held(GOAL.goal_id)] == ["n1"]


async def test_a_look_that_has_not_begun_is_taken_back_with_its_goal(
    house: House, keeping: GoalKeeping, monkeypatch: pytest.MonkeyPatch
) -> None:
    find, held, before = house.book.find, asyncio.Event(), asyncio.all_tasks()

    async def slow(goal_id: GoalId) -> Goal | None:
        await held.wait()
        return await find(goal_id)

    monkeypatch.setattr(house.book, "find", slow)
    house.model = ScriptedModel(LOOKS, answer())
    keeping.begin(GOAL.goal_id)
    looking = asyncio.all_tasks() - before
    await keeping.cue(GOAL, GoalCue.STOP)
    held.set()
    async with asyncio.timeout(10):
        await asyncio.wait(looking)
    assert house.model.requests == []
    assert await house.history.runs(GOAL.goal_id, 9) == ()


async def test_a_goal_whose_file_says_that_it_is_ended_tells_nothing_until_that_is_taken_back(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell = house.telling.tell

    async def ended(*told: Any, **how: Any) -> Settled:
        house.files.change(GOAL.goal_id, lambda one: life.after(one, GoalCue.STOP))
        return await tell(*told, **how)

    monkeypatch.setattr(house.telling, "tell", ended)
    report = await house.advance(LOOKS, answer(done="예"))
    assert (report.run.outcome, report.told, house.goal.state) == (
        GoalOutcome.UNDELIVERED,
        (),
        GoalState.STOPPED,
    )
    assert [one.why for one in report.held] == [HeldWhy.ENDED]
    house.files.change(GOAL.goal_id, lambda one: life.after(one, GoalCue.RESUME))
    (settled,) = await house.telling.tell_held((house.goal,), house.home)
    assert [one.key for one in settled.told] == ["n1"]


async def test_a_goal_that_is_ended_while_another_has_its_first_look_has_none(
    house: House, keeping: GoalKeeping
) -> None:
    other = replace(
        GOAL, goal_id=GoalId("other"), sentence="z", created_at=GOAL.created_at + timedelta(days=1)
    )
    house.files.give(other)
    held = asyncio.Event()
    house.model = ScriptedModel(LOOKS, (held, *answer()))
    starting = asyncio.ensure_future(keeping.start())
    async with asyncio.timeout(10):
        while len(house.model.requests) < 2:
            await asyncio.sleep(0)
        await keeping.cue(other, GoalCue.STOP)
        held.set()
        await starting
    assert await house.history.runs(other.goal_id, 9) == ()
    assert len(await house.history.runs(GOAL.goal_id, 9)) == 1


async def test_what_is_forgotten_leaves_goals_and_takes_what_their_turns_did(
    house: House, keeping: GoalKeeping
) -> None:
    await house.advance(LOOKS, answer())
    assert await keeping.ids_of(AgentId("karen")) == ()
    await keeping.forget_turns(AgentId("karen"))
    assert house.goal.seen
    assert await keeping.ids_of(None) == (GOAL.goal_id,)
    await keeping.forget_turns(MAIN_AGENT)
    assert (house.goal.last_calls, house.goal.seen, house.goal.sentence) == ((), "", GOAL.sentence)


@pytest.mark.parametrize("broken", [JobId(f"goal-{GOAL.goal_id}"), None])
async def test_a_goal_whose_job_cannot_be_written_keeps_no_other_from_its_job_and_first_turn(
    house: House, keeping: GoalKeeping, jobs: FakeJobs, monkeypatch: pytest.MonkeyPatch, broken: JobId | None
) -> None:
    other, _ = house.files.give(replace(GOAL, goal_id=GoalId("zeta"), sentence="zeta"))
    files = ScheduleFiles(house.home, zone_named, house.texts)
    if broken is not None:
        folder = house.home / "schedules"
        folder.mkdir()
        (folder / f"{broken}.yaml").write_text("kind: goal\n  bad: [\n", "utf-8")
    else:
        copied = json.loads((house.home / GOAL.file).read_text("utf-8")) | {"goal": "a copy"}
        (house.home / "goals" / "a (copy).json").write_text(json.dumps(copied), "utf-8")
        house.files.look(every_file=True)
    monkeypatch.setattr(jobs, "add", files.add)
    monkeypatch.setattr(jobs, "look", files.look)
    house.model = ScriptedModel(LOOKS, answer(), LOOKS, answer())

    await keeping.start()

    assert JobId(f"goal-{other.goal_id}") in {one.job_id for one in (await files.look()).jobs}
    assert await house.history.runs(other.goal_id, 1)
