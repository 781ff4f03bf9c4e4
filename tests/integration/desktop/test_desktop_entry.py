"""Menu entry, icon and autostart, checked and launched by the desktop's own programs."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.adapters.desktop_entry import DesktopEntry, own_command
from jarvis_desktop.adapters.desktop_entry_text import exec_value, read_keys
from tests.integration.desktop.waiting import comes_true, needed

ODD_NAMES = ("""내 자비스 "a" $HOME `x` \\back ~'#&;/run""", "100% = 자비스/run")
TELLS_ITS_WORDS = """#!{python}
import json, os, sys
with open({out!r} + ".part", "w") as file:
    json.dump([sys.argv, os.environ.get("JARVIS_HOME")], file)
os.rename({out!r} + ".part", {out!r})
"""


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """A person with folders of their own."""
    return {
        "HOME": str(tmp_path / "person"),
        "XDG_DATA_HOME": str(tmp_path / "공유 share"),
        "XDG_CONFIG_HOME": str(tmp_path / "설정 config"),
    }


@pytest.fixture(params=ODD_NAMES, ids=["quotes", "percent"])
def program(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A program in a folder with an awkward name, which writes down how it was called."""
    path: Path = tmp_path / request.param
    path.parent.mkdir(parents=True)
    path.write_text(TELLS_ITS_WORDS.format(python=sys.executable, out=str(tmp_path / "called")), "utf-8")
    path.chmod(0o755)
    return path


def everything_below(folder: Path) -> list[str]:
    return [str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()]


def launched(entry: Path, tmp_path: Path) -> tuple[list[str], str | None]:
    """Words and JARVIS_HOME with which a desktop starts the entry's program."""
    needed("gio")
    env = {name: text for name, text in os.environ.items() if name not in ("JARVIS_HOME", "DISPLAY")}
    subprocess.run(["gio", "launch", str(entry)], env=env, check=True, timeout=20)
    comes_true((tmp_path / "called").exists, "the entry's program ran")
    words, home = json.loads((tmp_path / "called").read_text("utf-8"))
    return words, home


def valid(entry: Path) -> str:
    """What the desktop's own check says against an entry; nothing is good."""
    needed("desktop-file-validate")
    done = subprocess.run(
        ["desktop-file-validate", "--warn-kde", str(entry)],
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    return done.stdout + done.stderr


@pytest.mark.voice_bug("instance", "Linux autostart setting does nothing")
def test_autostart_starts_the_program_hidden_wherever_it_lies(
    environ: dict[str, str], program: Path, tmp_path: Path
) -> None:
    entry = DesktopEntry((str(program),), environ)
    entry.set_autostart(True)
    place = tmp_path / "설정 config/autostart/jarvis-desktop.desktop"
    assert entry.autostart
    assert (valid(place), read_keys(place.read_text("utf-8"))["Icon"]) == ("", "jarvis-desktop")
    assert launched(place, tmp_path) == ([str(program), "--hidden"], None)


@pytest.mark.voice_bug("instance", "Linux autostart setting does nothing")
def test_switched_off_nothing_of_it_is_left(environ: dict[str, str], program: Path, tmp_path: Path) -> None:
    entry = DesktopEntry((str(program),), environ)
    entry.set_autostart(True)
    entry.set_autostart(False)
    entry.set_autostart(False)
    assert not entry.autostart
    assert everything_below(tmp_path / "설정 config") == everything_below(tmp_path / "공유 share") == []


def test_the_menu_entry_is_valid_speaks_korean_and_begins_to_listen(
    environ: dict[str, str], program: Path, tmp_path: Path
) -> None:
    entry = DesktopEntry((str(program),), environ)
    entry.install_menu()
    place = tmp_path / "공유 share/applications/jarvis-desktop.desktop"
    keys = read_keys(place.read_text("utf-8"))
    assert entry.menu_installed
    assert (valid(place), keys["Name"], keys["Name[ko]"]) == ("", "Jarvis", "자비스")
    assert keys["TryExec"] == str(program)
    assert launched(place, tmp_path) == ([str(program)], None)
    listens = place.read_text("utf-8").partition("[Desktop Action listen]")[2]
    assert "Name=Talk now\nName[ko]=지금 말하기\n" in listens
    assert listens.endswith('"ask" "--listen"\n')


def test_a_moved_home_is_found_by_the_session_too(
    environ: dict[str, str], program: Path, tmp_path: Path
) -> None:
    moved = environ | {"JARVIS_HOME": str(tmp_path / "다른 집 %")}
    entry = DesktopEntry((str(program),), moved)
    entry.set_autostart(True)
    assert valid(entry.places.autostart) == ""
    assert launched(entry.places.autostart, tmp_path)[1] == str(tmp_path / "다른 집 %")


def test_the_icon_is_found_by_its_name_in_every_size_and_as_a_drawing(
    environ: dict[str, str], program: Path, tmp_path: Path
) -> None:
    entry = DesktopEntry((str(program),), environ)
    entry.install_menu()
    assert sorted(everything_below(tmp_path / "공유 share/icons/hicolor")) == [
        "128x128/apps/jarvis-desktop.png",
        "256x256/apps/jarvis-desktop.png",
        "48x48/apps/jarvis-desktop.png",
        "scalable/apps/jarvis-desktop.svg",
    ]
    entry.set_autostart(True)
    entry.remove_menu()
    assert len(everything_below(tmp_path / "공유 share")) == 4  # the autostart entry names it still
    entry.remove_all()
    assert everything_below(tmp_path / "공유 share") == []


@pytest.mark.parametrize("line", ["Hidden=true", "X-GNOME-Autostart-enabled=false"])
def test_what_the_desktop_s_own_settings_switched_off_counts_as_off(
    line: str, environ: dict[str, str], program: Path
) -> None:
    entry = DesktopEntry((str(program),), environ)
    entry.set_autostart(True)
    place = entry.places.autostart
    text = place.read_text("utf-8").replace("X-GNOME-Autostart-enabled=true\n", "")
    place.write_text(text + line + "\n", "utf-8")
    assert not entry.autostart
    entry.mend()
    assert not entry.autostart
    entry.set_autostart(True)
    assert entry.autostart


def test_entries_whose_program_is_gone_name_the_present_one(environ: dict[str, str], program: Path) -> None:
    before = DesktopEntry((str(program),), environ)
    before.install_menu()
    before.set_autostart(True)
    moved = program.with_name("here now")
    program.rename(moved)
    after = DesktopEntry((str(moved),), environ)
    after.mend()
    for place in (after.places.menu, after.places.autostart):
        assert read_keys(place.read_text("utf-8"))["TryExec"] == str(moved)


def test_an_entry_that_still_works_is_left_as_it_is(environ: dict[str, str], program: Path) -> None:
    entry = DesktopEntry((str(program),), environ)
    entry.set_autostart(True)
    place = entry.places.autostart
    place.write_text(place.read_text("utf-8") + "X-GNOME-Autostart-Delay=20\n", "utf-8")
    DesktopEntry(("/usr/bin/env", "another"), environ).mend()
    assert "Delay=20" in place.read_text("utf-8")
    assert not entry.menu_installed


def test_without_the_variables_the_folders_are_the_usual_ones(tmp_path: Path) -> None:
    places = DesktopEntry(("x",), {"HOME": str(tmp_path), "XDG_DATA_HOME": "not/absolute"}).places
    assert places.menu == tmp_path / ".local/share/applications/jarvis-desktop.desktop"
    assert places.autostart == tmp_path / ".config/autostart/jarvis-desktop.desktop"
    assert places.icons == tmp_path / ".local/share/icons/hicolor"


def test_the_entry_starts_the_installation_that_wrote_it(tmp_path: Path) -> None:
    script = tmp_path / "jarvis-desktop"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    assert own_command((str(script),)) == (str(script),)
    # Started as a module, or by a test: the script of this environment.
    (found,) = own_command((str(tmp_path / "__main__.py"),))
    assert Path(found).name == "jarvis-desktop"
    assert shutil.which(found) == found


@given(words=st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])), min_size=1))
def test_every_word_comes_through_the_quoting_of_the_specification(words: list[str]) -> None:
    assert words_of(read_keys(f"[Desktop Entry]\nExec={exec_value(words)}")["Exec"]) == words


def words_of(command: str) -> list[str]:
    """Words of an Exec value, by the specification's grammar: quotes, then field codes."""
    words, letters, word, quoted = [], iter(command), "", False
    for letter in letters:
        if letter == '"':
            quoted = not quoted
            if not quoted:
                words.append(word.replace("%%", "%"))
                word = ""
        elif letter == "\\":
            word += next(letters)
        elif quoted:
            assert letter not in "$`"
            word += letter
        else:
            assert letter == " "
    return words
