"""Kill -9 while writing: everything that was acknowledged is there afterwards."""

import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from jarvis_desktop.adapters.sqlite_rows import MOST_TURNS
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
    sys.stdin.readline()  # so that only one writer at a time uses the processor
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


@contextmanager
def started(db: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """A writer that is gone afterwards, whatever happens."""
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(db)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as writer:
        try:
            yield writer
        finally:
            writer.kill()


def killed_after(writer: "subprocess.Popen[bytes]", lines: int) -> list[list[str]]:
    """Everything the writer acknowledged until SIGKILL reached it, a little after ``lines`` lines."""
    assert writer.stdin is not None
    assert writer.stdout is not None
    writer.stdin.write(b"go\n")
    writer.stdin.flush()
    heard = [writer.stdout.readline() for _ in range(lines)]
    writer.send_signal(signal.SIGKILL)
    heard += writer.stdout.readlines()
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


async def check_next_start(db: Path, acknowledged: list[list[str]]) -> None:
    """The next start shows what was acknowledged and reports the turn that was cut."""
    opened = await open_store(db, FakeClock(), PlainTexts())
    restored = await opened.store.restore(MAIN_AGENT, db.parent)
    await opened.store.close()

    what, turn, *_ = acknowledged[-1]
    assert opened.set_aside is None
    assert len(restored.interrupted) <= 1
    if what != "ended":
        assert all(cut.turn_id == turn for cut in restored.interrupted)
    # One turn may have been stored after the last word that got through.
    newest = list(dict.fromkeys(turn for _, turn, *_ in acknowledged))[1 - MOST_TURNS :]
    assert {line.turn_id for line in restored.lines} >= set(newest)


async def test_no_acknowledged_write_is_lost_when_the_program_is_killed(tmp_path: Path) -> None:
    rng = random.Random(20261201)
    # One file per writer, several rounds on each, so that starting Python is overlapped.
    files = [tmp_path / f"{number}.db" for number in range(AT_ONCE)]
    for _ in range(ROUNDS // AT_ONCE):
        with ExitStack() as writers:
            for db, writer in [(db, writers.enter_context(started(db))) for db in files]:
                acknowledged = killed_after(writer, rng.randint(1, 40))
                check_acknowledged(db, acknowledged)
                await check_next_start(db, acknowledged)
