"""How fast a download is, over the last few seconds."""

from collections import deque
from collections.abc import Callable

WINDOW_S = 5.0
LEAST_S = 1.0
"""A shorter look says nothing: the first blocks come out of buffers."""


class DownloadRate:
    """Bytes per second from the moments at which they came. ``now_s`` never jumps back."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._marks: deque[tuple[float, int]] = deque()

    def came(self, done_bytes: int) -> None:
        """Up to now ``done_bytes`` are there in all; fewer than before begin a new count."""
        now_s = self._now_s()
        if self._marks and done_bytes < self._marks[-1][1]:
            self._marks.clear()
        if len(self._marks) > 1 and now_s - self._marks[-2][0] < WINDOW_S / 20:
            self._marks.pop()  # a fast source must not fill the memory
        self._marks.append((now_s, done_bytes))
        self._forget(now_s)

    def restart(self) -> None:
        """The count begins anew."""
        self._marks.clear()

    @property
    def measured_s(self) -> float:
        """Seconds that the rate is taken over."""
        return self._now_s() - self._marks[0][0] if self._marks else 0.0

    @property
    def bytes_per_s(self) -> float:
        """0 while too little is known, or when nothing comes."""
        self._forget(self._now_s())
        seconds = self.measured_s
        if seconds < LEAST_S:
            return 0.0
        return (self._marks[-1][1] - self._marks[0][1]) / seconds

    def left_s(self, total_bytes: int) -> float | None:
        """Seconds until ``total_bytes`` are there; None when nobody can say."""
        rate = self.bytes_per_s
        if not rate or not total_bytes:
            return None
        return max(0, total_bytes - self._marks[-1][1]) / rate

    def _forget(self, now_s: float) -> None:
        # One mark older than the window stays: it is where the window's bytes are counted from.
        while len(self._marks) > 1 and self._marks[1][0] <= now_s - WINDOW_S:
            self._marks.popleft()
