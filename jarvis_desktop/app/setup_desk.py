"""The setup service: looks at the machine, and does what the setup window and the console ask for."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from jarvis_desktop.app.live_settings import LiveSettings
from jarvis_desktop.app.setup_looks import Looks, look_around
from jarvis_desktop.app.setup_trials import Trials
from jarvis_desktop.app.waking import woken_within
from jarvis_desktop.core.items.errors import JarvisError
from jarvis_desktop.core.items.events import Event, Part, TroubleNoted
from jarvis_desktop.core.items.fetching import FetchStage
from jarvis_desktop.core.items.setup import (
    AddToMenu,
    AllowRemoteModel,
    Backend,
    BeginTrial,
    ChangeSetting,
    DropFetch,
    EndTrial,
    Fetch,
    FetchChanged,
    FinishSetup,
    LookAround,
    MeasureModel,
    ModelMeasured,
    PauseFetch,
    RemoveModel,
    SetAutostart,
    SettingRefused,
    SettingsChanged,
    SetupCommand,
    SetupLooked,
    StartOllama,
)
from jarvis_desktop.core.ports import Clock, Emit, Texts

log = logging.getLogger(__name__)

FIRST_LOOK_S = 3.0
"""The first look after a start waits so long, since the ears come first; somebody new waits for nothing."""
LOOKED_AT = ("model.", "voice.input_device", "voice.output_device", "ui.hotkey", "ui.language")
"""When one of these settings changes, other facts do too."""

ALLOWED_HOST = "model.allowed_host"

FetchCommand: TypeAlias = Fetch | PauseFetch | DropFetch | RemoveModel


@dataclass(frozen=True, slots=True)
class SetupHands:
    """What the service gets done by others."""

    fetch: Callable[[FetchCommand], Awaitable[None]]
    measure: Callable[[Backend, str], Awaitable[ModelMeasured]]
    start_ollama: Callable[[], Awaitable[None]]
    """Raises MissingPartError."""
    consent_needed: Callable[[], str]
    """What a person has to agree to before a conversation leaves this machine; empty when it stays."""
    set_autostart: Callable[[bool], Awaitable[None]]
    """Raises JarvisError or OSError."""
    add_to_menu: Callable[[], Awaitable[None]]
    """Raises OSError."""
    finish: Callable[[], Awaitable[None]]
    """Raises OSError."""
    models_came: Callable[[], None]
    """Who uses models looks again."""


@dataclass(frozen=True, slots=True)
class SetupParts:
    """What the service is connected to."""

    looks: Looks
    hands: SetupHands
    settings: LiveSettings
    trials: Trials
    clock: Clock
    texts: Texts
    emit: Emit


class SetupDesk:
    """Obeys ``SetupCommand``s. Everything is done in tasks: nobody waits for it."""

    def __init__(self, parts: SetupParts) -> None:
        self._parts = parts
        self._tasks: set[asyncio.Future[None]] = set()
        self._look_wanted = asyncio.Event()

    def obey(self, command: SetupCommand) -> None:  # noqa: C901 - one line for each command
        """Do it; returns at once."""
        parts = self._parts
        match command:
            case LookAround():
                self._look_wanted.set()
            case Fetch() | PauseFetch() | DropFetch() | RemoveModel():
                self._spawn(parts.hands.fetch(command))
            case ChangeSetting():
                self._spawn(parts.settings.change(command))
            case BeginTrial(trial):
                parts.trials.begin(trial)
            case EndTrial(trial):
                parts.trials.end(trial)
            case MeasureModel(backend, name):
                self._spawn(self._measure(backend, name))
            case StartOllama():
                self._spawn(self._start_ollama())
            case AllowRemoteModel(host):
                self._spawn(self._allow(host))
            case SetAutostart() | AddToMenu():
                self._spawn(self._write_entry(command))
            case FinishSetup():
                self._spawn(self._finish())

    def on_event(self, event: Event) -> None:
        """Models that came are used, and facts that moved are looked at."""
        self._parts.trials.on_event(event)
        match event:
            case FetchChanged(state) if state.stage in (FetchStage.DONE, FetchStage.GONE):
                self._parts.hands.models_came()
                self._look_wanted.set()
            case SettingsChanged(changed) if any(name.startswith(LOOKED_AT) for name in changed):
                self._look_wanted.set()
            case _:
                pass

    async def run(self, *, look_at_start: bool) -> None:
        """Look whenever it is wanted, without end; looks never overlap."""
        if look_at_start:
            if not await self._is_first_time():
                await woken_within(FIRST_LOOK_S, self._look_wanted, self._parts.clock)
            self._look_wanted.set()
        while True:
            await self._look_wanted.wait()
            self._look_wanted.clear()
            facts = await look_around(self._parts.looks, self._parts.texts)
            await self._parts.emit(SetupLooked(facts))

    async def close(self) -> None:
        """Nothing goes on any more."""
        await self._parts.trials.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _is_first_time(self) -> bool:
        try:
            return await self._parts.looks.first_time()
        except OSError:
            return False

    async def _measure(self, backend: Backend, name: str) -> None:
        await self._parts.emit(await self._parts.hands.measure(backend, name))
        self._look_wanted.set()

    async def _start_ollama(self) -> None:
        try:
            await self._parts.hands.start_ollama()
        except JarvisError as error:
            await self._parts.emit(TroubleNoted(Part.OLLAMA, str(error)))
        else:
            self._parts.hands.models_came()
        self._look_wanted.set()

    async def _allow(self, host: str) -> None:
        """Only what was shown is agreed to: the address may be another one by now."""
        if host and host == self._parts.hands.consent_needed():
            await self._parts.settings.change(ChangeSetting(ALLOWED_HOST, host))
            return
        reason = self._parts.texts("The address is another one by now. Look at it again, then decide.")
        await self._parts.emit(SettingRefused(ALLOWED_HOST, reason))
        self._look_wanted.set()

    async def _write_entry(self, command: SetAutostart | AddToMenu) -> None:
        hands = self._parts.hands
        try:
            if isinstance(command, SetAutostart):
                await hands.set_autostart(command.on)
            else:
                await hands.add_to_menu()
        except (JarvisError, OSError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            name = "autostart" if isinstance(command, SetAutostart) else "menu"
            await self._parts.emit(SettingRefused(name, reason))
        self._look_wanted.set()

    async def _finish(self) -> None:
        try:
            await self._parts.hands.finish()
        except OSError as error:
            text = self._parts.texts(
                "That the setup is finished could not be kept: {reason}. It is shown again at the next start."
            ).format(reason=error.strerror or type(error).__name__)
            await self._parts.emit(TroubleNoted(Part.SETTINGS, text))
        self._look_wanted.set()

    def _spawn(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: "asyncio.Future[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception():
            log.error("a wish of the setup failed", exc_info=task.exception())
