"""Goals told outside the conversation: what a front end is asked to show, and what people do there."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from jarvis_desktop.core.items.goals import GoalId, GoalItem
from jarvis_desktop.core.items.ids import AgentId, SessionId


class NoticeFate(StrEnum):
    """What became of a notice."""

    SHOWN = "shown"
    """The desktop, or a bubble of the tray, shows it: whoever it is for counts as told."""
    SEEN = "seen"
    """The conversation that it stands in is being looked at, so nothing was shown beside it."""
    LOST = "lost"
    """Nothing could show it."""


@dataclass(frozen=True, slots=True)
class GoalNews:
    """What is new of one goal."""

    goal_id: GoalId
    agent_id: AgentId
    sentence: str
    """In the person's words."""
    items: tuple[GoalItem, ...]
    session_id: SessionId | None = None
    """The conversation that it stands in; None: it could be told in none yet."""


@dataclass(frozen=True, slots=True)
class GoalNotice:
    """People are to be told outside the conversation; the front end answers with ``SettleNotice``, once."""

    notice_id: str
    news: tuple[GoalNews, ...]
    """One goal, or a bundle: all of them in one message."""


GoalNoticeEvent: TypeAlias = GoalNotice


class GoalOrder:
    """Base of what front ends ask of goals."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class SettleNotice(GoalOrder):
    """What became of a notice."""

    notice_id: str
    fate: NoticeFate


@dataclass(frozen=True, slots=True)
class OpenNews(GoalOrder):
    """A person pressed a notice: its conversation is shown, and what waits there is told."""

    agent_id: AgentId
    session_id: SessionId | None = None


@dataclass(frozen=True, slots=True)
class MuteItem(GoalOrder):
    """A person wants to hear no more of this key of a goal, or to hear of it again."""

    goal_id: GoalId
    key: str
    on: bool = True


GoalCommand: TypeAlias = SettleNotice | OpenNews | MuteItem
