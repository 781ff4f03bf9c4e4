"""Notices of goals where the program has them: asked of the front end, settled, and opened."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.adapters.settings_file import load_settings
from jarvis_desktop.adapters.sqlite_goals import SqliteGoals
from jarvis_desktop.adapters.sqlite_store import open_store
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.app.compose import run_core
from jarvis_desktop.app.options import DATABASE_NAME, Start, Surface
from jarvis_desktop.core.items.commands import Quit, SubmitTurn
from jarvis_desktop.core.items.events import ActivityNoted
from jarvis_desktop.core.items.goal_notices import GoalNotice, MuteItem, NoticeFate, OpenNews, SettleNotice
from jarvis_desktop.core.items.goals import GoalItem, GoalSpoke
from jarvis_desktop.core.items.ids import MAIN_AGENT
from jarvis_desktop.core.items.slash import FocusChanged
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Origin
from tests.integration.goals.house import GOAL
from tests.integration.goals.test_in_the_program import SETTINGS, JumpingClock, Running, found_before

GODEOK = GoalItem("n2", "고덕 행복주택")


class HastyClock(JumpingClock):
    """Nobody waits longer than a moment."""

    async def sleep(self, seconds: float) -> None:
        await super().sleep(min(seconds, 0.02))


@dataclass
class Windowed(Running):
    """A program whose front end shows notices."""

    async def serve(self) -> None:
        settings, problems = load_settings(self.home)
        start = Start(self.home, settings, Catalog(Language.ENGLISH), problems, voice=False)
        surface = Surface(self.events.put_nowait, self.inbox.put_nowait, shows_notices=True)
        await run_core(self.inbox, start, self.clock, surface)

    async def find(self, items: Sequence[GoalItem]) -> None:
        """A turn finds these, and is killed before it could tell them."""
        clock, texts = SystemClock(), Catalog(Language.ENGLISH)
        store = (await open_store(self.home / DATABASE_NAME, clock, texts)).store
        await SqliteGoals(store, clock, texts).hold(GOAL.goal_id, items)
        await store.close()


@asynccontextmanager
async def begun(tmp_path: Path, clock: JumpingClock, more: str = "") -> AsyncIterator[Windowed]:
    home = tmp_path / ".jarvis"
    home.mkdir(mode=0o700)
    text = SETTINGS % ("http://127.0.0.1:9", tmp_path / "work")
    (home / "settings.yaml").write_text(text + more, "utf-8")
    await found_before(home)
    one = Windowed(home, clock=clock)
    serving = asyncio.create_task(one.serve())
    yield one
    one.inbox.put_nowait(Quit())
    async with asyncio.timeout(30):
        await serving


@pytest.mark.promise("G-046", "G-048", "G-121")
async def test_in_focus_a_notice_settles_what_is_new_and_a_press_shows_it_in_the_conversation(
    tmp_path: Path,
) -> None:
    async with begun(tmp_path, JumpingClock()) as run:
        stands = await run.ask(None, GoalNotice)
        assert stands.news[0].session_id is not None, "what waited was told in the conversation"
        run.inbox.put_nowait(SettleNotice(stands.notice_id, NoticeFate.SEEN))
        await run.find([GODEOK])
        await run.ask(SubmitTurn("/focus on", Origin.TYPED), FocusChanged)
        notice = await run.ask(None, GoalNotice)
        assert (notice.news[0].session_id, notice.news[0].items) == (None, (GODEOK,))
        run.inbox.put_nowait(SettleNotice(notice.notice_id, NoticeFate.SHOWN))
        spoke = await run.ask(OpenNews(MAIN_AGENT), GoalSpoke)
        assert (spoke.text, spoke.news) == ("고덕 행복주택", ())
        muted = await run.ask(MuteItem(GOAL.goal_id, "n2"), ActivityNoted)
        assert muted.text.startswith("💭 n2 of “추천하는 공고만 알려줘” is told no more.")


async def test_quiet_hours_hold_what_waits_and_their_end_is_noticed_although_it_was_slept_through(
    tmp_path: Path,
) -> None:
    clock = HastyClock()
    hours = "notify: {quiet_hours: '07:00-09:00'}\n"  # the clock begins at 8:00
    async with begun(tmp_path, clock, hours) as run:
        await run.type("/goal")  # it runs, and has told nothing
        assert not any(isinstance(event, GoalSpoke) for event in _so_far(run))
        clock.shift += timedelta(hours=2)
        spoke = await run.ask(None, GoalSpoke)
        assert spoke.text == "마곡 행복주택"
        assert len((await run.ask(None, GoalNotice)).news) == 1


def _so_far(run: Windowed) -> list[object]:
    return [run.events.get_nowait() for _ in range(run.events.qsize())]
