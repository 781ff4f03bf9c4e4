"""Downloads as people see them: model files of the manifest, and models that Ollama pulls."""

from dataclasses import dataclass
from enum import StrEnum


class FetchKind(StrEnum):
    """Who fetches and checks."""

    FILES = "files"
    """Files of our manifest; we check their digests."""
    OLLAMA = "ollama"
    """A model that the Ollama server pulls; the server checks it (decision 39)."""


class FetchStage(StrEnum):
    """Where a download is."""

    WAITING = "waiting"
    """Another one goes first."""
    RUNNING = "running"
    STALLED = "stalled"
    """Nothing has come for a while; the next attempt follows by itself."""
    PAUSED = "paused"
    CHECKING = "checking"
    """All bytes are there; their digest is being taken."""
    DONE = "done"
    FAILED = "failed"
    GONE = "gone"
    """Dropped or removed: nothing of it is left on the disk."""


@dataclass(frozen=True, slots=True)
class FetchState:
    """One download at one moment."""

    kind: FetchKind
    name: str
    """Name in the manifest, or the model's name as Ollama knows it."""
    stage: FetchStage
    done_bytes: int = 0
    """Never goes back while a source is not given up."""
    total_bytes: int = 0
    """0: not known yet."""
    bytes_per_s: float = 0.0
    """Over the last few seconds."""
    left_s: float | None = None
    """Seconds to the end at this rate; None when nobody can say."""
    source: str = ""
    """Where the bytes come from, in the app's language."""
    trouble: str = ""
    """Why it failed, stalled or waits: what happened and what to do, in the app's language.

    A RUNNING one with a trouble is very slow; ``Fetch`` on it goes on over a new connection.
    """
