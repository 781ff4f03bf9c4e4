"""``/focus``: time in which the wake word is not heeded."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.slash.command import Said, SlashCommand, Value
from jarvis_desktop.core.slash.markup import code
from jarvis_desktop.core.slash.not_running import not_running
from jarvis_desktop.core.slash.parsing import folded
from jarvis_desktop.core.slash.switch import said_off, said_on
from jarvis_desktop.core.slash.world import World

MOST_MINUTES = 24 * 60


class FocusCommand(SlashCommand):
    """Be left alone for a while: the wake word is not heeded.

    /focus: how it stands
    /focus on: until you turn it off or Jarvis ends
    /focus on MINUTES: for so long
    /focus off: over
    """

    name = "focus"
    also = ("집중",)

    async def run(self, rest: str, world: World) -> Said:
        """On, off, or how it stands."""
        if not world.stays:
            return not_running(world.texts)
        first, *more = folded(rest).split() or [""]
        if first == "":
            return Said(_state(world))
        if said_off(first) and not more:
            await world.focus.end()
            return Said(world.texts("Focus is over."))
        number = first if not more else "".join(more) if said_on(first) else ""
        if said_on(first) and not more:
            await world.focus.begin(None)
            return Said(_state(world))
        minutes = _minutes(number)
        if minutes is None:
            text = world.texts("{command} takes {on}, {off} or minutes from 1 to {most}.")
            words = {"command": "/focus", "on": "on", "off": "off"}
            shown = {name: code(word) for name, word in words.items()}
            return Said(text.format(**shown, most=MOST_MINUTES), well=False)
        await world.focus.begin(world.clock.now() + timedelta(minutes=minutes))
        return Said(_state(world))

    async def values(self, typed: str, world: World) -> Sequence[Value]:
        """Common times."""
        del typed
        text = world.texts("for {minutes} minutes")
        times = [Value(f"on {minutes}", text.format(minutes=minutes)) for minutes in (25, 50, 90)]
        return [
            Value("on", world.texts("until you turn it off"), goes_on=True),
            *times,
            Value("off", world.texts("over")),
        ]


def _minutes(number: str) -> int | None:
    digits = number.removesuffix("분").removesuffix("min").removesuffix("m")
    if not (digits.isascii() and digits.isdigit() and 1 <= int(digits) <= MOST_MINUTES):
        return None
    return int(digits)


def _state(world: World) -> str:
    texts, focus = world.texts, world.focus
    if not focus.on:
        return texts("Focus is off. {command} begins it.").format(command=code("/focus on 25"))
    ends = (
        texts("Focus is on until {time}.").format(time=_clock_time(focus.until))
        if focus.until is not None
        else texts("Focus is on until you turn it off or Jarvis ends.")
    )
    return f"{ends} {_what_it_means(texts)}"


def _what_it_means(texts: Texts) -> str:
    return texts(
        "The wake word is not heeded; the microphone button and what you type work as ever, and questions "
        "are still asked. {command} ends it."
    ).format(command=code("/focus off"))


def _clock_time(at: datetime) -> str:
    return f"{at.astimezone():%H:%M}"
