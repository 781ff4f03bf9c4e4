"""The doctor looks at the screen: Qt, display, tray and fonts."""

import asyncio
import os
import sys
from collections.abc import Sequence

from pydantic import BaseModel, ValidationError

from jarvis_desktop.app.doctor_finding import Check, Finding, Patient
from jarvis_desktop.app.doctor_machine import ended
from jarvis_desktop.app.doctor_packages import SystemPart
from jarvis_desktop.core.ports import Texts

SELF_CHECK = "jarvis_desktop.ui.qt.self_check"


class QtFacts(BaseModel):
    """What the self-check of the windows prints."""

    version: str
    platform: str
    tray: bool
    hangul: list[str]
    notifications: bool | None
    """Whether somebody shows notifications; None without a session bus."""


async def check_screen(patient: Patient) -> Sequence[Finding]:
    """Qt, and through it display, tray and fonts; asked in a process of its own."""
    texts = patient.texts
    display = os.environ.get("WAYLAND_DISPLAY") or os.environ.get("DISPLAY") or ""
    facts, complaint = await _asked_qt(dict(os.environ), has_display=bool(display))
    if facts is None and display:
        # The display may be what is wrong; Qt itself is fine if it runs without one.
        facts, complaint_without = await _asked_qt(dict(os.environ), has_display=False)
        display, complaint = ("", complaint) if facts else (display, complaint_without)
    no_qt = texts("Qt does not start ({reason}). Run ./run again, it installs the system libraries.")
    qt_version = facts.version if facts else ""
    qt_todo = "" if facts else no_qt.format(reason=complaint)
    qt = Finding("qt", texts("Windows (Qt)"), found=facts is not None, version=qt_version, todo=qt_todo)
    return (qt, *_on_the_screen(facts, display, texts), _fonts(facts, patient), _notices(facts, patient))


def _on_the_screen(facts: QtFacts | None, display: str, texts: Texts) -> tuple[Finding, Finding]:
    """Screen and tray."""
    shown, has_tray = facts is not None and bool(display), bool(facts and facts.tray)
    no_display = texts("No screen can be opened, so Jarvis starts in the terminal. Start it from a desktop.")
    no_tray = texts(
        "This desktop shows no tray, so the window stays open. GNOME: install the AppIndicator extension."
    )
    display_todo, tray_todo = "" if shown else no_display, no_tray if shown and not has_tray else ""
    return (
        Finding("display", texts("Screen"), found=shown, version=display, todo=display_todo, optional=True),
        Finding("tray", texts("Tray"), found=has_tray, todo=tray_todo, optional=True),
    )


def _fonts(facts: QtFacts | None, patient: Patient) -> Finding:
    hangul = facts.hangul if facts else []
    title = patient.texts("Font with Hangul")
    if hangul or facts is None:
        return Finding("fonts", title, found=bool(hangul), version="".join(hangul))
    todo = patient.texts("No font has Hangul, so Korean shows as boxes; install a font that has it.")
    command = patient.packages.install(SystemPart.HANGUL_FONT)
    return Finding("fonts", title, found=False, todo=todo, command=command)


def _notices(facts: QtFacts | None, patient: Patient) -> Finding:
    texts = patient.texts
    shows = facts.notifications if facts else None
    if shows:
        return Finding("notifications", texts("Notifications"), found=True)
    todo = (
        texts("This session has no message bus, so there are no notifications; start Jarvis from a desktop.")
        if shows is None
        else texts("No program shows notifications here; questions are shown in windows and tray only.")
    )
    command = "" if shows is None else patient.packages.install(SystemPart.NOTIFICATIONS)
    return Finding(
        "notifications", texts("Notifications"), found=False, todo=todo, command=command, optional=True
    )


async def _asked_qt(environ: dict[str, str], *, has_display: bool) -> tuple[QtFacts | None, str]:
    """What Qt says, or its last line of complaint."""
    if not has_display:
        environ["QT_QPA_PLATFORM"] = "offscreen"
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        SELF_CHECK,
        env=environ,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        output, complaint = await child.communicate()
    except asyncio.CancelledError:
        await ended(child)
        raise
    try:
        return QtFacts.model_validate_json(output), ""
    except ValidationError:
        lines = complaint.decode(errors="replace").strip().splitlines()
        return None, lines[-1] if lines else f"exit {child.returncode}"


SCREEN_CHECKS: tuple[Check, ...] = (check_screen,)
