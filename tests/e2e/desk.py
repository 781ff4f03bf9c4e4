"""A desktop of its own: virtual screen, session bus, window manager, and a panel with a real tray."""

import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.accessible import ScreenReader
from tests.e2e.waiting import eventually, output
from tests.parts.screen import Screen

PROGRAMS = ("Xvfb", "dbus-daemon", "openbox", "xfce4-panel", "xdotool", "xprop", "import")
WATCHER = "org.kde.StatusNotifierWatcher"
PANEL = """<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array"><value type="int" value="1"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=8;x=640;y=785"/>
      <property name="length" type="uint" value="100"/>
      <property name="position-locked" type="bool" value="true"/>
      <property name="size" type="uint" value="30"/>
      <property name="plugin-ids" type="array"><value type="int" value="1"/></property>
    </property>
  </property>
  <property name="plugins" type="empty">
    <property name="plugin-1" type="string" value="systray"/>
  </property>
</channel>
"""


@dataclass(frozen=True, slots=True)
class Window:
    """A window on the screen."""

    wid: str
    x: int
    y: int
    width: int
    height: int


class Desk:
    """The desktop and a person's hands on it."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self.env = env
        """What a program needs to run on this desktop."""

    def do(self, *arguments: str) -> str:
        """What ``xdotool`` printed; empty when it found nothing."""
        return output("xdotool", *arguments, env=self.env)

    def windows(self, title: str) -> tuple[Window, ...]:
        """Visible windows with exactly this title."""
        found = self.do("search", "--onlyvisible", "--name", f"^{re.escape(title)}$").split()
        return tuple(window for wid in found if (window := self._window(wid)))

    def _window(self, wid: str) -> Window | None:
        shell = dict(
            line.split("=", 1)
            for line in self.do("getwindowgeometry", "--shell", wid).splitlines()
            if "=" in line
        )
        if not shell:
            return None
        return Window(wid, *(int(shell[key]) for key in ("X", "Y", "WIDTH", "HEIGHT")))

    def window(self, title: str, within_s: float = 10.0) -> Window:
        """The window with this title, as soon as it is there."""
        return eventually(lambda: self.windows(title), f'a window "{title}" is shown', within_s)[0]

    def gone(self, title: str, within_s: float = 10.0) -> None:
        """No window has this title any more."""
        eventually(lambda: not self.windows(title), f'no window "{title}" is shown', within_s)

    @property
    def active(self) -> str:
        """Title of the window that has the keyboard."""
        return self.do("getactivewindow", "getwindowname").strip()

    def click(self, x: int, y: int) -> None:
        """One click at a place on the screen."""
        self.do("mousemove", str(x), str(y), "click", "1")

    def key(self, *keys: str) -> None:
        """Keys to the window that has the keyboard."""
        self.do("key", "--clearmodifiers", *keys)

    def type(self, text: str) -> None:
        """Letters to the window that has the keyboard."""
        self.do("type", "--delay", "8", text)

    def close(self, window: Window) -> None:
        """What the X of its title bar does."""
        subprocess.run(
            ["xdotool", "windowactivate", "--sync", window.wid, "key", "--clearmodifiers", "alt+F4"],
            env=self.env,
            check=True,
            timeout=10,
        )

    def picture(self, path: Path) -> Path:
        """A picture of the whole screen."""
        subprocess.run(["import", "-window", "root", str(path)], env=self.env, check=False, timeout=20)
        return path

    def tray_items(self) -> tuple[str, ...]:
        """What the tray shows, by the names on the bus."""
        answer = output(
            "dbus-send",
            "--session",
            "--print-reply",
            f"--dest={WATCHER}",
            "/StatusNotifierWatcher",
            "org.freedesktop.DBus.Properties.Get",
            f"string:{WATCHER}",
            "string:RegisteredStatusNotifierItems",
            env=self.env,
        )
        return tuple(re.findall(r'string "([^"]+)"', answer))


def missing_programs() -> list[str]:
    """Programs of a desktop that are not on this machine."""
    return [name for name in PROGRAMS if shutil.which(name) is None]


@contextmanager
def desktop(folder: Path, *, tray: bool = True) -> Iterator[Desk]:
    """A running desktop; all of its programs are ended afterwards."""
    screen = Screen(folder)
    try:
        env = screen.env | _person(folder)
        # Services that the bus starts (settings of the panel, accessibility) belong to this desk too.
        screen.run("dbus-update-activation-environment", *(f"{name}={value}" for name, value in env.items()))
        screen.start_window_manager("openbox")
        # A program that comes before the accessibility service is there stays invisible to readers.
        with ScreenReader(env) as reader:
            eventually(lambda: reader.ready, "screen readers are served")
        desk = Desk(env)
        if tray:
            screen.start("xfce4-panel", "--disable-wm-check", **env)
            eventually(lambda: owned(WATCHER, env), "the panel owns the tray's name")
        yield desk
    finally:
        screen.close()


def _person(folder: Path) -> dict[str, str]:
    """Whose desk it is: folders of their own, and accessibility for whoever reads the screen."""
    home, runtime = folder / "person", folder / "run"
    panel = folder / "config/xfce4/xfconf/xfce-perchannel-xml/xfce4-panel.xml"
    for one in (home, panel.parent):
        one.mkdir(parents=True)
    panel.write_text(PANEL, "utf-8")
    runtime.mkdir(mode=0o700)
    return {
        "HOME": str(home),
        "XDG_RUNTIME_DIR": str(runtime),
        "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
    }


def owned(name: str, env: Mapping[str, str]) -> bool:
    """Somebody on the session's bus has this name."""
    answer = output(
        "dbus-send",
        "--session",
        "--print-reply",
        "--dest=org.freedesktop.DBus",
        "/",
        "org.freedesktop.DBus.NameHasOwner",
        f"string:{name}",
        env=env,
    )
    return "true" in answer
