"""How fast chat models were on this machine, kept in the home folder."""

import logging
from collections.abc import Mapping
from pathlib import Path

import yaml

from jarvis_desktop.core.items.setup import Backend, ModelMeasured

log = logging.getLogger(__name__)

SPEEDS_NAME = "model_speeds.yaml"


class ModelSpeeds:
    """One file. All calls read or write the disk: in a thread."""

    def __init__(self, home: Path) -> None:
        self._file = home / SPEEDS_NAME

    def tokens_per_s(self, backend: Backend, name: str) -> float | None:
        """The last measurement; None: there is none."""
        measured = self._stored().get(_key(backend, name), {})
        speed = measured.get("tokens_per_s") if isinstance(measured, dict) else None
        return float(speed) if isinstance(speed, int | float) and speed > 0 else None

    def keep(self, measured: ModelMeasured) -> None:
        """Found again at the next start."""
        speeds = dict(self._stored())
        speeds[_key(measured.backend, measured.name)] = {
            "tokens_per_s": round(measured.tokens_per_s, 1),
            "first_token_s": round(measured.first_token_s, 2),
        }
        temporary = self._file.with_suffix(".new")
        try:
            temporary.write_text(yaml.safe_dump(speeds, allow_unicode=True), "utf-8")
            temporary.replace(self._file)
        except OSError as error:
            # Only the number is lost: it can be measured again.
            log.warning("could not keep the speed", extra={"error": type(error).__name__})

    def _stored(self) -> Mapping[str, object]:
        try:
            stored = yaml.safe_load(self._file.read_text("utf-8"))
        except (OSError, yaml.YAMLError, UnicodeError):
            return {}
        return {str(key): value for key, value in stored.items()} if isinstance(stored, dict) else {}


def _key(backend: Backend, name: str) -> str:
    return f"{backend.value} {name}"
