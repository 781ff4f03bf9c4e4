"""The rate of a download is that of the last seconds, and what is left follows from it."""

from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.adapters.download_rate import WINDOW_S, DownloadRate


class Watch:
    """A clock that the test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def steady(bytes_per_s: float, seconds: int) -> tuple[DownloadRate, Watch]:
    """A download that came evenly, looked at every quarter of a second."""
    watch = Watch()
    rate = DownloadRate(watch)
    for quarter in range(seconds * 4 + 1):
        watch.now = quarter / 4
        rate.came(round(bytes_per_s * watch.now))
    return rate, watch


def test_an_even_download_has_its_rate_and_its_time_left() -> None:
    rate, _ = steady(1000.0, 20)
    assert round(rate.bytes_per_s) == 1000
    assert rate.left_s(30_000) == 10.0


def test_nothing_is_said_before_enough_is_known() -> None:
    watch = Watch()
    rate = DownloadRate(watch)
    assert (rate.bytes_per_s, rate.left_s(100)) == (0.0, None)
    rate.came(50)
    watch.now = 0.5
    rate.came(60)
    assert (rate.bytes_per_s, rate.left_s(100)) == (0.0, None)


def test_a_download_that_stands_still_has_no_rate_after_the_window() -> None:
    rate, watch = steady(1000.0, 20)
    watch.now += WINDOW_S
    assert (rate.bytes_per_s, rate.left_s(30_000)) == (0.0, None)


def test_what_lay_there_before_does_not_count_as_speed() -> None:
    watch = Watch()
    rate = DownloadRate(watch)
    rate.came(1_000_000)
    watch.now = 2.0
    rate.came(1_002_000)
    assert rate.bytes_per_s == 1000.0


def test_a_count_that_goes_back_begins_anew() -> None:
    rate, watch = steady(1000.0, 10)
    rate.came(0)
    watch.now += 2.0
    rate.came(100)
    assert rate.bytes_per_s == 50.0


@given(steps=st.lists(st.tuples(st.floats(0, 3), st.integers(-50, 5000)), max_size=60))
def test_a_rate_is_never_negative_and_time_left_neither(steps: list[tuple[float, int]]) -> None:
    watch = Watch()
    rate, done = DownloadRate(watch), 0
    for seconds, count in steps:
        watch.now += seconds
        done = max(0, done + count)
        rate.came(done)
        assert rate.bytes_per_s >= 0
        left_s = rate.left_s(done + 10)
        assert left_s is None or left_s >= 0
