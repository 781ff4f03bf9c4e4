"""What the engine has read of a prompt's beginning, kept on disk: reading it anew takes 25 s on one core.

Nothing that a person said is in it. A file is believed only while its content has the digest in its name,
because the engine reads it unchecked.
"""

import contextlib
import hashlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jarvis_desktop.core.ports import ChatRequest

log = logging.getLogger(__name__)

ENDING = ".prompt"
FRESH_NAME = "fresh.new"
DIGEST_CHARS = 32


@dataclass(frozen=True, slots=True)
class KeptPrompt:
    """The last prompt that was read by one engine with one model. All calls wait for the disk."""

    folder: Path
    made_by: Sequence[object]
    """Weights, engine and context; what another combination had read is of no use."""

    def found(self) -> Path | None:
        """The file; None when there is none that can be believed."""
        with contextlib.suppress(OSError):
            for path in self._all():
                if _digest_of(path) == path.stem.rpartition("-")[2]:
                    return path
                path.unlink(missing_ok=True)
        return None

    def holds(self, prefix: ChatRequest) -> bool:
        """It is this beginning that was kept."""
        return any(path.stem.split("-")[1] == _word(prefix.messages, prefix.tools) for path in self._all())

    def prepare(self) -> None:
        """The folder is there, for its owner alone.

        Raises:
            OSError: it cannot be made.
        """
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def adopt(self, prefix: ChatRequest) -> None:
        """The file that the engine has just written is the one from now on; the others are gone."""
        fresh = self.folder / FRESH_NAME
        try:
            words = (self._made_by, _word(prefix.messages, prefix.tools), _digest_of(fresh))
            place = self.folder / ("-".join(words) + ENDING)
            fresh.replace(place)
            for path in self.folder.glob(f"*{ENDING}"):
                if path != place:
                    path.unlink(missing_ok=True)
        except OSError as error:
            log.info("what was read of the prompt is not kept", extra={"error": type(error).__name__})

    def drop(self) -> None:
        """None is kept: what is there did not work, or is not what it should be."""
        with contextlib.suppress(OSError):
            for path in (self.folder / FRESH_NAME, *self._all()):
                path.unlink(missing_ok=True)

    @property
    def _made_by(self) -> str:
        return _word(*self.made_by)

    def _all(self) -> list[Path]:
        return sorted(self.folder.glob(f"{self._made_by}-*{ENDING}"))


def _word(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:DIGEST_CHARS]


def _digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:DIGEST_CHARS]
