"""The audit log page by page, beside the program that writes it."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta

import pytest

from jarvis_desktop.core.items.audit import AuditEntry, AuditResult, Outcome
from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.decisions import AnsweredBy
from jarvis_desktop.core.items.ids import AuditId
from jarvis_desktop.core.items.rule_desk import (
    AuditExported,
    AuditLooked,
    ExportAudit,
    LookAtAudit,
    LookAtRules,
    RulesLooked,
    RuleWish,
    RuleWishRefused,
)
from jarvis_desktop.core.items.rule_facts import AuditFilter
from jarvis_desktop.core.items.rules import Rule, RuleLine
from tests.fakes.audit import by_person, by_rule, subject
from tests.fakes.clock import START
from tests.parts.rules import RuleRoom

NPM = Rule(RuleLine("bash", "npm test"), "approvals/main.yaml", 3)
DAY = timedelta(days=1)


def looked(room: RuleRoom, wanted: AuditFilter, after: int | None = None) -> AuditLooked:
    return room.one(AuditLooked, LookAtAudit(1, wanted, after))


@pytest.fixture
def day(room: RuleRoom) -> list[AuditEntry]:
    """A few decisions, oldest first."""
    entries = [
        replace(by_person(at=START - 2 * DAY), subject=subject("보고서.md", "write_file")),
        by_person(Outcome.ALWAYS, (NPM.line,), START - DAY),
        replace(by_rule(NPM), subject=subject("npm test")),
        # The person edited the file: the same rule stands in another line now.
        replace(by_rule(replace(NPM, number=9)), subject=subject("NPM TEST -- --all")),
        by_person(Outcome.DENIED),
        replace(by_rule(), result=AuditResult(START, ResultStatus.ERROR)),
    ]
    room.record(entries)
    return entries


def test_without_a_database_there_are_no_decisions(room: RuleRoom) -> None:
    assert looked(room, AuditFilter()) == AuditLooked(1, (), None, 0, ())


def test_the_newest_decision_comes_first_with_its_result(room: RuleRoom, day: list[AuditEntry]) -> None:
    page = looked(room, AuditFilter())
    assert page.entries == tuple(reversed(day))
    assert (page.after, page.total, page.tools) == (None, 6, ("bash", "write_file"))


@pytest.mark.parametrize(
    ("wanted", "places"),
    [
        (AuditFilter(tool="write_file"), [0]),
        (AuditFilter(outcome=Outcome.DENIED), [4]),
        (AuditFilter(by=AnsweredBy.WINDOW), [4, 1, 0]),
        (AuditFilter(text="npm Test"), [3, 2]),
        (AuditFilter(text="보고서"), [0]),
        (AuditFilter(text="%"), []),
        (AuditFilter(within_s=3600), [5, 4, 3, 2]),
        (AuditFilter(rule=NPM), [3, 2]),
        (AuditFilter(by=AnsweredBy.RULE, text="status"), [5]),
    ],
)
def test_a_filter_narrows(
    room: RuleRoom, day: list[AuditEntry], wanted: AuditFilter, places: list[int]
) -> None:
    assert looked(room, wanted).entries == tuple(day[place] for place in places)
    assert looked(room, wanted).total == len(places)


def test_the_decision_that_made_a_rule_is_found_by_its_name(room: RuleRoom, day: list[AuditEntry]) -> None:
    assert looked(room, AuditFilter(entry_id=day[1].entry_id)).entries == (day[1],)


def test_ten_thousand_decisions_come_page_by_page_and_each_once(
    room: RuleRoom, day: list[AuditEntry]
) -> None:
    with closing(sqlite3.connect(room.home / "jarvis.db")) as connection:
        columns = [row[1] for row in connection.execute("PRAGMA table_info(audit)")][2:]
        names = ", ".join(columns)
        connection.execute(
            f"""INSERT INTO audit (id, {names})
                WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 10000)
                SELECT 'm' || n, {names} FROM many, (SELECT {names} FROM audit WHERE number = 1)"""
        )
        connection.commit()
    seen: list[AuditId] = []
    after: int | None = None
    for _ in range(3):
        page = looked(room, AuditFilter(), after)
        seen += [entry.entry_id for entry in page.entries]
        after = page.after
    assert page.total == 10_006
    assert seen == [f"m{number}" for number in range(10_000, 10_000 - 600, -1)]
    last = looked(room, AuditFilter(text="보고서", tool="write_file"), 8)
    assert [entry.entry_id for entry in last.entries] == ["m1", day[0].entry_id]
    assert last.after is None


def test_what_passes_the_filter_is_exported_as_json_lines(room: RuleRoom, day: list[AuditEntry]) -> None:
    path = room.top / "out.jsonl"
    told = room.one(AuditExported, ExportAudit(AuditFilter(rule=NPM), str(path)))
    assert told == AuditExported(str(path), 2)
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert [line["id"] for line in lines] == [day[2].entry_id, day[3].entry_id]
    assert path.stat().st_mode & 0o077 == 0


def test_an_export_that_cannot_be_written_says_where(room: RuleRoom, day: list[AuditEntry]) -> None:
    del day
    refused = room.one(RuleWishRefused, ExportAudit(AuditFilter(), str(room.top / "nowhere" / "out.jsonl")))
    assert refused.wish is RuleWish.EXPORT
    assert "nowhere" in refused.reason


def test_a_broken_database_is_told_and_the_rules_are_listed_all_the_same(room: RuleRoom) -> None:
    (room.home / "jarvis.db").write_bytes(b"no database at all" * 100)
    assert room.one(RuleWishRefused, LookAtAudit(1, AuditFilter())).wish is RuleWish.AUDIT
    facts = room.one(RulesLooked, LookAtRules()).facts
    assert len(facts.rules) == 4
    assert facts.trouble
