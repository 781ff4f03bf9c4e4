"""``jarvis-desktop setup``: the setup window, or the same steps on the terminal."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

from jarvis_desktop.adapters.daemon_call import in_daemon
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.app.bus import Bus
from jarvis_desktop.app.fetch_desk import FetchDesk
from jarvis_desktop.app.fetching_parts import open_fetching
from jarvis_desktop.app.live_settings import LiveSettings
from jarvis_desktop.app.main import FirstSight, has_display, prepare, run_desktop
from jarvis_desktop.app.options import Start
from jarvis_desktop.app.setting_takers import takes_language, takes_model
from jarvis_desktop.app.setup_desk import SetupParts
from jarvis_desktop.app.setup_looks import look_around
from jarvis_desktop.app.setup_parts import SetupNeighbours, open_setup_parts
from jarvis_desktop.app.thinking_parts import Thinking, open_thinking
from jarvis_desktop.app.voice_parts import NoVoice
from jarvis_desktop.core.items.errors import JarvisError
from jarvis_desktop.core.items.events import AdviceGiven, Event, TroubleNoted
from jarvis_desktop.core.items.fetching import FetchKind, FetchState
from jarvis_desktop.core.items.setup import (
    ChangeSetting,
    Fetch,
    FetchChanged,
    SettingRefused,
    SetupLooked,
)
from jarvis_desktop.ui.setup_picture import MOVING, SetupPicture
from jarvis_desktop.ui.setup_terminal import Terminal, TerminalSetup
from jarvis_desktop.ui.setup_terminal_io import RichTerminal, reading

STOPPED = 130
"""Exit status of programs that Ctrl+C ended."""


def set_up(*, terminal: bool) -> int:
    """Show the setup window, of the Jarvis that runs or of a new one; on a terminal ask the steps there."""
    if has_display() and not terminal:
        return run_desktop(FirstSight.SETUP)
    start = prepare(voice=False)
    try:
        asyncio.run(_on_terminal(start))
    except KeyboardInterrupt:
        print(f"\n{start.texts('Stopped; what was done stays.')}", file=sys.stderr)  # noqa: T201 - the front end is the terminal
        return STOPPED
    return 0


async def _on_terminal(start: Start) -> None:
    is_answered = sys.stdin.isatty()
    read_line = reading(sys.stdin, lambda read: in_daemon(read, "setup-input"))
    terminal = RichTerminal(sys.stdout, read_line)
    async with AsyncExitStack() as closing:
        orders = await open_orders(start, terminal, closing)
        closing.callback(terminal.end_fetch)
        steps = TerminalSetup(orders, start.texts, terminal)
        await (steps.run() if is_answered else steps.report())


async def open_orders(start: Start, terminal: Terminal, closing: AsyncExitStack) -> "DirectOrders":
    """The setup's parts without a conversation; they end with ``closing``."""
    clock, bus = SystemClock(), Bus()

    async def emit(event: Event) -> None:
        bus.publish(event)

    live = LiveSettings(start, emit)
    thinking = open_thinking(start, clock, emit)
    closing.push_async_callback(thinking.close)
    fetching = open_fetching(start, clock, emit, thinking)
    closing.push_async_callback(fetching.close)
    live.add_taker(takes_language(start.texts))
    live.add_taker(takes_model(thinking))
    near = SetupNeighbours(
        settings=live,
        voice=NoVoice(start.texts, emit),
        thinking=thinking,
        fetch=fetching.obey,
        hotkey_trouble=lambda: "",
        models_came=lambda: None,
    )
    orders = DirectOrders(open_setup_parts(start, clock, emit, near), thinking, fetching, terminal)
    bus.subscribe(orders.on_event)
    await fetching.start()
    return orders


class DirectOrders:
    """Fills ``SetupOrders`` with the parts themselves: nothing else runs that could be kept waiting."""

    def __init__(
        self, parts: SetupParts, thinking: Thinking, fetching: FetchDesk, terminal: Terminal
    ) -> None:
        self._parts = parts
        self._thinking = thinking
        self._fetching = fetching
        self._terminal = terminal
        self._refused: dict[str, str] = {}
        self._told: Callable[[FetchState], None] = lambda _state: None
        self.picture = SetupPicture()

    def on_event(self, event: Event) -> None:
        """The picture follows, and what people should know is printed."""
        self.picture.take(event)
        match event:
            case SettingRefused(name, reason):
                self._refused[name] = reason
            case FetchChanged(state):
                self._told(state)
            case AdviceGiven(text) | TroubleNoted(text=text):
                self._terminal.say(f"  {text}")
            case _:
                pass

    async def look(self) -> None:
        """The picture shows this machine as it is now."""
        self.picture.take(SetupLooked(await look_around(self._parts.looks, self._parts.texts)))

    async def change(self, name: str, value: object) -> str:
        """Write a setting; why not, when it cannot be."""
        self._refused.pop(name, None)
        await self._parts.settings.change(ChangeSetting(name, value))
        await asyncio.sleep(0)  # what was told has arrived then
        return self._refused.get(name, "")

    async def fetch(self, kind: FetchKind, name: str, told: Callable[[FetchState], None]) -> FetchState:
        """How a download ended."""
        ended: asyncio.Future[FetchState] = asyncio.get_running_loop().create_future()
        began = False

        def follow(state: FetchState) -> None:
            nonlocal began
            if (state.kind, state.name) != (kind, name):
                return
            told(state)
            began = began or state.stage in MOVING
            if began and state.stage not in MOVING and not ended.done():
                ended.set_result(state)

        self._told = follow
        try:
            await self._fetching.obey(Fetch(kind, name))
            return await ended
        finally:
            self._told = lambda _state: None

    async def start_ollama(self) -> str:
        """The installed Ollama runs, for as long as the setup does; why not, when it cannot."""
        return await _reason(self._parts.hands.start_ollama())

    async def set_autostart(self, *, on: bool) -> str:
        """Start with the session, or no longer; why not, when that cannot be."""
        return await _reason(self._parts.hands.set_autostart(on))

    async def finish(self) -> str:
        """The setup is not shown by itself again; why not, when that cannot be kept."""
        return await _reason(self._parts.hands.finish())


async def _reason(work: Awaitable[None]) -> str:
    """Why it could not be done; empty when it was."""
    try:
        await work
    except JarvisError as error:
        return str(error)
    except OSError as error:
        return error.strerror or type(error).__name__
    return ""
