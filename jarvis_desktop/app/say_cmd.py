"""``jarvis-desktop say``: the mouth alone."""

import asyncio

from jarvis_desktop.adapters.chimes import load_chimes
from jarvis_desktop.adapters.espeak_voice import EspeakVoice
from jarvis_desktop.adapters.loudspeaker import PortAudioLoudspeaker
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.app.instance import Instance, Message, Reply
from jarvis_desktop.app.main import prepare
from jarvis_desktop.app.mouth import Mouth
from jarvis_desktop.app.mouth_speaker import MouthParts
from jarvis_desktop.app.options import Start
from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.voice.echo_guard import EchoGuard

LOOK_S = 0.2
"""A question that is asked while something is said cuts it short within this time."""


def say_once(text: str) -> int:
    """Say ``text`` aloud; 0 when it was heard.

    Raises:
        MissingPartError: no voice or no loudspeaker; the text says what to do.
        UserFixableError: somebody is being asked for permission, and could seem to be answered.
    """
    start = prepare()
    asyncio.run(_say_unless_asked(start, text))
    return 0


async def _say_unless_asked(start: Start, text: str) -> None:
    instance = Instance(start.home)
    if await asyncio.to_thread(_must_be_still, instance):
        raise _still(start)
    speaking = asyncio.create_task(_say(start, text))
    while not (await asyncio.wait({speaking}, timeout=LOOK_S))[0]:
        if await asyncio.to_thread(instance.tell, Message.SPEAK) is Reply.REFUSED:
            speaking.cancel()
            await asyncio.wait({speaking})
            raise _still(start)
    await speaking


def _must_be_still(instance: Instance) -> bool:
    """A running program asks somebody something, or does not say that it does not."""
    reply = instance.tell(Message.SPEAK)
    return reply is Reply.REFUSED or (reply is Reply.NONE and instance.in_use())


def _still(start: Start) -> UserFixableError:
    text = start.texts(
        "Nothing is said aloud while Jarvis waits for an answer. Answer first, then say it again."
    )
    return UserFixableError(text)


async def _say(start: Start, text: str) -> None:
    loudspeaker = PortAudioLoudspeaker(start.texts, start.settings.voice.output_device)
    parts = MouthParts(
        EspeakVoice(start.texts), loudspeaker, SystemClock(), start.texts, EchoGuard(), load_chimes()
    )
    mouth = Mouth(parts, _nobody, start.settings.voice)
    speaking = asyncio.create_task(mouth.run())
    try:
        await mouth.say(text)
    finally:
        speaking.cancel()
        await asyncio.gather(speaking, return_exceptions=True)
        await loudspeaker.release()


async def _nobody(event: Event) -> None:
    """The command line shows nothing of what the mouth tells."""
    del event
