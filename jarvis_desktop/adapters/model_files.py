"""Model files on disk: found without any network, and believed only after their digest was checked."""

import asyncio
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path

from jarvis_desktop.adapters.catalog import Catalog, system_language
from jarvis_desktop.adapters.download_part import Part
from jarvis_desktop.adapters.download_rate import DownloadRate
from jarvis_desktop.adapters.model_fetch import alone, disk_error, fetch_files
from jarvis_desktop.adapters.model_job import Job, Surroundings
from jarvis_desktop.adapters.model_manifest import Manifest, ModelEntry, ModelFile, read_manifest
from jarvis_desktop.adapters.model_notes import CheckedFiles
from jarvis_desktop.adapters.model_sources import SourcePlan
from jarvis_desktop.adapters.model_told import Tell, Told
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.core.items.errors import ModelFileError
from jarvis_desktop.core.items.fetching import FetchKind, FetchStage, FetchState
from jarvis_desktop.core.items.setup import FileChoice
from jarvis_desktop.core.ports import Clock, Texts

WRONG = ".wrong"
"""Behind the name of a file that ``verify`` moved aside."""


class Presence(StrEnum):
    """How much of a model is on the disk."""

    THERE = "there"
    PARTIAL = "partial"
    """Some files, or some bytes on their way."""
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What ``verify`` found out about one file."""

    model: str
    file: str
    good: bool
    trouble: str = ""


class ModelFiles:
    """The files below ``folder`` that the manifest names."""

    def __init__(
        self,
        folder: Path,
        manifest: Manifest | None = None,
        plan: SourcePlan | None = None,
        *,
        texts: Texts | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._folder = folder
        self._manifest = manifest or read_manifest()
        self._texts = texts or Catalog(system_language())
        self._clock = clock or SystemClock()
        self._around = Surroundings(folder, plan or SourcePlan.from_environment(), self._texts, self._clock)

    @property
    def folder(self) -> Path:
        """Where the models lie."""
        return self._folder

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
            told = self._texts('No model is called "{name}"; the manifest knows {known}.')
            raise ModelFileError(told.format(name=name, known=known)) from None

    def verified(self, name: str) -> dict[str, Path]:
        """The files of a model by name, each with the digest that the manifest names. No network.

        Raises:
            ModelFileError: one is absent, or has another digest; it says which, without a full stop, since
                whoever cannot go on builds a sentence of it.
        """
        entry, notes = self.entry(name), CheckedFiles(self._folder)
        files = {file.name: self._checked(entry, file, notes) for file in entry.files}
        notes.save()
        return files

    def missing(self, name: str) -> tuple[ModelFile, ...]:
        """Files of a model that have to be fetched: absent, cut short or not what they should be."""
        entry, notes = self.entry(name), CheckedFiles(self._folder)
        wanting = []
        for file in entry.files:
            try:
                self._checked(entry, file, notes)
            except ModelFileError:
                wanting.append(file)
        return tuple(wanting)

    def presence(self, name: str) -> Presence:
        """How much of the model is there; sizes alone are looked at, so this is quick."""
        entry = self.entry(name)
        whole = [self._sized(entry, file) for file in entry.files]
        if all(whole):
            return Presence.THERE
        begun = self._parts_bytes(name) > 0
        return Presence.PARTIAL if any(whole) or begun else Presence.MISSING

    def choices(self, texts: Texts) -> tuple[FileChoice, ...]:
        """Every model as the setup shows it. Reads the disk."""
        return tuple(
            FileChoice(
                name,
                texts(entry.purpose),
                entry.languages,
                entry.size,
                f"{entry.licence}. {texts(entry.notice)}" if entry.notice else entry.licence,
                self.sources(name, texts),
                self.presence(name) is Presence.THERE,
                entry.needed,
                entry.untested,
            )
            for name, entry in self._manifest.models.items()
        )

    def sources(self, name: str, texts: Texts) -> tuple[str, ...]:
        """Where the model would come from, in the order of trying, in the app's language."""
        plan = self._around.plan
        return tuple(plan.words(source, texts) for source in plan.for_model(self.entry(name)))

    def unfinished(self) -> tuple[FetchState, ...]:
        """Downloads that were begun and never ended, as paused ones. Reads the disk."""
        found = []
        for name, entry in self._manifest.models.items():
            done = self._parts_bytes(name)
            absent = sum(file.size for file in entry.files if not self._sized(entry, file))
            if done and absent:
                found.append(FetchState(FetchKind.FILES, name, FetchStage.PAUSED, min(done, absent), absent))
        return tuple(found)

    async def fetch(self, name: str, tell: Tell) -> None:
        """All files of the model are there, each checked before it took its place.

        tell: told every step, from the loop's thread.

        Raises:
            ModelFileError: no source has the right bytes; it says what each one said.
        """
        entry = self.entry(name)
        wanting = await asyncio.to_thread(self.missing, name)
        # A run that was killed right after its last file has left its notes behind.
        begun = await asyncio.to_thread(self._around.parts_of(name).exists)
        if wanting or begun:
            job = self._job(name, entry, wanting, tell)
            beating = asyncio.create_task(job.told.beat(self._clock))
            try:
                await fetch_files(job, partial(self.missing, name))
            finally:
                beating.cancel()
        await asyncio.to_thread(self.verified, name)

    async def drop(self, name: str) -> None:
        """What has come of an unfinished download is deleted; files in their place stay.

        Raises:
            ModelFileError: the manifest knows no such model, or the disk refuses.
        """
        job = self._job(name, self.entry(name), (), lambda _state: None)
        if await asyncio.to_thread(job.parts.exists):
            try:
                async with alone(job, wait=False):
                    await asyncio.to_thread(self._delete, job.parts)
            except OSError as error:
                raise disk_error(job, error) from error

    async def remove(self, name: str) -> None:
        """The model is deleted, and what has come of it.

        Raises:
            ModelFileError: the manifest knows no such model, or the disk refuses.
        """
        await self.drop(name)
        entry = self.entry(name)
        await asyncio.to_thread(self._delete, self._folder / entry.folder, entry.files)

    def verify(self, name: str) -> tuple[Verdict, ...]:
        """Every file that is there is hashed, whatever was noted; a wrong one is moved aside."""
        entry, notes = self.entry(name), CheckedFiles(self._folder)
        verdicts = []
        for file in entry.files:
            path = self._folder / entry.folder / file.name
            trouble = self._trouble(path, file, notes, f"{entry.folder}/{file.name}")
            verdicts.append(Verdict(name, file.name, not trouble, trouble))
        notes.save()
        return tuple(verdicts)

    def _trouble(self, path: Path, file: ModelFile, notes: CheckedFiles, key: str) -> str:
        if not path.exists():
            return self._texts("is not there")
        if notes.hashed(key, path, self._texts) == file.sha256:
            return ""
        try:
            path.replace(path.with_name(path.name + WRONG))
        except OSError as error:
            told = self._texts(
                "is not the file that the manifest names, and cannot be moved aside ({reason})"
            )
            return told.format(reason=error.strerror)
        told = self._texts("is not the file that the manifest names; it is now called {name}")
        return told.format(name=path.name + WRONG)

    def _checked(self, entry: ModelEntry, file: ModelFile, notes: CheckedFiles) -> Path:
        path, key = self._folder / entry.folder / file.name, f"{entry.folder}/{file.name}"
        try:
            size = path.stat().st_size
        except OSError:
            raise ModelFileError(self._texts("{file} is not there").format(file=key)) from None
        if size != file.size:
            told = self._texts("{file} has {found} bytes; {wanted} were expected")
            raise ModelFileError(told.format(file=key, found=size, wanted=file.size))
        if notes.digest(key, path, self._texts) != file.sha256:
            told = self._texts("{file} is not the file that the manifest names; it will not be loaded")
            raise ModelFileError(told.format(file=key))
        return path

    def _job(self, name: str, entry: ModelEntry, files: Sequence[ModelFile], tell: Tell) -> Job:
        sizes = {file.sha256: file.size for file in files}
        told = Told(name, sizes, tell, DownloadRate(self._clock.monotonic_s), self._texts)

        def placed(file: ModelFile) -> None:
            notes = CheckedFiles(self._folder)
            path = self._folder / entry.folder / file.name
            notes.note(f"{entry.folder}/{file.name}", path, file.sha256)
            notes.save()

        return Job(name, entry, self._around, told, placed)

    def _sized(self, entry: ModelEntry, file: ModelFile) -> bool:
        try:
            return (self._folder / entry.folder / file.name).stat().st_size == file.size
        except OSError:
            return False

    def _parts_bytes(self, name: str) -> int:
        parts = self._around.parts_of(name)
        return sum(Part(path).size for path in (*parts.glob("*.part"), *parts.glob("*.whl")))

    def _delete(self, folder: Path, named: Sequence[ModelFile] = ()) -> None:
        """The folder is gone. A person's link is, too; where it leads, only the ``named`` files are."""
        try:
            if not folder.is_symlink():
                shutil.rmtree(folder)
                return
            for file in named:
                (folder / file.name).unlink(missing_ok=True)
            folder.unlink()
        except FileNotFoundError:
            return
        except OSError as error:
            told = self._texts("{folder} cannot be deleted ({reason}).")
            raise ModelFileError(told.format(folder=folder, reason=error.strerror)) from error
