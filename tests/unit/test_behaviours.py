"""Every promise has a test, every marked test a promise; the same for the known bugs of voice assistants."""

import json

from tests.behaviours import PROMISES
from tests.marks import DATA, marked
from tests.voice_bugs import AREAS, REASONS


def test_every_promise_has_a_test_and_every_such_test_a_promise() -> None:
    proved = {number for arguments in marked("promise") for number in arguments}

    problems = [f"{number} has no test: {PROMISES[number]}" for number in sorted(set(PROMISES) - proved)]
    problems += [
        f"{number} has a test, but is not in tests/behaviours.py" for number in proved - set(PROMISES)
    ]
    assert not problems, "\n".join(problems)


def test_every_known_voice_bug_has_a_test_or_a_reason_why_it_cannot_occur() -> None:
    bugs = [
        json.loads(line) for line in (DATA / "cases" / "voice_bugs.jsonl").read_text("utf-8").splitlines()
    ]
    covered = [*marked("voice_bug"), *REASONS]

    def covers(mark: tuple[str, ...], bug: dict[str, str]) -> bool:
        return mark[0] == bug["area"] and bug["symptom"].startswith(mark[1])

    problems = [
        f"no test or reason for {bug['area']}: {bug['symptom']}"
        for bug in bugs
        if bug["area"] in AREAS and not any(covers(mark, bug) for mark in covered)
    ]
    problems += [
        f"{mark} does not name one bug of the list, but {fits}"
        for mark in covered
        if (fits := sum(covers(mark, bug) for bug in bugs)) != 1
    ]
    assert not problems, "\n".join(problems)


def test_a_bug_that_has_a_test_needs_no_reason() -> None:
    tested = [*marked("voice_bug")]

    assert [
        reason for reason in REASONS if any(a == reason[0] and reason[1].startswith(s) for a, s in tested)
    ] == []
