"""Wordings of what people add themselves: kinds, states, and how one is added."""

from collections.abc import Mapping

from jarvis_desktop.core.items.extensions import Extension, ExtensionKind, ExtensionState, Offered
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.visible_text import one_line

WAITS = (ExtensionState.WAITING, ExtensionState.CHANGED)
RUNS = (ExtensionState.ENABLED, ExtensionState.STARTING, ExtensionState.BROKEN)
_NAME_CHARS, _PURPOSE_CHARS = 60, 160


def kind_text(kind: ExtensionKind, texts: Texts) -> str:
    """What it is, in a word."""
    return {
        ExtensionKind.TOOL: texts("Tool"),
        ExtensionKind.SKILL: texts("Skill"),
        ExtensionKind.PLUGIN: texts("Plugin"),
        ExtensionKind.SERVER: texts("MCP server"),
    }[kind]


def state_text(state: ExtensionState, texts: Texts) -> str:
    """Whether it counts, in a word or two."""
    return {
        ExtensionState.WAITING: texts("Waits for you"),
        ExtensionState.CHANGED: texts("Changed, waits for you"),
        ExtensionState.ENABLED: texts("Enabled"),
        ExtensionState.STARTING: texts("Starting…"),
        ExtensionState.BROKEN: texts("Does not work"),
        ExtensionState.OFF: texts("Switched off"),
        ExtensionState.GONE: texts("Gone"),
    }[state]


def state_meaning(state: ExtensionState, texts: Texts) -> str:
    """What the state means, in a sentence or two."""
    return {
        ExtensionState.WAITING: texts("None of it has run. Read what it does below, then enable it."),
        ExtensionState.CHANGED: texts(
            "It was enabled, and is something else now: nothing of it runs until you have read what changed "
            "and enabled it again."
        ),
        ExtensionState.ENABLED: texts("It counts from the next turn on."),
        ExtensionState.STARTING: texts("It is enabled, and it is not known yet whether it works."),
        ExtensionState.BROKEN: texts(
            "It is enabled and does not work; the rest of Jarvis goes on without it."
        ),
        ExtensionState.OFF: texts("It is switched off; its file stays."),
        ExtensionState.GONE: texts(
            "It was enabled and is not there any more. Should the same come back, it counts at once, "
            "unless you have it forgotten."
        ),
    }[state]


def offer_cells(offered: Offered, texts: Texts) -> tuple[str, str, str]:
    """One thing that it brings, in a row: name, purpose, and what there is to know about it."""
    marks = []
    if offered.read_only:
        marks.append(texts("says that it only reads"))
    if offered.overrides:
        marks.append(texts("in place of a built-in tool"))
    return (
        one_line(offered.name, _NAME_CHARS),
        one_line(offered.purpose, _PURPOSE_CHARS),
        ", ".join(marks) or "–",
    )


def offers_text(extension: Extension, texts: Texts) -> str:
    """What it brings, for a narrow column: names of a few, the number of many."""
    names = [one.name for one in extension.offers]
    if len(names) > 3:
        return texts.plural("{count} tool", "{count} tools", len(names)).format(count=len(names))
    return one_line(", ".join(names), _NAME_CHARS) or "–"


def how_to_add(texts: Texts) -> Mapping[ExtensionKind, str]:
    """How one of each kind is added, and where more is said."""
    return {
        ExtensionKind.TOOL: texts(
            "A tool is a Python file with functions: type hints say what they take, the docstring says what "
            "they are for. Save it in the folder of tools; it waits here until you enable it. More in {page}."
        ).format(page="docs/tools.md"),
        ExtensionKind.SKILL: texts(
            "A skill is a text in Markdown that stands for a request: /name sends it. Save it as name.md in "
            "the folder of skills; it counts at once, since only you call it. More in {page}."
        ).format(page="docs/skills.md"),
        ExtensionKind.PLUGIN: texts(
            "A plugin is a Python file whose functions Jarvis calls in each turn, for example before a tool "
            "runs. Save it in the folder of plugins; it waits here until you enable it. More in {page}."
        ).format(page="docs/plugins.md"),
    }


def source_title(extension: Extension, texts: Texts) -> str:
    """What stands over its text; ``{name}`` is its name."""
    if extension.kind is ExtensionKind.SKILL:
        return texts("What /{name} sends")
    if extension.state is ExtensionState.GONE:
        return texts("What ran")
    return texts("What runs") if extension.state in RUNS else texts("What would run")
