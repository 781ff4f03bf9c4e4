"""``jarvis-desktop goal run``: one turn of a goal without a window, at the machine's time or another."""

import asyncio
import json
import os
import sys
from dataclasses import dataclass
from datetime import datetime, timedelta

from jarvis_desktop.adapters.call_kin import came_from_a_call
from jarvis_desktop.adapters.goal_files import GoalFiles
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.app.core_thread import Inbox
from jarvis_desktop.app.instance import Instance
from jarvis_desktop.app.main import from_a_call_text, prepare
from jarvis_desktop.app.options import Start, Surface
from jarvis_desktop.core.goals.naming import matching
from jarvis_desktop.core.items.commands import Quit
from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.goals import Goal, GoalAdvanced, GoalItem, GoalOutcome, GoalReport
from jarvis_desktop.core.ports import Clock, Texts
from jarvis_desktop.core.slash.goal_cmd import outcome_words
from jarvis_desktop.ui.visible_text import visible


class ShiftedClock(SystemClock):
    """The machine's clock as if it had begun at another time."""

    def __init__(self, begins_at: datetime) -> None:
        self._shift: timedelta = begins_at - super().now()

    def now(self) -> datetime:
        """Wall clock, shifted."""
        return super().now() + self._shift


@dataclass(slots=True)
class _Turn:
    """One turn, as the events tell it."""

    report: GoalReport | None = None


def run_goal(part: str, at: datetime | None, *, as_json: bool) -> int:
    """Print what the turn came to; the exit status is 0 unless it failed.

    Raises:
        UserFixableError: a call of ours wants it, Jarvis is running, or ``part`` means no single goal.
    """
    start = prepare(voice=False)
    if came_from_a_call(os.getpid()):
        raise UserFixableError(from_a_call_text(start.texts))
    goal = _meant(part, start)
    instance = Instance(start.home)
    if not instance.claim():
        text = start.texts("Jarvis is running and turns its goals itself; type {command} there.")
        raise UserFixableError(text.format(command=f"/goal run {goal.goal_id}"))
    try:
        report = asyncio.run(_turned(start, goal, SystemClock() if at is None else ShiftedClock(at)))
    finally:
        instance.release()
    if report is None:
        raise UserFixableError(start.texts("The turn did not come to its end; the details are in the log."))
    if as_json:
        _say(json.dumps(_as_json(report), ensure_ascii=False))
    else:
        _say(visible(_in_words(report, start.texts)))
    return 1 if report.run.outcome is GoalOutcome.ERROR else 0


def _meant(part: str, start: Start) -> Goal:
    found = matching(part, GoalFiles(start.home).look().goals)
    if len(found) == 1:
        return found[0]
    if not found:
        text = start.texts("No goal has {part} in it.").format(part=f'"{part}"')
    else:
        several = start.texts(
            "Several goals have that in them, so nothing was done. Say more of the one you mean:"
        )
        text = "\n".join((several, *(f"{one.goal_id}  {one.sentence}" for one in found)))
    raise UserFixableError(visible(text))


async def _turned(start: Start, goal: Goal, clock: Clock) -> GoalReport | None:
    from jarvis_desktop.app.compose import run_core

    turn = _Turn()
    inbox: Inbox = asyncio.Queue()

    def deliver(event: Event) -> None:
        if isinstance(event, GoalAdvanced) and event.report.run.goal_id == goal.goal_id:
            turn.report = event.report
            inbox.put_nowait(Quit())

    surface = Surface(deliver, inbox.put_nowait, waits_for_disk=False, goal=goal.goal_id)
    await run_core(inbox, start, clock, surface)
    return turn.report


def _as_json(report: GoalReport) -> dict[str, object]:
    run = report.run
    return {
        "goal": run.goal_id,
        "at": run.at.isoformat(),
        "outcome": run.outcome.value,
        "why": run.why,
        "model_turns": run.model_turns,
        "tokens": run.tokens,
        "took_s": run.took_s,
        "called": [
            {
                "tool": one.call.name,
                "arguments": dict(one.call.arguments),
                "status": one.status.value,
                "before_the_model": one.ahead,
            }
            for one in report.calls
        ],
        "told": [_item(one) for one in report.told],
        "text": report.text,
        "held_back": [{**_item(one.item), "why": one.why.value} for one in report.held],
        "record": report.record,
    }


def _item(item: GoalItem) -> dict[str, object]:
    return {"key": item.key, "version": item.version, "line": item.line}


def _in_words(report: GoalReport, texts: Texts) -> str:
    called = [f"{one.call.name}: {one.status.value}" for one in report.calls]
    held = [f"{one.item.line} ({one.why.value})" for one in report.held]
    why = [report.run.why] if report.run.why else []
    return "\n".join([outcome_words(report.run, texts), *why, *called, report.text, *held]).strip()


def _say(text: str) -> None:
    print(text, file=sys.stdout)  # noqa: T201 - the answer of the command
