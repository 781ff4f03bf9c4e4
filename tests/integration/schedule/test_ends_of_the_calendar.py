"""Times at either end of the calendar are no times, wherever they are written, and stop nothing else."""

from pathlib import Path

import pytest

from jarvis_desktop.adapters.local_zone import zone_named
from jarvis_desktop.adapters.schedule_files import ScheduleFiles
from jarvis_desktop.app import cli_home
from jarvis_desktop.app.cli_commands import run_command
from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.items.schedule import Job, JobId
from jarvis_desktop.core.scheduler.scheduler import timing_of
from tests.fakes.texts import PlainTexts


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("JARVIS_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("JARVIS_UI__LANGUAGE", "en")
    monkeypatch.setenv("TZ", "America/New_York")
    monkeypatch.setattr(cli_home, "set_up_logging", lambda folder: None)
    return tmp_path / "home"


@pytest.mark.parametrize(
    "lines",
    [
        "task: x\nat: 9999-12-31T23:59\nzone: America/New_York\n",
        'task: x\nat: "9999-12-31T23:59"\nzone: America/New_York\n',
        'task: x\nat: "0001-01-01T00:00:00+09:00"\n',
        "task: x\nat: 0001-01-01T00:00:00+09:00\n",
    ],
)
async def test_a_file_with_such_a_time_is_a_problem_and_the_others_count(home: Path, lines: str) -> None:
    folder = home / "schedules"
    folder.mkdir(parents=True)
    (folder / "a.yaml").write_text(lines, "utf-8")
    (folder / "tea.yaml").write_text('task: tea\ncron: "0 8 * * *"\n', "utf-8")

    read = await ScheduleFiles(home, zone_named, PlainTexts()).look()

    assert [job.job_id for job in read.jobs] == ["tea"]
    assert "schedules/a.yaml" in "".join(read.problems)


@pytest.mark.parametrize(
    "arguments",
    [
        ["add", "--at", "9999-12-31T23:59", "tea"],
        ["add", "--at", "0001-01-01T00:00:00+09:00", "tea"],
        ["add", "9999-12-31 23:59 tea"],
        ["next", "--cron", "0 8 * * *", "--from", "9999-12-31T23:59"],
    ],
)
def test_such_a_time_is_refused_on_the_command_line(
    home: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["schedule", *arguments]) == 1

    assert "time" in capsys.readouterr().err
    assert not (home / "schedules").exists()


def test_times_of_a_cron_expression_end_where_the_calendar_does(capsys: pytest.CaptureFixture[str]) -> None:
    where = ["--cron", "59 23 31 12 *", "--zone", "America/New_York", "--from", "8999-12-01T00:00"]

    assert run_command(["schedule", "next", "2000", *where]) == 0

    assert capsys.readouterr().out.splitlines()[-1].startswith("9998-12-31T23:59")


def test_a_folder_of_zones_is_no_zone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TZ", "Asia")
    assert zone_named("", tmp_path / "localtime").key
    with pytest.raises(KeyError):
        zone_named("Asia")
    with pytest.raises(UserFixableError, match="Asia"):
        timing_of(Job(JobId("x"), zone="Asia"), zone_named, PlainTexts())


@pytest.mark.parametrize("task", ["", "  ", "x" * 10_001])
def test_a_task_that_would_not_count_is_not_scheduled(
    home: Path, task: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["schedule", "add", "--cron", "0 8 * * *", task]) == 1

    said = capsys.readouterr()
    assert "Scheduled" not in said.out
    assert "nothing was scheduled" in said.err
    assert not (home / "schedules").exists()
