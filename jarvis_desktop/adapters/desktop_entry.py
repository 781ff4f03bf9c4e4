"""Jarvis in the desktop's menu and in what starts with the session: entries, icon, autostart."""

import os
import shutil
import sys
import sysconfig
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.adapters.desktop_entry_text import GROUP, entry_text, exec_value, read_keys, value
from jarvis_desktop.adapters.files_write import write_whole
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.ports import Texts

APP_ID = "jarvis-desktop"
"""Names the entries, the icon and, under Wayland, our windows: the desktop joins them by it."""
_PACKAGE = Path(__file__).parents[1]
_SIZES_PX = (48, 128, 256)
"""Beside the drawing, for desktops without a reader of SVG."""


def own_command(argv: Sequence[str] = sys.argv) -> tuple[str, ...]:
    """The command that starts this very installation, absolute.

    A checkout's ``./run`` ends in its environment's own program, which also works without ``./run``.
    """
    program = Path(shutil.which(argv[0]) or argv[0])
    if program.name == APP_ID and os.access(program, os.X_OK):
        return (str(program.absolute()),)
    beside = Path(sysconfig.get_path("scripts")) / APP_ID
    if os.access(beside, os.X_OK):
        return (str(beside),)
    return (sys.executable, "-m", "jarvis_desktop")


def _folder(environ: Mapping[str, str], name: str, fallback: str) -> Path:
    """An XDG folder; a relative one is not allowed there and counts as unset."""
    chosen = Path(environ.get(name, ""))
    return chosen if chosen.is_absolute() else Path(environ.get("HOME") or Path.home()) / fallback


def icons_dir() -> Path:
    """Beside the package in a checkout, inside it when installed."""
    inside = _PACKAGE / "assets/icons"
    return inside if inside.is_dir() else _PACKAGE.parent / "assets/icons"


@dataclass(frozen=True, slots=True)
class Places:
    """Where a desktop looks."""

    menu: Path
    autostart: Path
    icons: Path

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> "Places":
        """Where this person's desktop looks."""
        shared = _folder(environ, "XDG_DATA_HOME", ".local/share")
        config = _folder(environ, "XDG_CONFIG_HOME", ".config")
        name = f"{APP_ID}.desktop"
        return cls(shared / "applications" / name, config / "autostart" / name, shared / "icons/hicolor")


class DesktopEntry:
    """Our entries of one person. Everything here waits for the disk; files are whole or absent.

    Raises:
        OSError: an entry or icon cannot be written or removed.
    """

    def __init__(self, command: Sequence[str], environ: Mapping[str, str] = os.environ) -> None:
        self._command = _with_home(command, environ)
        self._program = command[0]
        self.places = Places.of(environ)

    # --- menu -----------------------------------------------------------------------------------

    @property
    def menu_installed(self) -> bool:
        """The menu shows Jarvis."""
        keys = _keys_of(self.places.menu)
        return keys is not None and keys.get("Hidden") != "true" and keys.get("NoDisplay") != "true"

    def install_menu(self) -> None:
        """The menu shows Jarvis, with its icon."""
        self._install_icons()
        write_whole(self.places.menu, self._text(()).encode())

    def remove_menu(self) -> None:
        """The menu does not show Jarvis. The icon stays while the autostart entry names it."""
        self.places.menu.unlink(missing_ok=True)
        if not self.places.autostart.exists():
            self._remove_icons()

    # --- start with the session -----------------------------------------------------------------

    @property
    def autostart(self) -> bool:
        """Jarvis starts with the session; what a desktop's own settings switched off counts as off."""
        keys = _keys_of(self.places.autostart)
        return (
            keys is not None
            and keys.get("Hidden") != "true"
            and keys.get("X-GNOME-Autostart-enabled") != "false"
        )

    def set_autostart(self, on: bool) -> None:  # noqa: FBT001 - it carries the value of the command SetAutostart
        """From the next session on Jarvis starts with it, hidden, or no longer."""
        if on:
            self._install_icons()
            write_whole(self.places.autostart, self._text(("--hidden",)).encode())
            return
        self.places.autostart.unlink(missing_ok=True)
        if not self.places.menu.exists():
            self._remove_icons()

    # --- both -----------------------------------------------------------------------------------

    def mend(self) -> None:
        """Entries whose program is gone, as after a move of the folder, name this one."""
        if _lost(self.places.menu):
            self.install_menu()
        if self.autostart and _lost(self.places.autostart):
            self.set_autostart(on=True)

    def remove_all(self) -> None:
        """Nothing of ours is in the desktop any more."""
        self.set_autostart(on=False)
        self.remove_menu()

    def _text(self, arguments: tuple[str, ...]) -> str:
        """An entry whose command has these arguments; without any, with actions for the menu."""
        main = {
            "Type": "Application",
            "Version": "1.4",
            **_spoken(_names),
            "Exec": exec_value((*self._command, *arguments)),
            "TryExec": value(self._program),
            "Icon": APP_ID,
            "Terminal": "false",
            "Categories": "Utility;",
            "StartupNotify": "false",
            "StartupWMClass": "Jarvis",  # how X11 calls our windows: the application's name in Qt
        }
        if arguments:
            return entry_text({GROUP: main | {"X-GNOME-Autostart-enabled": "true"}})
        listen = {**_spoken(_listen_names), "Exec": exec_value((*self._command, "ask", "--listen"))}
        return entry_text({GROUP: main | {"Actions": "listen;"}, "Desktop Action listen": listen})

    def _icon_files(self) -> dict[Path, Path]:
        """Each icon's place in the theme, and the file that belongs there."""
        ours, theme = icons_dir(), self.places.icons
        files = {theme / "scalable/apps" / f"{APP_ID}.svg": ours / "jarvis.svg"}
        for size in _SIZES_PX:
            files[theme / f"{size}x{size}/apps" / f"{APP_ID}.png"] = ours / f"jarvis-{size}.png"
        return files

    def _install_icons(self) -> None:
        for place, ours in self._icon_files().items():
            write_whole(place, ours.read_bytes())
        # Desktops look at this folder's time to learn that there are new icons.
        os.utime(self.places.icons)

    def _remove_icons(self) -> None:
        for place in self._icon_files():
            place.unlink(missing_ok=True)
        with suppress(FileNotFoundError):
            os.utime(self.places.icons)


def _with_home(command: Sequence[str], environ: Mapping[str, str]) -> tuple[str, ...]:
    """The session that starts us later does not know a home that was moved for this start."""
    home = environ.get("JARVIS_HOME")
    plain = _startable(command)
    return ("env", f"JARVIS_HOME={Path(home).expanduser().absolute()}", *plain) if home else plain


def _startable(command: Sequence[str]) -> tuple[str, ...]:
    # GLib looks for the first word before it undoes the doubled percent sign, finds nothing and drops the
    # entry (seen with 2.74); env would take a path with an equals sign for a variable.
    if any(sign in command[0] for sign in "%="):
        return ("/bin/sh", "-c", 'exec "$0" "$@"', *command)
    return tuple(command)


def _names(texts: Texts) -> dict[str, str]:
    return {
        "Name": texts("Jarvis"),
        "GenericName": texts("Voice assistant"),
        "Comment": texts("Talks, listens and works on this computer, and asks before it acts"),
    }


def _listen_names(texts: Texts) -> dict[str, str]:
    return {"Name": texts("Talk now")}


def _spoken(texts_of: Callable[[Texts], dict[str, str]]) -> dict[str, str]:
    """Keys in every language that we have: the desktop chooses."""
    korean = texts_of(Catalog(Language.KOREAN))
    whole = texts_of(Catalog(Language.ENGLISH)) | {f"{key}[ko]": text for key, text in korean.items()}
    return {key: value(text) for key, text in whole.items()}


def _keys_of(path: Path) -> dict[str, str] | None:
    try:
        return read_keys(path.read_text("utf-8", "replace"))
    except FileNotFoundError:
        return None


def _lost(path: Path) -> bool:
    keys = _keys_of(path)
    program = (keys or {}).get("TryExec", "")
    return bool(program) and shutil.which(program) is None
