"""Where the person's session can be reached through the disk: sockets of screen, sound, bus and terminals."""
# ruff: noqa: S108 - the places in /tmp are hidden here, nothing of ours is put there

import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from jarvis_desktop.core.policy.known_programs import names

SOCKETS = names(
    "DBUS_SESSION_BUS_ADDRESS AT_SPI_BUS_ADDRESS PULSE_SERVER PULSE_COOKIE PIPEWIRE_REMOTE WAYLAND_DISPLAY "
    "XAUTHORITY ICEAUTHORITY TMUX KITTY_LISTEN_ON I3SOCK SWAYSOCK HYPRLAND_INSTANCE_SIGNATURE NVIM"
)
"""Variables that name a file, be it inside an address such as ``unix:path=/tmp/dbus-1,guid=2``."""
FOLDERS = ("XDG_RUNTIME_DIR", "PULSE_RUNTIME_PATH", "PIPEWIRE_RUNTIME_DIR", "SCREENDIR", "ZELLIJ_SOCKET_DIR")
IN_TMP = ("tmux-*", "pulse-*", ".pulse*", "dbus-*", "zellij-*", "kitty-*", "mykitty*", "at-spi2*")
AT_HOME = (".Xauthority", ".pulse-cookie", ".config/pulse", ".cache/at-spi", ".ICEauthority", ".screen")
ANYWHERE = (
    "/tmp/.X11-unix",
    "/tmp/.ICE-unix",
    "/run/pulse",
    "/run/screen",
    "/run/pipewire",
    "/run/tmux",
)
"""Whoever reaches these can press, say or type an answer."""
DESKTOP_SOCKETS = names(
    "DBUS_SESSION_BUS_ADDRESS AT_SPI_BUS_ADDRESS PULSE_SERVER PULSE_COOKIE XAUTHORITY ICEAUTHORITY"
)
SOUND_FOLDERS = ("PULSE_RUNTIME_PATH", "PIPEWIRE_RUNTIME_DIR")
DESKTOP_AT_RUNTIME = (
    "bus",
    "at-spi",
    "wayland-*",
    "pulse",
    "pipewire-*",
    ".mutter-Xwaylandauth*",
    "xauth_*",
    "gdm/Xauthority",
    "ICEauthority",
)
DESKTOP_IN_TMP = ("pulse-*", ".pulse*", "dbus-*", "at-spi2*")
DESKTOP_AT_HOME = (".Xauthority", ".pulse-cookie", ".config/pulse", ".cache/at-spi", ".ICEauthority")
DESKTOP_ANYWHERE = ("/tmp/.X11-unix", "/tmp/.ICE-unix", "/run/pulse", "/run/pipewire")
_PATH = re.compile(r"(?:^|[=:])(/[^,;:]+)")


LISTENS = 0x10000


def session_places(environ: Mapping[str, str], homes: tuple[str, ...], cwd: str) -> tuple[str, ...]:
    """Files and folders that no command may reach, there or not. Looks at the disk: call it in a thread.

    cwd: sockets in there are the command's own business.
    """
    found = [*ANYWHERE, environ.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}"]
    for name in SOCKETS:
        for path in _PATH.findall(environ.get(name, "")):
            found += [path, path.split()[0]]  # PulseAudio takes several servers, with blanks between
    found += [environ[name] for name in FOLDERS if environ.get(name, "").startswith("/")]
    temporary = {"/tmp", tempfile.gettempdir(), environ.get("TMUX_TMPDIR", "/tmp")}
    for folder in temporary:
        found.append(f"{folder}/jarvis-{os.getuid()}")  # where later starts reach the running program
        for pattern in IN_TMP:
            found += map(os.fspath, Path(folder).glob(pattern))
    found += [f"{home}/{name}" for home in homes for name in AT_HOME]
    found += [
        one for one in _listeners() if _is_below(one, (*homes, *temporary)) and not _is_below(one, (cwd,))
    ]
    kept = (*homes, *temporary, "/run", "/usr")
    return tuple(one for one in dict.fromkeys(found) if not any(_holds(one, folder) for folder in kept))


def desktop_places(environ: Mapping[str, str], homes: tuple[str, ...]) -> tuple[str, ...]:
    """Of those, what a command may reach that a person lent the desktop: display, session bus and sound."""
    runtime = environ.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}"
    found = [*DESKTOP_ANYWHERE, *(environ[name] for name in SOUND_FOLDERS if name in environ)]
    for name in DESKTOP_SOCKETS:
        for path in _PATH.findall(environ.get(name, "")):
            found += [path, path.split()[0]]
    if environ.get("WAYLAND_DISPLAY"):
        found.append(f"{runtime}/{environ['WAYLAND_DISPLAY']}")
    for folder, patterns in ((runtime, DESKTOP_AT_RUNTIME), ("/tmp", DESKTOP_IN_TMP)):
        for pattern in patterns:
            found += map(os.fspath, Path(folder).glob(pattern))
    found += [f"{home}/{name}" for home in homes for name in DESKTOP_AT_HOME]
    return tuple(dict.fromkeys(found))


def _holds(path: str, folder: str) -> bool:
    """``folder`` is ``path`` or lies in it: hiding it would hide far more than a session."""
    return os.path.commonpath([os.path.realpath(path), os.path.realpath(folder)]) == os.path.realpath(path)


def _listeners() -> Iterator[str]:
    """Sockets on the disk at which some program answers: terminals, editors, agents."""
    try:
        lines = Path("/proc/net/unix").read_text("utf-8", "surrogateescape").splitlines()[1:]
    except OSError:
        return
    for line in lines:
        fields = line.split(maxsplit=7)
        if len(fields) == 8 and fields[7].startswith("/") and int(fields[3], 16) & LISTENS:
            yield fields[7]


def _is_below(path: str, folders: Iterable[str]) -> bool:
    return any(path.startswith(f"{folder}/") for folder in folders)
