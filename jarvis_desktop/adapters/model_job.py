"""One model being fetched: its files, where its parts lie, and the last step of every file."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from jarvis_desktop.adapters.download import BrokenOffError, Limits
from jarvis_desktop.adapters.download_part import Part, to_its_end
from jarvis_desktop.adapters.model_manifest import ModelEntry, ModelFile
from jarvis_desktop.adapters.model_sources import SourcePlan
from jarvis_desktop.adapters.model_told import Told
from jarvis_desktop.core.items.errors import ModelFileError
from jarvis_desktop.core.ports import Clock, Texts

FETCHING = ".fetching"
"""Folder beside the models in which parts lie, one folder a model."""


class WrongBytesError(ModelFileError):
    """All bytes are there, and they are not the file that the manifest names."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What every download uses."""

    folder: Path
    """Where the models lie."""
    plan: SourcePlan
    texts: Texts
    clock: Clock

    @property
    def limits(self) -> Limits:
        """How patient downloads are."""
        return self.plan.limits

    def parts_of(self, name: str) -> Path:
        """Folder of a model's parts."""
        return self.folder / FETCHING / name


@dataclass(frozen=True, slots=True)
class Job:
    """One model whose files are wanted."""

    name: str
    entry: ModelEntry
    around: Surroundings
    told: Told
    placed: Callable[[ModelFile], None]
    """Called when a file has taken its place."""

    @property
    def parts(self) -> Path:
        """Folder of everything unfinished."""
        return self.around.parts_of(self.name)

    def part(self, file: ModelFile) -> Part:
        """The bytes of ``file`` so far, named by their digest: the same whoever brings them."""
        return Part(self.parts / f"{file.sha256}.part")

    def place(self, file: ModelFile) -> Path:
        """Where the file belongs."""
        return self.around.folder / self.entry.folder / file.name

    def missing_bytes(self, files: Sequence[ModelFile]) -> int:
        """Bytes that are still to be written."""
        return sum(max(0, file.size - self.part(file).size) for file in files)

    async def settle(self, file: ModelFile) -> None:
        """The file stands in its place, checked.

        Raises:
            WrongBytesError: it is another file; nothing of it is kept.
        """
        self.told.checking()
        part = self.part(file)
        if part.size != file.size or await to_its_end(part.sha256) != file.sha256:
            await to_its_end(part.drop)
            raise WrongBytesError(
                self.around.texts(
                    "{file} is not the file that the manifest names (its digest is another); it was deleted."
                ).format(file=file.name)
            )
        await to_its_end(partial(part.become, self.place(file)))
        await asyncio.to_thread(self.placed, file)
        self.told.came(file.sha256, file.size)

    async def whole(self, file: ModelFile, bring: Callable[[], Awaitable[None]]) -> None:
        """``bring`` completes the part, and it takes its place; old bytes that do not fit are fetched anew.

        Raises:
            ModelFileError: this source does not have it.
        """
        inherited = self.part(file).size
        await bring()
        try:
            await self.settle(file)
        except WrongBytesError:
            if not inherited:
                raise
            # What lay there may have been cut by a power failure, or come from a source that lied.
            self.told.anew()
            self.told.stalled(
                self.around.texts("What had come of {file} before does not fit; it is fetched anew.").format(
                    file=file.name
                )
            )
            await bring()
            await self.settle(file)

    async def persist(self, attempt: Callable[[], Awaitable[None]], size: Callable[[], int]) -> None:
        """``attempt`` succeeds, on new connections as long as they bring something.

        size: bytes that are there now.

        Raises:
            ModelFileError: the source does not have it, or several connections in a row brought nothing.
        """
        barren = 0
        while True:
            before = size()
            try:
                return await attempt()
            except BrokenOffError as error:
                barren = 0 if size() > before else barren + 1
                if barren >= self.around.limits.barren_tries:
                    raise
                again = self.around.texts("{reason} Trying again on a new connection; what has come is kept.")
                self.told.stalled(again.format(reason=error))
                await self.around.clock.sleep(self.around.limits.pause_s)
