"""The walls as the doctor tries them: there, absent, and refused by the system."""

from pathlib import Path

import pytest

from jarvis_desktop.app.doctor_finding import Finding, Patient, Severity
from jarvis_desktop.app.doctor_packages import Manager, Packages
from jarvis_desktop.app.doctor_walls import WALL_CHECKS, check_network
from jarvis_desktop.core.settings import Settings
from tests.fakes.texts import PlainTexts


async def walls(home: Path) -> dict[str, Finding]:
    patient = Patient(home, Settings.model_validate({}), PlainTexts(), Packages(Manager.DNF))
    return {finding.name: finding for check in WALL_CHECKS for finding in await check(patient)}


async def test_without_bubblewrap_the_command_that_installs_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    found = await walls(tmp_path)

    assert (found["bwrap"].severity, found["bwrap"].command) == (
        Severity.PROBLEM,
        "sudo dnf install bubblewrap",
    )
    assert (found["pasta"].severity, found["pasta"].command) == (Severity.INFO, "sudo dnf install passt")


async def test_a_bubblewrap_that_the_system_refuses_is_said_with_its_own_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bwrap"
    program.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && { echo bubblewrap 0.9.0; exit; }\n'
        'echo "bwrap: setting up uid map: Permission denied" >&2; exit 1\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    found = (await walls(tmp_path))["bwrap"]

    assert (found.severity, found.version, found.command) == (Severity.PROBLEM, "0.9.0", "")
    assert "does not let bubblewrap start (bwrap: setting up uid map: Permission denied)" in found.todo


async def test_a_pasta_that_does_not_start_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "pasta"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    found = (await walls(tmp_path))["pasta"]

    assert (found.severity, "does not start here" in found.todo) == (Severity.INFO, True)


async def test_a_network_that_is_switched_off_is_said(tmp_path: Path) -> None:
    settings = Settings.model_validate({"security": {"sandbox_network": "off"}})

    (found,) = await check_network(Patient(tmp_path, settings, PlainTexts(), Packages(Manager.DNF)))

    assert (found.severity, found.found, "security.sandbox_network" in found.todo) == (
        Severity.INFO,
        True,
        True,
    )
