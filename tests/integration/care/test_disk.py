"""The failure matrix of disk, home and database, on the real program with the real thing failing."""

import os
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

import pytest

from jarvis_desktop.adapters.sqlite_schema import migrate
from tests.fakes.ollama_script import Script, Step, say
from tests.parts.ollama_script import OllamaProgram
from tests.parts.small_disk import SmallDisk, Terminal, refusing_writes, small_disk


class Starts(Protocol):
    """Starts the program in a terminal, in a home on ``disk``."""

    def __call__(self, home: Path, host: str, disk: SmallDisk | None = None) -> Terminal: ...


@pytest.fixture
def starts(tmp_path: Path) -> Iterator[Starts]:
    work = tmp_path / "work"
    work.mkdir()
    with ExitStack() as running:

        def start(home: Path, host: str, disk: SmallDisk | None = None) -> Terminal:
            env = {
                "JARVIS_HOME": str(home),
                "JARVIS_MODEL__HOST": host,
                "JARVIS_MODEL__CALLS": "native",
                "JARVIS_UI__LANGUAGE": "en",
                "JARVIS_AGENT__WORKING_DIRECTORY": str(work),
                "LANG": "C.UTF-8",
            }
            terminal = Terminal(disk.prefix if disk else (), env)
            running.callback(terminal.end)
            return terminal

        yield start


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    place = tmp_path / "disk"
    place.mkdir()
    with small_disk(place) as mounted:
        yield mounted


@pytest.fixture
def ollama(ollama_program: Callable[[Script], OllamaProgram]) -> OllamaProgram:
    steps: tuple[Step, ...] = tuple(
        say(f"Answer to {name}.", when=name) for name in ("one", "two", "three", "four")
    )
    return ollama_program(Script(steps))


def turns(home: Path) -> list[tuple[str, str, str]]:
    """What is stored; read from a copy, since SQLite cannot open a file in the namespace of others."""
    with TemporaryDirectory() as folder:
        for path in home.glob("jarvis.db*"):
            shutil.copy(path, folder)
        with closing(sqlite3.connect(f"{folder}/jarvis.db")) as connection:
            return connection.execute("SELECT text, reply, state FROM turns ORDER BY number").fetchall()


def test_a_disk_that_fills_up_in_a_conversation_is_said_and_loses_nothing_once_there_is_room(
    disk: SmallDisk, starts: Starts, ollama: OllamaProgram
) -> None:
    home = disk.outside / "home"
    program = starts(disk.place / "home", ollama.host, disk)
    program.type("one")
    program.await_("Answer to one.")
    disk.fill()

    program.type("two " + "and more " * 900)
    said = program.await_("cannot be saved right now")
    program.await_("Answer to two.")
    disk.make_room()
    program.type("three")
    program.await_("Answer to three.")

    assert "the disk is full; free some space" in said
    assert program.close() == 0
    asked = [text.partition(" ")[0] for text, _, _ in turns(home)]
    answered = [(reply, state) for _, reply, state in turns(home)]
    assert asked == ["one", "two", "three"]
    assert answered == [(f"Answer to {name}.", "ended") for name in asked]


def test_a_start_on_a_full_disk_waits_and_goes_on_with_what_was_typed_meanwhile(
    disk: SmallDisk, starts: Starts, ollama: OllamaProgram
) -> None:
    (disk.outside / "home").mkdir(mode=0o700)
    disk.fill()
    program = starts(disk.place / "home", ollama.host, disk)

    said = program.await_("Jarvis looks again every few seconds")
    program.type("one")
    disk.make_room()

    program.await_("Answer to one.")
    assert "jarvis.db cannot be used: " in said
    assert program.close() == 0
    assert turns(disk.outside / "home") == [("one", "Answer to one.", "ended")]


def test_whoever_does_not_want_to_wait_for_the_disk_can_quit(
    disk: SmallDisk, starts: Starts, ollama: OllamaProgram
) -> None:
    (disk.outside / "home").mkdir(mode=0o700)
    disk.fill()
    program = starts(disk.place / "home", ollama.host, disk)
    program.await_("Jarvis looks again every few seconds")

    assert program.tell_to_quit() == 0


def test_a_read_only_home_ends_the_start_with_one_sentence(
    disk: SmallDisk, starts: Starts, ollama: OllamaProgram
) -> None:
    (disk.outside / "home").mkdir(mode=0o700)
    disk.make_read_only()

    program = starts(disk.place / "home", ollama.host, disk)

    assert program.close() == 1
    program.await_(
        f"{disk.place}/home cannot be used: it is read-only. Make it writable for you, or set JARVIS_HOME"
    )


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir(mode=0o700)
    return folder


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can take the right to write from an open file")
def test_a_disk_that_turns_read_only_in_a_conversation_is_said_and_loses_nothing_once_it_is_mended(
    home: Path, starts: Starts, ollama: OllamaProgram
) -> None:
    program = starts(home, ollama.host)
    program.type("one")
    program.await_("Answer to one.")

    with refusing_writes(home / "jarvis.db", home / "jarvis.db-wal", home):
        program.type("two")
        said = program.await_("cannot be saved right now")
        program.await_("Answer to two.")
    program.type("three")
    program.await_("Answer to three.")

    assert "the disk reports an error; check space and disk" in said
    assert program.close() == 0
    assert [text for text, _, _ in turns(home)] == ["one", "two", "three"]


@pytest.mark.parametrize("damage", ["random bytes", "cut in half"])
def test_a_broken_database_is_kept_aside_and_a_conversation_begins(
    home: Path, starts: Starts, ollama: OllamaProgram, damage: str
) -> None:
    with closing(sqlite3.connect(home / "jarvis.db", isolation_level=None)) as connection:
        migrate(connection)
        for number in range(50):
            line = ("tool", f"{number}" * 500, "2026-12-01")
            connection.execute("INSERT INTO activity (kind, text, at) VALUES (?, ?, ?)", line)
    whole = (home / "jarvis.db").read_bytes()
    broken = {"random bytes": b"\x9c\x13" * 9000, "cut in half": whole[: len(whole) // 2]}[damage]
    (home / "jarvis.db").write_bytes(broken)

    program = starts(home, ollama.host)
    said = program.await_("The conversation database was damaged.")
    program.type("two")
    program.await_("Answer to two.")

    assert program.close() == 0
    aside = next(home.glob("jarvis.db.broken-*"))
    assert aside.name in said
    assert aside.read_bytes() == broken
    assert turns(home) == [("two", "Answer to two.", "ended")]


def test_a_database_that_another_program_holds_is_waited_for(
    home: Path, starts: Starts, ollama: OllamaProgram
) -> None:
    holder = sqlite3.connect(home / "jarvis.db", isolation_level=None)
    holder.execute("PRAGMA journal_mode = WAL")
    holder.execute("BEGIN IMMEDIATE")
    program = starts(home, ollama.host)

    said = program.await_("another program holds it; close that program")
    program.type("one")
    holder.execute("ROLLBACK")
    holder.close()

    program.await_("Answer to one.")
    assert "Jarvis looks again every few seconds" in said
    assert program.close() == 0


def test_a_database_of_a_newer_version_ends_the_start_and_stays_as_it_is(
    home: Path, starts: Starts, ollama: OllamaProgram
) -> None:
    with closing(sqlite3.connect(home / "jarvis.db")) as newer:
        newer.execute("CREATE TABLE dreams (text)")
        newer.execute("PRAGMA user_version = 999")
    before = (home / "jarvis.db").read_bytes()

    program = starts(home, ollama.host)

    program.await_("was written by a newer version of Jarvis. Install that version again.")
    assert program.close() == 1
    assert (home / "jarvis.db").read_bytes() == before
    assert not list(home.glob("jarvis.db.*"))


SETTINGS: Mapping[str, tuple[bytes, str]] = {
    "garbage": (b"\x00\xff{{{: garbage\n\t- x", r"settings\.yaml: the file cannot be read \("),
    "a key of a later version": (
        b"# mine\nui:\n  theme: dark # at night\n  dreams: 7\n",
        r"settings\.yaml, line 4: there is no setting called ui\.dreams\.",
    ),
}


@pytest.mark.parametrize("kind", SETTINGS)
def test_broken_settings_are_said_with_the_place_and_stay_as_they_are(
    home: Path, starts: Starts, ollama: OllamaProgram, kind: str
) -> None:
    written, said = SETTINGS[kind]
    (home / "settings.yaml").write_bytes(written)

    program = starts(home, ollama.host)
    line = program.await_("settings.yaml")
    program.type("one")
    program.await_("Answer to one.")

    assert re.search(said, line)
    assert program.close() == 0
    assert (home / "settings.yaml").read_bytes() == written
