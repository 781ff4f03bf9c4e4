"""The time zone of the machine by its IANA name, and zones by name."""

import os
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

LOCAL_TIME = Path("/etc/localtime")
_FOLDER = "zoneinfo/"


def zone_named(name: str, local_time: Path = LOCAL_TIME) -> ZoneInfo:
    """The zone of that IANA name; of the machine, as it is set at this moment, for an empty one.

    Raises:
        KeyError, ValueError: there is no zone of that name.
    """
    if name:
        try:
            return ZoneInfo(name)
        except OSError as error:  # "Asia" is a folder of zones
            raise ZoneInfoNotFoundError(name) from error
    for found in (os.environ.get("TZ", "").removeprefix(":"), _linked(local_time)):
        try:
            if found:
                return ZoneInfo(found)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            continue
    return _by_offset()


def _linked(local_time: Path) -> str:
    """What ``/etc/localtime`` links to, below the folder of all zones."""
    try:
        target = str(local_time.resolve(strict=True))
    except OSError:
        return ""
    return target.partition(_FOLDER)[2].removeprefix("posix/").removeprefix("right/")


def _by_offset() -> ZoneInfo:
    """A zone without changes of the clock that shows what the machine shows, to the hour."""
    offset = datetime.now().astimezone().utcoffset() or timedelta()
    hours = round(offset.total_seconds() / 3600)
    # In these names the sign says how far Greenwich is, so it is the other way round.
    return ZoneInfo(f"Etc/GMT{-hours:+d}" if hours else "UTC")
