"""Wordings of the agenda: when, how it stands, what came of it, and what it took."""

from datetime import datetime

from jarvis_desktop.core.items.agenda import Agenda, Effort, GoalDetail, GoalFact, JobFact, ToldKey
from jarvis_desktop.core.items.goals import GoalGiven, GoalRun, GoalState
from jarvis_desktop.core.items.schedule import JobAdded, Run, RunEnd
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.slash.goal_cmd import outcome_words
from jarvis_desktop.core.slash.markup import readable
from jarvis_desktop.ui.visible_text import Care, one_line, visible

_MINUTE_S, _EXACT_S = 60, 10
_CELL_CHARS, _STRIP_CHARS, _SENTENCE_CHARS = 30, 60, 160


def time_words(at: datetime, now: datetime, texts: Texts) -> str:
    """A time as people here say it: "today at 14:00", "Friday at 09:00", or with its date."""
    here, today = at.astimezone(), now.astimezone().date()
    time, days = f"{here:%H:%M}", (here.date() - today).days
    if days == 0:
        return texts("today at {time}").format(time=time)
    if days == 1:
        return texts("tomorrow at {time}").format(time=time)
    if days == -1:
        return texts("yesterday at {time}").format(time=time)
    if 1 < days < 7:
        return texts("{day} at {time}").format(day=_weekday(here, texts), time=time)
    return f"{here:%Y-%m-%d %H:%M}"


def _weekday(at: datetime, texts: Texts) -> str:
    names = (
        texts("Monday"),
        texts("Tuesday"),
        texts("Wednesday"),
        texts("Thursday"),
        texts("Friday"),
        texts("Saturday"),
        texts("Sunday"),
    )
    return names[at.weekday()]


def took_words(seconds: float, texts: Texts) -> str:
    """How long something took."""
    if seconds >= _MINUTE_S:
        return texts("{minutes} min").format(minutes=f"{round(seconds / _MINUTE_S):,}")
    return texts("{seconds} s").format(seconds=f"{seconds:.{0 if seconds >= _EXACT_S else 1}f}")


# --- goals -----------------------------------------------------------------------------------


def goal_state(fact: GoalFact, now: datetime, texts: Texts) -> str:
    """How the goal stands, in a word or two."""
    if fact.working:
        return texts("looking now")
    if fact.goal.snoozed_until is not None:
        return texts("rests until {time}").format(time=time_words(fact.goal.snoozed_until, now, texts))
    return {
        GoalState.ACTIVE: texts("looked after"),
        GoalState.PAUSED: texts("paused"),
        GoalState.SNOOZED: texts("rests"),
        GoalState.DONE: texts("reached"),
        GoalState.STOPPED: texts("ended"),
    }[fact.goal.state]


def goal_cells(fact: GoalFact, now: datetime, texts: Texts) -> tuple[str, ...]:
    """A goal in a row: what, how it stands, when next, what came of it last, whose it is."""
    return (
        one_line(fact.goal.sentence, _SENTENCE_CHARS),
        goal_state(fact, now, texts),
        next_words(fact.next_at, now, texts),
        "–" if fact.last is None else one_line(run_sentence(fact.last, texts), _CELL_CHARS),
        visible(fact.agent, Care.COMMAND),
    )


def next_words(at: datetime | None, now: datetime, texts: Texts) -> str:
    """When it is due next; a dash where it is not."""
    return "–" if at is None else time_words(at, now, texts)


def run_sentence(run: GoalRun, texts: Texts) -> str:
    """What a turn came to, with its reason where it has one."""
    return " ".join(filter(None, (readable(outcome_words(run, texts)), visible(run.why))))


def run_effort(run: GoalRun, texts: Texts) -> str:
    """What a turn took."""
    took = took_words(run.took_s, texts)
    if not run.model_turns:
        return texts("no model · {took}").format(took=took)
    if not run.tokens:
        return took
    return texts("{tokens} tokens · {took}").format(tokens=f"{run.tokens:,}", took=took)


def run_cells(run: GoalRun, now: datetime, texts: Texts) -> tuple[str, ...]:
    """A row of the history: when, what it came to, what it took."""
    return (
        time_words(run.at, now, texts),
        one_line(run_sentence(run, texts), _SENTENCE_CHARS),
        run_effort(run, texts),
    )


def told_cells(told: ToldKey, now: datetime, texts: Texts) -> tuple[str, ...]:
    """Something that was told: when, and its key with the version that was."""
    key = one_line(f"{told.key}@{told.version}" if told.version else told.key, _SENTENCE_CHARS)
    when = "–" if told.told_at is None else time_words(told.told_at, now, texts)
    return when, texts("{key} (no more told)").format(key=key) if told.muted else key


def effort_words(effort: Effort, texts: Texts) -> str:
    """A number of turns, how many of them without a model, and what they took."""
    turns = texts.plural("{count} turn", "{count} turns", effort.turns).format(count=f"{effort.turns:,}")
    return texts("{turns}, {free} without a model; {tokens} tokens, {took}").format(
        turns=turns,
        free=f"{effort.without_model:,}",
        tokens=f"{effort.tokens:,}",
        took=took_words(effort.took_s, texts),
    )


def day_words(agenda: Agenda, texts: Texts) -> str:
    """What today took, all goals together."""
    return texts("Today: {effort}.").format(effort=effort_words(agenda.today, texts))


def goal_facts(fact: GoalFact, detail: GoalDetail | None, now: datetime, texts: Texts) -> str:
    """Everything about a goal that is no list, in lines."""
    last = texts("none yet")
    if fact.last is not None:
        time = time_words(fact.last.at, now, texts)
        last = f"{time} · {run_sentence(fact.last, texts)}"
    lines = [
        texts("{agent} looks after it, {times}.").format(
            agent=visible(fact.agent, Care.COMMAND), times=visible(fact.when)
        ),
        texts("Next look: {time}").format(time=next_words(fact.next_at, now, texts)),
        texts("Last look: {result}").format(result=last),
    ]
    if detail is not None:
        lines += [
            texts("Today: {effort}.").format(effort=effort_words(detail.today, texts)),
            texts("So far: {effort}.").format(effort=effort_words(detail.ever, texts)),
        ]
        if detail.waiting:
            waits = texts.plural(
                "{count} thing waits to be told.", "{count} things wait to be told.", detail.waiting
            )
            lines.append(waits.format(count=detail.waiting))
    return "\n".join(lines)


# --- jobs ------------------------------------------------------------------------------------


def job_name(fact: JobFact) -> str:
    """What is done; the name of its file where that is not said."""
    return one_line(fact.job.task or fact.job.job_id, _SENTENCE_CHARS)


def job_cells(fact: JobFact, now: datetime, texts: Texts) -> tuple[str, ...]:
    """A job in a row: what, when, when next, what came of it last."""
    paused = not fact.job.enabled
    return (
        job_name(fact),
        visible(fact.when),
        texts("paused") if paused else next_words(fact.next_at, now, texts),
        "–" if fact.last is None else one_line(job_sentence(fact.last, now, texts), _CELL_CHARS),
    )


def job_end(run: Run, texts: Texts) -> str:
    """How a run ended, in a sentence."""
    return {
        None: texts("It is running."),
        RunEnd.DONE: texts("It was done."),
        RunEnd.FAILED: texts("It failed."),
        RunEnd.INTERRUPTED: texts("It was cut off, and is not repeated by itself."),
        RunEnd.MISSED: texts("It was missed: Jarvis was not running then."),
    }[run.end]


def job_sentence(run: Run, now: datetime, texts: Texts) -> str:
    """When a job ran last, and what came of it."""
    return f"{time_words(run.began_at, now, texts)} · {job_run_sentence(run, texts)}"


def job_run_sentence(run: Run, texts: Texts) -> str:
    """What a run came to, with its answer or its reason."""
    return " ".join(filter(None, (job_end(run, texts), visible(run.text))))


def job_run_cells(run: Run, now: datetime, texts: Texts) -> tuple[str, ...]:
    """A run in a row."""
    return time_words(run.began_at, now, texts), one_line(job_run_sentence(run, texts), _SENTENCE_CHARS)


def job_facts(fact: JobFact, now: datetime, texts: Texts) -> str:
    """Everything about a job that is no list, in lines."""
    soon = texts("paused") if not fact.job.enabled else next_words(fact.next_at, now, texts)
    return "\n".join(
        (
            texts("{agent} does it, {times}.").format(
                agent=visible(fact.agent, Care.COMMAND), times=visible(fact.when)
            ),
            texts("Next time: {time}").format(time=soon),
            texts("File: {file}").format(file=visible(f"schedules/{fact.job.job_id}.yaml", Care.COMMAND)),
        )
    )


# --- agreements ------------------------------------------------------------------------------


def agreed_line(agreed: GoalGiven | JobAdded, texts: Texts) -> str:
    """What was taken on or scheduled, in one line."""
    if isinstance(agreed, GoalGiven):
        return texts("Goal taken on: {goal}").format(goal=one_line(agreed.goal.sentence, _STRIP_CHARS))
    task = one_line(agreed.job.task, _STRIP_CHARS)
    return texts("Scheduled, {when}: {task}").format(when=visible(agreed.when), task=task)


# --- examples --------------------------------------------------------------------------------


def goal_examples(texts: Texts) -> tuple[str, ...]:
    """Lines that give a goal, for somebody who has none."""
    return (
        texts("/goal tell me only when a new version of Python is out"),
        texts("/goal tell me when less than 10 GB are free on the disk"),
        texts("/goal tell me when a file in Downloads is older than a month"),
    )


def job_examples(texts: Texts) -> tuple[str, ...]:
    """Lines that schedule something, for somebody who has nothing scheduled."""
    return (
        texts("/schedule add daily 08:00 Tell me the weather."),
        texts("/schedule add in 20 minutes Remind me to drink water."),
        texts("/schedule add 0 18 * * 5 Sum up what I did this week."),
    )
