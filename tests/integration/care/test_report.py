"""The bug report: what it holds, and that nothing private is in it."""

import json
import os
import zipfile
from pathlib import Path

from jarvis_desktop.app.report_redaction import Redaction
from jarvis_desktop.core.settings import Settings
from tests.integration.care.conftest import MARK, Lived


def unpacked(path: Path) -> dict[str, str]:
    with zipfile.ZipFile(path) as bundle:
        return {name: bundle.read(name).decode() for name in bundle.namelist()}


def test_nothing_private_is_in_the_report_wherever_it_stood(lived: Lived, tmp_path: Path) -> None:
    file = tmp_path / "report.zip"

    done = lived.cli("report", str(file))

    assert (done.returncode, done.stderr) == (0, "")
    assert f"The report is {file}." in done.stdout
    assert "nothing was sent" in done.stdout
    assert file.stat().st_mode & 0o777 == 0o600
    files = unpacked(file)
    found = {name for name, text in files.items() if MARK in name + text or "홍 길동" in text}
    assert found == set()
    assert_tells_what_helps(files)


def assert_tells_what_helps(files: dict[str, str]) -> None:
    """What a maintainer needs is there."""
    assert set(files) == {
        "README.txt",
        "doctor.json",
        "versions.json",
        "settings.json",
        "database.json",
        "counts.json",
        "log/jarvis.log",
        "log/jarvis.log.1",
    }
    settings = json.loads(files["settings.json"])
    assert settings["in_force"]["ui"]["hotkey"] == "Ctrl+Alt+J"
    assert settings["in_force"]["model"]["host"] == "<another machine>"
    assert settings["in_force"]["security"]["dangerous_commands"] == {
        "count": 2,
        "of_the_default": ["privilege"],
    }
    assert [one["kind"] for one in settings["problems"]].count("literal_error") == 1
    database = json.loads(files["database.json"])
    assert (database["rows"]["turns"], database["rows"]["audit"]) == (1, 0)
    assert not database["schema_as_we_made_it"]
    assert json.loads(files["counts.json"])["rule_files"] == 2
    first, second, _ = (json.loads(line) for line in files["log/jarvis.log"].splitlines())
    assert first == {
        "at": "2026-12-01T09:00:00.000+00:00",
        "level": "warning",
        "logger": "jarvis_desktop.app.recorder",
        "event": "events cannot be stored for now",
        "error": "StorageError",
        "ms": 12,
    }
    assert second["error"] == [{"type": "ConnectError", "frames": ["client.py:12 send"]}]
    assert json.loads(files["log/jarvis.log.1"]) == {"lines_left_out": 1}
    home = next(one for one in json.loads(files["doctor.json"]) if one["name"] == "home")
    assert home["version"] == "<folder of Jarvis>"


def test_a_report_overwrites_nothing_and_says_so(lived: Lived, tmp_path: Path) -> None:
    file = tmp_path / "mine.zip"
    file.write_text("mine")

    done = lived.cli("report", str(file))

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"{file}: File exists. Name another file, in a folder that you can write to.\n"
    assert file.read_text() == "mine"


def test_without_a_file_the_report_lies_in_the_persons_home_and_it_says_where(
    lived: Lived, tmp_path: Path
) -> None:
    done = lived.cli("report", JARVIS_HOME=str(tmp_path / "none"))

    (file,) = lived.person.glob("jarvis-report-*.zip")
    assert f"The report is {file}." in done.stdout


def test_a_machine_without_any_home_can_be_reported(lived: Lived, tmp_path: Path) -> None:
    file = tmp_path / "report.zip"

    assert lived.cli("report", str(file), JARVIS_HOME=str(tmp_path / "none")).returncode == 0

    assert json.loads(unpacked(file)["database.json"]) == {"there": False}
    assert not (tmp_path / "none").exists()


def test_a_home_full_of_odd_files_can_be_reported(lived: Lived, tmp_path: Path) -> None:
    logs, file = lived.home / "logs", tmp_path / "report.zip"
    with (logs / "jarvis.log.2").open("wb") as huge:
        huge.truncate(200 << 30)  # a hole: nothing of it is on the disk
    os.mkfifo(logs / "jarvis.log.3")
    (logs / "jarvis.log.4").symlink_to("/etc/passwd")
    (logs / f"\n{MARK}\udcff.log").write_text("x\n")
    with (lived.home / "approvals/huge.yaml").open("wb") as huge:
        huge.truncate(200 << 30)

    done = lived.cli("report", str(file))

    assert (done.returncode, done.stderr) == (0, "")
    files = unpacked(file)
    assert json.loads(files["counts.json"])["rule_problems"] == 3  # two of before
    assert {name for name, text in files.items() if MARK in name + text or "root:" in text} == set()


def test_a_server_s_name_is_left_out_with_and_without_what_stands_around_it(tmp_path: Path) -> None:
    for host in (
        "http://me:pass@box.example:1234/api",
        "box.example:1234",
        "BOX.example",
        "http://box.example",
    ):
        settings = Settings.model_validate({"model": {"host": host}})
        told = Redaction(tmp_path, settings).text(
            f"{host}: no address for box.example, http://Box.example:1234"
        )
        assert "box" not in told.lower()
        assert "pass" not in told
