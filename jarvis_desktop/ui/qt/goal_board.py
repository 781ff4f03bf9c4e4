"""Notices of goals: shown, settled as what became of them, and pressed."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.items.goal_notices import (
    GoalNews,
    GoalNotice,
    MuteItem,
    NoticeFate,
    OpenNews,
    SettleNotice,
)
from jarvis_desktop.core.items.notice import Notice, NoticePress
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.goal_notice import MUTE, goal_notice
from jarvis_desktop.ui.picture import Picture

KEPT = 100
"""Notices that can still be pressed; a desktop keeps its list of them for days."""


@dataclass(frozen=True, slots=True)
class GoalBoardParts:
    """What the board works with."""

    texts: Texts
    picture: Picture
    send: Callable[[Command], None]
    open_window: Callable[[], None]


class GoalBoard:
    """Knows which notice is about which news."""

    def __init__(self, parts: GoalBoardParts) -> None:
        self._parts = parts
        self._told: OrderedDict[str, tuple[GoalNews, ...]] = OrderedDict()

    def take(self, event: GoalNotice, *, looked_at: bool) -> Notice | None:
        """What is to be shown; None where a person looks at all of it."""
        open_now = self._parts.picture.agents.session_id if looked_at else None
        unseen = tuple(one for one in event.news if one.session_id is None or one.session_id != open_now)
        if not unseen:
            self._settle(event.notice_id, NoticeFate.SEEN)
            return None
        self._told[event.notice_id] = unseen
        if len(self._told) > KEPT:
            self._told.popitem(last=False)
        return goal_notice(event.notice_id, unseen, self._parts.texts)

    def settled(self, notice: Notice, *, shown: bool) -> None:
        """The desktop, or the tray, shows it, or nothing does; other notices are left alone."""
        if notice.notice_id in self._told:
            self._settle(notice.notice_id, NoticeFate.SHOWN if shown else NoticeFate.LOST)

    def pressed(self, press: NoticePress) -> bool:
        """Whether it was one of these."""
        news = self._told.get(press.notice.notice_id)
        if news is None:
            return False
        first = news[0]
        if press.key == MUTE:
            self._parts.send(MuteItem(first.goal_id, first.items[0].key))
        else:
            self._parts.open_window()  # the cursor stands where an answer is typed
            self._parts.send(OpenNews(first.agent_id, first.session_id))
        return True

    def _settle(self, notice_id: str, fate: NoticeFate) -> None:
        self._parts.send(SettleNotice(notice_id, fate))
