"""Every labelled command and path gets a verdict that a sound build may give."""

from typing import Any

import pytest

from jarvis_desktop.core.items.rules import Rule, RuleLine
from jarvis_desktop.core.policy.judge import judge
from jarvis_desktop.core.policy.paths import Place
from jarvis_desktop.core.policy.rules import rule_set
from tests.unit.policy3.support import DEFAULT_DANGER, command_facts, facts_of, rows, rules

LINKS = {
    "docs/link -> /home/u/.ssh": {"/home/u/proj/docs/link": "/home/u/.ssh"},
    "docs -> /home/u/other; rule saved while docs was a real directory": {
        "/home/u/proj/docs": "/home/u/other"
    },
    "docs/new -> /tmp/y (missing)": {"/home/u/proj/docs/new": "/tmp/y"},
}
RULE_FILES = (
    "/home/u/.jarvis/approvals.yaml",
    "/home/u/.jarvis/extensions.yaml",
    "/home/u/.jarvis/approvals/main.yaml",
    "~/.jarvis/extensions.yaml",
    "~/.jarvis/approvals.yaml",
    "$HOME/.jarvis/approvals/main.yaml",
    "../.jarvis/approvals.yaml",
)


def spelled(row: dict[str, Any]) -> list[str]:
    """The commands of a case: one for each spelling of a rule file."""
    if "@RULES@" not in row["command"]:
        return [row["command"]]
    files = RULE_FILES if row["tool"] == "bash" else (*RULE_FILES[:3], RULE_FILES[-1])
    return [row["command"].replace("@RULES@", file) for file in files]


@pytest.mark.promise("T-024", "T-084", "T-085", "T-093", "T-177", "T-178", "T-181")
@pytest.mark.parametrize("row", rows("shell_cases.jsonl"), ids=lambda row: row["id"])
def test_a_labelled_call_gets_the_verdict_that_its_label_names(row: dict[str, Any]) -> None:
    given = rule_set(Rule(RuleLine(rule["tool"], rule["pattern"])) for rule in row["rules"])
    for command in spelled(row):
        verdict = judge(facts_of(row["tool"], command, LINKS.get(row["setup"])), given, DEFAULT_DANGER)
        assert verdict.kind in (row["verdict"], *row["also_ok"]), (command, verdict)
        if row["verdict"] == "block" and not row["also_ok"]:
            assert verdict.source.startswith("danger:")


@pytest.mark.promise("T-181")
@pytest.mark.parametrize("home", ["/tmp/zz/home/u", "/var/home/u", "/root", "/Users/u"])
def test_home_and_working_folder_are_precious_wherever_they_lie(home: str) -> None:
    place = Place(cwd=f"{home}/proj", home=home, app_home=f"{home}/.jarvis")
    wrong = []
    for row in [*rows("shell_cases.jsonl"), *rows("more_shell_cases.jsonl")]:
        if row["tool"] != "bash" or row.get("setup"):
            continue
        command = row["command"].replace("@RULES@", "~/.jarvis/approvals.yaml").replace("/home/u", home)
        given = rules(
            *(one if isinstance(one, str) else f"{one['tool']} {one['pattern']}" for one in row["rules"])
        )
        verdict = judge(command_facts(command, place=place), given, DEFAULT_DANGER)
        if verdict.kind not in (row["verdict"], *row["also_ok"]):
            wrong.append((command, row["verdict"], verdict))
    assert [one for one in wrong if one[1] == "block" or one[2].kind != "ask"] == []


@pytest.mark.promise("T-084", "T-085", "T-181")
def test_more_commands_of_the_same_kinds_get_the_right_verdict() -> None:
    wrong = []
    for row in rows("more_shell_cases.jsonl"):
        verdict = judge(facts_of(row["tool"], row["command"]), rules(*row["rules"]), DEFAULT_DANGER)
        if verdict.kind not in (row["verdict"], *row["also_ok"]):
            wrong.append((row["rules"], row["command"], row["verdict"], verdict))
    assert wrong == []
