"""Draws the memory page over a real database: ``experiments.screenshots OUTDIR --settings``.

One process draws one scale (``QT_SCALE_FACTOR``); at 200 % the window is as small as 1366×768 makes it.
"""

import asyncio
import tempfile
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal, cast

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QScrollArea

from experiments.screenshots_settings import NOW, SMALL, Clock
from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.adapters.sqlite_memory import SqliteMemory
from jarvis_desktop.adapters.sqlite_store import SqliteStore, open_store
from jarvis_desktop.app.memory_desk import MemoryDesk, MemoryDeskParts
from jarvis_desktop.core.items.calls import ToolCall
from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId, CallId, TurnId
from jarvis_desktop.core.items.memory import TaskPattern
from jarvis_desktop.core.items.memory_desk import MemoryOrder
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Message, Origin, Role, TurnEnd, TurnRequest
from jarvis_desktop.core.settings import MemorySettings, UiSettings
from jarvis_desktop.ui.qt.desktop import Desktop
from jarvis_desktop.ui.qt.settings_memory_page import MemoryPage
from jarvis_desktop.ui.qt.settings_page import Place
from jarvis_desktop.ui.qt.settings_window import SettingsWindow

KAREN = AgentId("karen")
LONG = (
    "지난달 회의록 열두 개를 하나로 합치고, 결정된 것과 남은 일을 표로 정리한 다음 담당자별로 나눠 줘. " * 12
)
TURNS = (
    ("오늘 서울 날씨 어때?", "맑고 3도예요. 저녁부터 흐려져요.", TurnEnd.ANSWERED, "web_search", MAIN_AGENT),
    (
        "Rename the photos of Busan by their date",
        "Done: 48 files renamed.",
        TurnEnd.ANSWERED,
        "bash",
        MAIN_AGENT,
    ),
    (LONG, "회의록을 합쳤어요. " * 40, TurnEnd.OVERFLOW, "read_file", MAIN_AGENT),
    (
        "Delete the old build folder",
        "Approval was denied, so I stopped running bash.",
        TurnEnd.DENIED,
        "bash",
        MAIN_AGENT,
    ),
    (
        "이번 주 청약 공고 찾아 줘",
        "다섯 건 있어요. 마감은 금요일이에요.",
        TurnEnd.ANSWERED,
        "web_fetch",
        KAREN,
    ),
    ("안녕", "안녕하세요!", TurnEnd.ANSWERED, "", MAIN_AGENT),
    ("Summarise report.pdf", "", TurnEnd.INTERRUPTED, "read_file", MAIN_AGENT),
)
PATTERNS = (
    TaskPattern(
        MAIN_AGENT,
        "날씨 알려 주기",
        "",
        ("날씨", "weather", "기온", "temperature"),
        "섭씨로, 한 문장으로. 비나 눈이 오면 우산을 챙기라고 말한다.",
        NOW - timedelta(days=3),
    ),
    TaskPattern(
        KAREN,
        "Housing notices in the order of their closing date, with rent and deposit side by side",
        "",
        ("청약", "공고", "housing", "notice", "LH", "SH", "임대", "분양"),
        "List by closing date. Give deposit and monthly rent in one line each. " * 12,
        NOW - timedelta(days=20),
    ),
)


class _Patient(Clock):
    """Set by hand, and never done waiting."""

    at = NOW

    def now(self) -> datetime:
        """As it was set."""
        return self.at

    async def sleep(self, seconds: float) -> None:
        """Until it is cancelled."""
        del seconds
        await asyncio.Event().wait()


CLOCK = _Patient()


class MemoryStudio:
    """Takes pictures of the memory page in one look and language."""

    def __init__(self, out: Path, language: Language, theme: str, percent: int) -> None:
        self.out, self.name, self.percent = out, f"{theme}-{language.value}-{percent}", percent
        self.texts = Catalog(language)
        self.home = Path(tempfile.mkdtemp())
        self.waiting: list[Command] = []
        look = cast("Literal['light', 'dark']", theme)
        self.desktop = Desktop(
            self.waiting.append,
            self.texts,
            UiSettings(language="system", theme=look, hotkey=""),
            now=lambda: NOW,
        )

    async def _emit(self, event: Event) -> None:
        self.desktop._take(event)  # noqa: SLF001 - without the queue

    async def _open(self) -> SqliteStore:
        opened = await open_store(self.home / "jarvis.db", CLOCK, self.texts)
        self.memory = SqliteMemory(opened.store, self.home / "jarvis.db", CLOCK, self.texts)
        self.desk = MemoryDesk(
            MemoryDeskParts(
                self.memory,
                lambda: MemorySettings(enabled=True, retention_days=90),
                lambda ids: {one: str(one).upper() if one == KAREN else "JARVIS" for one in ids},
                CLOCK,
                self.texts,
                self._emit,
            )
        )
        return opened.store

    async def _fill(self, store: SqliteStore) -> None:
        for number, (text, reply, end, tool, agent) in enumerate(reversed(TURNS)):
            session = await store.begin_conversation(agent, self.home)
            at = NOW - timedelta(hours=5 * (len(TURNS) - number))
            request = TurnRequest(
                TurnId(f"t{number}"),
                session.session_id,
                agent,
                text,
                Origin.TYPED,
                Language.KOREAN,
                self.home,
                at,
            )
            call = ToolCall(CallId("c"), tool, {"query": text[:60]})
            used = [
                Message(Role.ASSISTANT, "", (call,)),
                Message(Role.TOOL, "ok", call_id=call.call_id, tool_name=tool),
            ]
            CLOCK.at = at + timedelta(seconds=4 + 3 * number)
            await store.begin_turn(request)
            await store.end_turn(request.turn_id, end, reply)
            await store.add_messages(request.turn_id, used if tool else [])
            await self.memory.remember(request)
        CLOCK.at = NOW

    async def _serve(self) -> None:
        while self.waiting:
            command = self.waiting.pop(0)
            if isinstance(command, MemoryOrder):
                self.desk.obey(command)
        for _ in range(20):
            await asyncio.sleep(0.02)

    def _settle(self, runner: "asyncio.Runner") -> None:
        for _ in range(3):
            loop = QEventLoop()
            QTimer.singleShot(320, loop.quit)
            loop.exec()
            runner.run(self._serve())

    def shoot(self) -> None:
        """All pictures."""
        with asyncio.Runner() as runner:
            store = runner.run(self._open())
            self.desktop.settings.open()
            self.window.resize(*(SMALL if self.percent > 100 else (1000, 760)))
            self.window.go(Place.MEMORY)
            self._settle(runner)
            self._save("empty")
            runner.run(self._fill(store))
            for pattern in PATTERNS:
                runner.run(self.memory.teach(pattern))
            self._shoot(runner)
            runner.run(self.desk.close())
            runner.run(store.close())
        self.desktop._end()  # noqa: SLF001 - no loop of its own is running

    @property
    def window(self) -> SettingsWindow:
        """It is open."""
        window = self.desktop.settings.window
        assert window is not None
        return window

    def _shoot(self, runner: "asyncio.Runner") -> None:
        page = self.window.pages[Place.MEMORY]
        assert isinstance(page, MemoryPage)
        page.look()
        self._settle(runner)
        self._save("top")
        self._bottom()
        self._save("bottom")
        page.episodes.table.choose(2)
        page.episodes.edit.click()
        self._settle(runner)
        self._save("edit")
        page.episodes.cancel.click()
        page.episodes.text.setText("날씨")
        self._settle(runner)
        page.patterns.table.choose(1)
        page.patterns.change.click()
        self._settle(runner)
        self._top()
        self._save("pattern-edit")
        page.patterns.cancel.click()
        page.episodes.text.clear()
        page.episodes.table.choose(0)
        page.episodes.forget.click()
        self._settle(runner)
        self._bottom()
        self._save("forgotten")
        page.everything.begin.click()
        self._settle(runner)
        self._bottom()
        self._save("everything")
        self.window.hide()

    def _bottom(self) -> None:
        area: QScrollArea = self.window._areas[Place.MEMORY]  # noqa: SLF001 - to scroll it
        area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())

    def _top(self) -> None:
        area: QScrollArea = self.window._areas[Place.MEMORY]  # noqa: SLF001 - to scroll it
        area.verticalScrollBar().setValue(0)

    def _save(self, what: str) -> None:
        loop = QEventLoop()
        QTimer.singleShot(60, loop.quit)
        loop.exec()
        self.window.grab().save(str(self.out / f"memory-{what}-{self.name}.png"))
