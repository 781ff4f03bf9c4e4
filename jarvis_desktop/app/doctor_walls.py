"""The doctor looks at the walls around shell commands: bubblewrap and pasta, both started for real."""

import os
import shutil
import sys
from collections.abc import Sequence

from jarvis_desktop.app.doctor_finding import Check, Finding, Patient
from jarvis_desktop.app.doctor_machine import finished, printed_version
from jarvis_desktop.app.doctor_packages import SystemPart

# The app's own trial opens whole rooms, which took more than all the time that the doctor has beside its
# other checks; these two start in 50 ms and fail for the same reasons.
ROOM = ("--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--", "true")
"""The kernel refuses this where programs of people may not make namespaces (AppArmor on Ubuntu 24.04)."""
NETWORK = ("-q", "-f", "--config-net", "--no-map-gw", "-t", "none", "-u", "none", "-T", "none", "-U", "none")


async def check_walls(patient: Patient) -> Sequence[Finding]:
    """bubblewrap, which keeps shell commands away from screen and sound."""
    path = shutil.which("bwrap")
    return (_no_bwrap(patient) if path is None else await _rooms(patient, path),)


async def check_network(patient: Patient) -> Sequence[Finding]:
    """pasta, which gives commands a network without this machine's own services."""
    texts = patient.texts
    title = texts("Network for shell commands (pasta)")
    path = shutil.which("pasta")
    if path is None:
        todo = texts("Shell commands have no network; install passt to give them one of their own.")
        command = patient.packages.install(SystemPart.PASTA)
        return (Finding("pasta", title, found=False, todo=todo, command=command, optional=True),)
    version = await printed_version(path) or ""
    as_root = ("--runas", "0") if os.geteuid() == 0 else ()
    status, _ = await finished(path, *NETWORK, *as_root, "--", "true")
    todo = ""
    if status:
        todo = texts("pasta is installed but does not start here, so shell commands have no network.")
    elif patient.settings.security.sandbox_network == "off":
        todo = texts("Commands that a rule allows have no network, as security.sandbox_network says.")
    return (Finding("pasta", title, found=status == 0, version=version, todo=todo, optional=True),)


def _no_bwrap(patient: Patient) -> Finding:
    todo = patient.texts(
        "Commands that a rule covers ask each time, and those that you allow run without walls; install "
        "bubblewrap with the package manager."
    )
    return Finding(
        "bwrap",
        _walls_title(patient),
        found=False,
        todo=todo,
        command=patient.packages.install(SystemPart.BUBBLEWRAP),
        optional=sys.platform != "linux",
    )


async def _rooms(patient: Patient, path: str) -> Finding:
    version = await printed_version(path) or ""
    status, complaint = await finished(path, *ROOM)
    if status == 0:
        return Finding("bwrap", _walls_title(patient), found=True, version=version)
    todo = patient.texts(
        "This system does not let bubblewrap start ({reason}), so commands that a rule covers ask each time, "
        "and those that you allow run without walls. Allow programs to make user namespaces."
    ).format(reason=complaint.splitlines()[-1] if complaint else f"exit {status}")
    # No command: which one is right depends on the system, and each of them loosens something.
    return Finding("bwrap", _walls_title(patient), found=False, version=version, todo=todo)


def _walls_title(patient: Patient) -> str:
    return patient.texts("Walls for shell commands (bubblewrap)")


WALL_CHECKS: tuple[Check, ...] = (check_walls, check_network)
