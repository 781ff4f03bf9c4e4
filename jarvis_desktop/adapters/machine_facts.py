"""What this machine can carry: memory, cores, graphics processor, disk.

Linux says everything through ``/proc``, ``/sys`` and control groups. macOS says its memory through
``sysctl``, Windows through its own call; what a system does not say stays 0, None or empty.
"""

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from jarvis_desktop.core.items.setup import MachineFacts

ROOT = Path("/")
ASKING_S = 5.0
UNLIMITED = 1 << 60
"""Older control groups write a number like this where there is no limit."""
VENDORS = {"0x10de": "NVIDIA", "0x1002": "AMD", "0x8086": "Intel"}
"""PCI numbers of those whose graphics processors models run on."""


def machine_facts(models_folder: Path, root: Path = ROOT) -> MachineFacts:
    """Everything, looked up now; takes a moment where ``nvidia-smi`` has to be asked.

    root: where ``proc`` and ``sys`` are; a test has its own.
    """
    return MachineFacts(
        memory_bytes=memory_bytes(root),
        cores=usable_cores(),
        gpu=gpu_name(root),
        free_disk_bytes=free_disk_bytes(models_folder),
    )


def usable_cores() -> int:
    """Logical processors that we may use, at least one."""
    affinity = getattr(os, "sched_getaffinity", None)  # Linux and its kin
    return (len(affinity(0)) if affinity else os.cpu_count()) or 1


def memory_bytes(root: Path = ROOT) -> int:
    """Memory of this machine, or of the control group that we live in when that is less; 0: nobody says."""
    whole = _meminfo(root, "MemTotal") or _elsewhere_bytes()
    limits = [limit for limit, _ in _group_limits(root)]
    return min([whole, *limits]) if whole else 0


def free_memory_bytes(root: Path = ROOT) -> int | None:
    """Bytes that a new process can have without others going to swap; None where the system does not say."""
    available = _meminfo(root, "MemAvailable")
    if not available:
        return None
    rooms = [max(0, limit - used) for limit, used in _group_limits(root)]
    return min([available, *rooms])


def _meminfo(root: Path, name: str) -> int:
    for line in _text(root / "proc/meminfo").splitlines():
        key, _, value = line.partition(":")
        if key == name:
            return int(value.split()[0]) * 1024
    return 0


def _group_limits(root: Path) -> Iterator[tuple[int, int]]:
    """Limit and use of our control group and of each one around it."""
    for line in _text(root / "proc/self/cgroup").splitlines():
        number, controllers, path = [*line.split(":", 2), "", ""][:3]
        if number == "0" and not controllers:
            base, limit, used, files = "sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"
        elif "memory" in controllers.split(","):
            base, limit, used = "sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"
            files = "total_inactive_file"
        else:
            continue
        top = root / base
        group = top / path.strip("/")
        for folder in (group, *group.parents):
            found = _text(folder / limit).strip()
            if found.isdigit() and int(found) < UNLIMITED:
                current = _text(folder / used).strip()
                held = int(current) if current.isdigit() else 0
                yield int(found), max(0, held - _counted(folder / "memory.stat", files))
            if folder == top:
                break


def _counted(path: Path, name: str) -> int:
    """A number of ``memory.stat``: file pages there can be dropped and count as free."""
    for line in _text(path).splitlines():
        key, _, value = line.partition(" ")
        if key == name and value.strip().isdigit():
            return int(value)
    return 0


def _elsewhere_bytes() -> int:
    if sys.platform == "darwin":
        said = _said("sysctl", "-n", "hw.memsize").strip()
        return int(said) if said.isdigit() else 0
    if sys.platform == "win32":
        kilobytes = ctypes.c_ulonglong(0)
        known = ctypes.windll.kernel32.GetPhysicallyInstalledSystemMemory(ctypes.byref(kilobytes))
        return kilobytes.value * 1024 if known else 0
    return 0


def gpu_name(root: Path = ROOT, ask: Callable[[], str] | None = None) -> str:
    """Name of a graphics processor that models could run on; empty when none is seen."""
    said = (ask or _asked_nvidia)()
    if said:
        return said
    names = []
    for device in sorted((root / "sys/class/drm").glob("card[0-9]*/device")):
        vendor = VENDORS.get(_text(device / "vendor").strip().lower())
        # Intel's are built into processors nearly always and share their memory: nothing is gained there.
        if vendor and vendor != "Intel":
            names.append(_text(device / "product_name").strip() or f"{vendor} GPU")
    return names[0] if names else ""


def _asked_nvidia() -> str:
    if shutil.which("nvidia-smi") is None:
        return ""
    lines = _said("nvidia-smi", "--query-gpu=name", "--format=csv,noheader").strip().splitlines()
    return lines[0].strip() if lines else ""


def _said(*command: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=ASKING_S, check=False)
    except (OSError, subprocess.SubprocessError, UnicodeError):
        return ""
    return done.stdout if done.returncode == 0 else ""


def free_disk_bytes(folder: Path) -> int:
    """Free space where ``folder`` is or will be; 0 when nobody can say."""
    for place in (folder, *folder.parents):
        try:
            return shutil.disk_usage(place).free
        except OSError:
            continue
    return 0


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""
