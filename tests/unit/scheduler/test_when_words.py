"""When something is due, in words; the expression itself only where no words fit."""

import pytest

from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.core.items.errors import CronError
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.scheduler.cron import read_cron
from jarvis_desktop.core.scheduler.when_words import cron_text
from tests.fakes.texts import PlainTexts


@pytest.mark.parametrize(
    ("cron", "english", "korean"),
    [
        ("0 9-21 * * *", "every hour from 9 to 21", "매시 9–21시"),
        ("30 9-21 * * *", "every hour from 9 to 21, at minute 30", "매시 9–21시 30분에"),
        ("0 22-6 * * *", "every hour from 22 to 6", "매시 22–6시"),
        ("0 * * * *", "every hour", "매시 정각에"),
        ("@hourly", "every hour", "매시 정각에"),
        ("5 * * * *", "every hour at minute 5", "매시 5분에"),
        ("*/15 * * * *", "every 15 minutes", "15분마다"),
        ("* * * * *", "every minute", "1분마다"),
        ("*/15 9-17 * * *", "every 15 minutes from 09:00 to 17:45", "09:00부터 17:45까지 15분마다"),
        ("0 */6 * * *", "every 6 hours", "6시간마다"),
        ("0 8 * * *", "every day at 08:00", "매일 08:00에"),
        ("0 8,12,18 * * *", "every day at 08:00, 12:00, 18:00", "매일 08:00, 12:00, 18:00에"),
        ("0 9 * * MON", "every Monday at 09:00", "매주 월요일 09:00에"),
        ("0 9-18 * * mon-fri", "every hour from 9 to 18, every Monday to Friday", None),
        ("0 8 1 * *", "every month on day 1 at 08:00", "매달 1일 08:00에"),
        # No words that are as exact: they would promise what is not so.
        ("*/7 * * * *", 'by the cron expression "*/7 * * * *"', None),
        ("0 */5 * * *", 'by the cron expression "0 */5 * * *"', None),
        ("0 8 24 12 *", 'by the cron expression "0 8 24 12 *"', None),
        ("0 9 1 * 1", 'by the cron expression "0 9 1 * 1"', None),
        ("1-5 8 * * *", 'by the cron expression "1-5 8 * * *"', None),
    ],
)
def test_common_times_are_said_in_words(cron: str, english: str, korean: str | None) -> None:
    read_cron(cron, PlainTexts())  # they are all good ones

    assert cron_text(cron, PlainTexts()) == english
    if korean is not None:
        assert cron_text(cron, Catalog(Language.KOREAN)) == korean


@pytest.mark.parametrize(
    ("cron", "why"),
    [
        ("61 * * * *", "the minute is 61; it goes from 0 to 59."),
        ("5-70 * * * *", "the minute is 70; it goes from 0 to 59."),
        ("*/90 9-25 * * *", "the hour is 25; it goes from 0 to 23."),
        ("0 0 0 * *", "the day of the month is 0; it goes from 1 to 31."),
        (
            "0 8 * 13 *",
            "the month is 13; it goes from 1 to 12, or is one of jan, feb, mar, apr, may, jun, jul, aug, "
            "sep, oct, nov, dec.",
        ),
        (
            "0 8 * * montag",
            "the day of the week is montag; it goes from 0 to 7, or is one of sun, mon, tue, wed, thu, fri, "
            "sat.",
        ),
        ("*/0 * * * *", "the minute is */0; a step is at least 1."),
        ("1//2 * * * *", "the minute is 1/; it goes from 0 to 59."),
        (", * * * *", "a field holds something that is no such time."),
    ],
)
def test_what_is_no_time_is_named_with_its_field_and_what_may_stand_there(cron: str, why: str) -> None:
    with pytest.raises(CronError) as error:
        read_cron(cron, PlainTexts())

    assert str(error.value) == f'"{cron}" cannot be used: {why}'


def test_in_korean_too() -> None:
    with pytest.raises(CronError, match="분 자리에 61이 있는데, 0부터 59까지 쓸 수 있어요"):
        read_cron("61 * * * *", Catalog(Language.KOREAN))
