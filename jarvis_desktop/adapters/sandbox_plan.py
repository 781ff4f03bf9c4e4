"""What a command's room is built of, as arguments of bubblewrap (decision 37)."""
# ruff: noqa: S108 - the places in /tmp are hidden here, nothing of ours is put there

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from os import fspath
from pathlib import Path

from jarvis_desktop.adapters.session_places import session_places
from jarvis_desktop.core.items.room import Room, RoomKind
from jarvis_desktop.core.policy.paths import (
    HOME_GUARDS,
    NAME_GUARDS,
    Guarded,
    Place,
    is_inside,
    is_secret,
)

RESOLVERS = ("/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager/resolv.conf", "/run/nscd")
"""Where /etc/resolv.conf may point to."""
SCRATCH = ("/tmp", "/var/tmp")


@dataclass(frozen=True, slots=True)
class Lodging:
    """The machine around a room; nothing here changes while we run."""

    place: Place
    environ: Mapping[str, str]
    """Says where the person's session is."""
    needed: tuple[str, ...] = ()
    """Folders without which our own program inside the room cannot run."""
    resolver: str = ""
    """File to stand for /etc/resolv.conf in a room with network; empty: the machine's own will do."""


def room_arguments(lodging: Lodging, room: Room, cwd: str) -> list[str]:
    """Arguments of ``bwrap`` up to the program. Looks at the disk: call it in a thread."""
    closed = room.kind is RoomKind.CLOSED
    arguments = ["--unshare-all", "--unshare-user", "--die-with-parent", "--new-session"]
    arguments += ["--ro-bind" if closed else "--bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    if closed:
        arguments += _closed(lodging, room, cwd)
    if room.network and lodging.resolver:
        arguments += ["--ro-bind", lodging.resolver, fspath(Path("/etc/resolv.conf").resolve())]
    arguments += _hidden(_session(lodging))
    # Last: nothing bound before may uncover them. Read-only, so that a write fails instead of vanishing.
    arguments += _hidden(home for home in lodging.place.app_homes)
    return [*arguments, "--chdir", cwd]


def _closed(lodging: Lodging, room: Room, cwd: str) -> Iterator[str]:
    place = lodging.place
    for folder in (*SCRATCH, "/run"):
        if Path(folder).is_dir():
            yield from ("--tmpfs", folder)
    for resolver in RESOLVERS:
        yield from ("--ro-bind-try", resolver, resolver)
    for folder in lodging.needed:
        yield from ("--ro-bind", folder, folder)
    yield from ("--bind", cwd, cwd)
    if room.git:
        repository = _repository(cwd)
        if repository is not None and not is_inside(repository, cwd):
            yield from ("--bind", repository, repository)
    yield from _read_only(_kept(room, cwd))
    yield from _hidden(_secrets(place, cwd))
    for folder in place.installed_at:
        yield from _read_only([folder])


def _repository(cwd: str) -> str | None:
    """The ``.git`` that git would use in ``cwd``."""
    for folder in (Path(cwd), *Path(cwd).parents):
        if (folder / ".git").is_dir():
            return fspath(folder / ".git")
    return None


def _kept(room: Room, cwd: str) -> Iterator[str]:
    """What must stay as it is although it lies in the working directory: code that starts by itself."""
    for name, kind in NAME_GUARDS.items():
        if kind is not Guarded.GIT:
            yield f"{cwd}/{name}"
    repository = _repository(cwd)
    if repository is not None:
        yield f"{repository}/hooks"
        if not room.git:
            yield f"{repository}/config"


def _secrets(place: Place, cwd: str) -> Iterator[str]:
    homes = dict.fromkeys((place.home, place.real_home or place.home))
    for home in homes:
        for name, kind in (*HOME_GUARDS.items(), *NAME_GUARDS.items()):
            if kind in (Guarded.SECRETS, Guarded.SSH):
                yield from _as_written(home, name)
    for folder in (*homes, cwd):
        yield from (entry for entry in _entries(folder) if is_secret(entry, place))


def _entries(folder: str) -> list[str]:
    try:
        return [fspath(entry) for entry in Path(folder).iterdir()]
    except OSError:
        return []


def _as_written(home: str, folded: str) -> Iterator[str]:
    """Paths below ``home`` that are ``folded`` without case."""
    found = [home]
    for part in folded.split("/"):
        entries = [entry for folder in found for entry in _entries(folder)]
        found = [entry for entry in entries if Path(entry).name.casefold() == part]
    yield from found


def _session(lodging: Lodging) -> tuple[str, ...]:
    place = lodging.place
    homes = dict.fromkeys((place.home, place.real_home or place.home))
    return session_places(lodging.environ, tuple(homes))


def _hidden(paths: Iterable[str]) -> Iterator[str]:
    """Nothing is to be seen there, and nothing can be put there."""
    for one in dict.fromkeys(paths):
        real = Path(one).resolve()
        if real.is_dir():
            yield from ("--tmpfs", fspath(real), "--remount-ro", fspath(real))
        elif real.exists():
            yield from ("--ro-bind", "/dev/null", fspath(real))


def _read_only(paths: Iterable[str]) -> Iterator[str]:
    for one in dict.fromkeys(paths):
        if Path(one).exists():
            yield from ("--ro-bind", one, one)
