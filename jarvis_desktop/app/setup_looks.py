"""Everything that the setup window shows, looked at together; a look that fails leaves its fact empty."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from jarvis_desktop.core.items.errors import JarvisError
from jarvis_desktop.core.items.setup import (
    ChatChoice,
    FileChoice,
    MachineFacts,
    OllamaPresence,
    SetupFacts,
)
from jarvis_desktop.core.ports import Texts

log = logging.getLogger(__name__)

LOOK_S = 8.0
"""Longest wait for one fact: a server on another machine gets 5 s for its answer."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class OllamaFound:
    """What was found of Ollama."""

    presence: OllamaPresence
    text: str
    """What was found and what to do about it, in the app's language."""


@dataclass(frozen=True, slots=True)
class DeviceNames:
    """Sound devices by the names that the settings hold."""

    microphones: tuple[str, ...] = ()
    loudspeakers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Looks:
    """Where each fact comes from."""

    machine: Callable[[], Awaitable[MachineFacts]]
    ollama: Callable[[], Awaitable[OllamaFound]]
    chat: Callable[[MachineFacts], Awaitable[tuple[ChatChoice, ...]]]
    files: Callable[[], Awaitable[tuple[FileChoice, ...]]]
    devices: Callable[[], Awaitable[DeviceNames]]
    autostart: Callable[[], Awaitable[bool]]
    in_menu: Callable[[], Awaitable[bool]]
    first_time: Callable[[], Awaitable[bool]]
    settings: Callable[[], Mapping[str, object]]
    hotkey_trouble: Callable[[], str]
    command: Callable[[], str]
    consent: Callable[[], str] = str
    """What a person has to agree to before a conversation leaves this machine; empty when it stays."""


@dataclass(frozen=True, slots=True)
class _Looking:
    texts: Texts
    troubles: list[str] = field(default_factory=list)

    async def at(self, what: str, look: Awaitable[T], instead: T) -> T:
        """What ``look`` finds; ``instead`` with a sentence when it finds nothing in time."""
        try:
            async with asyncio.timeout(LOOK_S):
                return await look
        except TimeoutError:
            why = self.texts("there was no answer within {seconds} seconds").format(seconds=round(LOOK_S))
        except JarvisError as error:
            why = str(error)
        except OSError as error:
            why = error.strerror or type(error).__name__
        except Exception as error:  # rim: the loop. One broken look must not take the others along.
            log.error("a look at the machine failed", exc_info=error)
            why = type(error).__name__
        text = self.texts("{what} could not be looked at: {why}. Look again later.")
        self.troubles.append(text.format(what=what, why=why.rstrip(".")))
        return instead


async def look_around(looks: Looks, texts: Texts) -> SetupFacts:
    """All facts; the looks go on side by side, and none is waited for longer than ``LOOK_S``."""
    looking = _Looking(texts)
    nobody = OllamaFound(OllamaPresence.ABSENT, "")

    async def machine_and_chat() -> tuple[MachineFacts, tuple[ChatChoice, ...]]:
        machine = await looking.at(texts("This machine"), looks.machine(), MachineFacts(0, 0))
        return machine, await looking.at(texts("Chat models"), looks.chat(machine), ())

    async def entries() -> tuple[bool, bool]:
        starts = await looking.at(texts("Starting with the computer"), looks.autostart(), instead=False)
        return starts, await looking.at(texts("The list of programs"), looks.in_menu(), instead=False)

    (machine, chat), ollama, files, devices, (autostart, in_menu), first_time = await asyncio.gather(
        machine_and_chat(),
        looking.at("Ollama", looks.ollama(), nobody),
        looking.at(texts("Speech models"), looks.files(), ()),
        looking.at(texts("Microphone and loudspeaker"), looks.devices(), DeviceNames()),
        entries(),
        looking.at(texts("The state of the setup"), looks.first_time(), instead=False),
    )
    return SetupFacts(
        machine=machine,
        ollama=ollama.presence,
        ollama_text=ollama.text,
        chat=chat,
        files=files,
        microphones=devices.microphones,
        loudspeakers=devices.loudspeakers,
        settings=looks.settings(),
        autostart=autostart,
        in_menu=in_menu,
        command=looks.command(),
        hotkey_trouble=looks.hotkey_trouble(),
        first_time=first_time,
        consent=looks.consent(),
        troubles=tuple(looking.troubles),
    )
