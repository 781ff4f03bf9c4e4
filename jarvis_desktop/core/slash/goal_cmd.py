"""``/goal``: what agents look after for good; giving a goal, and changing it."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from types import MappingProxyType

from jarvis_desktop.core.goals import life
from jarvis_desktop.core.goals.naming import matching
from jarvis_desktop.core.items.goals import Goal, GoalCue, GoalGiven, GoalOutcome, GoalRun, GoalState
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.scheduler.when_words import cron_text
from jarvis_desktop.core.slash.command import Said, SlashCommand, Value
from jarvis_desktop.core.slash.goal_mute import muted, parted, unheard
from jarvis_desktop.core.slash.markup import code, listed, plain
from jarvis_desktop.core.slash.not_running import not_running
from jarvis_desktop.core.slash.parsing import folded
from jarvis_desktop.core.slash.world import World

WORDS: Mapping[str, str] = MappingProxyType(
    {
        "stop": "stop",
        "pause": "pause",
        "resume": "resume",
        "snooze": "snooze",
        "edit": "edit",
        "run": "run",
        "log": "log",
        "mute": "mute",
        "unmute": "unmute",
        "중지": "stop",
        "일시정지": "pause",
        "재개": "resume",
        "미루기": "snooze",
        "수정": "edit",
        "실행": "run",
        "이력": "log",
        "알림그만": "mute",
        "다시알림": "unmute",
    }
)
MUTES = ("mute", "unmute")
SNOOZE_H, MOST_SNOOZE_H = 24, 24 * 90
ROWS = 10
_HOURS = re.compile(r"(.*?)\s+([1-9][0-9]{0,3})\s*(?:h|hours?|시간)", re.IGNORECASE)
_QUOTES = ('""', "“”")
_ARROW = re.compile(r"\s*(?:->|=>|→)\s*")


def giving(sentence: str) -> str:
    """What is typed to give that goal; in quotation marks where it begins like one of the changes."""
    first = sentence.partition(" ")[0]
    return (
        f'/{GoalCommand.name} "{sentence}"' if folded(first) in WORDS else f"/{GoalCommand.name} {sentence}"
    )


class GoalCommand(SlashCommand):
    """Leave something with this agent for good: it looks by itself, and tells you only what is new.

    /goal: all goals
    /goal SENTENCE: this agent looks after that from now on
    /goal stop PART: end the goal whose sentence has that part
    /goal pause PART: no turn until you resume it
    /goal resume PART: go on with it
    /goal snooze PART 3h: no turn for so long, or for a day
    /goal edit PART -> SENTENCE: the same goal in other words
    /goal run PART: look now
    /goal log PART: what its last turns came to
    /goal mute PART KEY: tell me no more of that, or unmute: tell me again
    """

    name = "goal"
    also = ("목표", "goals")

    async def run(self, rest: str, world: World) -> Said:
        """A list, a new goal, or a change of one."""
        first, _, part = rest.partition(" ")
        word = WORDS.get(folded(first))
        if word is None:
            return await _give(rest, world) if rest else Said(await _list(world))
        return await self._change(word, part.strip(), world)

    async def _change(self, word: str, part: str, world: World) -> Said:
        part, text = _parted(word, part)
        found = await _found(part, word, world)
        if isinstance(found, Said):
            return found
        match word:
            case "log":
                return await _log(found, world)
            case "run":
                return _run(found, world)
            case "edit":
                return await _edit(found, text, world)
            case "mute" | "unmute":
                return await muted(found, text, world, on=word == "mute")
            case _:
                hours = timedelta(hours=int(text or SNOOZE_H))
                until = world.clock.now() + hours if word == "snooze" else None
                return await _cued(found, GoalCue(word), until, world)

    async def values(self, typed: str, world: World) -> Sequence[Value]:
        """What can be done, and with which goal."""
        word = typed.partition(" ")[0]
        if WORDS.get(folded(word)):
            goals = (await world.goals.look()).goals
            return [Value(f"{word} {one.sentence}", _state(one, world.texts)) for one in _own(goals, world)]
        texts = world.texts
        return [
            Value("stop", texts("end one of them"), goes_on=True),
            Value("pause", texts("no turn until you resume it"), goes_on=True),
            Value("resume", texts("go on with one"), goes_on=True),
            Value("snooze", texts("no turn for some time"), goes_on=True),
            Value("run", texts("look now"), goes_on=True),
            Value("log", texts("what its last turns came to"), goes_on=True),
            Value("mute", texts("hear no more of one thing"), goes_on=True),
        ]


def _parted(word: str, part: str) -> tuple[str, str]:
    """The part of the goal's sentence, and what stands behind it: new words, hours, or a key."""
    if word == "snooze" and (timed := _HOURS.fullmatch(part)):
        return timed[1], str(min(int(timed[2]), MOST_SNOOZE_H))
    if word == "edit":
        before, *behind = _ARROW.split(part, maxsplit=1)
        return before, "".join(behind)
    return parted(part) if word in MUTES else (part, "")


def _own(goals: Sequence[Goal], world: World) -> list[Goal]:
    """Those of the agent in whose conversation this is, first."""
    here = world.conversation().agent_id
    return sorted(goals, key=lambda one: one.agent_id != here)


async def _give(sentence: str, world: World) -> Said:
    texts = world.texts
    goal, new = await world.goals.give(world.conversation().agent_id, _unquoted(sentence))
    if world.stays:
        world.goals.begin(goal.goal_id)
    text = _taken_on(texts, new=new) if world.stays else _kept(texts, new=new)
    stop = texts("{command} ends it.").format(command=code(f"/goal stop {goal.goal_id}"))
    said = text.format(goal=f"“{plain(goal.sentence, 500)}”", times=when(goal, texts))
    return Said(f"{said} {stop}", tell=GoalGiven(goal) if new else None)


def _taken_on(texts: Texts, *, new: bool) -> str:
    if new:
        return texts("From now on I look after this: {goal}. The first look is now, then {times}.")
    return texts("I look after this already: {goal}. I look again now, then {times}.")


def _kept(texts: Texts, *, new: bool) -> str:
    """A single request of the command line is over before anything was looked at."""
    if new:
        return texts(
            "From now on I look after this: {goal}. Jarvis is not running now. The first look is as soon as "
            "it runs, then {times}."
        )
    return texts("I look after this already: {goal}. I look again while Jarvis runs: {times}.")


def when(goal: Goal, texts: Texts) -> str:
    """When it is looked after, in words where there are any."""
    return plain(f"{cron_text(goal.cron, texts)} ({goal.zone})", 200)


def _unquoted(sentence: str) -> str:
    inner = sentence[1:-1].strip()
    return inner if sentence[:1] + sentence[-1:] in _QUOTES and inner else sentence


async def _found(part: str, word: str, world: World) -> Goal | Said:
    """The one goal that ``part`` means, or what is said where it is not one (decision 25)."""
    texts = world.texts
    goals = (await world.goals.look()).goals
    usable = [one for one in goals if word in ("resume", "log", *MUTES) or life.is_open(one)]
    found = matching(part, usable)
    if len(found) == 1:
        return found[0]
    if not found:
        text = texts("No goal has {part} in it.").format(part=code(part) or "?")
        return Said(f"{text}\n\n{await _list(world)}", well=False)
    text = texts("Several goals have that in them, so nothing was done. Say more of the one you mean:")
    return Said(f"{text}\n\n{listed([_line(one, world) for one in found])}", well=False)


async def _list(world: World) -> str:
    texts, read = world.texts, await world.goals.look()
    shown = [one for one in _own(read.goals, world) if life.is_open(one)]
    problems = [
        texts("{file} does not count: {problem}").format(file=code(one.file), problem=plain(one.found, 200))
        for one in read.problems
    ]
    if not shown and not problems:
        return texts(
            "No agent looks after anything yet. For example:\n\n"
            "- `/goal tell me only when a new version of Python is out`\n"
            "- `/goal keep an eye on the disk and tell me when less than 10 GB are free`\n"
            "- `/goal tell me when a file in Downloads is older than a month`"
        )
    return listed([*(_line(one, world) for one in shown), *problems])


def _line(goal: Goal, world: World) -> str:
    card = world.team.find(goal.agent_id)
    name = card.name if card is not None else str(goal.agent_id)
    state = _state(goal, world.texts)
    return f"**{plain(goal.sentence, 200)}** — {plain(name)}, {state}, {when(goal, world.texts)}"


def _state(goal: Goal, texts: Texts) -> str:
    if goal.snoozed_until is not None:
        return texts("rests until {time}").format(time=_local(goal.snoozed_until))
    return {
        GoalState.ACTIVE: texts("looked after"),
        GoalState.PAUSED: texts("paused"),
        GoalState.SNOOZED: texts("rests"),
        GoalState.DONE: texts("reached"),
        GoalState.STOPPED: texts("ended"),
    }[goal.state]


async def _cued(goal: Goal, cue: GoalCue, until: datetime | None, world: World) -> Said:
    changed = await world.goals.cue(goal, cue, until)
    state = _state(changed, world.texts)
    text = world.texts("{goal}: {state}.").format(goal=f"“{plain(goal.sentence, 200)}”", state=state)
    if changed.state is GoalState.STOPPED:
        back = code(f"/goal resume {goal.goal_id}")
        text += " " + world.texts("{command} takes that back.").format(command=back)
    return Said(text)


def _run(goal: Goal, world: World) -> Said:
    if not world.stays:
        return not_running(world.texts)
    world.goals.begin(goal.goal_id)
    text = world.texts("Looking now: {goal}. What is new is told here.")
    return Said(text.format(goal=f"“{plain(goal.sentence, 200)}”"))


async def _edit(goal: Goal, sentence: str, world: World) -> Said:
    if not sentence:
        text = world.texts("Say the new words behind an arrow: {command}.")
        return Said(text.format(command=code(world.texts("/goal edit PART -> SENTENCE"))), well=False)
    changed = await world.goals.edit(goal, sentence)
    text = world.texts("It is {goal} now; what was told stays told.")
    return Said(text.format(goal=f"“{plain(changed.sentence, 500)}”"))


async def _log(goal: Goal, world: World) -> Said:
    rows, silent = await world.goals.runs(goal, ROWS), await unheard(goal, world)
    if not rows:
        texts = world.texts
        never = texts("It had no turn yet.")
        if not world.stays:
            never += " " + texts("The first one is as soon as Jarvis runs.")
        return Said(never + silent)
    title = f"**{plain(goal.sentence, 200)}**"
    return Said(f"{title}\n\n{listed([_row(one, world.texts) for one in rows])}{silent}")


def _row(run: GoalRun, texts: Texts) -> str:
    said = outcome_words(run, texts)
    why = f" {plain(run.why, 200)}" if run.why else ""
    return f"{_local(run.at)} — {said}{why}"


def outcome_words(run: GoalRun, texts: Texts) -> str:
    """A row of the history as a plain sentence."""
    told = texts.plural("One thing was told.", "{count} things were told.", run.told)
    return {
        GoalOutcome.TOLD: told.format(count=run.told),
        GoalOutcome.NOTHING: texts("Nothing was new."),
        GoalOutcome.ASKED: texts("You were asked something."),
        GoalOutcome.SKIPPED_UNCHANGED: texts("Nothing had changed, so no model was asked."),
        GoalOutcome.SKIPPED_WINDOW: texts("It was due outside its hours."),
        GoalOutcome.SKIPPED_BUDGET: texts("The budget was used up."),
        GoalOutcome.UNDELIVERED: texts("Something is new and waits until it can be told."),
        GoalOutcome.ERROR: texts("It failed."),
        GoalOutcome.INTERRUPTED: texts(
            "It was cut off: Jarvis was closed, or you ended or paused it. It looks again when it is due, "
            "and at once with {command}."
        ).format(command=code(f"/goal run {run.goal_id}")),
    }[run.outcome]


def _local(at: datetime) -> str:
    return f"{at.astimezone():%Y-%m-%d %H:%M}"
