"""The real program as a process of its own, and what can be seen of it from outside."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import psutil

from jarvis_desktop.core.voice.wake_gate import DEAF_S
from tests.e2e.desk import Desk
from tests.e2e.sound import Room
from tests.e2e.waiting import eventually, holds_for

ROOT = Path(__file__).parents[2]
TITLE = "Jarvis"
T = TypeVar("T")

START_S = 30.0
QUIT_S = 3.0
EARS_READY = "the ears are ready"


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """One turn as it stands in the database."""

    text: str
    reply: str
    state: str
    end: str | None
    origin: str


@dataclass(slots=True)
class Home:
    """Where one program keeps everything; it stays when the program ends."""

    folder: Path
    work: Path
    """Folder in which its conversations work."""
    env: dict[str, str] = field(default_factory=dict)

    @property
    def leap(self) -> Path:
        """Making this file ends the program's long waits."""
        return self.folder.parent / "leap"

    @property
    def wall(self) -> Path:
        """Hours by which the program's wall clock is wrong."""
        return self.folder.parent / "wall"

    def set_wall_clock(self, hours: float) -> None:
        """Somebody sets the machine's clock."""
        fresh = self.wall.with_suffix(".part")
        fresh.write_text(str(hours), "ascii")
        fresh.replace(self.wall)

    def settings(self) -> dict[str, str]:
        """The environment that says so to the program."""
        return {
            "JARVIS_HOME": str(self.folder),
            "JARVIS_AGENT__WORKING_DIRECTORY": str(self.work),
            "JARVIS_E2E_LEAP": str(self.leap),
            "JARVIS_E2E_WALL": str(self.wall),
        } | self.env

    def _rows(self, query: str) -> list[tuple[Any, ...]]:
        path = self.folder / "jarvis.db"
        if not path.exists():
            return []
        database = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=5)
        try:
            return database.execute(query).fetchall()
        except sqlite3.OperationalError:  # the tables are not there yet
            return []
        finally:
            database.close()

    @property
    def turns(self) -> tuple[StoredTurn, ...]:
        """All turns, oldest first."""
        return tuple(
            StoredTurn(*row)
            for row in self._rows("SELECT text, reply, state, end, origin FROM turns ORDER BY number")
        )

    @property
    def activity(self) -> tuple[str, ...]:
        """Lines of the activity list, oldest first."""
        return tuple(str(row[0]) for row in self._rows("SELECT text FROM activity ORDER BY number"))

    @property
    def sound(self) -> bool:
        """The database is whole."""
        return self._rows("PRAGMA integrity_check") == [("ok",)]

    @property
    def log(self) -> tuple[dict[str, Any], ...]:
        """Records of the log."""
        try:
            lines = (self.folder / "logs/jarvis.log").read_text("utf-8").split("\n")[:-1]
        except FileNotFoundError:
            return ()
        return tuple(json.loads(line) for line in lines)

    def logged(self, event: str, since: datetime) -> bool:
        """A record with this sentence was written since then."""
        return any(one["event"] == event and datetime.fromisoformat(one["at"]) >= since for one in self.log)

    @property
    def faults(self) -> tuple[dict[str, Any], ...]:
        """Records that say that something in the program broke."""
        return tuple(record for record in self.log if record["level"] in ("error", "critical"))


class Program:
    """One start of the real program on a desk."""

    module = "tests.e2e.entry"
    """What is started; hands the program a clock whose long waits a test can end."""

    def __init__(self, home: Home, desk: Desk, room: Room | None, *arguments: str) -> None:
        self.home = home
        self.desk = desk
        self.room = room
        self._out = home.folder.parent / f"program-{time.monotonic_ns()}.out"
        self.started_s = time.monotonic()
        self.started_at = datetime.now(UTC)
        with self._out.open("wb") as out:
            self._process = subprocess.Popen(
                [sys.executable, "-m", self.module, *arguments],
                env=self.environment(),
                cwd=home.work,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )
        self.pid = self._process.pid

    def environment(self) -> dict[str, str]:
        """What the program is given; nothing of the machine's own desktop or sound."""
        room = (
            self.room.env
            if self.room
            else {"PULSE_SERVER": "unix:/nonexistent", "JARVIS_VOICE__ENABLED": "false"}
        )
        python = {"PYTHONPATH": str(ROOT)}
        return {**self.desk.env, **room, **python, **self.home.settings()}

    @property
    def output(self) -> str:
        """What it wrote to its terminal."""
        return self._out.read_text("utf-8", "replace")

    @property
    def running(self) -> bool:
        """It has not ended."""
        return self._process.poll() is None

    def await_(self, look: Callable[[], T | None], what: str, within_s: float = 20.0) -> T:
        """What ``look`` returned as soon as it was true, while the program runs."""

        def alive_and_true() -> T | None:
            found = look()
            assert found or self.running, f"the program ended ({self._process.returncode}) before: {what}"
            return found

        return eventually(alive_and_true, what, within_s)

    def in_tray(self) -> float:
        """Seconds from the start to its icon in the tray."""
        self.await_(self.desk.tray_items, "the icon is in the tray", START_S)
        return time.monotonic() - self.started_s

    def listens(self) -> None:
        """It has its models, records from the microphone, and has heard long enough to know silence."""
        room = self.room
        assert room is not None
        self.await_(lambda: self.home.logged(EARS_READY, self.started_at), "the models are loaded", START_S)
        self.await_(lambda: room.heard_by(self.pid), "the program records from the microphone", START_S)
        # The first scores of the wake word are not used: they come from noise.
        holds_for(lambda: room.heard_by(self.pid), "the program records", DEAF_S + 0.2)

    def children(self) -> tuple[int, ...]:
        """Processes that it has started, and theirs."""
        try:
            return tuple(one.pid for one in psutil.Process(self.pid).children(recursive=True))
        except psutil.NoSuchProcess:
            return ()

    def tell_to_quit(self) -> None:
        """What a session manager does at the end of the day."""
        self._process.send_signal(signal.SIGTERM)

    def ended(self, within_s: float = QUIT_S) -> tuple[int, float]:
        """Its exit status, and how long that took from now."""
        asked_s = time.monotonic()
        try:
            status = self._process.wait(within_s)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"the program did not end within {within_s} s") from None
        return status, time.monotonic() - asked_s

    def kill(self) -> None:
        """As by ``kill -9``; what it had started stays."""
        self._process.kill()
        self._process.wait(5)

    def clear_away(self) -> None:
        """Nothing of it runs any more, whatever happened."""
        left = self.children()
        if self.running:
            self._process.terminate()
            try:
                self._process.wait(QUIT_S + 1)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait(5)
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue


def second_start(
    program: Program, *arguments: str, within_s: float = 20
) -> "subprocess.CompletedProcess[str]":
    """The same program started once more in the same home, from its own command line."""
    return subprocess.run(
        [sys.executable, "-m", "jarvis_desktop", *arguments],
        env=program.environment(),
        cwd=program.home.work,
        capture_output=True,
        text=True,
        timeout=within_s,
        check=False,
    )


def fresh_home(folder: Path, models: Path | None, env: Mapping[str, str]) -> Home:
    """An empty home with the speech models in it, whose setup is over."""
    home, work = folder / "home", folder / "work"
    home.mkdir(mode=0o700)
    (home / "setup.yaml").write_text("finished: true\n")
    work.mkdir()
    if models is not None:
        (home / "models").symlink_to(models)
    return Home(home, work, dict(env))
