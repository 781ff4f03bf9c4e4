"""The doctor looks at the machine: Python, programs, disk space."""

import asyncio
import os
import platform
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from jarvis_desktop.app.doctor_finding import Check, Finding, Patient

LEAST_FREE_GB = 2.0
"""Whisper base and the wake word take 0.15 GB; the default chat model is fetched into Ollama's own folder."""


async def check_python(patient: Patient) -> Sequence[Finding]:
    """The Python that runs this."""
    return (Finding("python", patient.texts("Python"), found=True, version=platform.python_version()),)


async def check_voice_program(patient: Patient) -> Sequence[Finding]:
    """espeak-ng, which speaks."""
    texts = patient.texts
    todo = texts("Jarvis cannot speak without espeak-ng. Install it: sudo apt-get install espeak-ng")
    return (await _program("espeak-ng", texts("Voice (espeak-ng)"), todo),)


async def check_walls(patient: Patient) -> Sequence[Finding]:
    """bubblewrap, which keeps shell commands away from screen and sound."""
    texts = patient.texts
    todo = texts("Shell commands run without walls. Install them: sudo apt-get install bubblewrap")
    return (await _program("bwrap", texts("Walls for shell commands (bubblewrap)"), todo),)


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


def _existing(path: Path) -> Path:
    return next(folder for folder in (path, *path.parents) if folder.exists())


async def _program(name: str, title: str, todo: str) -> Finding:
    """A program by its name, with the first version number that it prints."""
    path = shutil.which(name)
    if path is None:
        return Finding(name, title, found=False, todo=todo)
    child = await asyncio.create_subprocess_exec(
        path,
        "--version",
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={**os.environ, "LC_ALL": "C"},
    )
    output, _ = await child.communicate()
    number = re.search(r"\d+(\.\d+)+", output.decode(errors="replace"))
    return Finding(name, title, found=True, version=number[0] if number else "")


MACHINE_CHECKS: tuple[Check, ...] = (check_python, check_disk, check_voice_program, check_walls)
