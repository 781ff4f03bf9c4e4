"""The doctor looks at what we keep: home folder, settings, database, and who uses them now."""

import os
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from jarvis_desktop.adapters.daemon_call import in_daemon
from jarvis_desktop.adapters.home_dir import FOLDER_MODE, home_dir
from jarvis_desktop.adapters.settings_file import FILE_NAME, load_settings
from jarvis_desktop.adapters.settings_problem import sentence
from jarvis_desktop.adapters.sqlite_file import verdict_on, version_of
from jarvis_desktop.adapters.sqlite_schema import STEPS
from jarvis_desktop.app.doctor_finding import Check, Finding, Mend, Patient
from jarvis_desktop.app.instance import Instance
from jarvis_desktop.app.options import DATABASE_NAME

PRIVATE_FOLDERS = ("logs", "approvals")  # models are public files
FILE_MODE = 0o600


async def check_home(patient: Patient) -> Sequence[Finding]:
    """Our folder."""
    texts, home = patient.texts, patient.home
    title = texts("Folder of Jarvis")
    if not home.exists():

        async def make() -> None:
            home_dir(texts)

        made_later = texts("made at the first start")
        mend = Mend(texts("Making the folder {folder}").format(folder=home), make)
        return (Finding("home", title, found=False, version=f"{home} ({made_later})", mend=mend),)
    usable = home.is_dir() and os.access(home, os.W_OK | os.X_OK)
    todo = texts(
        "{folder} cannot be written. Make it writable for you, or set JARVIS_HOME to another folder."
    )
    return (
        Finding(
            "home", title, found=usable, version=str(home), todo="" if usable else todo.format(folder=home)
        ),
    )


async def check_rights(patient: Patient) -> Sequence[Finding]:
    """Who can read what we keep: its owner alone (decision 5)."""
    texts, home = patient.texts, patient.home
    title = texts("Rights on the folder of Jarvis")
    if os.name != "posix" or not home.is_dir():
        return (Finding("rights", title, found=False),)
    foreign = [path for path in (home, *_kept_files(home)) if path.lstat().st_uid != os.geteuid()]
    if foreign and os.geteuid() != 0:
        todo = texts(
            "{file} belongs to somebody else, as after a start with sudo; make it yours again."
        ).format(file=foreign[0])
        return (
            Finding(
                "rights",
                title,
                found=False,
                todo=todo,
                command=f'sudo chown -R "$USER" {shlex.quote(str(home))}',
            ),
        )
    open_ones = list(_too_open(home))
    if not open_ones:
        return (Finding("rights", title, found=True, version=f"{FOLDER_MODE:o}"),)
    todo = texts("Others on this machine can read {file}; doctor --fix closes it to them.")

    async def close() -> None:
        for path in _too_open(home):
            path.chmod(FOLDER_MODE if path.is_dir() else FILE_MODE)

    mend = Mend(texts("Closing the folder of Jarvis to everybody else"), close)
    return (
        Finding(
            "rights",
            title,
            found=False,
            todo=todo.format(file=open_ones[0]),
            command=f"chmod -R go= {shlex.quote(str(home))}",
            mend=mend,
        ),
    )


def _too_open(home: Path) -> Iterator[Path]:
    """What others could read, if it were not for the folders above it too. Links are left alone."""
    for path in (home, *_kept_files(home)):
        if not path.is_symlink() and path.stat().st_mode & 0o077:
            yield path


def _kept_files(home: Path) -> Iterator[Path]:
    yield from (home / name for name in PRIVATE_FOLDERS if (home / name).is_dir())
    yield from (path for path in home.glob(f"{DATABASE_NAME}*") if path.is_file())
    yield from (path for path in (home / "logs").glob("jarvis.log*") if path.is_file())


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
    path = patient.home / DATABASE_NAME
    title = texts("Conversations")
    if not path.exists():
        return (Finding("database", title, found=False, version=texts("made at the first start")),)
    verdict = await in_daemon(lambda: verdict_on(path), "doctor-database")
    if verdict != "ok":
        todo = texts("{file} is damaged ({reason}). The next start keeps it aside and begins a new one.")
        return (Finding("database", title, found=False, todo=todo.format(file=path.name, reason=verdict)),)
    version = await in_daemon(lambda: version_of(path), "doctor-database")
    shown = f"{path.stat().st_size / 1e6:.1f} MB, v{version}"
    if version > len(STEPS):
        todo = texts("{file} was written by a newer version of Jarvis. Install that version again.")
        return (Finding("database", title, found=False, version=shown, todo=todo.format(file=path.name)),)
    older = texts("{file} is of an older version; the next start brings it up to date and keeps a copy.")
    todo = older.format(file=path.name) if 0 < version < len(STEPS) else ""
    return (Finding("database", title, found=True, version=shown, todo=todo, optional=True),)


async def check_running(patient: Patient) -> Sequence[Finding]:
    """Whether Jarvis is running for this folder, or what a killed one has left."""
    texts = patient.texts
    title = texts("Running now")
    instance = Instance(patient.home)
    running = instance.in_use()
    if running or not instance.socket_path.exists():
        return (Finding("running", title, found=running),)

    async def remove() -> None:
        if instance.claim():
            instance.release()

    mend = Mend(texts("Removing the socket that a killed Jarvis has left"), remove)
    todo = texts("A Jarvis that was killed left {file}; the next start removes it.")
    return (
        Finding(
            "running",
            title,
            found=False,
            todo=todo.format(file=instance.socket_path),
            optional=True,
            mend=mend,
        ),
    )


STATE_CHECKS: tuple[Check, ...] = (
    check_home,
    check_rights,
    check_settings,
    check_database,
    check_running,
)
