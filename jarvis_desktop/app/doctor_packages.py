"""What a missing part is called where this system gets its programs from."""

import os
import platform
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class Manager(StrEnum):
    """A package manager; the value is how it is told to install."""

    APT = "apt-get install"
    DNF = "dnf install"
    PACMAN = "pacman -S"
    ZYPPER = "zypper install"
    BREW = "brew install"


class SystemPart(StrEnum):
    """A part that comes from the system, not from us."""

    ESPEAK = "espeak-ng"
    PORTAUDIO = "portaudio"
    HANGUL_FONT = "hangul-font"
    BUBBLEWRAP = "bubblewrap"
    PASTA = "pasta"
    NOTIFICATIONS = "notifications"


# In the order of ``Manager``; empty where that system has none or needs none.
_NAMES: Mapping[SystemPart, tuple[str, str, str, str, str]] = MappingProxyType(
    {
        SystemPart.ESPEAK: ("espeak-ng", "espeak-ng", "espeak-ng", "espeak-ng", "espeak-ng"),
        SystemPart.PORTAUDIO: ("libportaudio2", "portaudio", "portaudio", "libportaudio2", "portaudio"),
        SystemPart.HANGUL_FONT: (
            "fonts-nanum",
            "google-noto-sans-cjk-fonts",
            "noto-fonts-cjk",
            "google-noto-sans-cjk-fonts",
            "",
        ),
        SystemPart.BUBBLEWRAP: ("bubblewrap", "bubblewrap", "bubblewrap", "bubblewrap", ""),
        SystemPart.PASTA: ("passt", "passt", "passt", "passt", ""),
        SystemPart.NOTIFICATIONS: ("dunst", "dunst", "dunst", "dunst", ""),
    }
)
_BY_FAMILY: Mapping[str, Manager] = MappingProxyType(
    {
        "debian": Manager.APT,
        "ubuntu": Manager.APT,
        "fedora": Manager.DNF,
        "rhel": Manager.DNF,
        "centos": Manager.DNF,
        "arch": Manager.PACMAN,
        "suse": Manager.ZYPPER,
        "opensuse": Manager.ZYPPER,
    }
)


@dataclass(frozen=True, slots=True)
class Packages:
    """How this system installs."""

    manager: Manager | None
    """None where we do not know."""
    need_sudo: bool = True

    def install(self, part: SystemPart) -> str:
        """The command that installs ``part``; empty where we know none."""
        if self.manager is None:
            return ""
        package = _NAMES[part][tuple(Manager).index(self.manager)]
        sudo = "sudo " if self.need_sudo and self.manager is not Manager.BREW else ""
        return f"{sudo}{self.manager} {package}" if package else ""


def packages_here() -> Packages:
    """How this machine installs, by what it says about itself."""
    need_sudo = hasattr(os, "geteuid") and os.geteuid() != 0
    if sys.platform == "darwin":
        return Packages(Manager.BREW, need_sudo=False)
    try:
        return Packages(manager_of(platform.freedesktop_os_release()), need_sudo=need_sudo)
    except OSError:  # no Linux, or one that does not say what it is
        return Packages(None)


def manager_of(release: Mapping[str, str]) -> Manager | None:
    """The package manager of the system whose ``os-release`` this is."""
    families = (release.get("ID", ""), *release.get("ID_LIKE", "").split())
    return next((_BY_FAMILY[name] for name in families if name in _BY_FAMILY), None)
