"""The progress of a model that Ollama pulls: all its layers as one download."""

from collections import deque

from jarvis_desktop.core.items.fetching import FetchKind, FetchStage, FetchState

RATE_WINDOW_S = 5.0
STALL_S = 15.0
"""Without a new byte for so long people are told; Ollama itself tries again after 30 s."""


class PullProgress:
    """Adds up what the server says about its layers."""

    def __init__(self, name: str, source: str, now_s: float) -> None:
        self._name = name
        self._source = source
        self._layers: dict[str, tuple[int, int]] = {}
        """Bytes there and bytes in all, by digest."""
        self._first: dict[str, int] = {}
        """Bytes that were there already, by digest: they were not fetched now and are no speed."""
        self._done_bytes = 0
        self._moved_at_s = now_s
        self._stage = FetchStage.RUNNING
        self._samples: deque[tuple[float, int]] = deque([(now_s, 0)])
        """Times and bytes fetched since the beginning."""

    def heard(
        self, status: str, layer: str | None, done: int | None, total: int | None, now_s: float
    ) -> None:
        """One line of the server's: which layer has how many of its bytes, or what it does now."""
        if status.startswith("verifying"):
            self._stage = FetchStage.CHECKING
        if layer is None or total is None:
            return
        have = min(done or 0, total)
        self._first.setdefault(layer, have)
        self._layers[layer] = (have, total)
        # A part that failed is taken back by the server and comes again: a bar that jumps back helps nobody.
        done_bytes = max(self._done_bytes, sum(one for one, _ in self._layers.values()))
        if done_bytes > self._done_bytes:
            self._done_bytes, self._moved_at_s = done_bytes, now_s
        self._sample(now_s)

    def state(self, stage: FetchStage | None = None, trouble: str = "") -> FetchState:
        """Where it is; ``stage`` when it ended or was interrupted."""
        total = sum(one for _, one in self._layers.values())
        rate = self._rate() if stage is None and self._stage is FetchStage.RUNNING else 0.0
        return FetchState(
            FetchKind.OLLAMA,
            self._name,
            stage or self._stage,
            done_bytes=self._done_bytes,
            total_bytes=total,
            bytes_per_s=rate,
            left_s=(total - self._done_bytes) / rate if rate > 0 and total else None,
            source=self._source,
            trouble=trouble,
        )

    def is_stalled(self, now_s: float) -> bool:
        """Bytes are missing, and none has come for a while."""
        return self._stage is FetchStage.RUNNING and now_s - self._moved_at_s >= STALL_S

    def _sample(self, now_s: float) -> None:
        fetched = self._done_bytes - sum(self._first.values())
        self._samples.append((now_s, fetched))
        while len(self._samples) > 2 and now_s - self._samples[0][0] > RATE_WINDOW_S:
            self._samples.popleft()

    def _rate(self) -> float:
        (began_s, before), (now_s, after) = self._samples[0], self._samples[-1]
        return max(0.0, after - before) / (now_s - began_s) if now_s > began_s else 0.0
