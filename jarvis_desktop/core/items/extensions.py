"""What people add themselves: tools, skills, plugins, MCP servers; what is asked and told about them."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

RULE_DIGITS = 32
"""Of a digest in hexadecimal, in the names that rules have for tools."""


class ExtensionKind(StrEnum):
    """What it is."""

    TOOL = "tool"
    """A Python file with functions that agents may call."""
    SKILL = "skill"
    """A text that ``/name`` becomes."""
    PLUGIN = "plugin"
    """A Python file whose hooks turns call."""
    SERVER = "server"
    """An MCP server: a program or an address that brings tools."""


class ExtensionState(StrEnum):
    """Whether it counts."""

    WAITING = "waiting"
    """Code that nobody has enabled yet (decision 36); a skill never waits: only a person calls it."""
    CHANGED = "changed"
    """It was enabled and is something else now: it waits as if it were new."""
    ENABLED = "enabled"
    STARTING = "starting"
    """Enabled, and not yet known whether it works."""
    BROKEN = "broken"
    """Enabled, and it does not work; ``trouble`` says why."""
    OFF = "off"
    """A person switched it off."""
    GONE = "gone"
    """Enabled, and not there any more; it would count again as soon as it is."""


@dataclass(frozen=True, slots=True)
class Offered:
    """One tool, hook or skill of an extension."""

    name: str
    """As agents call it: an MCP tool with its server's name before it."""
    purpose: str = ""
    read_only: bool = False
    """Its author says so. It counts for a user tool when a person enabled it so, never for a server."""
    overrides: bool = False
    """It takes the place of a built-in tool, whose approval need and danger check stay (decision 40)."""


@dataclass(frozen=True, slots=True)
class Extension:
    """One file, or one server of the settings."""

    kind: ExtensionKind
    name: str
    """The file's name without its ending, the skill's folder or the server's name; one of a kind."""
    path: Path
    """The file behind it."""
    digest: str
    """Of everything that enabling it would let run, in hexadecimal."""
    state: ExtensionState
    trouble: str = ""
    """In the app's language: what happened, where, what to do."""
    offers: tuple[Offered, ...] = ()
    source: str = ""
    """What a person reads before enabling it: the code, or the server's definition without its secrets."""
    changes: str = ""
    """Unified diff from what was enabled before; empty when nothing was."""
    advice: str = ""
    """In the app's language: what in it does not count although its author may think so, and why."""


@dataclass(frozen=True, slots=True)
class Added:
    """Where a tool comes from that is none of ours."""

    kind: ExtensionKind
    name: str
    """Of the extension that brings it."""
    path: str
    """The file behind it, as people write it: ``~/.jarvis/tools/x.py``."""
    digest: str
    """Of what a person enabled."""
    stands_in: bool = False
    """It has the name of a built-in tool, whose approval need and danger check it keeps (decision 40)."""

    def rule_name(self, tool: str) -> str:
        """What a rule that covers it calls the tool: with other code behind it, no such rule counts."""
        # 128 bits: whoever describes a tool could find two descriptions that share 64 within hours, have the
        # harmless one remembered and send the other. A rule of fewer digits does not count: it asks again.
        return f"{tool}@{self.digest[:RULE_DIGITS]}"


# --- events ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ExtensionsLooked:
    """Everything that people added, by kind and name."""

    number: int
    """Of the ``LookAtExtensions`` that asked for it."""
    extensions: tuple[Extension, ...]
    folders: Mapping[ExtensionKind, Path]
    """Where files of each kind lie; for servers the file that names them."""


@dataclass(frozen=True, slots=True)
class ExtensionsChanged:
    """Something was added, changed, deleted, enabled, or broke: who shows them looks again."""

    waiting: int
    """How many wait for a person."""


@dataclass(frozen=True, slots=True)
class ExtensionWishRefused:
    """What a person wanted of an extension was not done."""

    kind: ExtensionKind
    name: str
    reason: str
    """In the app's language: what happened, where, what to do."""


ExtensionEvent: TypeAlias = ExtensionsLooked | ExtensionsChanged | ExtensionWishRefused

# --- commands --------------------------------------------------------------------------------


class ExtensionOrder:
    """Base of what windows ask of extensions."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class LookAtExtensions(ExtensionOrder):
    """A page wants to know what there is."""

    number: int


@dataclass(frozen=True, slots=True)
class EnableExtension(ExtensionOrder):
    """Let it run as it was shown: with another digest meanwhile it is refused and shown anew."""

    kind: ExtensionKind
    name: str
    digest: str
    read_only: frozenset[str] = frozenset()
    """Its tools that the person takes for read-only, of those that declare it: they run unasked."""


@dataclass(frozen=True, slots=True)
class DisableExtension(ExtensionOrder):
    """Let it run no more, whatever it is; files stay."""

    kind: ExtensionKind
    name: str


@dataclass(frozen=True, slots=True)
class ImportServers(ExtensionOrder):
    """Add the servers of a common ``mcpServers`` JSON text to the settings; each waits to be enabled."""

    text: str


@dataclass(frozen=True, slots=True)
class RemoveServer(ExtensionOrder):
    """Take a server out of the settings."""

    name: str


ExtensionCommand: TypeAlias = (
    LookAtExtensions | EnableExtension | DisableExtension | ImportServers | RemoveServer
)
