"""Files that this user may not read, as after a start with sudo: said, and nothing is destroyed."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from jarvis_desktop.adapters.settings_file import load_settings
from jarvis_desktop.adapters.settings_problem import sentence
from jarvis_desktop.adapters.sqlite_file import open_database
from jarvis_desktop.app.instance import Instance
from jarvis_desktop.app.main import run_desktop
from jarvis_desktop.core.items.errors import StorageError
from tests.fakes.clock import START
from tests.fakes.texts import PlainTexts
from tests.integration.settings.test_home_dir import as_nobody


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that everybody may use; nobody can reach pytest's own."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        yield Path(folder)


def shut(path: Path) -> Path:
    path.write_text("ui: {theme: dark}")
    path.chmod(0)
    return path


def test_settings_that_cannot_be_read_are_said_and_the_strictest_counts(shared: Path) -> None:
    shut(shared / "settings.yaml")

    with as_nobody():
        settings, problems = load_settings(shared, {})

    (said,) = (sentence(problem, PlainTexts()) for problem in problems)
    assert said.startswith("settings.yaml: the file cannot be read (Permission denied)")
    assert settings.security.require_approval_for == ("*",)


def test_a_database_that_cannot_be_read_is_said_and_stays(shared: Path) -> None:
    path = shut(shared / "jarvis.db")

    with as_nobody(), pytest.raises(StorageError, match=r"jarvis\.db cannot be used: Permission denied\."):
        open_database(path, START, PlainTexts())

    assert [one.name for one in shared.iterdir()] == ["jarvis.db"]
    path.chmod(0o600)
    assert path.read_text() == "ui: {theme: dark}"


def test_a_lock_of_somebody_else_ends_the_start_with_one_sentence(
    shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = shared / "home"
    monkeypatch.setenv("JARVIS_HOME", str(home))
    monkeypatch.setenv("LANG", "C.UTF-8")

    def refuse(_: Instance) -> bool:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Instance, "claim", refuse)

    with pytest.raises(StorageError, match=r"jarvis\.lock cannot be used: Permission denied\. Make it yours"):
        run_desktop()
