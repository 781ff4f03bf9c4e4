"""All layers of a model as one honest download."""

from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.adapters.ollama_progress import STALL_S, PullProgress
from jarvis_desktop.core.items.fetching import FetchKind, FetchStage, FetchState

lines = st.tuples(
    st.sampled_from(["a", "b", "c"]),
    st.none() | st.integers(0, 2000),
    st.floats(0, 60),
)


@given(st.lists(lines, max_size=30))
def test_bytes_never_go_back_nor_beyond_the_whole(heard: list[tuple[str, int | None, float]]) -> None:
    totals = {"a": 1000, "b": 500, "c": 7}
    progress, done, now_s = PullProgress("m", "s", 0.0), 0, 0.0
    for layer, have, later_s in heard:
        now_s += later_s
        progress.heard("pulling", layer, have, totals[layer], now_s)
        state = progress.state()
        assert done <= state.done_bytes <= state.total_bytes
        assert state.bytes_per_s >= 0
        assert state.left_s is None or state.left_s >= 0
        done = state.done_bytes


def test_layers_add_up_and_what_was_there_before_is_no_speed() -> None:
    progress = PullProgress("gemma4:e2b", "ollama.com", 0.0)
    progress.heard("pulling manifest", None, None, None, 0.0)
    assert progress.state() == FetchState(
        FetchKind.OLLAMA, "gemma4:e2b", FetchStage.RUNNING, source="ollama.com"
    )
    progress.heard("pulling a", "a", 600, 1000, 1.0)  # 600 bytes come from an interrupted download
    progress.heard("pulling a", "a", 800, 1000, 3.0)
    state = progress.state()
    assert (state.done_bytes, state.total_bytes) == (800, 1000)
    assert (state.bytes_per_s, state.left_s) == (200 / 3, 3.0)
    progress.heard("pulling b", "b", 0, 50, 4.0)
    assert progress.state().total_bytes == 1050


def test_a_part_that_comes_again_does_not_move_the_bar_back() -> None:
    progress = PullProgress("m", "s", 0.0)
    progress.heard("pulling a", "a", 800, 1000, 1.0)
    progress.heard("pulling a", "a", 500, 1000, 2.0)
    assert progress.state().done_bytes == 800


def test_silence_is_a_stall_until_bytes_come_and_checking_is_none() -> None:
    progress = PullProgress("m", "s", 0.0)
    progress.heard("pulling a", "a", 1, 10, 1.0)
    progress.heard("pulling a", "a", 1, 10, 1.0 + STALL_S)
    assert progress.is_stalled(1.0 + STALL_S)
    progress.heard("pulling a", "a", 10, 10, 2.0 + STALL_S)
    assert not progress.is_stalled(2.0 + STALL_S)
    progress.heard("verifying sha256 digest", None, None, None, 3.0 + STALL_S)
    assert progress.state().stage is FetchStage.CHECKING
    assert not progress.is_stalled(100.0 + STALL_S)
