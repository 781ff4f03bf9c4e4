"""Listing, taking back and tracing what is remembered; every decision on record."""

import asyncio
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from jarvis_desktop.adapters.rule_files import RuleFiles
from jarvis_desktop.adapters.sqlite_store import open_store
from jarvis_desktop.app.audit_cmd import since_when
from jarvis_desktop.core.items.audit import AuditEntry, AuditResult, Outcome
from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.ids import MAIN_AGENT
from tests.fakes.audit import GIT, by_person, by_rule, subject
from tests.fakes.clock import START, FakeClock
from tests.fakes.texts import PlainTexts
from tests.integration.rules_cli.conftest import Cli

Put = Callable[[str, str], Path]
LATER = START + timedelta(hours=1)
DONE = AuditResult(LATER, ResultStatus.OK)


def record(cli: Cli, *entries: AuditEntry) -> None:
    """Put decisions into the database, as a running program does."""

    async def add() -> None:
        opened = await open_store(cli.app_home / "jarvis.db", FakeClock(), PlainTexts())
        for entry in entries:
            await opened.store.add(replace(entry, result=None))
            if entry.result is not None:
                await opened.store.add_result(entry.entry_id, entry.result)
        await opened.store.close()

    asyncio.run(add())


def listed(cli: Cli) -> list[dict[str, object]]:
    end = cli("rules", "list", "--json")
    assert (end.returncode, end.stderr) == (0, "")
    return [json.loads(line) for line in end.stdout.splitlines()]


def test_without_a_home_there_is_nothing_and_nothing_is_made(cli: Cli) -> None:
    assert cli("rules", "list").stdout == "No rules are remembered.\n"
    assert cli("audit").stdout == "No decisions are on record.\n"
    assert cli("audit", "--json").stdout == ""
    assert list(cli.home.iterdir()) == []


def test_a_listed_rule_shows_its_place_the_decision_that_made_it_and_its_use(
    cli: Cli, put: Put
) -> None:  # X43
    put("approvals.yaml", "rules:\n  - {tool: bash, pattern: bash -c}\n  - {tool: bash}\n")
    put("approvals/main.yaml", "# mine\nrules:\n  - {tool: bash, pattern: git status}\n")
    made = by_person(Outcome.ALWAYS, (GIT,))
    record(cli, made, by_rule(at=LATER), by_rule(at=LATER + timedelta(hours=1)))
    weak, git = listed(cli)
    assert git == {
        "number": 2,
        "tool": "bash",
        "pattern": "git status",
        "file": "approvals/main.yaml",
        "line": 3,
        "created": START.isoformat(),
        "created_by": made.entry_id,
        "last_used": None,
        "count": 0,
        "weak": None,
    } | {"last_used": (LATER + timedelta(hours=1)).isoformat(), "count": 2}
    assert (weak["pattern"], weak["weak"], weak["created"], weak["count"]) == (
        "bash -c",
        "runs-anything",
        None,
        0,
    )
    assert cli("rules", "list").stdout.splitlines() == [
        "  1  bash: bash -c (approvals.yaml, line 2)",
        "     written by hand, or before the audit log · never used",
        "     ! This program runs anything it is handed, so a rule on it never allows.",
        "  2  bash: git status (approvals/main.yaml, line 3)",
        "     made 2026-12-01 09:00 · used 2 times, last 2026-12-01 11:00",
        'Does not count: approvals.yaml, line 3: "pattern" is missing; this rule is skipped',
    ]


@pytest.mark.promise("T-092")
@pytest.mark.parametrize(
    "named",
    [
        ("2",),
        ("bash: git status",),
        ("bash:", "git", "status"),
        ("bash: git status (approvals/main.yaml, line 3)",),
    ],
)
def test_a_revoked_rule_is_gone_at_once_also_for_a_program_that_runs(
    cli: Cli, put: Put, named: tuple[str, ...]
) -> None:
    put("approvals.yaml", "rules:\n  - {tool: bash, pattern: ls -la}\n")
    own = put("approvals/main.yaml", "# mine\nrules:\n  - {tool: bash, pattern: git status}\n")
    running = RuleFiles(cli.app_home)
    assert len(running.load(MAIN_AGENT).rules.rules) == 2
    end = cli("rules", "revoke", *named)
    assert (end.returncode, end.stderr) == (0, "")
    assert end.stdout == "Forgotten: bash: git status (approvals/main.yaml, line 3)\n"
    assert "git status" not in own.read_text()
    assert [rule.line.pattern for rule in running.load(MAIN_AGENT).rules.rules] == ["ls -la"]


def test_a_rule_that_is_not_there_or_not_the_only_one_is_left_alone(cli: Cli, put: Put) -> None:
    put("approvals.yaml", "rules:\n  - {tool: bash, pattern: git status}\n")
    put("approvals/karen.yaml", "rules:\n  - {tool: bash, pattern: git status}\n")
    for named, said in (
        ("7", 'There is no rule "7". See "jarvis-desktop rules list".\n'),
        ("git", 'There is no rule "git". See "jarvis-desktop rules list".\n'),
        (
            "bash: git status",
            "Several rules read like that; give the number of one of them:\n"
            "  1  bash: git status (approvals.yaml, line 2)\n"
            "  2  bash: git status (approvals/karen.yaml, line 2)\n",
        ),
    ):
        end = cli("rules", "revoke", named)
        assert (end.returncode, end.stdout, end.stderr) == (1, "", said)
    assert len(listed(cli)) == 2


def test_every_decision_can_be_read_as_a_table_and_as_json_lines(cli: Cli) -> None:
    cli.app_home.mkdir()
    always = replace(by_person(Outcome.ALWAYS, (GIT,)), result=DONE)
    trick = replace(by_rule(at=LATER), subject=subject("echo \x1b[2J\nrm notes"))
    record(cli, always, trick)
    assert cli("audit").stdout.splitlines() == [
        "2026-12-01 09:00:00  main  bash  always allowed · answered by window · ok",
        "    git status",
        "2026-12-01 10:00:00  main  bash  allowed · rule:bash: git status (approvals/main.yaml, line 2)",
        "    echo ⟨U+001B⟩[2J rm notes",
    ]
    first, second = (json.loads(line) for line in cli("audit", "--json").stdout.splitlines())
    assert first == {
        "id": always.entry_id,
        "at": START.isoformat(),
        "session": "s1",
        "turn": "t1",
        "agent": "main",
        "call": "c1",
        "tool": "bash",
        "digest": "d1",
        "shown": "git status",
        "outcome": "always",
        "verdict": "ask",
        "source": "no-rule",
        "rules": [],
        "by": "window",
        "question": "q1",
        "window": "w1",
        "saved": [{"tool": "bash", "pattern": "git status"}],
        "result": "ok",
        "result_at": LATER.isoformat(),
    }
    assert second["rules"] == [
        {"tool": "bash", "pattern": "git status", "file": "approvals/main.yaml", "line": 2}
    ]
    assert (second["result"], second["result_at"]) == (None, None)
    since = cli("audit", "--json", "--since", "2026-12-01T09:30").stdout.splitlines()
    assert [json.loads(line)["id"] for line in since] == [trick.entry_id]


def test_reading_the_log_beside_a_running_program_leaves_its_database_alone(cli: Cli) -> None:
    cli.app_home.mkdir()
    record(cli, by_rule())
    with closing(sqlite3.connect(cli.app_home / "jarvis.db")) as running:
        running.execute("BEGIN IMMEDIATE")
        assert len(cli("audit", "--json").stdout.splitlines()) == 1
        running.execute("ROLLBACK")


def test_a_damaged_database_is_said_and_left_alone(cli: Cli) -> None:
    cli.app_home.mkdir()
    (cli.app_home / "jarvis.db").write_bytes(b"no database" * 100)
    end = cli("audit")
    assert (end.returncode, end.stdout) == (1, "")
    assert "it is damaged" in end.stderr
    assert not list(cli.app_home.glob("*.broken*"))


def test_since_takes_spans_dates_and_times() -> None:
    assert since_when("2h", START) == START - timedelta(hours=2)
    assert since_when(" 7d ", START) == START - timedelta(days=7)
    assert since_when("2026-12-01T09:00+00:00", START) == START
    assert since_when("2026-12-01", START).tzinfo is not None
    for text in ("", "soon", "5y", "2026-13-01"):
        with pytest.raises(ValueError, match=r".*"):
            since_when(text, START)


def test_a_since_that_means_no_time_is_wrong_usage(cli: Cli) -> None:
    end = cli("audit", "--since", "soon")
    assert end.returncode == 2
    assert "is no time" in end.stderr


def test_the_lists_speak_korean_where_the_person_does(cli: Cli, put: Put) -> None:
    put("settings.yaml", "ui:\n  language: ko\n")
    assert cli("rules", "list").stdout == "기억된 규칙이 없어요.\n"
    assert cli("audit").stdout == "기록된 결정이 없어요.\n"
