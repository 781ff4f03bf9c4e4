"""The one place that knows which class fills which port."""

import asyncio
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from functools import partial

from jarvis_desktop.adapters.bash_shell import BashShell
from jarvis_desktop.adapters.bwrap_sandbox import BwrapSandbox
from jarvis_desktop.adapters.local_files import LocalFiles
from jarvis_desktop.adapters.log_setup import loop_error_logged
from jarvis_desktop.adapters.person_folders import person_folders
from jarvis_desktop.adapters.public_web import PublicWeb
from jarvis_desktop.adapters.screen_lock import ScreenLock
from jarvis_desktop.adapters.settings_problem import sentence
from jarvis_desktop.adapters.sqlite_chats import SqliteChats
from jarvis_desktop.adapters.sqlite_store import SqliteStore, open_store
from jarvis_desktop.app.agenda_desk import AgendaDesk
from jarvis_desktop.app.agenda_parts import open_agenda
from jarvis_desktop.app.agent_models import AgentModelParts, AgentModels
from jarvis_desktop.app.agent_registry import AgentRegistry
from jarvis_desktop.app.background import close_all, with_background
from jarvis_desktop.app.bus import Bus
from jarvis_desktop.app.core_thread import Inbox
from jarvis_desktop.app.decision_parts import machine_place, open_reading
from jarvis_desktop.app.delegation_parts import ErrandNeighbours, open_errands
from jarvis_desktop.app.desktop_parts import DesktopParts
from jarvis_desktop.app.extension_desk import ExtensionDesk
from jarvis_desktop.app.extension_parts import AddedNeighbours, Extensions, open_extensions
from jarvis_desktop.app.fetching_parts import open_fetching
from jarvis_desktop.app.goal_parts import GoalNeighbours, Goals
from jarvis_desktop.app.live_settings import LiveSettings
from jarvis_desktop.app.loop_parts import LoopParts
from jarvis_desktop.app.loop_words import set_aside_text
from jarvis_desktop.app.memory_desk import MemoryDesk
from jarvis_desktop.app.memory_parts import open_memory, open_memory_desk
from jarvis_desktop.app.model_care import ModelCare
from jarvis_desktop.app.options import DATABASE_NAME, Start, Surface
from jarvis_desktop.app.plugin_parts import OpenPlugins, PluginNeighbours, open_plugins
from jarvis_desktop.app.recorder import Recorder
from jarvis_desktop.app.rule_desk import RuleDesk
from jarvis_desktop.app.rule_parts import open_rules, shared_out
from jarvis_desktop.app.schedule_parts import ScheduleNeighbours, Schedules, Workers
from jarvis_desktop.app.setting_takers import takes_language, takes_model, takes_voice
from jarvis_desktop.app.settings_desk import SettingsDesk, SettingsDeskParts
from jarvis_desktop.app.setup_desk import SetupDesk
from jarvis_desktop.app.setup_parts import begin_setup, open_setup, setup_neighbours
from jarvis_desktop.app.slash_desk import SlashDesk
from jarvis_desktop.app.slash_parts import SlashNeighbours, open_slash
from jarvis_desktop.app.stored_talks import reopening, restored_talk
from jarvis_desktop.app.team_desk import TeamDesk
from jarvis_desktop.app.thinking_parts import Thinking, open_thinking
from jarvis_desktop.app.turn_loop import TurnLoop
from jarvis_desktop.app.voice_parts import VoiceParts, VoiceWiring
from jarvis_desktop.app.voice_switch import open_voice
from jarvis_desktop.app.web_parts import usable
from jarvis_desktop.app.when_ready import Patience, QuitMeanwhileError
from jarvis_desktop.app.work_folder import work_folder
from jarvis_desktop.core.items.commands import Tick
from jarvis_desktop.core.items.events import Part, TroubleNoted
from jarvis_desktop.core.policy.broker import Broker
from jarvis_desktop.core.ports import CallStyle, ChatModel, ChatRequest, Clock, Restored
from jarvis_desktop.core.turn.audit_trail import AuditTrail
from jarvis_desktop.core.turn.call_reports import CallReports
from jarvis_desktop.core.turn.engine import TurnEngine
from jarvis_desktop.core.turn.late_saves import LateSaves
from jarvis_desktop.core.turn.prompt import PromptBuilder
from jarvis_desktop.core.turn.tool_registry import ToolRegistry, builtin_tools, memory_tools, tool_names
from jarvis_desktop.core.turn.tool_runner import ToolRunner

ACTIVITY_SHOWN = 200
"""Lines of the last runs that the activity list begins with."""


async def run_core(inbox: Inbox, start: Start, clock: Clock, surface: Surface) -> None:
    """Open every part, serve commands until ``Quit``, close every part."""
    asyncio.get_running_loop().set_exception_handler(loop_error_logged)
    bus = Bus()
    bus.subscribe(surface.deliver)
    for problem in start.problems:
        bus.publish(TroubleNoted(Part.SETTINGS, sentence(problem, start.texts)))
    patience = Patience(inbox, clock, start.texts, bus.publish, endless=surface.waits_for_disk)
    async with AsyncExitStack() as closing:
        # Whoever quits before the database is ready has nothing to close.
        closing.enter_context(suppress(QuitMeanwhileError))
        path = start.home / DATABASE_NAME
        opened = await patience.when_ready(lambda: open_store(path, clock, start.texts))
        closing.push_async_callback(opened.store.close)
        recorder = Recorder(opened.store, bus, start.texts)
        if opened.set_aside:
            bus.publish(TroubleNoted(Part.DATABASE, set_aside_text(opened.set_aside, start.texts)))
        folder = await work_folder(start.settings.agent.working_directory, start.texts, recorder.emit)
        restored = await patience.when_ready(
            lambda: restored_talk(opened.store, folder, fresh=surface.fresh_conversation)
        )
        past = await opened.store.recent_activity(ACTIVITY_SHOWN)
        if surface.shows_past:
            for line in past:
                bus.publish(line)
        await begin_setup(start, used_before=bool(past or restored.lines))
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


@dataclass(frozen=True, slots=True)
class _Core:
    live: LiveSettings
    thinking: Thinking
    broker: Broker
    turns: AgentModels
    care: ModelCare
    voice: VoiceParts
    sandbox: BwrapSandbox
    rules: RuleDesk
    team: AgentRegistry
    added: Extensions
    plugins: OpenPlugins
    runner: ToolRunner
    memory: MemoryDesk
    settings: SettingsDesk
    extensions: ExtensionDesk
    goals: Goals
    agents: TeamDesk
    schedules: Schedules
    agenda: AgendaDesk


async def _serve(inbox: Inbox, parts: _Parts, closing: AsyncExitStack) -> None:
    start, clock, emit = parts.start, parts.clock, parts.recorder.emit
    core = _open_core(parts)
    await core.live.announce()
    await core.team.look()
    await core.added.skills.look()
    core.added.glance()
    voice, care = core.voice, core.care
    desktop = DesktopParts(start, clock, parts.surface, emit, (voice, care))
    fetching = open_fetching(start, clock, emit, core.thinking)
    near_setup = setup_neighbours(core.live, (voice, care), core.thinking, fetching, desktop)
    setup = open_setup(start, clock, emit, near_setup)
    chats = SqliteChats(parts.store, start.texts)
    near = SlashNeighbours(
        settings=core.live,
        thinking=core.thinking,
        rules=core.rules,
        runner=core.runner,
        team=core.team,
        chats=chats,
        memory=core.memory.memory,
        goals=core.goals.keeping,
        schedule=core.schedules.shelf,
        added=core.added,
        plugins=core.plugins.desk,
        turns=lambda: turns,
        surface=parts.surface,
    )
    slash = open_slash(start, clock, emit, near)
    desks = (core.rules, core.memory, core.settings, core.extensions, core.agents, core.agenda)
    code = (core.added.close, core.plugins.desk.close, core.schedules.close)
    slow = (core.thinking.close, core.sandbox.close, core.turns.close, slash.close, core.goals.close)
    quick = (setup.close, fetching.close, voice.close, *code, *(desk.close for desk in desks))
    closing.push_async_callback(close_all, *quick, *slow)
    turns = TurnLoop(_loop_parts(parts, core, setup, (slash.desk, chats)), parts.restored)
    core.memory.attach(turns, core.goals.keeping, beside=parts.surface.fresh_conversation)
    core.live.add_taker(takes_language(start.texts))
    core.live.add_taker(takes_voice(voice))
    core.live.add_taker(takes_model(core.thinking, care, core.turns, core.schedules))
    # The model first: whether a turn is running must be known before its first request.
    parts.bus.subscribe(core.thinking.model.on_event)
    for listener in (
        core.turns,
        turns,
        voice,
        care,
        setup,
        desktop,
        core.team,
        core.added,
        core.goals,
        slash,
    ):
        parts.bus.subscribe(listener.on_event)
    parts.bus.subscribe(core.schedules.on_event)
    looking = setup.run(look_at_start=parts.surface.sets_up)
    watching = (voice.run(), care.run(), core.team.run(), core.added.run(), core.plugins.desk.run())
    remembering, goals = core.memory.run(parts.restored.interrupted), core.goals.run()
    working = (remembering, goals, core.schedules.run(), fetching.start(), looking)
    behind = [core.sandbox.try_out(), *watching, *working, *desktop.behind()]
    if parts.surface.behind is not None:
        behind.append(parts.surface.behind())
    await with_background(turns.run(inbox), behind)


def _open_core(parts: _Parts) -> _Core:
    """What a turn needs."""
    start, clock, emit = parts.start, parts.clock, parts.recorder.emit
    live = LiveSettings(start, emit)
    thinking = open_thinking(start, clock, emit)
    sandbox = BwrapSandbox(machine_place(start.home))
    hands = builtin_tools(LocalFiles(), BashShell(sandbox=sandbox), PublicWeb(lambda: live.now.web))
    memory = open_memory(start, clock, live, parts.store, parts.recorder)
    around = (live, parts.store, parts.recorder, parts.surface)
    goals = Goals(start, clock, GoalNeighbours(*around, lambda: team, lambda: schedules, lambda: runner))
    schedules = Schedules(start, clock, ScheduleNeighbours(*around))
    tools = (*hands, *memory_tools(memory, start.texts, emit), *goals.tools, *schedules.tools)

    stays = parts.surface.waits_for_disk

    def changed() -> None:
        extensions.changed()

    added = open_extensions(start, clock, emit, AddedNeighbours(live, sandbox, tools, changed, stays))
    usual = added.with_tools(lambda: tools)
    team = AgentRegistry(start.home, lambda: tool_names(usual()), clock, start.texts, emit)
    near = ErrandNeighbours(team, lambda: turns, parts.recorder)
    errands = open_errands(near, clock, start.texts, schedules.telling.emit)
    trail, reports = AuditTrail(parts.store, clock), CallReports(clock, start.texts, errands.emit)
    broker = Broker(clock, emit, locked=ScreenLock().locked, kept=LateSaves(trail, reports).kept)
    reading = open_reading(start, clock, live, emit, sandbox)
    plugins = open_plugins(start, clock, emit, PluginNeighbours(sandbox, live, changed, errands.emit))
    registry = ToolRegistry(added.with_tools(usable(tools, lambda: live.now)), errands.tools)
    runner = ToolRunner(registry, broker, reading, reports, plugins.hooks, trail)
    prompt = PromptBuilder(places=person_folders())

    def prefix(style: CallStyle) -> ChatRequest:
        return prompt.prefix(team.shown, start.texts.language, runner.offer(team.shown), style)

    care = thinking.care(start, emit, [tool.spec for tool in tools], prefix)

    def engine(model: ChatModel) -> TurnEngine:
        made = TurnEngine(model, runner, prompt, clock, start.texts, errands.emit)
        made.recollect_from(memory)
        made.plug_in(plugins.hooks)
        return made

    models = AgentModelParts(
        thinking.model, lambda: care.style, care.known_style, thinking.another, engine, start.texts
    )
    turns = AgentModels(start.settings.model, models)
    schedules.attach(Workers(team, models, runner.only_reads, goals.turns, goals.look, added.ready))
    voice = open_voice(start, VoiceWiring(clock, parts.surface.post, emit, thinking.model))
    rules = open_rules(start, clock, emit, reading, live)
    desk = open_memory_desk(start, clock, live, memory, team, (emit, parts.surface))
    shown = SettingsDesk(SettingsDeskParts(start.home, live, start.texts, emit))
    extensions = ExtensionDesk((*added.shelves, plugins.desk), added.servers, emit)
    return _Core(
        *(live, thinking, broker, turns, care, voice, sandbox, rules, team),
        *(added, plugins, runner, desk, shown, extensions),
        *(goals, TeamDesk(start.home, team, start.texts, emit), schedules),
        open_agenda(start, clock, emit, parts.store, team, (goals, schedules)),
    )


def _ticked(core: _Core, tick: Tick) -> None:
    core.added.glance()
    core.schedules.ticked(tick)


def _loop_parts(
    parts: _Parts, core: _Core, setup: SetupDesk, slash: tuple[SlashDesk, SqliteChats]
) -> LoopParts:
    texts, emit = parts.start.texts, parts.recorder.emit
    desk, chats = slash
    return LoopParts(
        turns=core.turns,
        style=core.turns.style,
        team=core.team,
        questions=core.broker,
        begin_conversation=parts.store.begin_conversation,
        reopen=reopening(parts.store, fresh=parts.surface.fresh_conversation),
        open_stored=chats.open,
        past=parts.store.past,
        folder=lambda: work_folder(core.live.now.agent.working_directory, texts, emit),
        record=parts.recorder,
        ears=core.voice.ears,
        mouth=core.voice.mouth,
        clock=parts.clock,
        texts=texts,
        emit=emit,
        publish=parts.bus.publish,
        settings=core.live,
        slash=desk,
        skills=core.added.skills,
        added=core.added,
        set_up=shared_out(
            *(setup.obey, core.rules.obey, core.memory.obey, core.settings.obey),
            *(core.extensions.obey, core.agents.obey, core.agenda.obey, core.goals.obey),
            core.schedules.obey,
        ),
        ticked=partial(_ticked, core),
    )
