"""The recipe's voice probe, run beside an experiment of ours, and its printed figures."""

import re
import subprocess
from pathlib import Path
from typing import Any

from jarvis_desktop.core.items.calls import Json

PROBE = Path(__file__).parents[2] / "shared/recipes/audio/e2e.py"


def probe_figures(models: Path, python: str) -> dict[str, float]:
    """Medians that the recipe's probe printed, in seconds; empty where it cannot run."""
    if not PROBE.exists():
        return {}
    done = subprocess.run(
        [python, str(PROBE), str(models)], capture_output=True, text=True, timeout=600, check=False
    )
    names = {
        "wake_s": "wake latency median",
        "endpoint_s": "endpoint delay median",
        "recognition_s": r"language\+STT median",
        "end_to_text_s": "end of speech -> text median",
    }
    found = {name: re.search(rf"{label} (-?\d+)", done.stdout) for name, label in names.items()}
    return {name: int(match[1]) / 1000 for name, match in found.items() if match}


def ratios(ours: dict[str, Any], theirs: dict[str, float]) -> dict[str, Json]:
    """Our median through theirs, on the recordings that both heard; below 1 is quicker."""
    same = ours["same_as_probe"]
    return {
        name: round(same[name]["p50"] / theirs[name], 2)
        for name in ("wake_s", "endpoint_s", "end_to_text_s")
        if theirs.get(name) and same.get(name, {}).get("p50") is not None
    }
