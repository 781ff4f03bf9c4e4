"""The doctor looks at how Jarvis sits in the desktop: menu, start with the session, hotkey."""

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from jarvis_desktop.adapters.desktop_entry import DesktopEntry, own_command
from jarvis_desktop.adapters.desktop_entry_text import read_keys
from jarvis_desktop.app.doctor_finding import Check, Finding, Mend, Patient, fix_command
from jarvis_desktop.app.hotkey_care import hotkey_problem


async def check_entries(patient: Patient) -> Sequence[Finding]:
    """Entries of the menu and of the session's start: each names a program that is there."""
    texts = patient.texts
    entry = DesktopEntry(own_command())
    return (
        _entry("menu", texts("Entry in the menu"), entry.places.menu, entry, patient),
        _entry("autostart", texts("Start with the session"), entry.places.autostart, entry, patient),
    )


def _entry(name: str, title: str, path: Path, entry: DesktopEntry, patient: Patient) -> Finding:
    texts = patient.texts
    try:
        program = read_keys(path.read_text("utf-8", "replace")).get("TryExec", "")
    except OSError:
        return Finding(name, title, found=False)
    if shutil.which(program) is not None:
        return Finding(name, title, found=True, version=program)

    async def mend() -> None:
        entry.mend()

    todo = texts("{file} starts {program}, which is gone; doctor --fix points it to this installation.")
    return Finding(
        name,
        title,
        found=False,
        version=program,
        todo=todo.format(file=path, program=program or "?"),
        command=fix_command(),
        mend=Mend(texts("Pointing the desktop's entries to this installation"), mend),
    )


async def check_hotkey(patient: Patient) -> Sequence[Finding]:
    """The keys that begin listening from anywhere."""
    texts, hotkey = patient.texts, patient.settings.ui.hotkey
    title = texts("Hotkey")
    problem = hotkey_problem(hotkey, texts)
    if problem:
        return (Finding("hotkey", title, found=False, version=hotkey, todo=problem, optional=True),)
    on_wayland = bool(os.environ.get("WAYLAND_DISPLAY")) and sys.platform == "linux"
    if not hotkey or not on_wayland:
        return (Finding("hotkey", title, found=bool(hotkey), version=hotkey),)
    todo = texts(
        "Wayland gives no program a key of its own; in the desktop's keyboard settings let the keys run "
        '"jarvis-desktop ask --listen".'
    )
    return (Finding("hotkey", title, found=False, version=hotkey, todo=todo, optional=True),)


SESSION_CHECKS: tuple[Check, ...] = (check_entries, check_hotkey)
