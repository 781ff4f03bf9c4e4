"""When an approval dialog may decide: pure arming logic, without Qt.

A dialog that pops up while somebody types or clicks must not take that input for an answer.
Seen without this: 8 of 8 plain dialogs were approved by typing that was meant for another
window, and a twelve-click storm that outlasted a fixed delay of one second was approved too.
So the dialog counts only after a second of *quiet* while it is the active window, and
everything that reaches it before that starts the second again.

Getting the keyboard proves no person: openbox hands it to the dialog when a window of any program
closes, and an Enter that was meant for what came next allowed the command (seen 2026-12-01). So a
bare Enter allows only after a click in the dialog, or after somebody asked to see it; who comes by
the keyboard alone goes to a button with Tab.
"""

from collections.abc import Callable
from enum import StrEnum

ARM_S = 1.0
"""Seconds of quiet before anything counts."""


class Stage(StrEnum):
    """How far the dialog is from counting."""

    INACTIVE = "inactive"
    """Another window has the keyboard: a click only brings this one forward."""
    ARMING = "arming"
    """Active, but it is not quiet yet."""
    ARMED = "armed"


class ApprovalGate:
    """The one gate that clicks, keys, accessibility presses and synthetic events all pass."""

    def __init__(self, monotonic_s: Callable[[], float], arm_s: float = ARM_S) -> None:
        self._monotonic_s = monotonic_s
        self._arm_s = arm_s
        self._quiet_since: float | None = None
        self._active = False
        self._by_person = False

    def shown(self, *, by_person: bool = False) -> None:
        """It appeared, and the second of quiet begins.

        by_person: a person asked to see it.
        """
        self._quiet_since = self._monotonic_s()
        self._by_person = by_person

    def hidden(self) -> None:
        """It is not on screen; nothing counts."""
        self._quiet_since = None
        self._active = self._by_person = False

    def activated(self) -> None:
        """It got the keyboard."""
        self._active = True
        self.touched()

    def deactivated(self) -> None:
        """Another window has the keyboard now."""
        self._active = self._by_person = False

    def touched(self) -> None:
        """Something reached it that did not count, or it was moved: the second starts again."""
        if self._quiet_since is not None:
            self._quiet_since = self._monotonic_s()

    def pressed(self) -> bool:
        """A person pressed the mouse in it. Whether that press may go on to a button."""
        counts = self.armed
        if not counts:
            self.touched()
        self._by_person = True
        return counts

    @property
    def stage(self) -> Stage:
        """How far it is."""
        if not self._active or self._quiet_since is None:
            return Stage.INACTIVE
        quiet_s = self._monotonic_s() - self._quiet_since
        return Stage.ARMED if quiet_s >= self._arm_s else Stage.ARMING

    @property
    def armed(self) -> bool:
        """A button or Esc counts now."""
        return self.stage is Stage.ARMED

    @property
    def enter_allows(self) -> bool:
        """Enter counts as ALLOW now: armed, and surely a person brought the dialog forward."""
        return self.armed and self._by_person

    @property
    def left_s(self) -> float:
        """Seconds of quiet still missing; the whole second while inactive."""
        if not self._active or self._quiet_since is None:
            return self._arm_s
        return max(0.0, self._arm_s - (self._monotonic_s() - self._quiet_since))
