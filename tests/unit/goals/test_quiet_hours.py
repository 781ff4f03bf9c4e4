"""Which hours are quiet, and what a person may write for them."""

from datetime import datetime, timedelta

import pytest
from pydantic import ValidationError

from jarvis_desktop.core.quiet_hours import is_quiet
from jarvis_desktop.core.settings import NotifySettings
from tests.fakes.clock import START

MIDNIGHT = START.replace(hour=0)


def at(hour: int, minute: int = 0) -> datetime:
    return MIDNIGHT + timedelta(hours=hour, minutes=minute)


@pytest.mark.parametrize(
    ("hours", "quiet"),
    [
        ("22:00-07:00", {22, 23, 0, 1, 2, 3, 4, 5, 6}),
        ("09:00-12:00", {9, 10, 11}),
        ("00:00-00:00", set()),
        ("", set()),
    ],
)
def test_the_end_is_not_quiet_any_more_and_may_lie_behind_midnight(hours: str, quiet: set[int]) -> None:
    assert {hour for hour in range(24) if is_quiet(at(hour), hours)} == quiet
    assert is_quiet(at(6, 59), "22:00-07:00")


@pytest.mark.parametrize("written", ["22:00-07:00", "22:00 – 7:00", " 22:00~07:00 "])
def test_they_may_be_written_in_several_ways(written: str) -> None:
    assert NotifySettings.model_validate({"quiet_hours": written}).quiet_hours == "22:00-07:00"


@pytest.mark.parametrize("written", ["22-7", "25:00-07:00", "22:00", 22, "nights"])
def test_what_is_no_two_times_is_refused(written: object) -> None:
    with pytest.raises(ValidationError):
        NotifySettings.model_validate({"quiet_hours": written})


def test_addresses_may_be_a_list_and_no_one_is_shown_them() -> None:
    settings = NotifySettings.model_validate({"push_to": ["ntfys://a", "json://b"]})
    assert settings.push_to == "ntfys://a json://b"
    assert "ntfys" not in repr(settings)
