"""What goals may cost, as settings: one turn, one goal in a day, and all goals in a day."""

from pydantic import Field

from jarvis_desktop.core.settings_section import Section


class GoalSettings(Section):
    """What goals may cost; a goal that reaches a budget rests until the next day and asks you once."""

    turn_tokens: int = Field(
        100_000,
        ge=0,
        le=10_000_000,
        title="Tokens of one turn",
        description="Tokens that the model may read and write in one turn of a goal; 0 is no limit.",
    )
    turn_steps: int = Field(
        12,
        ge=1,
        le=20,
        title="Steps of one turn",
        description="How often the model may ask for tools in one turn of a goal.",
    )
    turn_minutes: int = Field(
        20,
        ge=1,
        le=240,
        title="Minutes of one turn",
        description="Minutes that one turn of a goal may take; while you talk or wait they do not count.",
    )
    day_tokens: int = Field(
        400_000,
        ge=0,
        le=1_000_000_000,
        title="Tokens of one goal in a day",
        description="Tokens that one goal may use in a day; 0 is no limit.",
    )
    day_turns: int = Field(
        50,
        ge=0,
        le=1440,
        title="Turns of one goal in a day",
        description="Turns in which one goal may ask the model in a day; 0 is no limit.",
    )
    all_day_tokens: int = Field(
        2_000_000,
        ge=0,
        le=1_000_000_000,
        title="Tokens of all goals in a day",
        description="Tokens that all goals together may use in a day; 0 is no limit.",
    )
    all_day_turns: int = Field(
        300,
        ge=0,
        le=100_000,
        title="Turns of all goals in a day",
        description="Turns in which all goals together may ask the model in a day; 0 is no limit.",
    )
