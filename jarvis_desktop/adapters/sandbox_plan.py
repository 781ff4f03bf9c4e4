"""What a command's room is built of, as arguments of bubblewrap (decision 37)."""
# ruff: noqa: S108 - the places in /tmp are hidden here, nothing of ours is put there

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from os import fspath, getuid
from os.path import realpath
from pathlib import Path

from jarvis_desktop.adapters.sandbox_disk import entries, is_folder, is_there
from jarvis_desktop.adapters.sandbox_git import repository
from jarvis_desktop.adapters.session_places import desktop_places, session_places
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
DEEPEST, MOST_FOLDERS = 3, 400
"""How far repositories inside the working directory are looked for; it takes 10 ms."""
SCRATCH = ("/tmp", "/var/tmp")
SHARES_MEMORY = ("--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try")
"""A display draws from memory that it shares with its programs: all walls but the one between such memory."""


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


def room_arguments(lodging: Lodging, room: Room, cwd: str, own: tuple[str, ...] = ()) -> list[str]:
    """Arguments of ``bwrap`` up to the program. Looks at the disk: call it in a thread.

    cwd: of a closed room, without links: what is hidden would lie open through another name.
    own: folders of ours that the program gets to see and write, and no others.
    """
    closed = room.kind is RoomKind.CLOSED
    lent = room.kind is RoomKind.DESKTOP
    arguments = [*(SHARES_MEMORY if lent else ("--unshare-all",)), "--unshare-user"]
    arguments += ["--die-with-parent", "--new-session"]
    arguments += ["--ro-bind" if closed else "--bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    if getuid() == 0:
        arguments += _for_root(closed=closed)
    arguments += _closed(lodging, room, cwd) if closed else _held(lodging.place.app_homes)
    if room.network and lodging.resolver:
        arguments += ["--ro-bind", lodging.resolver, realpath("/etc/resolv.conf")]
    if lent:
        arguments += [
            word for device in ("/dev/snd", "/dev/dri") for word in ("--dev-bind-try", device, device)
        ]
    session = [one for one in _session(lodging, cwd) if not (closed and _is_empty(one, cwd))]
    arguments += _hidden(session, desktop_places(lodging.environ, _homes(lodging.place)) if lent else ())
    # Last: nothing bound before may uncover them. Read-only, so that a write fails instead of vanishing.
    arguments += _hidden(lodging.place.app_homes, own)
    return [*arguments, "--chdir", cwd]


def _for_root(*, closed: bool) -> Iterator[str]:
    """What bubblewrap does by itself for everybody else: root kept the right to take its own walls down."""
    yield from ("--cap-drop", "ALL" if closed else "CAP_SYS_ADMIN")
    # The kernel asks who writes there, not in which room: one setting names a program that it starts outside.
    for folder in ("/proc/sys", "/sys"):
        if is_folder(folder):
            yield from ("--ro-bind", folder, folder)


def _is_empty(path: str, cwd: str) -> bool:
    """In a closed room nothing is there anyway."""
    return any(is_inside(path, folder) for folder in (*SCRATCH, "/run")) and not is_inside(path, cwd)


def _held(app_homes: Iterable[str]) -> Iterator[str]:
    """Folders around ours cannot be moved away, which would make room for rules of somebody else."""
    above = {folder for home in app_homes for folder in Path(realpath(home)).parents if folder != Path("/")}
    for folder in sorted(above):
        if is_folder(folder):
            yield from ("--bind", fspath(folder), fspath(folder))


def _closed(lodging: Lodging, room: Room, cwd: str) -> Iterator[str]:
    place = lodging.place
    for folder in (*SCRATCH, "/run"):
        if is_folder(folder):
            yield from ("--tmpfs", folder)
    for resolver in RESOLVERS:
        yield from ("--ro-bind-try", resolver, resolver)
    for folder in lodging.needed:
        yield from ("--ro-bind", folder, folder)
    yield from ("--bind", cwd, cwd)
    if room.git:
        yield from _git(cwd)
    yield from _read_only(_kept(room, cwd), cwd)
    yield from _hidden(_secrets(place, cwd))
    for folder in place.installed_at:
        yield from ("--ro-bind", folder, folder)


def _git(cwd: str) -> Iterator[str]:
    """What lets git write to its store, but to nothing in it that starts programs."""
    found = repository(cwd)
    if found is None:
        return
    for store in map(fspath, found.stores):
        if not is_inside(store, cwd):
            yield from ("--bind", store, store)
    for hooks in found.hooks:
        if is_folder(hooks):
            yield from ("--ro-bind", hooks, hooks)
        else:  # an empty folder is all that stays of this
            yield from ("--tmpfs", hooks, "--remount-ro", hooks)


def _kept(room: Room, cwd: str) -> Iterator[str]:
    """What must stay as it is although it lies in the working directory: code that starts by itself."""
    for name, kind in NAME_GUARDS.items():
        # All of ``.git``: a file put into it can lead git to other settings and hooks.
        if kind is not Guarded.GIT or not room.git:
            yield from _as_written(cwd, name)
    if not room.git:
        yield from _nested(cwd)


def _nested(cwd: str) -> Iterator[str]:
    """``.git`` of repositories inside, as far as a short look finds them."""
    waiting, left = [(cwd, 0)], MOST_FOLDERS
    while waiting and left:
        folder, depth = waiting.pop(0)
        left -= 1
        for entry in map(Path, entries(folder)):
            if entry.name == ".git":
                yield fspath(entry)
            elif depth < DEEPEST and is_folder(entry) and not entry.is_symlink():
                waiting.append((fspath(entry), depth + 1))


def _secrets(place: Place, cwd: str) -> Iterator[str]:
    homes = dict.fromkeys((place.home, place.real_home or place.home))
    for home in homes:
        for name, kind in (*HOME_GUARDS.items(), *NAME_GUARDS.items()):
            if kind in (Guarded.SECRETS, Guarded.SSH):
                yield from _as_written(home, name)
    for folder in (*homes, cwd):
        yield from (entry for entry in entries(folder) if is_secret(entry, place))


def _as_written(home: str, folded: str) -> Iterator[str]:
    """Paths below ``home`` that are ``folded`` without case."""
    found = [home]
    for part in folded.split("/"):
        below = [entry for folder in found for entry in entries(folder)]
        found = [entry for entry in below if Path(entry).name.casefold() == part]
    yield from found


def _session(lodging: Lodging, cwd: str) -> tuple[str, ...]:
    return session_places(lodging.environ, _homes(lodging.place), cwd)


def _homes(place: Place) -> tuple[str, ...]:
    return tuple(dict.fromkeys((place.home, place.real_home or place.home)))


def _hidden(paths: Iterable[str], left: Iterable[str] = ()) -> Iterator[str]:
    """Nothing is to be seen there but what is ``left``, and nothing can be put there."""
    done: list[str] = []
    seen = sorted({realpath(path) for path in left if is_there(path)})
    for one in sorted({realpath(path) for path in paths}):
        # /dev and /proc are the room's own; a session may name /dev/null, which every command needs.
        if any(is_inside(one, folder) for folder in ("/dev", "/proc", *done, *seen)):
            continue
        if is_folder(one):
            done.append(one)
            yield from ("--tmpfs", one)
            for place in seen:
                if is_inside(place, one):
                    yield from ("--bind", place, place)
            yield from ("--remount-ro", one)
        elif is_there(one):
            yield from ("--ro-bind", "/dev/null", one)


def _read_only(paths: Iterable[str], cwd: str) -> Iterator[str]:
    """They stay as they are; what lies outside of the working directory does so anyway."""
    for one in dict.fromkeys(realpath(path) for path in paths):
        if is_inside(one, cwd) and one != cwd and is_there(one):
            yield from ("--ro-bind", one, one)
