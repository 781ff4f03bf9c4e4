"""Every setting, declared once: type, default, unit, bounds and one sentence."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from jarvis_desktop.core.goal_settings import GoalSettings
from jarvis_desktop.core.quiet_hours import two_times
from jarvis_desktop.core.settings_section import Section

DEFAULT_MODEL = "gemma4:e2b"
EVERY_TOOL = "*"
"""In ``require_approval_for``: whatever the tool, a person is asked."""


DANGEROUS_COMMANDS = (
    "recursive-delete",
    "recursive-permissions",
    "privilege",
    "download-to-interpreter",
    "disk-write",
    "format",
    "power",
    "fork-bomb",
    "rule-files",
)
"""Names of the default detectors."""
UNREADABLE_LIST = "?unreadable"
"""Neither a detector nor a regular expression: while it stands in the list, every command is asked about."""


class UiSettings(Section):
    """Screen and language."""

    language: Literal["system", "ko", "en"] = Field(
        "system", title="Language", description="Language of the app's own texts."
    )
    theme: Literal["system", "light", "dark"] = Field(
        "system", title="Colours", description="Colours of the windows."
    )
    hotkey: str = Field(
        "",
        title="Global hotkey",
        description="Keys that begin listening from anywhere (X11), e.g. Ctrl+Alt+J; empty is none.",
    )


class ModelSettings(Section):
    """The chat model."""

    backend: Literal["auto", "ollama", "embedded"] = Field(
        "auto",
        title="What runs the model",
        description="What runs the model; auto is Ollama, and the model inside Jarvis where there is none.",
    )
    name: str = Field(
        DEFAULT_MODEL, min_length=1, title="Model", description="Model name as Ollama knows it."
    )
    host: str = Field(
        "http://127.0.0.1:11434",
        min_length=1,
        title="Address of Ollama",
        description="Address of the Ollama server.",
    )
    allowed_host: str = Field(
        "",
        title="Other machine that may answer",
        description="Address of another machine to which conversations may be sent; you agreed to it.",
    )
    context_tokens: int = Field(
        8192,
        ge=1024,
        le=262_144,
        title="Length of the context",
        description="Tokens that prompt and reply share (num_ctx).",
    )
    keep_alive_minutes: int = Field(
        30,
        ge=0,
        le=1440,
        title="Kept in memory",
        description="Minutes that the model stays in memory after its last use.",
    )
    temperature: float = Field(
        0.2, ge=0, le=2, title="Temperature", description="0 repeats itself, higher varies more."
    )
    think: bool = Field(
        False, title="Think first", description="Let models that can think do so before they answer."
    )
    calls: Literal["auto", "native", "schema"] = Field(
        "auto",
        title="Way of calling tools",
        description="How the model is asked to call tools; auto checks once per model.",
    )


class VoiceSettings(Section):
    """Ears and mouth."""

    enabled: bool = Field(
        True, title="Listening and speaking", description="Use microphone and loudspeaker at all."
    )
    speak: bool = Field(True, title="Read answers aloud", description="Read answers aloud.")
    input_device: str = Field(
        "", title="Microphone", description="Microphone by name; empty is the system's default."
    )
    output_device: str = Field(
        "", title="Loudspeaker", description="Loudspeaker by name; empty is the system's default."
    )
    languages: tuple[Literal["ko", "en"], ...] = Field(
        ("ko", "en"),
        min_length=1,
        title="Spoken languages",
        description="Languages that you speak with Jarvis.",
    )
    wake_threshold: float = Field(
        0.5,
        ge=0.1,
        le=0.99,
        title="Wake word's threshold",
        description="Score from which the wake word counts; lower hears more.",
    )
    request_silence_s: float = Field(
        0.7,
        ge=0.3,
        le=5,
        title="Silence after a request",
        description="Seconds of silence that end a request.",
    )
    answer_silence_s: float = Field(
        0.5,
        ge=0.3,
        le=5,
        title="Silence after an answer",
        description="Seconds of silence that end a spoken answer.",
    )
    earcon: bool = Field(
        True, title="Sound when listening", description="Play a short sound when listening begins."
    )


def _in_one_line(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value or "")


class NotifySettings(Section):
    """Telling you what came by itself."""

    quiet_hours: Annotated[str, BeforeValidator(two_times)] = Field(
        "",
        title="Quiet hours",
        description="Hours without news of goals, e.g. 22:00-07:00; one bundle comes when they end.",
    )
    read_aloud: bool = Field(
        False,
        title="Read news aloud",
        description="Read aloud what goals found, while nobody is answered.",
    )
    # Whatever stands there is text, so that no message ever quotes it as a wrong value.
    push_to: Annotated[str, BeforeValidator(_in_one_line)] = Field(
        "",
        repr=False,
        title="Other devices",
        description="Addresses as Apprise knows them, with blanks between; they get news too. Kept secret.",
    )


class SecuritySettings(Section):
    """What must be asked."""

    require_approval_for: tuple[str, ...] = Field(
        ("bash", "write_file", "edit_file"),
        title="Tools that ask first",
        description="Tools that ask a person before they run.",
    )
    dangerous_commands: tuple[str, ...] = Field(
        DANGEROUS_COMMANDS,
        title="Dangerous commands",
        description="Commands that never run, asked or not: names of detectors and regular expressions.",
    )
    input_max_length: int = Field(
        10_000, ge=1, le=1_000_000, title="Longest request", description="Longest request in characters."
    )
    sandbox_network: Literal["auto", "off"] = Field(
        "auto",
        title="Network of allowed commands",
        description="Network of commands that a rule allowed; auto gives one where it may be needed.",
    )


class WebSettings(Section):
    """Searching and reading the web."""

    enabled: bool = Field(True, title="Web", description="Let the model search the web and read pages.")
    # Whatever stands there is text, so that no message ever quotes it as a wrong value.
    brave_key: Annotated[str, BeforeValidator(str)] = Field(
        "",
        repr=False,
        title="Key of Brave Search",
        description="Key of the Brave Search API; without it DuckDuckGo is asked. Kept out of reports.",
    )
    page_timeout_s: float = Field(
        20, ge=1, le=120, title="Time for one page", description="Seconds that one page may take in all."
    )
    page_max_kb: int = Field(
        2000,
        ge=10,
        le=20_000,
        title="Size of one page",
        description="Kilobytes that are read of one page, unpacked.",
    )


class MemorySettings(Section):
    """What is remembered of turns, and of what you taught."""

    enabled: bool = Field(
        True,
        title="Memory",
        description="Remember turns and taught patterns, and use them. Off keeps what is there, unused.",
    )
    retention_days: int = Field(
        0,
        ge=0,
        le=36_500,
        title="Turns are kept",
        description="Days after which a turn is forgotten, out of the conversation too; 0 keeps it for ever.",
    )


class PluginSettings(Section):
    """Tools, plugins and skills of your own."""

    watch_files: bool = Field(
        True,
        title="Watch their files",
        description="Notice new and changed files at once; off, they are looked at before each turn.",
    )


class ScheduleSettings(Section):
    """Work that is due by the clock."""

    enabled: bool = Field(
        True,
        title="Schedules",
        description="Run what is due by the clock. Off keeps every job, and none of them runs.",
    )


class AgentSettings(Section):
    """Where and how the assistant works."""

    working_directory: Path = Field(
        Path("~/Jarvis"), title="Working folder", description="Folder in which a new conversation works."
    )


class Settings(Section):
    """The whole tree; ``JARVIS_<SECTION>__<FIELD>`` in the environment wins over the file."""

    ui: Annotated[UiSettings, Field(default_factory=UiSettings)]
    model: Annotated[ModelSettings, Field(default_factory=ModelSettings)]
    voice: Annotated[VoiceSettings, Field(default_factory=VoiceSettings)]
    notify: Annotated[NotifySettings, Field(default_factory=NotifySettings)]
    security: Annotated[SecuritySettings, Field(default_factory=SecuritySettings)]
    agent: Annotated[AgentSettings, Field(default_factory=AgentSettings)]
    web: Annotated[WebSettings, Field(default_factory=WebSettings)]
    memory: Annotated[MemorySettings, Field(default_factory=MemorySettings)]
    schedule: Annotated[ScheduleSettings, Field(default_factory=ScheduleSettings)]
    goal: Annotated[GoalSettings, Field(default_factory=GoalSettings)]
    plugin: Annotated[PluginSettings, Field(default_factory=PluginSettings)]


STRICTEST: Mapping[tuple[str, str], object] = MappingProxyType(
    {
        ("security", "require_approval_for"): (EVERY_TOOL,),
        ("security", "dangerous_commands"): (*DANGEROUS_COMMANDS, UNREADABLE_LIST),
        # A lower limit would be stricter still and would refuse every request.
        ("security", "input_max_length"): SecuritySettings.model_fields["input_max_length"].default,
        ("security", "sandbox_network"): "off",
    }
)
"""What holds in place of a security setting that cannot be read; a test walks the section."""
