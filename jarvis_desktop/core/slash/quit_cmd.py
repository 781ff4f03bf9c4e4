"""``/quit``: the end of the program."""

from jarvis_desktop.core.items.slash import QuitAsked
from jarvis_desktop.core.slash.command import Said, SlashCommand
from jarvis_desktop.core.slash.not_running import not_running
from jarvis_desktop.core.slash.world import World


class QuitCommand(SlashCommand):
    """End Jarvis; what was said is kept."""

    name = "quit"
    also = ("종료", "끝내기", "exit", "bye")

    async def run(self, rest: str, world: World) -> Said:
        """The answer is stored before the front ends hear of it."""
        del rest
        if not world.stays:
            return not_running(world.texts)
        if world.running():
            text = world.texts("Jarvis ends. The request that was running is stopped.")
        else:
            text = world.texts("Jarvis ends.")
        return Said(text, tell=QuitAsked())
