"""Times at the beginning of a typed line, in Korean, English and cron."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from jarvis_desktop.core.scheduler.typed_when import TypedWhen, typed_when
from tests.fakes.clock import START

SEOUL = ZoneInfo("Asia/Seoul")


def when(text: str) -> TypedWhen | None:
    """START is 18:00 in Seoul, on 1 December 2026."""
    return typed_when(text, START, SEOUL)


@pytest.mark.parametrize(
    ("text", "cron"),
    [
        ("daily 08:00 tea", "0 8 * * *"),
        ("every day at 8:05 pm tea", "5 20 * * *"),
        ("매일 8시 tea", "0 8 * * *"),
        ("매일 오후 8시 반에 tea", "30 20 * * *"),
        ("매일 오전 12시 5분에 tea", "5 0 * * *"),
        ("0 9 * * 1-5 tea", "0 9 * * 1-5"),
        ("*/15 9-21 * JAN MON-WED tea", "*/15 9-21 * JAN MON-WED"),
        ("@hourly tea", "@hourly"),
    ],
)
def test_times_that_come_again(text: str, cron: str) -> None:
    assert when(text) == TypedWhen(cron, None, "tea")


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("in 20 minutes tea", 20),
        ("in 2 hours tea", 120),
        ("20분 뒤 tea", 20),
        ("2시간 후에 tea", 120),
        ("today 18:30 tea", 30),
        ("tomorrow at 18:00 tea", 1440),
        ("내일 오후 6시에 tea", 1440),
        ("2026-12-02 18:00 tea", 1440),
        ("2026-12-02T18:00 tea", 1440),
    ],
)
def test_times_that_come_once(text: str, minutes: int) -> None:
    found = when(text)

    assert found is not None
    assert (found.cron, found.task) == ("", "tea")
    assert found.at == START + timedelta(minutes=minutes)


@pytest.mark.parametrize(
    "text",
    ["", "tea", "daily tea", "daily 25:00 tea", "2026-02-30 18:00 tea", "20 minutes of tea", "daily 08:00"],
)
def test_everything_else_is_no_time(text: str) -> None:
    assert when(text) is None
