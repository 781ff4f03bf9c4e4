"""The skills of this start."""

from collections.abc import Callable

from jarvis_desktop.app.live_settings import LiveSettings
from jarvis_desktop.app.options import Start
from jarvis_desktop.app.skill_desk import SkillDesk, SkillParts
from jarvis_desktop.core.ports import Clock, Emit


def open_skills(
    start: Start, clock: Clock, live: LiveSettings, emit: Emit, changed: Callable[[], None]
) -> SkillDesk:
    """The desk over the folder of skills.

    changed: told after something else can be called or is wrong; returns at once.
    """

    def most() -> int:
        return live.now.security.input_max_length

    def watches() -> bool:
        return live.now.plugin.watch_files

    return SkillDesk(SkillParts(start.home, most, watches, clock, start.texts, emit, changed))
