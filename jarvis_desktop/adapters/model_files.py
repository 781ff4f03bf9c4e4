"""Model files on disk: found without any network, and believed only after their digest was checked."""

import hashlib
import json
import logging
from collections.abc import Mapping
from pathlib import Path

from jarvis_desktop.adapters.model_fetch import Progress, SourcePlan, fetch_files
from jarvis_desktop.adapters.model_manifest import Manifest, ModelEntry, ModelFile, read_manifest
from jarvis_desktop.core.items.errors import ModelFileError

log = logging.getLogger(__name__)

CHECKED = ".checked.json"
"""Digests by path, with size, time and inode of what was hashed: a start must not read 150 MB."""


class ModelFiles:
    """The files below ``folder`` that the manifest names."""

    def __init__(
        self, folder: Path, manifest: Manifest | None = None, plan: SourcePlan | None = None
    ) -> None:
        self._folder = folder
        self._manifest = manifest or read_manifest()
        self._plan = plan or SourcePlan.from_environment()

    @property
    def names(self) -> tuple[str, ...]:
        """Models that the manifest knows."""
        return tuple(self._manifest.models)

    @property
    def needed(self) -> tuple[str, ...]:
        """Models without which Jarvis cannot listen."""
        return tuple(name for name, entry in self._manifest.models.items() if entry.needed)

    def entry(self, name: str) -> ModelEntry:
        """What the manifest says about a model.

        Raises:
            ModelFileError: it knows none of this name.
        """
        try:
            return self._manifest.models[name]
        except KeyError:
            known = ", ".join(self._manifest.models)
            raise ModelFileError(f'no model is called "{name}"; the manifest knows {known}') from None

    def verified(self, name: str) -> dict[str, Path]:
        """The files of a model by name, each with the digest that the manifest names. No network.

        Raises:
            ModelFileError: one is absent, or has another digest; it says which.
        """
        entry = self.entry(name)
        known = self._read_checked()
        fresh = dict(known)
        files: dict[str, Path] = {}
        for file in entry.files:
            path = self._folder / entry.folder / file.name
            self._check(path, file, known, fresh)
            files[file.name] = path
        if fresh != known:
            self._write_checked(fresh)
        return files

    def missing(self, name: str) -> tuple[ModelFile, ...]:
        """Files of a model that have to be fetched: absent, cut short or not what they should be."""
        entry = self.entry(name)
        known = self._read_checked()
        wanting = []
        for file in entry.files:
            try:
                self._check(self._folder / entry.folder / file.name, file, known, dict(known))
            except ModelFileError:
                wanting.append(file)
        return tuple(wanting)

    async def fetch(self, name: str, progress: Progress) -> None:
        """All files of the model are there, each checked before it took its place.

        progress: told (bytes so far, bytes in all); never goes back.

        Raises:
            ModelFileError: no source has the right bytes; it says what each one said.
        """
        entry = self.entry(name)
        wanting = self.missing(name)
        if wanting:
            await fetch_files(entry, wanting, self._folder, self._plan, progress)
        self.verified(name)

    def _check(
        self, path: Path, file: ModelFile, known: Mapping[str, list[object]], fresh: dict[str, list[object]]
    ) -> None:
        try:
            stat = path.stat()
        except OSError:
            raise ModelFileError(f"{path.parent.name}/{file.name} is not there") from None
        if stat.st_size != file.size:
            raise ModelFileError(
                f"{path.parent.name}/{file.name} has {stat.st_size} bytes, {file.size} were expected"
            )
        key = f"{path.parent.name}/{file.name}"
        mark: list[object] = [stat.st_size, stat.st_mtime_ns, stat.st_ino]
        seen = known.get(key, [])
        digest = seen[3] if len(seen) == 4 and seen[:3] == mark else sha256_of(path)
        if digest != file.sha256:
            raise ModelFileError(f"{key} is not the file that the manifest names; it will not be loaded")
        fresh[key] = [*mark, digest]

    def _read_checked(self) -> dict[str, list[object]]:
        try:
            found = json.loads((self._folder / CHECKED).read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return (
            {key: mark for key, mark in found.items() if isinstance(mark, list)}
            if isinstance(found, dict)
            else {}
        )

    def _write_checked(self, checked: Mapping[str, list[object]]) -> None:
        part = self._folder / f"{CHECKED}.part"
        try:
            part.write_text(json.dumps(checked), "utf-8")
            part.replace(self._folder / CHECKED)
        except OSError as error:  # a read-only folder only costs the next start its time
            log.info("digests not kept", extra={"error": error.strerror})


def sha256_of(path: Path) -> str:
    """Hex digest of the bytes on disk.

    Raises:
        ModelFileError: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelFileError(f"{path.parent.name}/{path.name} cannot be read ({error.strerror})") from error
