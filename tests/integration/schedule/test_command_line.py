"""``jarvis-desktop schedule``: made, listed, removed, and refused to our own calls."""

import json
from pathlib import Path

import pytest

from jarvis_desktop.app import cli_home, schedule_cmd
from jarvis_desktop.app.cli_commands import run_command


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("JARVIS_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("JARVIS_UI__LANGUAGE", "en")
    monkeypatch.setattr(cli_home, "set_up_logging", lambda folder: None)
    return tmp_path / "home"


def test_next_prints_times_as_cronsim_has_them(capsys: pytest.CaptureFixture[str]) -> None:
    where = ["--cron", "30 2 * * *", "--zone", "Europe/Berlin", "--from", "2026-03-28T12:00:00"]

    assert run_command(["schedule", "next", "2", *where, "--json"]) == 0

    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines == [{"at": "2026-03-29T03:00:00+02:00"}, {"at": "2026-03-30T02:30:00+02:00"}]


def test_a_job_is_added_listed_and_removed(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["schedule", "add", "--cron", "0 8 * * 1-5", "Tell me the weather."]) == 0
    assert "every Monday to Friday at 08:00" in capsys.readouterr().out
    assert (home / "schedules" / "tell-me-the-weather.yaml").exists()

    assert run_command(["schedule", "list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["cron"] == "0 8 * * 1-5"

    assert run_command(["schedule", "remove", "tell-me-the-weather"]) == 0
    assert run_command(["schedule", "remove", "tell-me-the-weather"]) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["tea"],
        ["--at", "2020-01-01T00:00", "tea"],
        ["--cron", "0 0 9 * * *", "tea"],
        ["--zone", "Mars", "daily 8:00 tea"],
    ],
)
def test_what_is_no_time_is_refused_with_a_sentence(
    home: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["schedule", "add", *arguments]) == 1

    assert capsys.readouterr().err.strip()
    assert not (home / "schedules").exists()


def test_a_files_words_do_not_steer_the_terminal(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "schedules").mkdir(parents=True)
    (home / "schedules" / "tea.yaml").write_text('cron: "0 8 * * *"\ntask: "tea \\e[2J\\e[31m"\n')

    assert run_command(["schedule", "list"]) == 0

    assert "\x1b" not in (said := capsys.readouterr().out)
    assert "tea ⟨U+001B⟩" in said


def test_a_call_of_ours_adds_nothing(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(schedule_cmd, "came_from_a_call", lambda pid: True)

    assert run_command(["schedule", "add", "daily 08:00 tea"]) == 1

    assert "takes no orders" in capsys.readouterr().err
    assert not (home / "schedules").exists()


def test_a_written_file_keeps_its_comments_when_it_is_changed(home: Path) -> None:
    import asyncio

    from jarvis_desktop.adapters.local_zone import zone_named
    from jarvis_desktop.adapters.schedule_files import ScheduleFiles
    from jarvis_desktop.core.items.schedule import JobId
    from tests.fakes.texts import PlainTexts

    folder = home / "schedules"
    folder.mkdir(parents=True)
    file = folder / "tea.yaml"
    file.write_text('# mine\ntask: tea  # green\ncron: "0 8 * * *"\n', "utf-8")
    files = ScheduleFiles(home, zone_named, PlainTexts())

    assert asyncio.run(files.set_enabled(JobId("tea"), enabled=False))

    assert file.read_text("utf-8") == '# mine\ntask: tea  # green\ncron: "0 8 * * *"\nenabled: false\n'
