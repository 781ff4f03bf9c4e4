"""The hours in which nobody is told anything that came by itself."""

import re
from datetime import datetime, time

from pydantic_core import PydanticCustomError

_HOURS = re.compile(r"\s*([01]?\d|2[0-3]):([0-5]\d)\s*[-–~]\s*([01]?\d|2[0-3]):([0-5]\d)\s*")


def two_times(value: object) -> object:
    """``22:00-07:00`` for whatever a person wrote for it; empty where there are none.

    Raises:
        PydanticCustomError: these are no two times of day.
    """
    if value is None or value == "":
        return ""
    found = _HOURS.fullmatch(str(value))
    if found is None:
        raise PydanticCustomError("quiet_hours", "not two times of day")
    begins, ends = f"{int(found[1]):02}:{found[2]}", f"{int(found[3]):02}:{found[4]}"
    return f"{begins}-{ends}"


def is_quiet(now: datetime, hours: str) -> bool:
    """Whether ``now``, in the person's own zone, lies in ``hours``; their end is not quiet any more.

    hours: as ``two_times`` gives them. The end may lie behind midnight; with both alike there are none.
    """
    if not hours:
        return False
    begins, ends = map(time.fromisoformat, hours.split("-"))
    at = now.time()
    return begins <= at < ends if begins <= ends else at >= begins or at < ends
