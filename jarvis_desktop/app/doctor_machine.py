"""The doctor looks at the machine: Python, programs, disk space, language and clock."""

import asyncio
import locale
import os
import platform
import re
import shutil
import zoneinfo
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.app.doctor_finding import Check, Finding, Patient
from jarvis_desktop.app.doctor_packages import SystemPart

LEAST_FREE_GB = 2.0
"""Whisper base and the wake word take 0.15 GB; the default chat model is fetched into Ollama's own folder."""
OLDEST_BELIEVABLE = datetime(2026, 1, 1, tzinfo=UTC)
"""This program is younger than that; with an older clock every certificate of a download is refused."""


async def check_python(patient: Patient) -> Sequence[Finding]:
    """The Python that runs this."""
    return (Finding("python", patient.texts("Python"), found=True, version=platform.python_version()),)


async def check_voice_program(patient: Patient) -> Sequence[Finding]:
    """espeak-ng, which speaks."""
    texts = patient.texts
    title = texts("Voice (espeak-ng)")
    version = await printed_version("espeak-ng")
    if version is None:
        todo = texts("Jarvis cannot speak without espeak-ng; install it with the package manager.")
        command = patient.packages.install(SystemPart.ESPEAK)
        return (Finding("espeak-ng", title, found=False, todo=todo, command=command),)
    return (Finding("espeak-ng", title, found=True, version=version),)


async def check_disk(patient: Patient) -> Sequence[Finding]:
    """Free space where our folder is."""
    texts = patient.texts
    free_gb = shutil.disk_usage(_existing(patient.home)).free / 1e9
    todo = texts("Less than {least} GB are free; make room for models and conversations.")
    return (
        Finding(
            "disk",
            texts("Free disk space"),
            found=free_gb >= LEAST_FREE_GB,
            version=f"{free_gb:.1f} GB",
            todo="" if free_gb >= LEAST_FREE_GB else todo.format(least=f"{LEAST_FREE_GB:g}"),
        ),
    )


async def check_language(patient: Patient) -> Sequence[Finding]:
    """The language and character set that programs are told to use."""
    texts = patient.texts
    named = next((value for name in ("LC_ALL", "LC_CTYPE", "LANG") if (value := os.environ.get(name))), "")
    is_utf8 = locale.getencoding().lower().replace("-", "") == "utf8"
    todo = texts("Programs are told to use {encoding}, in which Korean cannot be written; set LANG.")
    return (
        Finding(
            "locale",
            texts("Language of the system"),
            found=is_utf8,
            version=named or "C",
            todo="" if is_utf8 else todo.format(encoding=locale.getencoding()),
            command="" if is_utf8 else "export LANG=C.UTF-8",
            optional=True,
        ),
    )


async def check_clock(patient: Patient) -> Sequence[Finding]:
    """Date and time zone: downloads and times of day depend on them."""
    texts, now = patient.texts, SystemClock().now()
    zone = os.environ.get("TZ", "").lstrip(":")
    todo = ""
    if now < OLDEST_BELIEVABLE:
        todo = texts("The clock says {date}, so downloads are refused; set it right.").format(
            date=f"{now:%Y-%m-%d}"
        )
    elif zone and not _is_zone(zone):
        todo = texts("There is no time zone called {zone}, so times are taken as UTC; mend TZ.").format(
            zone=zone
        )
    shown = f"{now.astimezone():%Y-%m-%d %H:%M} {now.astimezone().tzname()}"
    command = "sudo timedatectl set-ntp true" if now < OLDEST_BELIEVABLE else ""
    return (Finding("clock", texts("Clock"), found=not todo, version=shown, todo=todo, command=command),)


def _is_zone(name: str) -> bool:
    # POSIX rules such as KST-9 are no names and are fine.
    if "/" not in name:
        return True
    try:
        zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        return Path(name).is_absolute() and Path(name).exists()
    return True


def _existing(path: Path) -> Path:
    return next(folder for folder in (path, *path.parents) if folder.exists())


async def printed_version(name: str) -> str | None:
    """The first version number that a program prints; None when there is no such program."""
    path = shutil.which(name)
    if path is None:
        return None
    output = (await finished(path, "--version"))[1]
    # The first line only: the licence further down has a version too.
    number = re.search(r"\d+([._]\d+)+", output.partition("\n")[0])
    return number[0] if number else ""


async def finished(*words: str) -> tuple[int, str]:
    """Exit status and output of a program, which is ended when the check runs out of time."""
    child = await asyncio.create_subprocess_exec(
        *words,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={**os.environ, "LC_ALL": "C"},
    )
    try:
        output, _ = await child.communicate()
    except asyncio.CancelledError:
        await ended(child)
        raise
    return child.returncode or 0, output.decode(errors="replace").strip()


async def ended(child: asyncio.subprocess.Process) -> None:
    """The program is gone; it may have ended by itself before the loop noticed."""
    with suppress(ProcessLookupError):
        child.kill()
    # Read to its end: a transport that outlives its loop complains on the terminal.
    await child.communicate()


MACHINE_CHECKS: tuple[Check, ...] = (
    check_python,
    check_disk,
    check_voice_program,
    check_language,
    check_clock,
)
