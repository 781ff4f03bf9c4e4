"""Draws the settings window's pages of agents, extensions, MCP servers, and those that the setup has too.

One process draws one scale (``QT_SCALE_FACTOR``); at 200 % the window is as small as 1366×768 makes it.
"""

import asyncio
import tempfile
from difflib import unified_diff
from pathlib import Path
from typing import Literal, cast

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QScrollArea

from experiments.screenshots_settings import NOW, SMALL, Clock
from experiments.screenshots_setup import full
from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.app.agent_registry import AgentRegistry
from jarvis_desktop.app.team_desk import TeamDesk
from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.items.events import Event, LevelHeard, WakeHeard
from jarvis_desktop.core.items.extensions import (
    Extension,
    ExtensionKind,
    ExtensionsLooked,
    ExtensionState,
    ExtensionWishRefused,
    LookAtExtensions,
    Offered,
)
from jarvis_desktop.core.items.rule_desk import TextOrder
from jarvis_desktop.core.items.setup import Backend, ModelMeasured, SetupLooked, Trial, TrialChanged
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.team_desk import FolderReady, TeamOrder
from jarvis_desktop.core.settings import UiSettings
from jarvis_desktop.core.turn.tool_registry import tool_names
from jarvis_desktop.ui.qt.desktop import Desktop
from jarvis_desktop.ui.qt.settings_agents_page import AgentsPage
from jarvis_desktop.ui.qt.settings_extension_list import ExtensionListPage
from jarvis_desktop.ui.qt.settings_page import Place
from jarvis_desktop.ui.qt.settings_window import SettingsWindow

TOOL = '''"""What the weather station on the roof says."""

import json
from urllib.request import urlopen


def roof_weather(unit: str = "C") -> str:
    """Temperature and wind on the roof.

    unit: C or F.
    """
    with urlopen("http://station.local/now.json", timeout=5) as answer:  # the station has no TLS
        now = json.load(answer)
    degrees = now["temperature"] if unit == "C" else now["temperature"] * 9 / 5 + 32
    return f"{degrees:.1f} °{unit}, wind {now['wind_kmh']} km/h"


def set_blinds(position: int) -> str:
    """Move the blinds: 0 is open, 100 is closed."""
    urlopen(f"http://station.local/blinds?to={position}", timeout=5).close()
    return "done"
'''
PLUGIN = '''def before_tool_call(call):
    """No tool touches the accounts."""
    if "accounts" in str(call.arguments):
        return {"block": True, "reason": "The accounts are off limits."}
'''
SKILL = "Summarise the text below in three sentences, in the language it is written in.\n\n$ARGUMENTS\n"
SERVER = """time:
  command: uvx
  args: [mcp-server-time, --local-timezone=Asia/Seoul]
  env: {API_KEY: ${TIME_KEY}}
"""
HOME = Path("/home/me/.jarvis")
SCRIBE = """name: 서기
answers_to: [Scribe, 서기]
purpose: 회의록을 정리하고 결정된 것과 남은 일을 표로 만들어요. 다른 에이전트가 부를 수 있어요.
top_level: false
model: {name: gemma4:e4b, temperature: 0.1}
tools: [read_file, write_file, grep, glob]
boundaries: {ask: [write_file]}
"""
BROKEN = "name: Clerk\ntolos: [bash]\nvoice: {pitch: 200}\n"


def extensions(language: Language) -> tuple[Extension, ...]:
    """One of every state."""
    ko = language is Language.KOREAN
    old = PLUGIN.replace("accounts", "taxes")
    diff = "\n".join(unified_diff(old.splitlines(), PLUGIN.splitlines(), "before", "now", lineterm=""))
    trouble = (
        "plugins/tidy.py: before_agent_start가 3초 넘게 걸려 멈췄어요. 파일을 고치면 다시 시도해요."
        if ko
        else "plugins/tidy.py: before_agent_start took longer than 3 seconds and was stopped. Mend the file; "
        "it is tried again then."
    )
    gone = (
        "broken: 프로그램 “npx”를 찾을 수 없어요. Node.js를 설치하거나 command를 고치세요."
        if ko
        else "broken: there is no program “npx”. Install Node.js, or change its command."
    )
    kinds, states = ExtensionKind, ExtensionState
    weather = (
        Offered("roof_weather", "Temperature and wind on the roof.", read_only=True),
        Offered("set_blinds", "Move the blinds: 0 is open, 100 is closed."),
    )
    many = tuple(Offered(f"github_tool_{n}", f"Does thing number {n} with a repository.") for n in range(41))
    times = (
        Offered("time_get_current_time", "Get current time in a specific timezone.", read_only=True),
        Offered("time_convert_time", "Convert time between timezones."),
    )
    return (
        Extension(kinds.TOOL, "weather", HOME / "tools/weather.py", "d1", states.WAITING, "", weather, TOOL),
        Extension(
            kinds.TOOL,
            "read_file",
            HOME / "tools/read_file.py",
            "d2",
            states.ENABLED,
            "",
            (Offered("read_file", "Reads a file, and notes that it was read.", overrides=True),),
            TOOL,
        ),
        Extension(kinds.SKILL, "summary", HOME / "skills/summary.md", "d3", states.ENABLED, "",
                  (Offered("summary", "Summarise the text below in three sentences."),), SKILL),
        Extension(kinds.PLUGIN, "guard", HOME / "plugins/guard.py", "d4", states.CHANGED, "",
                  (Offered("before_tool_call"),), PLUGIN, diff),
        Extension(kinds.PLUGIN, "tidy", HOME / "plugins/tidy.py", "d5", states.BROKEN, trouble,
                  (Offered("before_agent_start"),), PLUGIN),
        Extension(kinds.PLUGIN, "old", HOME / "plugins/old.py", "d6", states.OFF, "", (), PLUGIN),
        Extension(kinds.SERVER, "time", HOME / "settings.yaml", "d7", states.WAITING, "", (), SERVER),
        Extension(kinds.SERVER, "github", HOME / "settings.yaml", "d8", states.ENABLED, "", many,
                  "github:\n  url: https://api.example.org/mcp/\n  transport: http\n"),
        Extension(kinds.SERVER, "broken", HOME / "settings.yaml", "d9", states.BROKEN, gone, (),
                  "broken:\n  command: npx\n  args: [-y, some-server]\n"),
        Extension(kinds.SERVER, "clock", HOME / "settings.yaml", "d10", states.STARTING, "", times,
                  SERVER.replace("time:", "clock:")),
    )  # fmt: skip


class PagesStudio:
    """Takes pictures of these pages in one look and language."""

    def __init__(self, out: Path, language: Language, theme: str, percent: int) -> None:
        self.out, self.name, self.percent = out, f"{theme}-{language.value}-{percent}", percent
        self.language, self.texts = language, Catalog(language)
        self.home = Path(tempfile.mkdtemp())
        (self.home / "team").mkdir()
        (self.home / "team" / "scribe.yaml").write_text(SCRIBE, "utf-8")
        (self.home / "team" / "clerk.yaml").write_text(BROKEN, "utf-8")
        self.waiting: list[Command] = []
        self.found: tuple[Extension, ...] = ()
        look = cast("Literal['light', 'dark']", theme)
        self.desktop = Desktop(
            self.waiting.append,
            self.texts,
            UiSettings(language="system", theme=look, hotkey=""),
            now=lambda: NOW,
        )

    async def _emit(self, event: Event) -> None:
        if not isinstance(event, FolderReady):
            self.take(event)

    def take(self, event: Event) -> None:
        """Show what happened."""
        self.desktop._take(event)  # noqa: SLF001 - without the queue

    async def _serve(self) -> None:
        while self.waiting:
            command = self.waiting.pop(0)
            if isinstance(command, TeamOrder) or (isinstance(command, TextOrder) and "team/" in command.file):
                self.desk.obey(command)
            elif isinstance(command, LookAtExtensions):
                self.take(ExtensionsLooked(command.number, self.found, {}))
        await self.desk.close()

    def _spin(self, ms: int = 200) -> None:
        loop = QEventLoop()
        QTimer.singleShot(ms, loop.quit)
        loop.exec()

    def _settle(self) -> None:
        for _ in range(3):
            self._spin()
            self._runner.run(self._serve())

    @property
    def window(self) -> SettingsWindow:
        """It is open."""
        window = self.desktop.settings.window
        assert window is not None
        return window

    def shoot(self) -> None:
        """All pictures."""
        with asyncio.Runner() as self._runner:
            tools = frozenset(tool_names(()))
            team = AgentRegistry(self.home, lambda: tools, Clock(), self.texts, self._emit)
            self.desk = TeamDesk(self.home, team, self.texts, self._emit)
            self.desktop.settings.open()
            self.window.resize(*(SMALL if self.percent > 100 else (1000, 760)))
            self.take(SetupLooked(full(self.language)))
            self._extensions()
            self._agents()
            self._setup()
            self.window.hide()
        self.desktop._end()  # noqa: SLF001 - no loop of its own is running

    def _extensions(self) -> None:
        for place in (Place.EXTENSIONS, Place.SERVERS):
            self.found = ()
            self.window.go(place)
            self._settle()
            self._save(f"{place}-empty")
            self.found = extensions(self.language)
            page = self.window.pages[place]
            assert isinstance(page, ExtensionListPage)
            page.entered()
            self._settle()
            self._save(f"{place}")
            for row, one in enumerate(page.extensions):
                page.table.choose(row)
                self._spin(700)
                if one.state is ExtensionState.BROKEN:
                    why = self.texts("{file} is in your folder already. Change it there.").format(
                        file=one.name
                    )
                    self.take(ExtensionWishRefused(one.kind, one.name, why))
                self._scroll(place, page.card.y() - 12)
                self._save(f"{place}-{one.name}")
                if one.state in (ExtensionState.WAITING, ExtensionState.CHANGED):
                    self._scroll(place, page.card.geometry().bottom() - self._areas(place).height() + 30)
                    self._save(f"{place}-{one.name}-below")
            self._scroll(place, 100_000)
            self._save(f"{place}-bottom")

    def _agents(self) -> None:
        self.window.go(Place.AGENTS)
        self._settle()
        page = self.window.pages[Place.AGENTS]
        assert isinstance(page, AgentsPage)
        for row, one in enumerate(page.agents):
            page.table.choose(row)
            self._scroll(Place.AGENTS, page.card.y() - 260)
            self._save(f"agents-{Path(one.file).stem}")
        page._file = "team/clerk.yaml"  # noqa: SLF001 - as if it had been chosen
        self.window._to_file("team/clerk.yaml", 2)  # noqa: SLF001 - as its button does
        self._settle()
        self._save("agents-text")

    def _setup(self) -> None:
        for place in (Place.LOOK, Place.CHAT, Place.SPEECH, Place.SOUND, Place.WAKE, Place.START):
            self.window.go(place)
            if place is Place.SOUND:
                self.take(TrialChanged(Trial.MICROPHONE, running=True))
                for level in (0.2, 0.5, 0.9, 0.7):
                    self.take(LevelHeard(level))
            if place is Place.WAKE:
                self.take(TrialChanged(Trial.WAKE_WORD, running=True))
                for score in (0.42, 0.71, 0.93):
                    self.take(WakeHeard(score))
            if place is Place.CHAT:
                self.take(ModelMeasured(Backend.OLLAMA, "gemma4:e2b", 11.6, 0.8))
            self._settle()
            self._save(f"{place}")

    def _areas(self, place: Place) -> QScrollArea:
        area: QScrollArea = self.window._areas[place]  # noqa: SLF001 - to scroll it
        return area

    def _scroll(self, place: Place, to: int) -> None:
        self._spin(30)
        self._areas(place).verticalScrollBar().setValue(max(0, to))

    def _save(self, what: str) -> None:
        self._spin(60)
        self.window.grab().save(str(self.out / f"settings-{what}-{self.name}.png"))
