"""The doctor looks at the walls around shell commands: bubblewrap and pasta, started for real."""

import shutil
import sys
from collections.abc import Sequence

from jarvis_desktop.app.doctor_finding import Check, Finding, Patient
from jarvis_desktop.app.doctor_machine import finished, printed_version
from jarvis_desktop.app.doctor_packages import SystemPart

TRIAL = ("--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--", "true")
"""The kernel refuses this where programs of people may not make namespaces (AppArmor on Ubuntu 24.04)."""


async def check_walls(patient: Patient) -> Sequence[Finding]:
    """bubblewrap, which keeps shell commands away from screen and sound."""
    texts = patient.texts
    title = texts("Walls for shell commands (bubblewrap)")
    path = shutil.which("bwrap")
    if path is None:
        todo = texts("Shell commands run without walls; install bubblewrap with the package manager.")
        optional = sys.platform != "linux"
        command = patient.packages.install(SystemPart.BUBBLEWRAP)
        return (Finding("bwrap", title, found=False, todo=todo, command=command, optional=optional),)
    version = await printed_version("bwrap") or ""
    status, complaint = await finished(path, *TRIAL)
    if status == 0:
        return (Finding("bwrap", title, found=True, version=version),)
    todo = texts(
        "This system does not let bubblewrap start ({reason}), so shell commands run without walls. Allow "
        "programs to make user namespaces."
    ).format(reason=complaint.splitlines()[-1] if complaint else f"exit {status}")
    # No command: which one is right depends on the system, and each of them loosens something.
    return (Finding("bwrap", title, found=False, version=version, todo=todo),)


async def check_network_walls(patient: Patient) -> Sequence[Finding]:
    """pasta, which gives commands a network without this machine's own services."""
    texts = patient.texts
    title = texts("Network for shell commands (pasta)")
    version = await printed_version("pasta")
    if version is not None:
        return (Finding("pasta", title, found=True, version=version),)
    todo = texts(
        "Shell commands that need the network ask first; install passt to give them one of their own."
    )
    command = patient.packages.install(SystemPart.PASTA)
    return (Finding("pasta", title, found=False, todo=todo, command=command, optional=True),)


WALL_CHECKS: tuple[Check, ...] = (check_walls, check_network_walls)
