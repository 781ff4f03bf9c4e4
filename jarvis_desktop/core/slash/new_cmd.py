"""``/new``: another conversation."""

from jarvis_desktop.core.items.commands import NewConversation
from jarvis_desktop.core.slash.command import Said, SlashCommand
from jarvis_desktop.core.slash.markup import code
from jarvis_desktop.core.slash.world import World


class NewCommand(SlashCommand):
    """Begin a new conversation; the old one stays stored."""

    name = "new"
    also = ("새대화", "새로", "clear", "reset")

    async def run(self, rest: str, world: World) -> Said:
        """The answer stays in the conversation that is left."""
        del rest
        texts = world.texts
        said = [
            texts("A new conversation begins. This one is kept; {command} finds it again.").format(
                command=code("/history")
            )
        ]
        if world.running():
            said.append(texts("The request that was running is stopped."))
        return Said(" ".join(said), then=NewConversation())
