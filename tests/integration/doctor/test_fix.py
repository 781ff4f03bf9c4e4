"""What the doctor mends by itself, on a real home, and what it finds there."""

import asyncio
import io
import os
import shlex
import socket
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from jarvis_desktop.adapters.desktop_entry import DesktopEntry
from jarvis_desktop.adapters.sqlite_schema import STEPS, migrate
from jarvis_desktop.app import doctor
from jarvis_desktop.app.doctor_finding import Check, Finding, Mend, Patient, Severity
from jarvis_desktop.app.doctor_fix import mend, still_to_do
from jarvis_desktop.app.doctor_machine import check_clock, finished
from jarvis_desktop.app.doctor_packages import Manager, Packages, SystemPart, manager_of
from jarvis_desktop.app.doctor_session import check_entries, check_hotkey
from jarvis_desktop.app.doctor_state import check_database, check_home, check_rights, check_running
from jarvis_desktop.app.instance import Instance, socket_path
from jarvis_desktop.core.items.errors import StorageError
from jarvis_desktop.core.settings import Settings
from tests.fakes.texts import PlainTexts


def patient(home: Path, **ui: str) -> Patient:
    return Patient(home, Settings.model_validate({"ui": ui}), PlainTexts(), Packages(Manager.APT))


async def mended(check: Check, home: Path) -> tuple[Finding, Finding, str]:
    """The first finding before and after, and what was said in between."""
    before, out = (await check(patient(home)))[0], io.StringIO()
    await mend([before], PlainTexts(), out)
    return before, (await check(patient(home)))[0], out.getvalue()


async def test_a_folder_that_others_can_read_is_closed_to_them(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "logs").mkdir(parents=True)
    (home / "jarvis.db").write_text("")
    outside = tmp_path / "outside"
    outside.mkdir()
    (home / "models").symlink_to(outside)
    for path, mode in ((home, 0o755), (home / "logs", 0o755), (home / "jarvis.db", 0o644), (outside, 0o755)):
        path.chmod(mode)

    before, after, said = await mended(check_rights, home)

    assert (before.severity, after.severity) == (Severity.PROBLEM, Severity.OK)
    assert before.command == f"chmod -R go= {shlex.quote(str(home))}"
    assert said == "Closing the folder of Jarvis to everybody else …\n"
    modes = [path.stat().st_mode & 0o777 for path in (home, home / "logs", home / "jarvis.db", outside)]
    assert modes == [0o700, 0o700, 0o600, 0o755]


async def test_a_home_that_is_not_there_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("JARVIS_HOME", str(home))

    before, after, _ = await mended(check_home, home)

    assert (before.severity, after.severity) == (Severity.INFO, Severity.OK)
    assert home.stat().st_mode & 0o777 == 0o700


async def test_a_socket_that_a_killed_one_left_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(socket_path(tmp_path)))
    left.close()

    before, after, _ = await mended(check_running, tmp_path)

    assert str(socket_path(tmp_path)) in before.todo
    assert (after.found, after.todo, socket_path(tmp_path).exists()) == (False, "", False)


async def test_the_socket_of_a_running_jarvis_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    running = Instance(tmp_path)
    assert running.claim()
    running.socket_path.write_text("")

    before, after, _ = await mended(check_running, tmp_path)

    assert before == after == Finding("running", "Running now", found=True)
    assert running.socket_path.exists()
    running.release()


async def test_entries_whose_program_is_gone_are_pointed_to_this_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "JARVIS_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    DesktopEntry(("/gone/jarvis-desktop",)).install_menu()

    before, after, said = await mended(check_entries, tmp_path)

    assert "starts /gone/jarvis-desktop, which is gone" in before.todo
    assert (after.severity, said.count("\n")) == (Severity.OK, 1)
    assert os.access(after.version, os.X_OK)


async def test_a_mend_that_fails_is_said_and_keeps_no_other_from_being_tried() -> None:
    done: list[str] = []

    async def full() -> None:
        raise OSError(28, "No space left on device")

    async def refused() -> None:
        raise StorageError("It is read-only.")

    async def works() -> None:
        done.append("works")

    findings = [
        Finding(name, name, found=False, mend=Mend(f"Mending {name}", work))
        for name, work in (("a", full), ("b", refused), ("c", works), ("c", works))
    ]
    out = io.StringIO()
    await mend(findings, PlainTexts(), out)

    assert done == ["works"]
    assert out.getvalue().splitlines() == [
        "Mending a …",
        "  That did not work: No space left on device.",
        "Mending b …",
        "  It is read-only.",
        "Mending c …",
    ]


@pytest.mark.parametrize(
    ("version", "severity", "said"),
    [
        (1, Severity.INFO, "is of an older version; the next start brings it up to date and keeps a copy"),
        (len(STEPS), Severity.OK, ""),
        (len(STEPS) + 1, Severity.PROBLEM, "was written by a newer version of Jarvis"),
    ],
)
async def test_the_version_of_the_database_is_said(
    tmp_path: Path, version: int, severity: Severity, said: str
) -> None:
    with closing(sqlite3.connect(tmp_path / "jarvis.db", isolation_level=None)) as connection:
        migrate(connection, STEPS[:version])
        connection.execute(f"PRAGMA user_version = {version}")
    before = (tmp_path / "jarvis.db").read_bytes()

    (finding,) = await check_database(patient(tmp_path))

    assert (finding.severity, said in finding.todo) == (severity, True)
    assert finding.version.endswith(f"v{version}")
    assert (tmp_path / "jarvis.db").read_bytes() == before


async def test_a_time_zone_that_does_not_exist_and_keys_that_wayland_withholds_are_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Asia/Soul")
    (clock,) = await check_clock(patient(tmp_path))
    assert "no time zone called Asia/Soul" in clock.todo

    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    (hotkey,) = await check_hotkey(patient(tmp_path, hotkey="Ctrl+Alt+J"))
    assert (hotkey.severity, "ask --listen" in hotkey.todo) == (Severity.INFO, True)


@pytest.mark.parametrize(
    ("release", "command"),
    [
        ({"ID": "debian"}, "sudo apt-get install libportaudio2"),
        ({"ID": "linuxmint", "ID_LIKE": "ubuntu debian"}, "sudo apt-get install libportaudio2"),
        ({"ID": "fedora"}, "sudo dnf install portaudio"),
        ({"ID": "rocky", "ID_LIKE": "rhel centos fedora"}, "sudo dnf install portaudio"),
        ({"ID": "manjaro", "ID_LIKE": "arch"}, "sudo pacman -S portaudio"),
        ({"ID": "nixos"}, ""),
    ],
)
def test_the_command_is_the_one_of_this_systems_package_manager(
    release: dict[str, str], command: str
) -> None:
    assert Packages(manager_of(release)).install(SystemPart.PORTAUDIO) == command


def test_every_part_has_a_name_wherever_it_is_needed() -> None:
    for manager in (Manager.APT, Manager.DNF, Manager.PACMAN, Manager.ZYPPER):
        for part in SystemPart:
            assert Packages(manager, need_sudo=False).install(part).startswith(f"{manager} ")


@pytest.mark.parametrize(("todo", "status"), [("", 0), ("Do it.", 1)])
def test_the_exit_status_says_whether_there_is_a_problem(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], todo: str, status: int
) -> None:
    async def one(_: Patient) -> Sequence[Finding]:
        advice = Finding("advice", "Advice", found=False, todo="Could be nicer.", optional=True)
        return (advice, Finding("part", "Part", found=not todo, todo=todo, command="do it" if todo else ""))

    monkeypatch.setattr(doctor, "CHECKS", (one,))
    monkeypatch.setenv("LANG", "C.UTF-8")

    assert doctor.run(json=False) == status

    told = capsys.readouterr().out.splitlines()
    problem = ["✗ Part: Do it.", "    do it"] if todo else []
    last = "1 thing to do." if todo else "Everything that Jarvis needs is there."
    assert told[-len(problem) - 2 :] == [*problem, "– Advice: Could be nicer.", last]


def test_problems_come_before_advice() -> None:
    advice = Finding("a", "A", found=False, todo="x", optional=True)
    problem = Finding("b", "B", found=False, todo="y")
    assert still_to_do((advice, Finding("c", "C", found=True), problem)) == (problem, advice)


async def test_a_program_that_hangs_is_gone_once_nobody_waits_for_it(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    os.mkfifo(begun)
    asking = asyncio.create_task(finished("/bin/sh", "-c", f"echo $$ > {begun}; exec sleep 600"))
    pid = await asyncio.to_thread(begun.read_text)
    asking.cancel()
    await asyncio.wait([asking])

    assert asking.cancelled()
    assert not Path(f"/proc/{pid.strip()}").exists()
