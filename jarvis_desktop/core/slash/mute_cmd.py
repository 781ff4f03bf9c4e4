"""``/mute``: the microphone off and on."""

from collections.abc import Sequence

from jarvis_desktop.core.slash.command import Said, SlashCommand, Value
from jarvis_desktop.core.slash.markup import code
from jarvis_desktop.core.slash.not_running import not_running
from jarvis_desktop.core.slash.parsing import folded
from jarvis_desktop.core.slash.switch import said_off, said_on
from jarvis_desktop.core.slash.world import World


class MuteCommand(SlashCommand):
    """Turn the microphone off, or on again.

    /mute: off
    /mute off: on again
    """

    name = "mute"
    also = ("음소거",)

    async def run(self, rest: str, world: World) -> Said:
        """Says how it stands also when nothing changes."""
        texts, word = world.texts, folded(rest)
        if not world.stays:
            return not_running(texts)
        if word and not (said_on(word) or said_off(word)):
            text = texts("{command} turns the microphone off, {other} on again.")
            return Said(text.format(command=code("/mute"), other=code("/mute off")), well=False)
        if not world.settings.now.voice.enabled:
            text = texts("Voice is off altogether: nothing is heard or read aloud. {command} switches it on.")
            return Said(text.format(command=code("/voice on")), well=False)
        muted, was = not said_off(word), world.muted()
        world.set_muted(muted)
        if not muted:
            on = texts("The microphone is on already.") if not was else texts("The microphone is on again.")
            return Said(on)
        text = texts("The microphone is off. {command} turns it on again.")
        return Said(text.format(command=code("/mute off")))

    async def values(self, typed: str, world: World) -> Sequence[Value]:
        """What the microphone can be."""
        del typed
        return [Value("off", world.texts("The microphone is on again"))]
