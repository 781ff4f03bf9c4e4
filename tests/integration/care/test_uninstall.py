"""Uninstall: exactly what was listed goes, after a person agreed, and nothing else."""

import os
import pty
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest

from jarvis_desktop.adapters.desktop_entry import DesktopEntry
from jarvis_desktop.adapters.shell_command import ShellCommand
from jarvis_desktop.adapters.shell_sweep import MARK as CALL_MARK
from jarvis_desktop.app.instance import Instance
from jarvis_desktop.app.uninstall_cmd import WORDS, Wish, run_uninstall
from tests.integration.care.conftest import MARK, Lived
from tests.integration.rules_cli.conftest import ROOT

YES = Wish(yes=True)


def everything(folder: Path) -> set[Path]:
    return set(folder.rglob("*"))


def test_all_that_was_listed_is_gone_and_the_persons_files_are_not(
    lived: Lived, entry: DesktopEntry, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ShellCommand()
    command.install()
    assert run_uninstall(YES) == 0
    assert not command.place.is_symlink()

    told = capsys.readouterr().out
    assert everything(lived.work) == {lived.work / f"{MARK}.txt"}
    assert not lived.home.exists()
    assert not entry.menu_installed
    assert not entry.autostart
    assert not list(lived.person.rglob("*.png"))
    assert "  Conversations and the audit log: 1 file, " in told
    assert "  Speech and chat models that were fetched: 1 file, 2.0 KB\n" in told
    assert str(entry.places.autostart) in told
    assert f"The program itself. It goes with: rm -rf {ROOT}" in told
    assert told.endswith("All of that is gone.\n")


def test_what_people_added_goes_with_the_note_of_what_may_run_and_the_folders_of_its_own(
    lived: Lived,
) -> None:
    for name in ("skills", "tools", "plugins", "team", "extension-data/plugin-guard"):
        (lived.home / name).mkdir(parents=True)
        (lived.home / name / "kept.txt").write_text(MARK)
    (lived.home / "extensions.yaml").write_text("enabled: {}\n")
    assert run_uninstall(YES) == 0
    assert not lived.home.exists()


def test_a_dry_run_says_the_same_and_removes_nothing(
    lived: Lived, entry: DesktopEntry, capsys: pytest.CaptureFixture[str]
) -> None:
    before = everything(lived.person)
    assert run_uninstall(Wish(dry_run=True)) == 0
    tried = capsys.readouterr().out

    assert everything(lived.person) == before
    assert run_uninstall(YES) == 0
    assert capsys.readouterr().out == f"{tried}All of that is gone.\n"


def test_keeping_the_data_removes_only_what_the_desktop_shows(lived: Lived, entry: DesktopEntry) -> None:
    before = everything(lived.home)

    assert run_uninstall(Wish(keep_data=True, yes=True)) == 0

    assert everything(lived.home) == before
    assert not entry.menu_installed


def test_a_link_is_removed_and_what_it_leads_to_stays(lived: Lived, tmp_path: Path) -> None:
    outside = tmp_path / "disk"
    outside.mkdir()
    (outside / "precious").write_text("mine")
    (lived.home / "models/wakeword/more").symlink_to(outside)
    (lived.home / "skills").symlink_to(outside)

    assert run_uninstall(YES) == 0

    assert not lived.home.exists()
    assert (outside / "precious").read_text() == "mine"


def test_what_jarvis_did_not_make_stays_and_is_named(
    lived: Lived, capsys: pytest.CaptureFixture[str]
) -> None:
    (lived.home / "diary.txt").write_text("mine")

    assert run_uninstall(YES) == 0

    assert everything(lived.home) == {lived.home / "diary.txt"}
    assert f"Not made by this Jarvis: {lived.home / 'diary.txt'}" in capsys.readouterr().out


def test_an_entry_that_starts_another_jarvis_stays(lived: Lived, tmp_path: Path) -> None:
    other = DesktopEntry(("jarvis-desktop",), {"HOME": str(lived.person), "JARVIS_HOME": str(tmp_path / "b")})
    other.install_menu()

    assert run_uninstall(YES) == 0

    assert other.menu_installed


@pytest.mark.parametrize("mark", [".checked.json", ".fetched", ".fetching/wake/a.part"])
def test_a_home_that_only_fetched_models_is_removed(
    lived: Lived, monkeypatch: pytest.MonkeyPatch, mark: str
) -> None:
    home = lived.person / "fetched"
    (home / "models" / mark).parent.mkdir(parents=True)
    (home / "models" / mark).write_text("x")
    monkeypatch.setenv("JARVIS_HOME", str(home))

    assert run_uninstall(YES) == 0

    assert not home.exists()


@pytest.mark.parametrize("word", WORDS)
def test_either_language_s_yes_is_taken(lived: Lived, monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda _prompt: word.upper())

    assert run_uninstall(Wish()) == 0

    assert not lived.home.exists()


@pytest.mark.parametrize("place", ["a folder of somebody", "the home of the person", "above it"])
def test_a_folder_that_is_not_ours_alone_is_refused(
    lived: Lived, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    folder = {
        "a folder of somebody": lived.work,
        "the home of the person": lived.person,
        "above it": lived.person.parent,
    }[place]
    if folder != lived.work:
        (folder / "jarvis.db").write_text("")
    before = everything(lived.person)
    monkeypatch.setenv("JARVIS_HOME", str(folder))

    assert run_uninstall(YES) == 1

    assert everything(lived.person) == before
    assert "Set JARVIS_HOME to the folder" in capsys.readouterr().err


def test_while_jarvis_runs_nothing_is_removed(lived: Lived, capsys: pytest.CaptureFixture[str]) -> None:
    running = Instance(lived.home)
    assert running.claim()
    before = everything(lived.home)

    assert run_uninstall(YES) == 1

    running.release()
    assert everything(lived.home) == before
    assert capsys.readouterr().err.startswith("Jarvis is running. Quit it")


@pytest.mark.parametrize(
    ("mark", "wish"), [("", Wish()), ("1", YES)], ids=["nobody can answer", "a call of ours, even with --yes"]
)
def test_without_a_person_nothing_is_removed(
    lived: Lived, monkeypatch: pytest.MonkeyPatch, mark: str, wish: Wish
) -> None:
    if mark:
        monkeypatch.setenv(CALL_MARK, mark)
    monkeypatch.setattr(sys, "stdin", StringIO("yes\n"))
    before = everything(lived.person)

    assert run_uninstall(wish) == 1

    assert everything(lived.person) == before


def test_what_cannot_be_removed_is_listed_and_the_rest_is_gone(
    lived: Lived, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = Path.unlink

    def refuses(path: Path, **options: bool) -> None:
        if path.name == "a.onnx":
            raise PermissionError(13, "Permission denied")
        real(path, **options)

    monkeypatch.setattr(Path, "unlink", refuses)

    assert run_uninstall(YES) == 1

    stuck = lived.home / "models/wakeword/a.onnx"
    assert everything(lived.home) == {stuck, stuck.parent, stuck.parent.parent}
    assert capsys.readouterr().err == (
        f"{stuck}: Permission denied\n1 of it could not be removed, and the rest is gone.\n"
    )


@pytest.mark.parametrize(("typed", "gone"), [("no\n", "nothing"), ("예\n", "all"), ("y\n", "all")])
def test_a_person_at_a_terminal_is_asked_for_a_word(lived: Lived, typed: str, gone: str) -> None:
    terminal, behind = pty.openpty()
    done = subprocess.Popen(
        [sys.executable, "-m", "jarvis_desktop", "uninstall"],
        stdin=behind,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=lived.person,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        text=True,
    )
    os.close(behind)
    os.write(terminal, typed.encode())
    told, _ = done.communicate(timeout=60)
    os.close(terminal)

    assert 'type "yes" or "y"' in told
    assert (done.returncode, lived.home.exists()) == ((0, False) if gone == "all" else (1, True))


def test_names_that_would_move_the_terminal_are_shown_as_codes(lived: Lived) -> None:
    names = (b"settings.yaml.\x1b[2J\nThis stays:", b"diary \xff\xfe.txt", "구\u202egpj.exe".encode())
    for name in names:
        (lived.home / os.fsdecode(name)).write_text("x")

    done = lived.cli("uninstall", "--yes")

    assert done.returncode == 0
    assert done.stderr == ""
    assert "settings.yaml.⟨U+001B⟩[2J" in done.stdout
    assert done.stdout.count("\nThis stays:") == 1
    assert "\x1b" not in done.stdout
    assert "\u202e" not in done.stdout
    assert {os.fsencode(path.name) for path in lived.home.iterdir()} == set(names[1:])


def test_in_a_home_that_leads_in_a_circle_there_is_nothing_to_remove(lived: Lived, tmp_path: Path) -> None:
    circle = tmp_path / "circle"
    circle.symlink_to(circle)

    done = lived.cli("uninstall", "--yes", JARVIS_HOME=str(circle))

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("There is nothing of Jarvis to remove.\n")
    assert circle.is_symlink()


def test_folders_as_deep_as_the_disk_allows_are_removed(lived: Lived) -> None:
    deep = os.open(lived.home / "models", os.O_RDONLY)
    for _ in range(700):
        os.mkdir("d", dir_fd=deep)
        below = os.open("d", os.O_RDONLY, dir_fd=deep)
        os.close(deep)
        deep = below
    os.close(deep)

    assert run_uninstall(YES) == 0

    assert not lived.home.exists()
