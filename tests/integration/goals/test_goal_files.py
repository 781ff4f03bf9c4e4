"""Goals as files: one sentence is one goal, people edit them, nothing of theirs is lost."""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from jarvis_desktop.adapters.goal_files import GoalFiles
from jarvis_desktop.core.goals.naming import goal_id
from jarvis_desktop.core.items.goals import Goal, GoalId, GoalState, PastCall
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId
from tests.fakes.clock import START

SENTENCE = "조건 및 가장 좋은 원리금 납부액을 추천하는 공고만 알려줘"


def goal(sentence: str = SENTENCE, agent_id: AgentId = MAIN_AGENT) -> Goal:
    return Goal(goal_id(agent_id, sentence), agent_id, sentence, "Asia/Seoul", START)


def written(path: Path, **said: object) -> None:
    """A person's own file, or what they changed in one."""
    before = json.loads(path.read_text("utf-8")) if path.exists() else {}
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({**before, **said}, ensure_ascii=False), "utf-8")


@pytest.mark.promise("G-118")
@pytest.mark.promise("G-022")
@pytest.mark.promise("G-051")
def test_the_same_sentence_in_other_spaces_and_case_is_one_goal_in_one_file(tmp_path: Path) -> None:
    files = GoalFiles(tmp_path)
    first, new = files.give(goal("Tell me NEW notices"))
    again, new_again = files.give(goal(" tell  me new notices "))
    assert (new, new_again, again) == (True, False, first)
    assert [path.name for path in (tmp_path / "goals").iterdir()] == [f"{first.goal_id}.json"]


def test_the_file_says_everything_and_is_read_back_the_same(tmp_path: Path) -> None:
    calls = (PastCall("housing_budget", {"picks_only": True}),)
    kept = replace(goal(), last_calls=calls, seen="f" * 64)
    GoalFiles(tmp_path).give(kept)
    assert GoalFiles(tmp_path).look().goals == (kept,)
    assert json.loads((tmp_path / kept.file).read_text("utf-8")) == {
        "id": kept.goal_id,
        "agent": "main",
        "goal": SENTENCE,
        "cron": "0 9-21 * * *",
        "zone": "Asia/Seoul",
        "state": "active",
        "snoozed_until": None,
        "created_at": "2026-12-01T09:00:00+00:00",
        "last_calls": [{"name": "housing_budget", "arguments": {"picks_only": True}}],
        "seen": "f" * 64,
    }


def test_a_goal_that_was_stopped_is_active_again_when_it_is_given_again(tmp_path: Path) -> None:
    files = GoalFiles(tmp_path)
    files.give(goal())
    files.change(goal().goal_id, lambda one: replace(one, state=GoalState.STOPPED))
    assert files.give(goal()) == (goal(), False)


def test_what_people_edit_counts_at_the_next_look_and_stays_when_we_write(tmp_path: Path) -> None:
    files = GoalFiles(tmp_path)
    kept, _ = files.give(goal())
    path = tmp_path / kept.file
    written(path, goal="서울 공고만 알려줘", note="mine", cron="0 8 * * *")
    assert files.find(kept.goal_id) == replace(kept, sentence="서울 공고만 알려줘", cron="0 8 * * *")
    files.change(kept.goal_id, lambda one: replace(one, seen="x"))
    said = json.loads(path.read_text("utf-8"))
    assert (said["note"], said["goal"], said["seen"]) == ("mine", "서울 공고만 알려줘", "x")
    # Given in the words that it has now, it is still the same goal.
    assert files.give(goal("서울 공고만  알려줘"))[0].goal_id == kept.goal_id


def test_a_file_written_over_in_its_place_is_noticed_when_every_file_is_looked_at(tmp_path: Path) -> None:
    files = GoalFiles(tmp_path)
    kept, _ = files.give(goal())
    path = tmp_path / kept.file
    old = (START.timestamp(), START.timestamp())
    os.utime(path.parent, old)
    assert files.look().goals == (kept,)
    written(path, cron="30 7 * * *")
    assert files.look().goals == (kept,)  # nothing in the folder says so: the watcher's and the tick's work
    changed = replace(kept, cron="30 7 * * *")
    assert files.look(every_file=True).goals == (changed,)
    assert files.look() is files.look()
    written(path, cron="0 7 * * *")
    files.distrust()
    assert files.look().goals[0].cron == "0 7 * * *"


def test_files_that_come_and_go_in_a_folder_made_later_count_at_once(tmp_path: Path) -> None:
    files = GoalFiles(tmp_path)
    assert files.look().goals == ()
    for name in ("b", "a"):
        written(
            tmp_path / f"goals/{name}.json",
            agent="main",
            goal=f"{name}만 알려줘",
            created_at=START.isoformat(),
        )
        assert GoalId(name) in {one.goal_id for one in files.look().goals}
    (tmp_path / "goals/b.json").unlink()
    assert [one.goal_id for one in files.look().goals] == ["a"]
    assert (files.find(GoalId("b")), files.find(GoalId("a"))) == (None, files.look().goals[0])


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("", 1, "no JSON"),
        ("{\n'a': 1}", 2, "no JSON"),
        ("[]", 1, "object in braces"),
        ("[" * 100_000, 0, "nested too deeply"),
        ('{\n "agent": "main",\n "goal": "",\n "created_at": "2026-12-01T09:00:00Z"\n}', 3, "goal: "),
        ('{"agent": "main", "goal": "  ", "created_at": "2026-12-01T09:00:00Z"}', 1, "nothing is said"),
        ('{"agent": "main", "goal": "x"}', 0, "created_at: "),
        ('{"agent": "main", "goal": "x", "created_at": "2026-12-01T09:00:00"}', 1, "created_at: "),
        (
            '{"agent": "main", "goal": "x", "created_at": "2026-12-01T09:00:00Z",\n"zone": "Mars/Base"}',
            2,
            '"Mars/Base"',
        ),
        (
            '{"agent": "main", "goal": "x", "created_at": "2026-12-01T09:00:00Z",\n"state": "snoozed"}',
            2,
            "how long",
        ),
        ('{"agent": "main", "goal": "x", "created_at": "2026-12-01T09:00:00Z",\n"state": "on"}', 2, "state"),
    ],
)
def test_a_file_that_is_no_goal_is_named_with_its_line_and_stops_no_other(
    tmp_path: Path, text: str, line: int, found: str
) -> None:
    files = GoalFiles(tmp_path)
    kept, _ = files.give(goal())
    (tmp_path / "goals/bad.json").write_text(text, "utf-8")
    read = files.look()
    (problem,) = read.problems
    assert (read.goals, problem.file, problem.line) == ((kept,), "goals/bad.json", line)
    assert found in problem.found
    (tmp_path / "goals/bad.json").unlink()
    assert files.look().problems == ()


def test_a_broken_file_of_the_goal_that_is_given_is_put_aside_and_not_lost(tmp_path: Path) -> None:
    files = GoalFiles(tmp_path)
    path = tmp_path / goal().file
    path.parent.mkdir()
    path.write_text("{ half", "utf-8")
    assert files.give(goal()) == (goal(), True)
    (aside,) = path.parent.glob("*.broken-*")
    assert (aside.read_text("utf-8"), files.look().problems) == ("{ half", ())


def test_what_cannot_be_read_or_is_far_too_large_is_said_and_does_not_count(tmp_path: Path) -> None:
    files = GoalFiles(tmp_path)
    (tmp_path / "goals").mkdir()
    (tmp_path / "goals/latin.json").write_bytes(b'{"goal": "\xff"}')
    (tmp_path / "goals/large.json").write_bytes(b" " * (1 << 20) + b"{}")
    (tmp_path / "goals/folder.json").mkdir()
    found = {problem.file: problem.found for problem in files.look().problems}
    assert (found["goals/latin.json"], found["goals/large.json"]) == (
        "this is no UTF-8 text",
        "the file is larger than a goal can be",
    )
    assert found["goals/folder.json"].startswith("it cannot be read")


def test_giving_from_several_threads_at_once_leaves_one_whole_goal(tmp_path: Path) -> None:
    files = GoalFiles(tmp_path)
    with ThreadPoolExecutor(4) as pool:
        given = list(pool.map(lambda _: files.give(goal()), range(20)))
    assert sum(new for _, new in given) == 1
    assert (files.look().goals, len(list((tmp_path / "goals").iterdir()))) == ((goal(),), 1)


@pytest.mark.goal_bug("edit", "Two executions at one instant")
def test_twenty_edits_of_sentence_and_times_leave_one_goal(tmp_path: Path) -> None:
    files = GoalFiles(tmp_path)
    kept, _ = files.give(goal())
    for number in range(20):
        files.change(
            kept.goal_id,
            lambda one, number=number: replace(one, sentence=f"{number}만 알려줘", cron=f"{number} 9 * * *"),  # type: ignore[misc]  # bound at once
        )
    assert [(one.goal_id, one.sentence, one.cron) for one in GoalFiles(tmp_path).look().goals] == [
        (kept.goal_id, "19만 알려줘", "19 9 * * *")
    ]


def test_a_number_of_thousands_of_digits_is_a_problem_of_its_file_only(tmp_path: Path) -> None:
    files = GoalFiles(tmp_path)
    files.give(goal())
    (tmp_path / "goals" / "x.json").write_text('{"agent": ' + "9" * 5000 + "}", "utf-8")

    read = files.look(every_file=True)

    assert read.goals == (goal(),)
    assert [(one.file, one.found) for one in read.problems] == [
        ("goals/x.json", "a number in it is too long")
    ]


def test_what_is_no_plain_file_is_neither_waited_for_nor_read_without_end(tmp_path: Path) -> None:
    files = GoalFiles(tmp_path)
    files.give(goal())
    os.mkfifo(tmp_path / "goals" / "pipe.json")
    (tmp_path / "goals" / "zero.json").symlink_to("/dev/zero")

    read = files.look(every_file=True)

    assert read.goals == (goal(),)
    assert [one.file for one in read.problems] == ["goals/pipe.json", "goals/zero.json"]
    assert all("not a regular file" in one.found for one in read.problems)


def test_a_file_whose_name_no_job_can_have_is_a_problem_and_no_goal(tmp_path: Path) -> None:
    files = GoalFiles(tmp_path)
    kept, _ = files.give(goal())
    text = (tmp_path / kept.file).read_text("utf-8")
    (tmp_path / "goals" / "a (copy).json").write_text(text, "utf-8")

    read = files.look(every_file=True)

    assert read.goals == (kept,)
    assert [one.file for one in read.problems] == ["goals/a (copy).json"]


@pytest.mark.parametrize(
    ("name", "said"),
    [("snoozed_until", "9999-12-31T23:59:59Z"), ("created_at", "0001-01-01T00:00:00+09:00")],
)
def test_a_time_at_an_end_of_the_calendar_is_a_problem_with_its_line(
    tmp_path: Path, name: str, said: str
) -> None:
    files = GoalFiles(tmp_path)
    kept, _ = files.give(replace(goal(), state=GoalState.SNOOZED, snoozed_until=START))
    path = tmp_path / kept.file
    lines = path.read_text("utf-8").splitlines()
    number = next(place for place, line in enumerate(lines) if f'"{name}"' in line)
    lines[number] = f'  "{name}": "{said}",'
    path.write_text("\n".join(lines), "utf-8")

    (problem,) = GoalFiles(tmp_path).look().problems

    assert (problem.line, problem.found) == (number + 1, f"{name}: the year is one from 1000 to 8999")


def test_words_that_were_edited_away_make_a_goal_of_their_own(tmp_path: Path) -> None:
    files = GoalFiles(tmp_path)
    given, _ = files.give(goal())
    files.change(given.goal_id, lambda one: replace(one, sentence="second", state=GoalState.STOPPED))
    first, new = files.give(goal())
    assert (new, first.sentence, first.goal_id) == (True, given.sentence, f"{given.goal_id}-2")
    assert files.give(goal()) == (first, False)
    assert [(one.sentence, one.state) for one in GoalFiles(tmp_path).look().goals] == [
        ("second", GoalState.STOPPED),
        (given.sentence, GoalState.ACTIVE),
    ]
    assert files.give(replace(given, sentence="second"))[0].goal_id == given.goal_id
