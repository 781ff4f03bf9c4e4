"""``/voice``: whether answers are read aloud."""

from collections.abc import Sequence

from jarvis_desktop.core.slash.command import Said, SlashCommand, Value
from jarvis_desktop.core.slash.markup import code
from jarvis_desktop.core.slash.parsing import folded
from jarvis_desktop.core.slash.switch import said_off, said_on
from jarvis_desktop.core.slash.world import World

SPEAK = "voice.speak"
ENABLED = "voice.enabled"


class VoiceCommand(SlashCommand):
    """Have answers read aloud, or not.

    /voice: how it stands
    /voice on: answers to what you say are read aloud
    /voice off: they are only shown; listening goes on
    """

    name = "voice"
    also = ("음성", "목소리")

    async def run(self, rest: str, world: World) -> Said:
        """Kept in the settings."""
        texts, word = world.texts, folded(rest)
        if not word:
            return Said(_state(world))
        if said_off(word):
            trouble = await world.settings.set(SPEAK, value=False)
            return Said(trouble, well=False) if trouble else Said(_state(world))
        if said_on(word):
            return await _switch_on(world)
        text = texts(
            "There is no choice of voices by name: each language has one, and an agent may have its own "
            "pitch and speed. {on} and {off} switch reading aloud."
        )
        return Said(text.format(on=code("/voice on"), off=code("/voice off")), well=False)

    async def values(self, typed: str, world: World) -> Sequence[Value]:
        """On and off."""
        del typed
        return [
            Value("on", world.texts("answers are read aloud")),
            Value("off", world.texts("answers are only shown")),
        ]


async def _switch_on(world: World) -> Said:
    for name in (ENABLED, SPEAK):
        section, _, field = name.partition(".")
        if not getattr(getattr(world.settings.now, section), field):
            trouble = await world.settings.set(name, value=True)
            if trouble:
                return Said(trouble, well=False)
    return Said(_state(world), aloud=world.texts("This is how I sound."))


def _state(world: World) -> str:
    texts, voice = world.texts, world.settings.now.voice
    if not voice.enabled:
        text = texts("Voice is off altogether: nothing is heard or read aloud. {command} switches it on.")
        return text.format(command=code("/voice on"))
    if not voice.speak:
        text = texts("Answers are not read aloud. {command} has them read.")
        return text.format(command=code("/voice on"))
    text = texts(
        "Answers to what you say are read aloud. {command} stops that; {mute} turns the microphone off."
    )
    return text.format(command=code("/voice off"), mute=code("/mute"))
