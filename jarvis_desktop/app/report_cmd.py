"""``jarvis-desktop report``: a ZIP file for a bug report, written here and sent to nobody."""

import asyncio
import os
import sys
import zipfile
from pathlib import Path

from jarvis_desktop.adapters.settings_file import load_settings
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.app.bug_report import Scene, report_files
from jarvis_desktop.app.cli_home import cli_home
from jarvis_desktop.app.doctor import examine


def write_report(file: Path | None) -> int:
    """Write the report and say where it lies; the exit status comes back."""
    home = cli_home()
    texts = home.texts
    # Not the current folder: with ./run that is the checkout, where nobody looks for it.
    name = f"jarvis-report-{SystemClock().now().astimezone():%Y%m%d-%H%M%S}.zip"
    path = (file or Path.home() / name).absolute()
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        return _refused(path, error, texts("Name another file, in a folder that you can write to."))
    out = os.fdopen(descriptor, "wb")
    try:
        findings = asyncio.run(examine(home.folder, home.settings, texts))
        _, problems = load_settings(home.folder)
        scene = Scene(home.folder, home.settings, problems, findings, texts)
        with out, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as bundle:
            for name, text in report_files(scene):
                bundle.writestr(name, text)
    except OSError as error:
        path.unlink(missing_ok=True)
        return _refused(path, error, texts("Make room, or name a file on another disk."))
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    text = texts(
        "The report is {file}. It holds nothing that was said or typed, and nothing was sent: look through "
        "it, then attach it to your bug report yourself."
    )
    print(text.format(file=path))  # noqa: T201 - the answer of the command
    return 0


def _refused(path: Path, error: OSError, todo: str) -> int:
    print(f"{path}: {error.strerror or type(error).__name__}. {todo}", file=sys.stderr)  # noqa: T201 - the command line speaks here
    return 1
