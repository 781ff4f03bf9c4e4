"""What ALWAYS offers is narrow, exact and never dangerous."""

from typing import Any

import pytest

from jarvis_desktop.core.items.rules import Rule, RuleLine
from jarvis_desktop.core.policy.call_facts import OtherFacts
from jarvis_desktop.core.policy.judge import judge
from jarvis_desktop.core.policy.proposals import examples, proposal, propose
from jarvis_desktop.core.policy.rules import rule_set
from tests.unit.policy3.support import DEFAULT_DANGER, PLACE, command_facts, facts_of, rows


def offered(tool: str, command: str) -> list[str] | None:
    lines = propose(facts_of(tool, command), DEFAULT_DANGER)
    return None if lines is None else [line.pattern for line in lines]


@pytest.mark.promise("T-083")
@pytest.mark.parametrize("row", rows("always_proposals.jsonl"), ids=lambda row: row["id"])
def test_always_offers_what_the_label_names(row: dict[str, Any]) -> None:
    assert offered(row["tool"], row["command"]) in [row["propose"], *row["also_ok"]]


@pytest.mark.promise("T-093")
@pytest.mark.parametrize(
    "command",
    [
        "python3 -m pytest",
        "python3 -u a.py",
        "pip install x",
        "npm i",
        "uv add x",
        "apt install x",
        "cargo install x",
        "go run x",
        "rm x",
        "cp a b",
        "tee a",
        "chmod +x a",
        "ssh host",
        "wget x",
        "git clone x",
        "git reset x",
        "make",
        "make -j4 all",
        "uv run python x.py",
        "docker run x",
        "kubectl delete x",
        "systemctl stop x",
        "code .",
        "vim x",
        "cd sub",
        "export A",
        "ls > x",
        "ls *",
        "ls $X",
        "ls {a,b}",
        "ls 'a\nb'",
        "git stаtus",
        "a; b; c; d; e; f",
        "cat ~/.ssh/config",
        "git diff --output=x",
        "env ls",
        "time ls",
        "sudo ls",
        "kill 1",
        "busybox ls",
        "sqlite3 a b",
    ],
)
def test_nothing_is_offered_where_remembering_is_not_safe(command: str) -> None:
    assert offered("bash", command) is None


@pytest.mark.promise("T-083")
def test_a_word_with_a_blank_is_offered_so_that_the_rule_means_it() -> None:
    assert offered("bash", 'cat "my notes.md" x') == ["cat 'my notes.md'"]


@pytest.mark.promise("T-085")
def test_for_a_file_its_folder_is_offered_as_an_absolute_path() -> None:
    assert offered("write_file", "src/app/x.py") == ["/home/u/proj/src/app/*"]
    assert offered("edit_file", "docs/[x]/a.md") == ["/home/u/proj/docs/[[]x]/*"]


@pytest.mark.parametrize(
    "path", ["/etc/hosts", ".git/x", "../.bashrc", "/tmp/x", "../.jarvis/settings.yaml", "a\nb/x"]
)
def test_no_folder_is_offered_that_no_rule_may_cover(path: str) -> None:
    assert offered("write_file", path) is None


@pytest.mark.promise("T-086")
def test_for_any_other_tool_the_whole_tool_is_offered() -> None:
    assert propose(OtherFacts("web_fetch", PLACE), DEFAULT_DANGER) == (RuleLine("web_fetch", "*"),)


def test_a_project_runner_is_offered_with_the_remark_that_the_project_decides() -> None:
    runner, reader = (
        proposal(command_facts("npm test"), DEFAULT_DANGER),
        proposal(command_facts("ls -la"), DEFAULT_DANGER),
    )
    assert runner is not None
    assert reader is not None
    assert (runner.project_decides, reader.project_decides) == (True, False)


@pytest.mark.promise("T-091")
@pytest.mark.parametrize("command", ["git status --short", "ls", "npm test", "cat 'a b'", "grep -rn x src"])
def test_the_examples_of_a_proposal_say_what_the_rule_then_does(command: str) -> None:
    lines = propose(command_facts(command), DEFAULT_DANGER)
    assert lines is not None
    passes, asks = examples(lines[0])
    saved = rule_set(Rule(line) for line in lines)
    assert [judge(command_facts(text), saved, DEFAULT_DANGER).kind for text in (*passes, *asks)] == [
        "allow"
    ] * 3 + ["ask"] * 3


@pytest.mark.promise("T-091")
def test_the_examples_of_a_folder_say_what_the_rule_then_does() -> None:
    line = RuleLine("write_file", "/home/u/proj/docs/*")
    passes, asks = examples(line)
    saved = rule_set([Rule(line)])
    kinds = [judge(facts_of("write_file", path), saved, DEFAULT_DANGER).kind for path in (*passes, *asks)]
    assert kinds == ["allow"] * 3 + ["ask"] * 3
