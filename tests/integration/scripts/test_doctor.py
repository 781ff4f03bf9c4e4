"""The doctor on this machine, and on machines where nearly everything is missing."""

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from jarvis_desktop.app import doctor
from jarvis_desktop.app.doctor_finding import Finding, Patient, Severity
from jarvis_desktop.app.doctor_packages import SystemPart, packages_here
from jarvis_desktop.app.doctor_state import check_database, check_home, check_running, check_settings
from jarvis_desktop.app.instance import Instance
from jarvis_desktop.core.settings import Settings
from tests.fakes.texts import PlainTexts

NAMES = {
    "python",
    "disk",
    "espeak-ng",
    "locale",
    "clock",
    "bwrap",
    "pasta",
    "qt",
    "display",
    "tray",
    "fonts",
    "notifications",
    "menu",
    "autostart",
    "hotkey",
    "portaudio",
    "ollama-program",
    "ollama",
    "model",
    "engine",
    "model-inside",
    "home",
    "rights",
    "settings",
    "database",
    "running",
}
SHAPE = ("name", "title", "found", "version", "severity", "what_to_do", "fix_command")
# A busy machine must not turn what a check finds into "did not finish".
RUN = """
import sys
from jarvis_desktop.app import doctor
doctor.LONGEST_CHECK_S = 25.0
sys.exit(doctor.run(json="--json" in sys.argv, fix="--fix" in sys.argv))
"""


def patient(home: Path) -> Patient:
    return Patient(home, Settings.model_validate({}), PlainTexts())


def doctored(home: Path, *arguments: str, **environ: str) -> str:
    """What the doctor prints on a machine with nothing but Python."""
    bare = {
        "JARVIS_HOME": str(home),
        "JARVIS_MODEL__HOST": "http://127.0.0.1:1",
        "PATH": "/nowhere",
        **environ,
    }
    done = subprocess.run(
        [sys.executable, "-c", RUN, *arguments],
        env=bare,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, ""), "no voice and no model are problems"
    return done.stdout


def test_on_a_bare_machine_every_part_is_listed_and_nothing_is_touched(tmp_path: Path) -> None:
    home = tmp_path / "never made"

    findings = {part["name"]: part for part in json.loads(doctored(home, "--json"))}

    assert set(findings) >= NAMES
    assert {tuple(part) for part in findings.values()} == {SHAPE}
    assert {part["severity"] for part in findings.values()} == {"ok", "info", "problem"}
    assert not findings["espeak-ng"]["found"]
    assert findings["espeak-ng"]["fix_command"] == packages_here().install(SystemPart.ESPEAK)
    assert "ollama serve" in findings["ollama"]["what_to_do"]
    assert findings["qt"]["found"]
    assert not findings["display"]["found"]
    assert not home.exists()


def test_the_table_keeps_commands_whole_and_speaks_the_persons_language(tmp_path: Path) -> None:
    english, korean = doctored(tmp_path, LANG="C.UTF-8"), doctored(tmp_path, LANG="ko_KR.UTF-8")

    assert "✗ Voice (espeak-ng): " in english
    assert f"\n    {packages_here().install(SystemPart.ESPEAK)}\n" in english
    assert "파이썬" in korean


def test_a_terminal_without_special_signs_shows_the_table_all_the_same(tmp_path: Path) -> None:
    ascii_only = {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}

    assert "Voice (espeak-ng): " in doctored(tmp_path, **ascii_only)


def test_a_display_that_cannot_be_opened_is_not_a_broken_qt(tmp_path: Path) -> None:
    findings = {p["name"]: p for p in json.loads(doctored(tmp_path, "--json", DISPLAY=":987"))}

    assert (findings["qt"]["found"], findings["display"]["found"]) == (True, False)


async def test_a_check_that_breaks_or_hangs_costs_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def breaks(_: Patient) -> Sequence[Finding]:
        raise KeyError("secret")

    async def hangs(_: Patient) -> Sequence[Finding]:
        await asyncio.Event().wait()
        return ()

    async def works(_: Patient) -> Sequence[Finding]:
        return (Finding("fine", "Fine", found=True),)

    monkeypatch.setattr(doctor, "CHECKS", (breaks, hangs, works))
    monkeypatch.setattr(doctor, "LONGEST_CHECK_S", 0.01)

    findings = await doctor.examine(tmp_path, Settings.model_validate({}), PlainTexts())

    assert [(finding.name, finding.severity, finding.mark) for finding in findings] == [
        ("breaks", Severity.PROBLEM, "✗"),
        ("hangs", Severity.PROBLEM, "✗"),
        ("fine", Severity.OK, "✓"),
    ]
    assert "secret" not in repr(findings)


async def test_a_damaged_database_is_said_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "jarvis.db"
    assert (await check_database(patient(tmp_path)))[0].mark == "–"

    sqlite3.connect(path).close()
    path.write_bytes(b"broken" * 1000)
    finding = (await check_database(patient(tmp_path)))[0]

    assert "is damaged (file is not a database)" in finding.todo
    assert path.read_bytes() == b"broken" * 1000


async def test_wrong_settings_are_said_with_their_line(tmp_path: Path) -> None:
    (tmp_path / "settings.yaml").write_text("ui: {theme: blue}")

    assert (await check_settings(patient(tmp_path)))[0].todo.startswith(
        "settings.yaml, line 1: ui.theme is blue"
    )


async def test_a_running_jarvis_is_seen_and_not_disturbed(tmp_path: Path) -> None:
    running = Instance(tmp_path)
    assert not (await check_running(patient(tmp_path)))[0].found

    assert running.claim()
    found = (await check_running(patient(tmp_path)))[0].found
    running.release()

    assert found


async def test_a_home_that_is_a_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    assert "set JARVIS_HOME" in (await check_home(patient(tmp_path / "file")))[0].todo


def test_the_doctor_is_done_within_five_seconds(tmp_path: Path) -> None:
    """The bound of every check, run side by side, plus the start of Python."""
    assert doctor.LONGEST_CHECK_S < 5
    assert os.environ["JARVIS_HOME"]
