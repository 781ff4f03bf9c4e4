"""What every experiment writes: results with date, machine, versions and seed, in one file."""

import json
import os
import platform
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from jarvis_desktop import __version__
from jarvis_desktop.core.items.calls import Json

RESULTS = Path(__file__).parent / "results.json"


@dataclass(frozen=True, slots=True)
class Machine:
    """Where numbers come from; times of two machines are never compared."""

    system: str
    processor: str
    cores: int
    memory_gb: int
    load: float
    """Average of the last minute when the experiment began: others were using the machine."""


def this_machine() -> Machine:
    """The machine that runs this."""
    pages, page_bytes = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    return Machine(
        system=f"{platform.system()} {platform.release()}",
        processor=_processor(),
        cores=os.cpu_count() or 1,
        memory_gb=round(pages * page_bytes / 2**30),
        load=round(os.getloadavg()[0], 1),
    )


@dataclass(frozen=True, slots=True)
class Run:
    """One run of one experiment."""

    experiment: str
    """Module name."""
    results: Mapping[str, Json]
    seed: int
    packages: tuple[str, ...] = ()
    """Whose versions matter."""
    remarks: tuple[str, ...] = ()
    machine: Machine = field(default_factory=this_machine)

    def as_mapping(self) -> dict[str, Json]:
        """What is stored."""
        return {
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "machine": asdict(self.machine),
            "versions": {
                "jarvis-desktop": __version__,
                "python": platform.python_version(),
                **{name: _version(name) for name in self.packages},
            },
            "seed": self.seed,
            "remarks": list(self.remarks),
            "results": dict(self.results),
        }


def store(run: Run, file: Path = RESULTS) -> None:
    """``run`` is the newest of its experiment in ``file``; other experiments stay."""
    known: dict[str, Json] = json.loads(file.read_text("utf-8")) if file.exists() else {}
    known[run.experiment] = run.as_mapping()
    fresh = file.with_suffix(".part")
    fresh.write_text(json.dumps(known, ensure_ascii=False, indent=1, sort_keys=True) + "\n", "utf-8")
    fresh.replace(file)


def spread(values: Sequence[float]) -> dict[str, Json]:
    """Count, p50, p95 and the most; nothing but the count where there are none."""
    if not values:
        return {"n": 0}
    ordered = sorted(values)
    p95 = ordered[min(len(ordered) - 1, round(0.95 * (len(ordered) - 1)))]
    return {
        "n": len(ordered),
        "p50": round(statistics.median(ordered), 3),
        "p95": round(p95, 3),
        "max": round(ordered[-1], 3),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"
