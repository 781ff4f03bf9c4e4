"""Kill -9 while writing: everything that was acknowledged is there afterwards."""

import random
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

from jarvis_desktop.adapters.sqlite_store import open_store
from jarvis_desktop.core.items.ids import MAIN_AGENT
from tests.fakes.clock import FakeClock
from tests.fakes.texts import PlainTexts

WRITER = """
import asyncio, os, sys
from pathlib import Path
from jarvis_desktop.adapters.sqlite_store import open_store
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.core.items.ids import MAIN_AGENT, TurnId, fresh_id
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Origin, TurnEnd, TurnRequest
from tests.fakes.texts import PlainTexts

async def main():
    db, clock = Path(sys.argv[1]), SystemClock()
    store = (await open_store(db, clock, PlainTexts())).store
    session = (await store.restore(MAIN_AGENT, db.parent)).conversation.session_id
    def acknowledge(*words):
        os.write(1, (" ".join(words) + "\\n").encode())
    while True:
        turn = TurnId(fresh_id())
        await store.begin_turn(TurnRequest(
            turn, session, MAIN_AGENT, "ask " + turn, Origin.TYPED, Language.ENGLISH, db.parent, clock.now()))
        acknowledge("begun", turn)
        for length in range(1, 6):
            await store.set_reply(turn, "word " * length)
            acknowledge("reply", turn, str(length))
        await store.end_turn(turn, TurnEnd.ANSWERED, "whole")
        acknowledge("ended", turn)

asyncio.run(main())
"""
ROUNDS = 30
AT_ONCE = 6


def started(db: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(db)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )


def killed_after(writer: "subprocess.Popen[bytes]", lines: int) -> list[list[str]]:
    """Everything the writer acknowledged until SIGKILL reached it, a little after ``lines`` lines."""
    assert writer.stdout is not None
    heard = [writer.stdout.readline() for _ in range(lines)]
    writer.send_signal(signal.SIGKILL)
    heard += writer.stdout.readlines()
    writer.stdout.close()
    writer.wait(10)
    assert heard[0], "the writer never began"
    return [line.decode().split() for line in heard if line.endswith(b"\n")]


def check_acknowledged(db: Path, acknowledged: list[list[str]]) -> None:
    """The database is whole and holds at least what was acknowledged."""
    connection = sqlite3.connect(db)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    found = {row[0]: row[1:] for row in connection.execute("SELECT id, text, reply, state FROM turns")}
    connection.close()
    for what, turn, *length in acknowledged:
        text, reply, state = found[turn]
        assert text == f"ask {turn}"
        if what == "reply":
            assert reply == "whole" or reply.count("word") >= int(length[0])
        if what == "ended":
            assert (reply, state) == ("whole", "ended")


async def test_no_acknowledged_write_is_lost_when_the_program_is_killed(tmp_path: Path) -> None:
    rng = random.Random(20261201)
    # One file per writer, several rounds on each, so that starting Python is overlapped.
    files = [tmp_path / f"{number}.db" for number in range(AT_ONCE)]
    for _ in range(ROUNDS // AT_ONCE):
        writers = [started(db) for db in files]
        for db, writer in zip(files, writers, strict=True):
            acknowledged = killed_after(writer, rng.randint(1, 40))
            check_acknowledged(db, acknowledged)
            last = acknowledged[-1]

            opened = await open_store(db, FakeClock(), PlainTexts())
            restored = await opened.store.restore(MAIN_AGENT, tmp_path)
            await opened.store.close()

            assert opened.set_aside is None
            assert len(restored.interrupted) <= 1
            if last[0] != "ended":
                assert all(turn.turn_id == last[1] for turn in restored.interrupted)
            assert {line.turn_id for line in restored.lines} >= {turn for _, turn, *_ in acknowledged}
