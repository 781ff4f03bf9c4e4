"""Every known bug of goals and schedules has a test, or says what it waits for."""

import json

from tests.goal_bugs import TO_COME
from tests.marks import DATA, marked

BUGS = [
    (bug["area"], bug["symptom"])
    for bug in map(json.loads, (DATA / "cases" / "goal_bugs.jsonl").read_text("utf-8").splitlines())
]


def named(mark: tuple[str, ...]) -> list[tuple[str, str]]:
    """The lines of the list that a mark means."""
    return [(area, symptom) for area, symptom in BUGS if mark[0] == area and symptom.startswith(mark[1])]


def test_every_line_of_the_list_has_a_test_or_waits_for_one_and_never_both() -> None:
    tested = {line for mark in marked("goal_bug") for line in named(mark)}
    waiting = {line for mark in TO_COME for line in named(mark)}

    problems = [f"neither tested nor waiting: {line}" for line in set(BUGS) - tested - waiting]
    problems += [f"has a test now, so it waits for none: {line}" for line in tested & waiting]
    assert not problems, "\n".join(problems)


def test_every_mark_names_one_line_of_the_list() -> None:
    wrong = [mark for mark in [*marked("goal_bug"), *TO_COME] if len(named(mark)) != 1]

    assert wrong == []
