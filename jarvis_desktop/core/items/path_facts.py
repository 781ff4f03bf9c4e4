"""What the disk says about paths, as plain values."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PathFact:
    """What the disk says about one path. Made outside the core."""

    real: str
    """Absolute, every link followed as far as it goes, also where the end does not exist."""
    exists: bool = False
    is_dir: bool = False
    executable: bool = False
    links: int = 1
    """Names of the file on disk; more than one means that another path leads to the same file."""
