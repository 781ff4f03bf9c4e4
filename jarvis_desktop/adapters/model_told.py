"""What a download of model files tells while it goes on."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from jarvis_desktop.adapters.download_rate import DownloadRate
from jarvis_desktop.core.items.fetching import FetchKind, FetchStage, FetchState
from jarvis_desktop.core.ports import Clock, Texts

Tell: TypeAlias = Callable[[FetchState], None]

SLOW_BYTES_PER_S = 32_000
SLOW_LEFT_S = 300.0
"""A slow source is worth a word only when the rest takes longer than this."""
SLOW_AFTER_S = 4.0
BEAT_S = 1.0


class Told:
    """Counts what has come of each file and tells it; the sum never goes back while a source is in use."""

    def __init__(
        self, name: str, sizes: Mapping[str, int], tell: Tell, rate: DownloadRate, texts: Texts
    ) -> None:
        self._name = name
        self._sizes = dict(sizes)
        self._there = dict.fromkeys(sizes, 0)
        self._beside = 0
        self._best = 0
        self._begun = 0
        self._source = ""
        self._stage = FetchStage.WAITING
        self._tell = tell
        self._rate = rate
        self._texts = texts

    @property
    def total(self) -> int:
        """Bytes of all files that were missing."""
        return sum(self._sizes.values())

    def waits(self, why: str) -> None:
        """Somebody else goes first."""
        self._say(FetchStage.WAITING, why)

    def source(self, words: str) -> None:
        """From now on the bytes come from there; the count may go back."""
        self._source = words
        self.anew()
        self._moved()
        self._begun = self._best

    def anew(self) -> None:
        """What counted so far may count no longer."""
        self._best = 0
        self._rate.restart()

    def know(self, digest: str, there: int) -> None:
        """So many bytes of one file are there; it is told with the next step."""
        self._there[digest] = there

    def came(self, digest: str, there: int) -> None:
        """So many bytes of one file are there."""
        self.know(digest, there)
        self._moved()

    def beside(self, there: int) -> None:
        """So many bytes lie in a package that has not been unpacked yet."""
        self._beside = there
        self._moved()

    async def beat(self, clock: Clock) -> None:
        """Tell the rate again and again while bytes are awaited: a rate that nobody refreshes looks alive."""
        while True:
            await clock.sleep(BEAT_S)
            if self._stage is FetchStage.RUNNING:
                self._say(FetchStage.RUNNING, self._slowness())

    def stalled(self, why: str) -> None:
        """Nothing comes now; ``why`` says what happens next."""
        self._rate.restart()
        self._say(FetchStage.STALLED, why)

    def checking(self) -> None:
        """The digest of a file is being taken."""
        self._say(FetchStage.CHECKING)

    def _moved(self) -> None:
        self._best = max(self._best, min(self.total, sum(self._there.values()) + self._beside))
        self._rate.came(self._best)
        self._say(FetchStage.RUNNING, self._slowness())

    def _slowness(self) -> str:
        if self._rate.measured_s < SLOW_AFTER_S or self._rate.bytes_per_s >= SLOW_BYTES_PER_S:
            return ""
        left_s = self._rate.left_s(self.total)
        # Before the first byte nobody is slow: an index is being asked, or a connection made.
        if self._best in {self._begun, self.total} or (left_s is not None and left_s < SLOW_LEFT_S):
            return ""
        return self._texts("This source is very slow right now. Retrying on a new connection may help.")

    def _say(self, stage: FetchStage, trouble: str = "") -> None:
        self._stage = stage
        running = stage is FetchStage.RUNNING
        self._tell(
            FetchState(
                FetchKind.FILES,
                self._name,
                stage,
                self._best,
                self.total,
                self._rate.bytes_per_s if running else 0.0,
                self._rate.left_s(self.total) if running else None,
                self._source,
                trouble,
            )
        )
