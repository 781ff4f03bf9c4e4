"""The doctor looks at what we keep: home folder, settings, database, and who uses them now."""

import os
from collections.abc import Sequence

from jarvis_desktop.adapters.daemon_call import in_daemon
from jarvis_desktop.adapters.settings_file import FILE_NAME, load_settings
from jarvis_desktop.adapters.settings_problem import sentence
from jarvis_desktop.adapters.sqlite_file import verdict_on
from jarvis_desktop.app.doctor_finding import Check, Finding, Patient
from jarvis_desktop.app.instance import Instance


async def check_home(patient: Patient) -> Sequence[Finding]:
    """Our folder."""
    texts, home = patient.texts, patient.home
    title = texts("Folder of Jarvis")
    if not home.exists():
        made_later = texts("made at the first start")
        return (Finding("home", title, found=False, version=f"{home} ({made_later})"),)
    usable = home.is_dir() and os.access(home, os.W_OK | os.X_OK)
    todo = texts(
        "{folder} cannot be written. Make it writable for you, or set JARVIS_HOME to another folder."
    )
    return (
        Finding(
            "home", title, found=usable, version=str(home), todo="" if usable else todo.format(folder=home)
        ),
    )


async def check_settings(patient: Patient) -> Sequence[Finding]:
    """The settings file and the variables."""
    texts = patient.texts
    _, problems = load_settings(patient.home)
    written = (patient.home / FILE_NAME).exists()
    return (
        Finding(
            "settings",
            texts("Settings"),
            found=written,
            version=FILE_NAME if written else texts("defaults"),
            todo=" ".join(sentence(problem, texts) for problem in problems),
        ),
    )


async def check_database(patient: Patient) -> Sequence[Finding]:
    """The database, looked at without changing it."""
    texts = patient.texts
    path = patient.home / "jarvis.db"
    title = texts("Conversations")
    if not path.exists():
        return (Finding("database", title, found=False, version=texts("made at the first start")),)
    verdict = await in_daemon(lambda: verdict_on(path), "doctor-database")
    if verdict != "ok":
        todo = texts("{file} is damaged ({reason}). The next start keeps it aside and begins a new one.")
        return (Finding("database", title, found=False, todo=todo.format(file=path.name, reason=verdict)),)
    size = f"{path.stat().st_size / 1e6:.1f} MB"
    return (Finding("database", title, found=True, version=size),)


async def check_running(patient: Patient) -> Sequence[Finding]:
    """Whether Jarvis is running for this folder."""
    texts = patient.texts
    title = texts("Running now")
    if not patient.home.is_dir() or not os.access(patient.home, os.W_OK):
        return (Finding("running", title, found=False),)
    instance = Instance(patient.home)
    alone = instance.claim()
    if alone:
        instance.release()
    return (Finding("running", title, found=not alone),)


STATE_CHECKS: tuple[Check, ...] = (check_home, check_settings, check_database, check_running)
