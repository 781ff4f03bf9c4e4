"""What an uninstall removes and what it leaves; removing it without ever following a link."""

import errno
import os
import stat
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import jarvis_desktop
from jarvis_desktop.adapters.desktop_entry import APP_ID, DesktopEntry, own_command
from jarvis_desktop.adapters.desktop_entry_text import exec_value
from jarvis_desktop.adapters.shell_command import ShellCommand
from jarvis_desktop.app.home_inventory import Inventory, Kept, inventory
from jarvis_desktop.app.instance import socket_path
from jarvis_desktop.core.ports import Texts

INSTALLED = Path(jarvis_desktop.__file__).parents[1]
"""The checkout, or the folder of packages."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that would be removed, and what of ours is left alone."""

    home: Path
    data: tuple[Kept, ...]
    desktop: tuple[Path, ...]
    """Entries, icons and the command of terminals."""
    leftovers: tuple[Path, ...]
    """Socket and caches."""
    left: tuple[Path, ...]
    """In the folder or beside ours, but not removed."""

    @property
    def paths(self) -> tuple[Path, ...]:
        """Everything to be removed but the folder itself, the lock last: it keeps a start away until then."""
        inside = [path for one in self.data for path in one.paths]
        return (*self.desktop, *self.leftovers, *sorted(inside, key=lambda path: path.name == "jarvis.lock"))


def plan_of(home: Path, working_folder: Path, texts: Texts, *, keep_data: bool) -> Plan:
    """What removing the Jarvis of ``home`` means."""
    there = Inventory((), ()) if keep_data else inventory(home, texts)
    data = tuple(_without(one, working_folder) for one in there.kept)
    spared = tuple(path for one in there.kept for path in one.paths if _holds(path, working_folder))
    desktop, foreign = _desktop(home)
    return Plan(
        home,
        tuple(one for one in data if one.paths),
        desktop,
        tuple(path for path in _leftovers(home) if os.path.lexists(path)),
        (*there.unknown, *spared, *foreign),
    )


def _holds(path: Path, working_folder: Path) -> bool:
    """The person's own files lie in ``path``."""
    return working_folder.is_relative_to(path)


def _without(one: Kept, working_folder: Path) -> Kept:
    paths = tuple(path for path in one.paths if not _holds(path, working_folder))
    return one if paths == one.paths else Kept(one.name, one.title, paths, one.files, one.size_bytes)


def _desktop(home: Path) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """Entries, icons and command of this home's Jarvis, and entries that start another one's."""
    places = DesktopEntry(own_command()).places
    entries = [path for path in (places.menu, places.autostart) if os.path.lexists(path)]
    ours = [path for path in entries if _starts(path, home)]
    foreign = tuple(path for path in entries if path not in ours)
    icons = () if foreign else tuple(sorted(places.icons.glob(f"*/apps/{APP_ID}.*")))
    command = ShellCommand()
    # It starts the Jarvis of the usual folder; another one's data can go without it.
    commands = (command.place,) if command.is_ours and home == Path.home() / ".jarvis" else ()
    return (*ours, *icons, *commands), foreign


def _starts(entry: Path, home: Path) -> bool:
    """The entry starts the Jarvis whose folder is ``home``."""
    try:
        text = entry.read_text("utf-8", "replace")
    except OSError:
        return True  # a link to nothing, or nobody's: it can start no other
    if "JARVIS_HOME=" in text:
        return exec_value((f"JARVIS_HOME={home}",)) in text
    return home == Path.home() / ".jarvis"


def _leftovers(home: Path) -> Iterator[Path]:
    yield socket_path(home)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    yield cache / APP_ID


def trouble_with(home: Path) -> Path | None:
    """What would be lost if ``home`` were emptied; such a folder is never touched."""
    real = Path(os.path.realpath(home))  # resolve() stumbles over links that lead in a circle
    precious = (Path.home().resolve(), INSTALLED.resolve(), Path("/"))
    return next((one for one in precious if one.is_relative_to(real)), None)


@dataclass(frozen=True, slots=True)
class Failure:
    """Something that could not be removed."""

    path: Path
    reason: str


def remove(paths: Sequence[Path]) -> tuple[Failure, ...]:
    """Each path is gone, with all that is in it; what could not be removed comes back."""
    failures: list[Failure] = []
    # A list of what is left instead of a call for each folder: they may lie deeper than Python calls itself.
    left = [(path, False) for path in reversed(paths)]
    while left:
        path, is_emptied = left.pop()
        if is_emptied:
            # A folder in which something stays says nothing new.
            if not any(one.path.is_relative_to(path) for one in failures):
                failures += _tried(path, path.rmdir)
            continue
        try:
            below = _entries(path)
        except FileNotFoundError:
            continue
        except OSError as error:
            failures.append(_failure(path, error))
            continue
        if below is None:
            failures += _tried(path, path.unlink)
        else:
            left += [(path, True), *((one, False) for one in below)]
    return tuple(failures)


def _entries(path: Path) -> Sequence[Path] | None:
    """What is in a folder; None where there is none, be it a link to one.

    Raises:
        OSError: it cannot be read, or must not be emptied.
    """
    if not stat.S_ISDIR(path.lstat().st_mode):
        return None
    if path.is_mount():
        raise OSError(errno.EBUSY, "another disk is mounted there")
    with os.scandir(path) as entries:
        return [Path(entry.path) for entry in entries]


def remove_folder(home: Path) -> tuple[Failure, ...]:
    """The folder itself is gone when it is empty; a link that led to it as well."""
    real = home.resolve()
    if real.is_dir() and not any(real.iterdir()):
        failures = remove((real,))
        return failures if failures or not home.is_symlink() else remove((home,))
    return ()


def remove_empty_runtime() -> None:
    """The folder for sockets that we made where the session gives none is gone, if nothing is in it."""
    folder = Path(tempfile.gettempdir()) / f"jarvis-{os.getuid()}"
    try:
        folder.rmdir()
    except OSError:  # not there, or another home's socket is in it
        return


def _tried(path: Path, act: Callable[[], None]) -> tuple[Failure, ...]:
    try:
        act()
    except OSError as error:
        return (_failure(path, error),)
    return ()


def _failure(path: Path, error: OSError) -> Failure:
    return Failure(path, error.strerror or type(error).__name__)
