"""``install-command``: what the pages call ``jarvis-desktop`` is a command, if somebody wants that."""

from pathlib import Path

import pytest

from jarvis_desktop.adapters.shell_command import ShellCommand
from jarvis_desktop.app.cli import run


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person's home, without any of our files."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("JARVIS_HOME", str(tmp_path / ".jarvis"))
    monkeypatch.setenv("JARVIS_UI__LANGUAGE", "en")
    monkeypatch.setenv("PATH", "/usr/bin")
    return tmp_path


def test_the_command_leads_to_run_of_the_checkout_and_goes_again(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    link = home / ".local/bin/jarvis-desktop"
    assert run(["install-command"]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"jarvis-desktop is a command now: {link}\n")
    assert 'export PATH="$HOME/.local/bin:$PATH"' in said
    assert link.resolve() == Path(__file__).parents[3] / "run"
    monkeypatch.setenv("PATH", f"{link.parent}:/usr/bin")
    assert run(["install-command"]) == 0  # once more changes nothing, and here terminals find it
    assert capsys.readouterr().out == f"jarvis-desktop is a command now: {link}\n"
    assert run(["install-command", "--remove"]) == 0
    assert not link.is_symlink()
    assert run(["install-command", "--remove"]) == 0
    assert "There is no" in capsys.readouterr().out


def test_what_somebody_else_put_there_stays(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    link = home / ".local/bin/jarvis-desktop"
    link.parent.mkdir(parents=True)
    link.write_text("mine")
    assert run(["install-command"]) == 1
    assert "is there already and is none of ours" in capsys.readouterr().err
    assert run(["install-command", "--remove"]) == 0
    assert link.read_text() == "mine"


def test_without_a_checkout_it_leads_to_the_program_itself(tmp_path: Path) -> None:
    command = ShellCommand({"HOME": str(tmp_path)}, checkout=tmp_path)
    command.install()
    assert command.is_ours
    assert command.target.name != "run"
