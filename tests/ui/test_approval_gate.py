"""When an approval dialog may decide."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.ui.qt.approval_gate import ARM_S, ApprovalGate, Stage


@dataclass
class Hands:
    """A clock that a person's hands move."""

    s: float = 100.0

    def __call__(self) -> float:
        return self.s


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
def gate(hands: Hands) -> ApprovalGate:
    """Shown, then clicked by a person: one quiet second from being armed."""
    gate = ApprovalGate(hands)
    gate.shown()
    hands.s += 5
    assert not gate.pressed()
    gate.activated()
    return gate


def test_a_dialog_that_only_appeared_never_counts(hands: Hands) -> None:
    gate = ApprovalGate(hands)
    gate.shown()
    hands.s += 60
    assert (gate.stage, gate.armed, gate.enter_allows) == (Stage.INACTIVE, False, False)


def test_one_quiet_second_after_activation_arms_it(gate: ApprovalGate, hands: Hands) -> None:
    hands.s += ARM_S - 0.001
    assert gate.stage is Stage.ARMING
    hands.s += 0.001
    assert (gate.stage, gate.enter_allows, gate.left_s) == (Stage.ARMED, True, 0.0)


@given(st.lists(st.floats(0.01, ARM_S - 0.001), min_size=1, max_size=40))
def test_a_storm_of_presses_never_gets_through_however_long_it_lasts(pauses: list[float]) -> None:
    hands = Hands()
    gate = ApprovalGate(hands)
    gate.shown()
    gate.pressed()
    gate.activated()
    for pause_s in pauses:
        hands.s += pause_s
        assert not gate.pressed()


def test_regaining_the_focus_starts_the_second_again(gate: ApprovalGate, hands: Hands) -> None:
    hands.s += 5
    gate.deactivated()
    assert not gate.armed
    hands.s += 5
    gate.activated()
    assert gate.stage is Stage.ARMING


@pytest.mark.parametrize("after_s", [0.0, 0.3, 30.0])
def test_getting_the_keyboard_proves_no_person_and_a_click_does(hands: Hands, after_s: float) -> None:
    gate = ApprovalGate(hands)
    gate.shown()
    hands.s += after_s
    gate.activated()
    hands.s += 10
    assert (gate.armed, gate.enter_allows) == (True, False)
    assert gate.pressed()
    assert gate.enter_allows


def test_a_click_counts_no_longer_once_another_window_had_the_keyboard(
    gate: ApprovalGate, hands: Hands
) -> None:
    hands.s += 5
    assert gate.enter_allows
    gate.deactivated()
    gate.activated()
    hands.s += 5
    assert (gate.armed, gate.enter_allows) == (True, False)


def test_a_dialog_that_a_person_called_back_may_use_enter(hands: Hands) -> None:
    gate = ApprovalGate(hands)
    gate.shown(by_person=True)
    gate.activated()
    hands.s += ARM_S
    assert gate.enter_allows


def test_a_hidden_dialog_counts_for_nothing(gate: ApprovalGate, hands: Hands) -> None:
    gate.hidden()
    hands.s += 10
    assert (gate.stage, gate.left_s) == (Stage.INACTIVE, ARM_S)
    gate.touched()
    assert gate.stage is Stage.INACTIVE


def test_moving_the_window_starts_the_second_again(gate: ApprovalGate, hands: Hands) -> None:
    hands.s += 5
    gate.touched()
    assert (gate.stage, gate.left_s) == (Stage.ARMING, ARM_S)
