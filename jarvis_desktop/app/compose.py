"""The one place that knows which class fills which port."""

import asyncio
import logging
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from jarvis_desktop.adapters.bash_shell import BashShell
from jarvis_desktop.adapters.local_files import LocalFiles
from jarvis_desktop.adapters.log_setup import loop_error_logged
from jarvis_desktop.adapters.ollama_model import OllamaModel
from jarvis_desktop.adapters.settings_problem import sentence
from jarvis_desktop.adapters.sqlite_store import SqliteStore, open_store
from jarvis_desktop.app.bus import Bus
from jarvis_desktop.app.core_thread import Inbox
from jarvis_desktop.app.decision_parts import LiveSecurity, open_reading
from jarvis_desktop.app.model_care import CareParts, ModelCare
from jarvis_desktop.app.options import DATABASE_NAME, Start, Surface
from jarvis_desktop.app.recorder import Recorder
from jarvis_desktop.app.turn_loop import LoopParts, TurnLoop, working_directory
from jarvis_desktop.app.voice_parts import open_voice
from jarvis_desktop.core.items.events import Part, TroubleNoted
from jarvis_desktop.core.items.ids import MAIN_AGENT
from jarvis_desktop.core.policy.broker import Broker
from jarvis_desktop.core.ports import CallStyle, ChatRequest, Clock, Restored
from jarvis_desktop.core.turn.audit_trail import AuditTrail
from jarvis_desktop.core.turn.call_reports import CallReports
from jarvis_desktop.core.turn.engine import TurnEngine
from jarvis_desktop.core.turn.prompt import PromptBuilder
from jarvis_desktop.core.turn.tool_registry import ToolRegistry, builtin_tools
from jarvis_desktop.core.turn.tool_runner import ToolRunner

log = logging.getLogger(__name__)

CHECKS_NAME = "model_checks.yaml"
ACTIVITY_SHOWN = 200
"""Lines of the last runs that the activity list begins with."""


async def run_core(inbox: Inbox, start: Start, clock: Clock, surface: Surface) -> None:
    """Open every part, serve commands until ``Quit``, close every part."""
    asyncio.get_running_loop().set_exception_handler(loop_error_logged)
    bus = Bus()
    bus.subscribe(surface.deliver)
    for problem in start.problems:
        bus.publish(TroubleNoted(Part.SETTINGS, sentence(problem, start.texts)))
    async with AsyncExitStack() as closing:
        opened = await open_store(start.home / DATABASE_NAME, clock, start.texts)
        closing.push_async_callback(opened.store.close)
        recorder = Recorder(opened.store, bus, start.texts)
        if opened.set_aside:
            bus.publish(TroubleNoted(Part.DATABASE, _set_aside_text(start, opened.set_aside.name)))
        folder = _folder(start, bus)
        restored = await _restored(opened.store, folder, fresh=surface.fresh_conversation)
        if surface.shows_past:
            for line in await opened.store.recent_activity(ACTIVITY_SHOWN):
                bus.publish(line)
        await _serve(inbox, _Parts(start, clock, surface, bus, recorder, opened.store, restored), closing)


@dataclass(frozen=True, slots=True)
class _Parts:
    start: Start
    clock: Clock
    surface: Surface
    bus: Bus
    recorder: Recorder
    store: SqliteStore
    restored: Restored


async def _serve(inbox: Inbox, parts: _Parts, closing: AsyncExitStack) -> None:
    start, clock, emit = parts.start, parts.clock, parts.recorder.emit
    model = OllamaModel(start.settings.model, start.texts)
    closing.push_async_callback(model.close)
    broker = Broker(clock, emit)
    tools = builtin_tools(LocalFiles(), BashShell())
    registry = ToolRegistry(lambda: tools)
    reports = CallReports(clock, start.texts, emit)
    security = LiveSecurity(start, emit)
    await security.announce()
    reading = open_reading(start, clock, security, emit)
    trail = AuditTrail(parts.store, clock)
    runner = ToolRunner(registry, broker, reading, reports, trail=trail)
    prompt = PromptBuilder()
    engine = TurnEngine(model, runner, prompt, clock, start.texts, emit)

    def prefix(style: CallStyle) -> ChatRequest:
        return prompt.prefix(start.texts.language, runner.offer(MAIN_AGENT), style)

    care_parts = CareParts(start.settings.model, start.home / CHECKS_NAME, clock, start.texts, emit, prefix)
    care = ModelCare(model, tuple(tool.spec for tool in tools), care_parts)
    voice = open_voice(start, clock, parts.surface.post, emit)
    closing.push_async_callback(voice.close)
    turns = TurnLoop(
        LoopParts(
            turns=engine,
            style=lambda: care.style,
            questions=broker,
            begin_conversation=parts.store.begin_conversation,
            record=parts.recorder,
            ears=voice.ears,
            mouth=voice.mouth,
            clock=clock,
            texts=start.texts,
            emit=emit,
            publish=parts.bus.publish,
            input_max_length=start.settings.security.input_max_length,
        ),
        parts.restored,
    )
    for listener in (turns.on_event, voice.on_event, care.on_event):
        parts.bus.subscribe(listener)
    await _with_background(turns.run(inbox), [voice.run(), care.run()])


async def _with_background(
    main: Coroutine[None, None, None], behind: list[Coroutine[None, None, None]]
) -> None:
    """Run ``main`` to its end; what runs behind it may fail without taking it along."""
    tasks = [asyncio.create_task(work) for work in behind]
    for task in tasks:
        task.add_done_callback(_log_failure)
    try:
        await main
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _log_failure(task: "asyncio.Task[None]") -> None:
    if not task.cancelled() and task.exception():
        log.error("a part behind the conversation stopped", exc_info=task.exception())


def _folder(start: Start, bus: Bus) -> Path:
    """Where a new conversation works: the folder that the settings name, else the person's own."""
    wanted = start.settings.agent.working_directory
    try:
        return working_directory(wanted)
    except (OSError, RuntimeError) as error:
        log.warning("no working directory", extra={"error": type(error).__name__})
    text = start.texts(
        "settings.yaml: agent.working_directory is {folder}, which cannot be used as a folder; {home} is "
        "used instead. Name a folder that can be made or written, and start Jarvis again."
    ).format(folder=wanted, home=Path.home())
    bus.publish(TroubleNoted(Part.SETTINGS, text))
    return Path.home()


async def _restored(store: SqliteStore, folder: Path, *, fresh: bool) -> Restored:
    if fresh:
        return Restored(await store.begin_conversation(MAIN_AGENT, folder), (), (), ())
    return await store.restore(MAIN_AGENT, folder)


def _set_aside_text(start: Start, name: str) -> str:
    return start.texts(
        "The conversation database was damaged. It is kept as {file} in {folder}; a new one was started."
    ).format(file=name, folder=start.home)
