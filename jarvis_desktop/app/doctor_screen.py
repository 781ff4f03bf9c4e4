"""The doctor looks at the screen: Qt, display, tray and fonts."""

import asyncio
import os
import sys
from collections.abc import Sequence

from pydantic import BaseModel, ValidationError

from jarvis_desktop.app.doctor_finding import Check, Finding, Patient

SELF_CHECK = "jarvis_desktop.ui.qt.self_check"


class QtFacts(BaseModel):
    """What the self-check of the windows prints."""

    version: str
    platform: str
    tray: bool
    hangul: list[str]


async def check_screen(patient: Patient) -> Sequence[Finding]:
    """Qt, and through it display, tray and fonts; asked in a process of its own."""
    texts = patient.texts
    display = os.environ.get("WAYLAND_DISPLAY") or os.environ.get("DISPLAY") or ""
    facts, complaint = await _asked_qt(dict(os.environ), has_display=bool(display))
    if facts is None and display:
        # The display may be what is wrong; Qt itself is fine if it runs without one.
        facts, complaint_without = await _asked_qt(dict(os.environ), has_display=False)
        display, complaint = ("", complaint) if facts else (display, complaint_without)
    shown = facts is not None and bool(display)
    no_qt = texts("Qt does not start ({reason}). Run ./run again, it installs the system libraries.")
    no_display = texts("No screen can be opened, so Jarvis starts in the terminal. Start it from a desktop.")
    no_tray = texts(
        "This desktop shows no tray, so the window stays open. GNOME: install the AppIndicator extension."
    )
    no_hangul = texts("No font has Hangul. Install one: sudo apt-get install fonts-nanum")
    has_tray, hangul = bool(facts and facts.tray), facts.hangul if facts else []
    return (
        Finding(
            "qt",
            texts("Windows (Qt)"),
            found=facts is not None,
            version=facts.version if facts else "",
            todo="" if facts else no_qt.format(reason=complaint),
        ),
        Finding("display", texts("Screen"), found=shown, version=display, todo="" if shown else no_display),
        Finding("tray", texts("Tray"), found=has_tray, todo=no_tray if shown and not has_tray else ""),
        Finding(
            "fonts",
            texts("Font with Hangul"),
            found=bool(hangul),
            version="".join(hangul),
            todo=no_hangul if facts and not hangul else "",
        ),
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
        child.kill()
        raise
    try:
        return QtFacts.model_validate_json(output), ""
    except ValidationError:
        lines = complaint.decode(errors="replace").strip().splitlines()
        return None, lines[-1] if lines else f"exit {child.returncode}"


SCREEN_CHECKS: tuple[Check, ...] = (check_screen,)
