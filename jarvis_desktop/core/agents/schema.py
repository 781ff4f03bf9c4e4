"""What an agent's file may say: every line declared once, with its type and bounds."""

import unicodedata
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator

from jarvis_desktop.core.items.agents import AgentCard, Boundaries, ModelWish, VoiceWish
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId
from jarvis_desktop.core.items.speech import Language

Id = Annotated[str, StringConstraints(pattern=r"^[a-z0-9_][a-z0-9_-]{0,31}$")]
"""It names the agent's file of remembered rules too, so it can lead nowhere else."""
_BREAKS, _UNSEEN = ("Cc", "Zl", "Zp"), ("Cf", "Cn", "Co")
_BLANK_LETTERS = "\u115f\u1160\u2800\u3164\uffa0"
ToolName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]

ALL = "all"


def _all_is_none(value: object) -> object:
    """None stands for all tools; a list that was left empty stands for none of them."""
    if value == ALL:
        return None
    return () if value is None else value


def _readable(value: object) -> object:
    """A name as people can read it in one line: it stands in questions, where it must say nothing else.

    Line breaks could write facts of their own there; signs that nobody sees make two names look like one.
    """
    if not isinstance(value, str):
        return value
    seen = (
        " " if unicodedata.category(sign) in _BREAKS else sign
        for sign in value
        if unicodedata.category(sign) not in _UNSEEN and sign not in _BLANK_LETTERS
    )
    return " ".join("".join(seen).split())


Name = Annotated[str, BeforeValidator(_readable), StringConstraints(min_length=1, max_length=40)]


class Lines(BaseModel):
    """Base of all parts of an agent's file."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ModelLines(Lines):
    """Which model answers; what is left out is as in the settings."""

    name: str = Field("", max_length=200, description="Model name as Ollama knows it.")
    temperature: float | None = Field(None, ge=0, le=2, description="0 repeats itself, higher varies more.")
    context_tokens: int | None = Field(
        None, ge=1024, le=262_144, description="Tokens that prompt and reply share."
    )
    think: bool | None = Field(None, description="Let a model that can think do so before it answers.")


class VoiceLines(Lines):
    """How the agent sounds; what is left out is as for everybody."""

    pitch: int | None = Field(None, ge=0, le=99, description="0 is low, 99 is high.")
    words_per_minute: int | None = Field(None, ge=80, le=400, description="How fast it speaks.")


class BoundaryLines(Lines):
    """What the agent may not do by itself."""

    ask: tuple[ToolName, ...] = Field((), description="Tools that it asks about first when it acts alone.")
    never: tuple[ToolName, ...] = Field((), description="Tools that it never has.")


class AgentFile(Lines):
    """One agent."""

    id: Id = Field("", validate_default=True, description="Short name in lower case; left out: the file's.")
    name: Name = Field(description="The name that people read.")
    answers_to: tuple[Name, ...] = Field((), description="More names by which you call it.")
    purpose: str = Field("", max_length=200, description="One line: what it is for.")
    language: Literal["auto", "ko", "en"] = Field("auto", description="What it answers in; auto: as asked.")
    persona: str = Field("", max_length=8000, description="Who it is and how it works, for the model.")
    model: Annotated[ModelLines, Field(default_factory=ModelLines, description="Which model answers.")]
    voice: Annotated[VoiceLines, Field(default_factory=VoiceLines, description="How it sounds.")]
    tools: Annotated[tuple[ToolName, ...] | None, BeforeValidator(_all_is_none)] = Field(
        None, description="Tools that it may use: a list, or all."
    )
    boundaries: Annotated[
        BoundaryLines, Field(default_factory=BoundaryLines, description="What it may not do alone.")
    ]
    top_level: bool = Field(True, description="You talk with it; false: only other agents ask it.")

    @model_validator(mode="after")
    def _main_is_talked_with(self) -> "AgentFile":
        if self.id == MAIN_AGENT and not self.top_level:
            raise ValueError("top_level: the main agent is always one that you talk with")
        return self

    def card(self) -> AgentCard:
        """The agent as everybody else knows it."""
        bounds = self.boundaries
        return AgentCard(
            agent_id=AgentId(self.id),
            name=self.name,
            answers_to=tuple(dict.fromkeys((self.name, *self.answers_to))),
            purpose=" ".join(self.purpose.split()),
            language=None if self.language == "auto" else Language(self.language),
            persona=self.persona.strip(),
            model=ModelWish(**self.model.model_dump()),
            voice=VoiceWish(**self.voice.model_dump()),
            tools=self.tools,
            boundaries=Boundaries(frozenset(bounds.ask), frozenset(bounds.never)),
            top_level=self.top_level,
        )
