"""From a question to its rule, its use, its place in the log, and back: real files, database, commands."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from jarvis_desktop.adapters.sqlite_store import SqliteStore, open_store
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.core.items.audit import Outcome
from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.decisions import Answer, AnsweredBy
from jarvis_desktop.core.items.rules import Rule, RuleLine
from jarvis_desktop.core.turn.audit_trail import AuditTrail
from jarvis_desktop.core.turn.tool_runner import ToolRunner
from tests.fakes.texts import PlainTexts
from tests.integration.decision.room import Room
from tests.integration.rules_cli.conftest import Cli

UNAME = RuleLine("bash", "uname -m")


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    (tmp_path / "home" / ".jarvis").mkdir(parents=True)
    opened = await open_store(tmp_path / "home" / ".jarvis" / "jarvis.db", SystemClock(), PlainTexts())
    yield opened.store
    await opened.store.close()


def recorded(room: Room, store: SqliteStore) -> Room:
    """The room, with its decisions written down as the program writes them."""
    runner = room.runner
    trail = AuditTrail(store, SystemClock())
    room.runner = ToolRunner(runner._registry, room.broker, room.reading, runner._reports, trail=trail)
    return room


@pytest.mark.promise("T-018", "T-057", "T-059", "T-077", "T-092")
async def test_always_is_remembered_used_traced_listed_and_taken_back_mid_run(
    tmp_path: Path, store: SqliteStore
) -> None:
    room = recorded(Room(tmp_path, [Answer.ALWAYS, Answer.DENY]), store)
    await room.bash("uname -m")  # asked: always
    await room.bash("uname -m")  # covered
    await room.bash("ls")  # asked: no
    await room.bash("sudo id")  # blocked

    always, covered, denied, blocked = await store.entries()
    assert [entry.outcome for entry in (always, covered, denied, blocked)] == [
        Outcome.ALWAYS,
        Outcome.ALLOWED,
        Outcome.DENIED,
        Outcome.BLOCKED,
    ]
    assert [entry.subject.shown for entry in (always, denied, blocked)] == ["uname -m", "ls", "sudo id"]
    assert always.ground.saved == (UNAME,)
    assert always.ground.question_id == room.questions[0].question_id
    assert covered.ground.rules == (Rule(UNAME, "approvals/main.yaml", 2),)
    assert (denied.ground.by, blocked.ground.source) == (AnsweredBy.WINDOW, "danger:privilege")
    results = [entry.result.status if entry.result else None for entry in (always, covered, denied, blocked)]
    assert results == [ResultStatus.OK, ResultStatus.OK, None, None]

    cli = Cli(room.home)  # beside the program, which goes on
    (listed,) = (json.loads(line) for line in cli("rules", "list", "--json").stdout.splitlines())
    assert (listed["created_by"], listed["count"]) == (always.entry_id, 1)
    assert cli("rules", "revoke", "bash: uname -m").returncode == 0
    room.answers.append(Answer.DENY)
    assert (await room.bash("uname -m")).status is ResultStatus.DENIED
    assert len(room.questions) == 3
    shown = cli("audit", "--json").stdout.splitlines()
    assert [json.loads(line)["outcome"] for line in shown] == [
        "always",
        "allowed",
        "denied",
        "blocked",
        "denied",
    ]
