"""``/schedule``: what is due by the clock."""

from collections.abc import Sequence

from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.items.schedule import Job, JobAdded, JobId, Run, RunEnd
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.scheduler.scheduler import timing_of
from jarvis_desktop.core.scheduler.typed_when import TypedWhen, typed_when
from jarvis_desktop.core.scheduler.when_words import either_day, next_text, when_text
from jarvis_desktop.core.slash.command import Said, SlashCommand, Value
from jarvis_desktop.core.slash.markup import code, listed, plain
from jarvis_desktop.core.slash.near import nearest
from jarvis_desktop.core.slash.parsing import folded
from jarvis_desktop.core.slash.world import World

ADD = frozenset({"add", "추가"})
REMOVE = frozenset({"remove", "삭제"})
PAUSE = frozenset({"pause", "멈춤"})
RESUME = frozenset({"resume", "재개"})
RUN = frozenset({"run", "실행"})
NEXT = frozenset({"next", "다음"})
NEXT_TIMES = 5
MOST_LAST = 60
SHOWN_AHEAD = 5
"""Times that are read back of a new job."""
"""Characters of what a run came to, in the list."""


class ScheduleCommand(SlashCommand):
    """Have something done at a time, once or again and again, and see what is due.

    /schedule: all jobs, when each is due, and what came of it last
    /schedule add WHEN TASK: a new one: daily 08:00, in 20 minutes, tomorrow 18:00, 0 9 * * 1-5
    /schedule remove NAME: that one is gone
    /schedule pause NAME: that one waits until you let it go on
    /schedule resume NAME: that one goes on
    /schedule run NAME: that one runs now, whatever its times
    /schedule next NAME: when that one is due next
    """

    name = "schedule"
    also = ("일정", "예약")

    async def run(self, rest: str, world: World) -> Said:
        """A list, or one job more, less or otherwise."""
        first, _, behind = rest.partition(" ")
        word, behind = folded(first), behind.strip()
        if not word:
            return Said(await _list(world))
        if word in ADD:
            return await _add(behind, world)
        if word not in {*REMOVE, *PAUSE, *RESUME, *RUN, *NEXT}:
            text = world.texts("{word} is nothing that can be done here. {command} shows what can.")
            return Said(text.format(word=code(first), command=code("/help schedule")), well=False)
        jobs = (await world.schedule.jobs.look()).jobs
        job = next((one for one in jobs if one.job_id == behind), None)
        if job is None:
            return Said(_unknown(behind, jobs, world.texts), well=False)
        return await _do(word, job, world)

    async def values(self, typed: str, world: World) -> Sequence[Value]:
        """What can be done, and to which job."""
        word, texts = typed.partition(" ")[0], world.texts
        if folded(word) in {*REMOVE, *PAUSE, *RESUME, *RUN, *NEXT}:
            jobs = (await world.schedule.jobs.look()).jobs
            return [Value(f"{word} {job.job_id}", when_text(job, texts)) for job in jobs]
        return [
            Value("add", texts("a new one, after its time"), goes_on=True),
            Value("remove", texts("take one away"), goes_on=True),
            Value("pause", texts("let one wait"), goes_on=True),
            Value("resume", texts("let one go on"), goes_on=True),
            Value("run", texts("run one now"), goes_on=True),
            Value("next", texts("when one is due next"), goes_on=True),
        ]


async def _list(world: World) -> str:
    texts, shelf = world.texts, world.schedule
    read = await shelf.jobs.look()
    lines = [await _line(job, world) for job in read.jobs]
    parts = [] if shelf.on() else [texts("Schedules are switched off in the settings: nothing runs.")]
    if lines:
        parts.append(listed(lines))
    else:
        examples = (
            texts("/schedule add daily 08:00 Tell me the weather."),
            texts("/schedule add in 20 minutes Remind me to drink water."),
            texts("/schedule add 0 18 * * 5 Sum up what I did this week."),
        )
        parts += [texts("Nothing is scheduled. For example:"), listed([code(one) for one in examples])]
    if read.problems:
        parts.append(listed([plain(one, 300) for one in read.problems]))
    return "\n\n".join(parts)


async def _line(job: Job, world: World) -> str:
    texts = world.texts
    state = texts("paused") if not job.enabled else next_text(world.schedule.clockwork.next_due(job), texts)
    line = f"{code(job.job_id)} — {when_text(job, texts)}; {state}: {plain(job.task)}"
    runs = await world.schedule.ledger.runs(job.job_id, limit=1)
    return f"{line} ({_last(runs[0], texts)})" if runs else line


def _last(run: Run, texts: Texts) -> str:
    at = f"{run.began_at.astimezone():%m-%d %H:%M}"
    said = {
        None: texts("running since {at}"),
        RunEnd.DONE: texts("done at {at}"),
        RunEnd.FAILED: texts("failed at {at}"),
        RunEnd.INTERRUPTED: texts("cut off at {at}"),
        RunEnd.MISSED: texts("missed at {at}"),
    }[run.end].format(at=at)
    return f"{said}: {plain(run.text, MOST_LAST)}" if run.text else said


async def _add(text: str, world: World) -> Said:
    texts, shelf, now = world.texts, world.schedule, world.clock.now()
    typed = typed_when(text, now, shelf.zone(""))
    if typed is None:
        hint = texts(
            "No time was recognised. Begin with one of {examples}, then say what is to be done."
        ).format(examples=", ".join(map(code, _EXAMPLES)))
        return Said(hint, well=False)
    job = _job(typed, world)
    timing = timing_of(job, shelf.zone, texts)
    if timing.next_after(now) is None:
        return Said(texts("That time is past; nothing was scheduled."), well=False)
    kept = await shelf.jobs.add(job)
    when = when_text(kept, texts)
    said = texts("Scheduled {when} ({next}): {task}").format(
        when=when, next=next_text(shelf.clockwork.next_due(kept, SHOWN_AHEAD), texts), task=plain(kept.task)
    )
    undo = texts("{command} takes it back.").format(command=code(f"/schedule remove {kept.job_id}"))
    lines = (said, either_day(kept.cron, texts), undo)
    return Said("\n\n".join(filter(None, lines)), tell=JobAdded(kept, when))


_EXAMPLES = ("daily 08:00", "in 20 minutes", "tomorrow 18:00", "2026-12-24 18:00", "0 9 * * 1-5")


def _job(typed: TypedWhen, world: World) -> Job:
    agent_id = world.conversation().agent_id
    return Job(JobId(""), task=typed.task, cron=typed.cron, at=typed.at, agent_id=agent_id)


async def _do(word: str, job: Job, world: World) -> Said:
    texts, shelf = world.texts, world.schedule
    name = code(job.job_id)
    if word in REMOVE:
        await shelf.jobs.remove(job.job_id)
        return Said(texts("{name} is gone: {task}").format(name=name, task=plain(job.task)))
    if word in PAUSE or word in RESUME:
        await shelf.jobs.set_enabled(job.job_id, enabled=word in RESUME)
        line = texts("{name} goes on.") if word in RESUME else texts("{name} waits until you let it go on.")
        return Said(line.format(name=name))
    if word in RUN:
        if not await shelf.clockwork.run_now(job.job_id):
            raise UserFixableError(texts("{name} cannot run now: it is running already.").format(name=name))
        return Said(texts("{name} runs now.").format(name=name))
    times = next_text(shelf.clockwork.next_due(job, NEXT_TIMES), texts)
    return Said(f"{name} — {when_text(job, texts)}; {times}")


def _unknown(name: str, jobs: Sequence[Job], texts: Texts) -> str:
    text = texts("There is no job called {name}.").format(name=code(name) or "?")
    if near := nearest(name, [job.job_id for job in jobs]):
        text += " " + texts("Did you mean {name}?").format(name=code(near))
    return text + " " + texts("{command} shows them all.").format(command=code("/schedule"))
