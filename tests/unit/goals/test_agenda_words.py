"""Every sentence of the agenda, in both languages."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.core.items.agenda import GoalFact
from jarvis_desktop.core.items.goals import Goal, GoalId, GoalOutcome, GoalRun, GoalState
from jarvis_desktop.core.items.ids import MAIN_AGENT
from jarvis_desktop.core.items.schedule import JobId, Run, RunEnd
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.ui import agenda_words

NOW = datetime(2026, 12, 1, 12, 0, tzinfo=UTC).astimezone().replace(hour=12)
RUN = GoalRun(GoalId("g"), NOW, GoalOutcome.TOLD, told=2)
EN, KO = Catalog(Language.ENGLISH), Catalog(Language.KOREAN)
ENGLISH = {
    GoalOutcome.TOLD: "2 things were told.",
    GoalOutcome.NOTHING: "Nothing was new.",
    GoalOutcome.ASKED: "You were asked something.",
    GoalOutcome.SKIPPED_UNCHANGED: "Nothing had changed, so no model was asked.",
    GoalOutcome.SKIPPED_WINDOW: "It was due outside its hours.",
    GoalOutcome.SKIPPED_BUDGET: "The budget was used up.",
    GoalOutcome.UNDELIVERED: "Something is new and waits until it can be told.",
    GoalOutcome.ERROR: "It failed.",
    GoalOutcome.INTERRUPTED: "It was cut off: Jarvis was closed, or you ended or paused it. "
    "It looks again when it is due, and at once with `/goal run g`.",
}


def hangul(text: str) -> bool:
    return any("가" <= char <= "힣" for char in text)


@pytest.mark.parametrize("outcome", GoalOutcome)
def test_every_row_of_the_history_is_a_sentence_in_both_languages(outcome: GoalOutcome) -> None:
    run = replace(RUN, outcome=outcome)
    said = agenda_words.run_sentence(run, EN)
    assert said == ENGLISH[outcome]
    assert hangul(agenda_words.run_sentence(run, KO))
    because = replace(run, why="The disk is full.")
    assert agenda_words.run_sentence(because, EN) == f"{said} The disk is full."


@pytest.mark.parametrize("end", [None, *RunEnd])
def test_every_end_of_a_job_is_a_sentence_in_both_languages(end: RunEnd | None) -> None:
    run = Run(JobId("j"), NOW, NOW, end)
    assert agenda_words.job_end(run, EN).endswith(".")
    assert hangul(agenda_words.job_end(run, KO))


@pytest.mark.parametrize("state", GoalState)
def test_every_state_of_a_goal_has_words_in_both_languages(state: GoalState) -> None:
    fact = GoalFact(Goal(GoalId("g"), MAIN_AGENT, "x", "UTC", NOW, state=state), "JARVIS", "", None, None)
    assert agenda_words.goal_state(fact, NOW, EN)
    assert hangul(agenda_words.goal_state(fact, NOW, KO))


@pytest.mark.parametrize(
    ("hours", "english", "korean"),
    [
        (2, "today at 14:00", "오늘 14:00"),
        (24, "tomorrow at 12:00", "내일 12:00"),
        (-24, "yesterday at 12:00", "어제 12:00"),
        (72, "Friday at 12:00", "금요일 12:00"),
        (24 * 7, "2026-12-08 12:00", "2026-12-08 12:00"),
        (-72, "2026-11-28 12:00", "2026-11-28 12:00"),
    ],
)
def test_times_are_said_as_people_here_say_them(hours: int, english: str, korean: str) -> None:
    at = NOW + timedelta(hours=hours)
    assert agenda_words.time_words(at, NOW, EN) == english
    assert agenda_words.time_words(at, NOW, KO) == korean


def test_what_a_turn_took_says_when_no_model_was_asked() -> None:
    assert agenda_words.run_effort(replace(RUN, took_s=0.2), EN) == "no model · 0.2 s"
    assert agenda_words.run_effort(replace(RUN, model_turns=1, took_s=125.0), EN) == "2 min"
    turn = replace(RUN, model_turns=1, took_s=12.0, tokens=1234)
    assert agenda_words.run_effort(turn, EN) == "1,234 tokens · 12 s"
