"""``jarvis-desktop desktop-entry`` as people type it."""

from pathlib import Path

import pytest

from jarvis_desktop.adapters.desktop_entry import DesktopEntry
from jarvis_desktop.app.cli import run


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person with folders of their own, who reads English."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def test_install_and_remove_change_the_menu_and_the_autostart(
    person: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = DesktopEntry(("x",))
    assert run(["desktop-entry", "install", "--autostart"]) == 0
    assert (entry.menu_installed, entry.autostart) == (True, True)
    assert (
        capsys.readouterr().out
        == f"Jarvis is in the menu: {person}/.local/share/applications/jarvis-desktop.desktop\n"
    )
    assert run(["desktop-entry", "autostart", "off"]) == 0
    assert (entry.menu_installed, entry.autostart) == (True, False)
    assert run(["desktop-entry", "autostart", "on"]) == run(["desktop-entry", "remove"]) == 0
    assert (entry.menu_installed, entry.autostart) == (False, False)


def test_a_folder_that_cannot_be_used_is_named(person: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (person / ".local").write_text("a file where a folder has to be")
    assert run(["desktop-entry", "install"]) == 1
    said = capsys.readouterr().err
    assert f"{person}/.local" in said
    assert said.endswith("Make its folder writable for you, and try again.\n")
