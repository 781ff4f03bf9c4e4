"""``jarvis-desktop say``: the mouth alone."""

import asyncio

from jarvis_desktop.adapters.chimes import load_chimes
from jarvis_desktop.adapters.espeak_voice import EspeakVoice
from jarvis_desktop.adapters.loudspeaker import PortAudioLoudspeaker
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.app.main import prepare
from jarvis_desktop.app.mouth import Mouth
from jarvis_desktop.app.mouth_speaker import MouthParts
from jarvis_desktop.app.options import Start
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.voice.echo_guard import EchoGuard


def say_once(text: str) -> int:
    """Say ``text`` aloud; 0 when it was heard.

    Raises:
        MissingPartError: no voice or no loudspeaker; the text says what to do.
    """
    asyncio.run(_say(prepare(), text))
    return 0


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
