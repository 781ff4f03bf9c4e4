"""A desktop of its own: virtual screen, session bus, window manager, and a panel with a real tray."""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from tests.e2e.waiting import end_process, eventually, output

PROGRAMS = ("Xvfb", "dbus-daemon", "openbox", "xfce4-panel", "xdotool", "xprop", "import")
WATCHER = "org.kde.StatusNotifierWatcher"
PANEL = """<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array"><value type="int" value="1"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=8;x=640;y=885"/>
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
    started: list[subprocess.Popen[bytes]] = []
    env = _environment(folder)
    try:
        env["DISPLAY"] = _screen(folder, env, started)
        env["DBUS_SESSION_BUS_ADDRESS"] = _bus(env, started)
        _start(started, env, folder, "openbox")
        desk = Desk(MappingProxyType(env))
        if tray:
            _start(started, env, folder, "xfce4-panel", "--disable-wm-check")
            eventually(lambda: _owned(WATCHER, env), "the panel owns the tray's name")
        yield desk
    finally:
        for process in reversed(started):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            end_process(process)


def _environment(folder: Path) -> dict[str, str]:
    home, runtime = folder / "person", folder / "run"
    panel = home / ".config/xfce4/xfconf/xfce-perchannel-xml/xfce4-panel.xml"
    panel.parent.mkdir(parents=True)
    panel.write_text(PANEL, "utf-8")
    runtime.mkdir(mode=0o700)
    kept = {
        k: v
        for k, v in os.environ.items()
        if k in ("PATH", "LANG", "LC_ALL", "VIRTUAL_ENV", "COVERAGE_PROCESS_START")
    }
    return kept | {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "XDG_RUNTIME_DIR": str(runtime),
        "XDG_CURRENT_DESKTOP": "XFCE",
        "GTK_A11Y": "none",
        "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
        "LIBGL_ALWAYS_SOFTWARE": "1",
    }


def _start(
    started: list[subprocess.Popen[bytes]], env: Mapping[str, str], folder: Path, *command: str
) -> subprocess.Popen[bytes]:
    with (folder / f"{command[0]}.log").open("ab") as log:
        process = subprocess.Popen(command, env=env, stdout=log, stderr=log, start_new_session=True)
    started.append(process)
    return process


def _screen(folder: Path, env: Mapping[str, str], started: list[subprocess.Popen[bytes]]) -> str:
    # The server picks the number: one that a killed server had before is not free at once.
    reading, writing = os.pipe()
    with (folder / "Xvfb.log").open("ab") as log:
        process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x900x24", "-nolisten", "tcp"],
            env=env,
            pass_fds=(writing,),
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    started.append(process)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        return f":{pipe.readline().strip()}"


def _bus(env: Mapping[str, str], started: list[subprocess.Popen[bytes]]) -> str:
    reading, writing = os.pipe()
    process = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", f"--print-address={writing}"],
        env=env,
        pass_fds=(writing,),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    started.append(process)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        return pipe.readline().strip()


def _owned(name: str, env: Mapping[str, str]) -> bool:
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
