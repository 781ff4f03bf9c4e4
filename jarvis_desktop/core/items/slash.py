"""Slash commands: what came of one, what may be typed next, and what is stored of conversations."""

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from jarvis_desktop.core.items.extensions import Added
from jarvis_desktop.core.items.ids import AgentId, SessionId, TurnId, WindowId
from jarvis_desktop.core.items.skills import SkillsListed
from jarvis_desktop.core.items.turn import Origin, TurnEnd


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that may be typed next."""

    text: str
    """The whole input line once it is taken."""
    label: str
    """What is to be read: the name with what may follow it, or the value."""
    help: str = ""
    """One line, in the app's language."""
    goes_on: bool = False
    """Something may follow it."""


# --- events ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SlashAnswered:
    """A slash command was carried out, or says why not. It is stored like a turn; no model reads it."""

    turn_id: TurnId
    session_id: SessionId
    text: str
    """As it was typed."""
    answer: str
    """Markdown, in the app's language."""
    origin: Origin
    at: datetime
    well: bool = True
    aloud: str = ""
    """To be spoken; empty for most."""
    errand: str = ""
    """As ``SubmitTurn`` named it."""
    kept: str = ""
    """What is stored and shown to later windows in place of the answer; empty: the answer."""

    @property
    def to_keep(self) -> str:
        """What later starts and windows show."""
        return self.kept or self.answer


@dataclass(frozen=True, slots=True)
class SlashChoices:
    """What may follow the text that a window asked about."""

    window_id: WindowId
    text: str
    """The input line that was asked about."""
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class FocusChanged:
    """Focus began or ended: while it lasts, nothing of ours comes into the conversation by itself."""

    on: bool
    until: datetime | None = None
    """When it ends by itself; None: when the person says so."""


@dataclass(frozen=True, slots=True)
class QuitAsked:
    """A person typed that the program should end; front ends close as if their own way was used."""


SlashEvent: TypeAlias = SlashAnswered | SlashChoices | SkillsListed | FocusChanged | QuitAsked

# --- commands --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OpenStored:
    """Go on with a stored conversation; the one that was open stays stored."""

    session_id: SessionId


@dataclass(frozen=True, slots=True)
class AskChoices:
    """Tell by ``SlashChoices`` what may follow what is typed."""

    text: str
    window_id: WindowId


SlashOrder: TypeAlias = OpenStored | AskChoices

# --- what is stored --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StoredConversation:
    """A conversation that can be opened again."""

    session_id: SessionId
    agent_id: AgentId
    title: str
    """The first request, or the one in which the words were found."""
    last_at: datetime
    requests: int


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """One request of a stored conversation, whole."""

    text: str
    origin: Origin
    asked_at: datetime
    tools: tuple[str, ...]
    """The calls that were made for it, in short."""
    reply: str
    replied_at: datetime
    end: TurnEnd | None = None
    expansion: str = ""
    """What a skill made of the text for the model."""


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool that an agent may use now."""

    name: str
    purpose: str
    """One sentence, as the model reads it."""
    asks: bool
    """A person is asked before it runs, unless a rule covers it."""
    added: Added | None = None
    """Where it comes from when it is none of ours."""
