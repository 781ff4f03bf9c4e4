"""A goal's file as text and as a value; whatever else a person wrote into it stays there."""

import json
import re
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from zoneinfo import ZoneInfo

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from jarvis_desktop.core.goals.naming import MOST_CHARS, one_line
from jarvis_desktop.core.items.calls import Json
from jarvis_desktop.core.items.goals import EVERY_HOUR, Goal, GoalId, GoalState, PastCall
from jarvis_desktop.core.items.ids import AgentId
from jarvis_desktop.core.items.schedule import GOAL_JOB, is_job_name
from jarvis_desktop.core.scheduler.moments import FIRST_YEAR, LAST_YEAR, is_countable


class GoalFileError(Exception):
    """The text is no goal; ``line`` is where, 0 for nowhere in particular."""

    def __init__(self, line: int, found: str) -> None:
        super().__init__(found)
        self.line, self.found = line, found


class _Call(BaseModel):
    model_config = ConfigDict(frozen=True)
    name: str = Field(min_length=1, max_length=200)
    arguments: dict[str, object] = Field(default_factory=dict)


class _File(BaseModel):
    """What may stand in the file; names that we do not know are left alone."""

    model_config = ConfigDict(frozen=True)
    agent: str = Field(min_length=1, max_length=100)
    goal: str = Field(min_length=1, max_length=MOST_CHARS)
    created_at: AwareDatetime
    zone: str = "UTC"
    cron: str = Field(EVERY_HOUR, min_length=1, max_length=200)
    state: GoalState = GoalState.ACTIVE
    snoozed_until: AwareDatetime | None = None
    last_calls: tuple[_Call, ...] = ()
    seen: str = Field("", max_length=200)


def goal_of(goal_id: GoalId, text: str) -> Goal:
    """The goal in a file of that name.

    Raises:
        GoalFileError: it is none.
    """
    if not is_job_name(f"{GOAL_JOB}{goal_id}"):
        raise GoalFileError(0, "its name is too long, or has more in it than letters, digits, ., - and _")
    raw = _object(text)
    try:
        read = _File.model_validate(raw)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = str(first["loc"][0]) if first["loc"] else ""
        raise GoalFileError(_line_of(where, text), f"{where}: {first['msg']}") from error
    snoozed = read.state is GoalState.SNOOZED
    for name, at in (("created_at", read.created_at), ("snoozed_until", read.snoozed_until)):
        if at is not None and not is_countable(at) and (snoozed or name == "created_at"):
            raise GoalFileError(
                _line_of(name, text), f"{name}: the year is one from {FIRST_YEAR} to {LAST_YEAR}"
            )
    sentence = one_line(read.goal)
    if not sentence:
        raise GoalFileError(_line_of("goal", text), "goal: nothing is said")
    if not _is_zone(read.zone):
        raise GoalFileError(_line_of("zone", text), f'zone: no time zone is called "{read.zone[:60]}"')
    if snoozed and read.snoozed_until is None:
        raise GoalFileError(
            _line_of("state", text), "state: snoozed, but snoozed_until does not say how long"
        )
    return Goal(
        goal_id,
        AgentId(read.agent),
        sentence,
        read.zone,
        read.created_at,
        " ".join(read.cron.split()),
        read.state,
        read.snoozed_until if snoozed else None,
        tuple(PastCall(one.name, one.arguments) for one in read.last_calls),
        read.seen,
    )


def text_of(goal: Goal, before: str = "") -> str:
    """The file's text.

    before: the text that it replaces; what a person wrote there besides is kept.
    """
    try:
        raw = _object(before) if before else {}
    except GoalFileError:
        raw = {}
    said: Mapping[str, Json] = {
        "id": goal.goal_id,
        "agent": goal.agent_id,
        "goal": goal.sentence,
        "cron": goal.cron,
        "zone": goal.zone,
        "state": goal.state.value,
        "snoozed_until": _time(goal.snoozed_until),
        "created_at": _time(goal.created_at),
        "last_calls": [{"name": one.name, "arguments": dict(one.arguments)} for one in goal.last_calls],
        "seen": goal.seen,
    }
    # One line for each name, made by hand: the encoder that indents takes longer than writing the file.
    lines = (f"  {_json(name)}: {_json(value)}" for name, value in {**raw, **said}.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


_json = json.JSONEncoder(ensure_ascii=False).encode


def _object(text: str) -> dict[str, Json]:
    try:
        raw = json.loads(text)
    except json.JSONDecodeError as error:
        raise GoalFileError(error.lineno, f"this is no JSON: {error.msg}") from error
    except RecursionError as error:
        raise GoalFileError(0, "this is nested too deeply") from error
    except ValueError as error:  # Python reads no number of thousands of digits
        raise GoalFileError(0, "a number in it is too long") from error
    if not isinstance(raw, dict):
        raise GoalFileError(1, "a goal is a JSON object in braces")
    return raw


def _time(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def _line_of(name: str, text: str) -> int:
    found = re.search(rf'"{re.escape(name)}"\s*:', text) if name else None
    return text.count("\n", 0, found.end()) + 1 if found else 0


@cache
def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (OSError, ValueError, KeyError):  # an unknown one is a KeyError
        return False
    return True
