"""The hours in which nobody is told anything that came by itself."""

from datetime import datetime, time


def is_quiet(now: datetime, begins: str, ends: str) -> bool:
    """Whether ``now``, in the person's own zone, lies in the quiet hours; their end is not quiet any more.

    begins, ends: ``HH:MM``. The end may lie behind midnight; with one empty, or both alike, there are none.
    """
    if not begins or not ends:
        return False
    start, end, at = time.fromisoformat(begins), time.fromisoformat(ends), now.time()
    if start <= end:
        return start <= at < end
    return at >= start or at < end
