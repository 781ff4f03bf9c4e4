"""What commands say that steer a running program, where none runs."""

from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.slash.command import Said


def not_running(texts: Texts) -> Said:
    """A single request of the command line has no program to steer."""
    return Said(texts("Jarvis is not running, so there is nothing to change."), well=False)
