"""Cron expressions: the vectors, changes of the clock, and what is refused."""

import json
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jarvis_desktop.core.items.errors import CronError
from jarvis_desktop.core.scheduler.cron import Cron, read_cron
from tests.fakes.texts import PlainTexts

VECTORS = json.loads((Path(__file__).parents[2] / "data" / "cases" / "cron_vectors.json").read_text("utf-8"))[
    "vectors"
]
BERLIN, UTC_ZONE = ZoneInfo("Europe/Berlin"), ZoneInfo("UTC")

REFUSED = {
    "dom star-step AND dow (vixie quirk)": "a bare */n in one day field while the other is restricted",
    "dow star-step AND dom": "a bare */n in one day field while the other is restricted",
    "last Friday": "5L-like weekdays",
    "last Sunday 7L": "5L-like weekdays",
    "six fields": "six fields",
}
"""Vectors that cronsim takes and decision 24 refuses by name."""
ACCEPTED = {
    "reversed hours 22-2": "wrap-around ranges",
    "reversed dow FRI-MON": "wrap-around ranges",
    "alias @hourly": "@hourly-like names",
}
"""Vectors that cronsim refuses and decision 24 accepts by name; croniter computes them."""


def cron(text: str) -> Cron:
    return read_cron(text, PlainTexts())


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_a_vector_agrees_with_cronsim_or_is_an_exception_that_decision_24_names(
    vector: dict[str, Any],
) -> None:
    name, zone = vector["name"], ZoneInfo(vector["tz"])
    expected = vector["croniter"] if name in ACCEPTED else vector["cronsim"]
    if name in REFUSED or isinstance(expected, str):
        with pytest.raises(CronError):
            cron(vector["expr"])
        return
    start = datetime.fromisoformat(vector["start"]).replace(tzinfo=zone)

    times = cron(vector["expr"]).times_after(start, zone)

    assert [next(times).isoformat() for _ in expected] == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "* * * *",
        "@often",
        "* * * * H",
        "R * * * *",
        "0 0 0/10 * *",
        "0 0 30 2 *",
        "0 9 * * fril",
        "x" * 900,
    ],
)
def test_what_is_no_cron_expression_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(CronError, match="cannot be used"):
        cron(text)


@pytest.mark.goal_bug("cron", "'7/2' and '0/2' give")
@pytest.mark.parametrize(
    ("text", "days"), [("0 9 * * 7/2", [6]), ("0 9 * * 1/3", [0, 3]), ("0 9 * * 0/3", [2, 5, 6])]
)
def test_a_start_with_a_step_goes_to_the_end_of_its_field(text: str, days: list[int]) -> None:
    times = cron(text).times_after(datetime(2026, 1, 1, tzinfo=UTC), UTC_ZONE)

    assert sorted({next(times).weekday() for _ in range(10)}) == days


@pytest.mark.goal_bug("cron", "'0 0 13 *")
def test_both_day_fields_mean_either_of_them() -> None:
    times = cron("0 0 13 * 5").times_after(datetime(2025, 12, 31, tzinfo=UTC), UTC_ZONE)

    assert sum(1 for _ in iter(lambda: next(times).year, 2027)) == 61


@pytest.mark.parametrize(
    ("text", "hour", "allowed"),
    [
        ("0 9-21 * * *", 15, True),
        ("0 9-21 * * *", 21, True),
        ("0 9-21 * * *", 22, False),
        ("0 22-2 * * *", 23, True),
        ("0 22-2 * * *", 12, False),
        ("0 8 * * *", 3, True),
        ("0 * * * *", 3, True),
        ("0 */6 * * *", 3, True),
    ],
)
def test_what_was_missed_is_made_up_for_inside_its_own_hours(text: str, hour: int, *, allowed: bool) -> None:
    now = datetime(2026, 12, 1, hour, 30, tzinfo=BERLIN)

    assert cron(text).own_hours(now, BERLIN) is allowed


def test_hours_of_workdays_are_not_made_up_for_on_a_day_off() -> None:
    saturday = datetime(2026, 12, 5, 12, tzinfo=BERLIN)

    assert not cron("0 9-21 * * 1-5").own_hours(saturday, BERLIN)


ZONES = (
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Seoul",
    "America/Santiago",
    "Pacific/Apia",
)
FIELD = st.sampled_from(["*", "0", "30", "15,45", "*/20", "7-50/9"])
HOURS = st.sampled_from(["*", "0", "2", "1-3", "*/2", "2,14", "22-3"])
EXPRESSIONS = st.builds(lambda minute, hour: f"{minute} {hour} * * *", FIELD, HOURS)
INSTANTS = st.integers(1_300_000_000, 1_900_000_000).map(lambda at: datetime.fromtimestamp(at, UTC))


@given(EXPRESSIONS, INSTANTS, st.sampled_from(ZONES))
def test_times_rise_strictly_and_never_come_twice(text: str, start: datetime, zone: str) -> None:
    times = cron(text).times_after(start, ZoneInfo(zone))

    found = [start, *(next(times).astimezone(UTC) for _ in range(40))]

    assert all(sooner < later for sooner, later in pairwise(found))


@given(EXPRESSIONS, INSTANTS, st.sampled_from(ZONES), st.integers(0, 3 * 86_400))
def test_the_last_time_is_the_one_that_a_walk_from_the_start_ends_at(
    text: str, start: datetime, zone: str, seconds: int
) -> None:
    rule, until = cron(text), start + timedelta(seconds=seconds)
    walked = None
    for at in rule.times_after(start, ZoneInfo(zone)):
        if at > until:
            break
        walked = at

    assert rule.last_until(start, until, ZoneInfo(zone)) == walked


@settings(max_examples=12)
@given(
    st.sampled_from(["30 2 * * *", "15 1 * * *", "0 0 * * *"]),
    st.integers(2015, 2030),
    st.sampled_from(ZONES[:5]),
)
def test_a_fixed_time_runs_exactly_once_a_day_all_year(text: str, year: int, zone_name: str) -> None:
    zone = ZoneInfo(zone_name)
    days: list[object] = []
    for at in cron(text).times_after(datetime(year, 1, 1, tzinfo=zone) - timedelta(seconds=1), zone):
        if at.year > year:
            break
        days.append(at.date())

    first, whole = date(year, 1, 1), (date(year + 1, 1, 1) - date(year, 1, 1)).days
    assert days == [first + timedelta(days=day) for day in range(whole)]


@pytest.mark.goal_bug("cron", "'7' for Sunday is")
@pytest.mark.goal_bug("cron", "'2-7' in day-of-week fails.")
@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("0 0 * * 7", {6}),
        ("0 0 * * 6,7", {5, 6}),
        ("0 0 * * 5-7", {4, 5, 6}),
        ("0 0 * * 2-7", {1, 2, 3, 4, 5, 6}),
    ],
)
def test_seven_is_sunday_also_at_the_end_of_a_range(text: str, days: set[int]) -> None:
    times = cron(text).times_after(datetime(2026, 1, 1, tzinfo=UTC), UTC_ZONE)

    assert {next(times).weekday() for _ in range(14)} == days


@pytest.mark.goal_bug("cron", "'59/15' fired at 0,15,30,45.")
def test_a_step_from_the_end_of_a_field_is_that_one_minute() -> None:
    times = cron("59/15 * * * *").times_after(datetime(2026, 1, 1, tzinfo=UTC), UTC_ZONE)

    assert {next(times).minute for _ in range(8)} == {59}


@pytest.mark.goal_bug("cron", "'7L' never matches while")
@pytest.mark.goal_bug("cron", "Day 0 ('0/10') accepted")
@pytest.mark.parametrize("text", ["0 0 * * 7L", "0 1 0/10 * *"])
def test_what_would_never_be_due_or_means_a_day_0_is_refused(text: str) -> None:
    with pytest.raises(CronError):
        cron(text)


@pytest.mark.goal_bug("dst", "Iteration stays at 01:00")
@pytest.mark.parametrize("day", [datetime(2026, 3, 8, tzinfo=UTC), datetime(2026, 11, 1, tzinfo=UTC)])
def test_hours_go_on_over_a_change_of_the_clock(day: datetime) -> None:
    times = cron("0 * * * *").times_after(day, ZoneInfo("America/Los_Angeles"))
    found = [next(times).astimezone(UTC) for _ in range(30)]

    assert found == [day + timedelta(hours=hour) for hour in range(1, 31)]
