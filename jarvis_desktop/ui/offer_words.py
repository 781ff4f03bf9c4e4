"""Wordings of ALWAYS that all front ends share: what it saves, what passes then, what still asks."""

from posixpath import dirname

from jarvis_desktop.core.items.decisions import Question, RuleOffer
from jarvis_desktop.core.policy.rules import PATH_TOOLS, WHOLE_TOOL
from jarvis_desktop.core.policy.wording import remarks
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.visible_text import Care, visible


def offer(question: Question) -> RuleOffer | None:
    """What ALWAYS would save; None where it is not offered or cannot be shown just as it is."""
    found = question.offer
    if found is None:
        return None
    said = "\n".join((found.file, *(f"{line.tool}{line.pattern}" for line in found.lines)))
    return found if visible(said, Care.COMMAND) == said else None


def heading(found: RuleOffer, texts: Texts) -> str:
    """Where the lines go."""
    return texts("“Always allow” saves this in {file}:").format(file=found.file)


def lines(found: RuleOffer) -> tuple[str, ...]:
    """The exact rules, one a line."""
    return tuple(f"{line.tool}: {line.pattern}" for line in found.lines)


def passes(found: RuleOffer, texts: Texts) -> tuple[str, ...]:
    """Examples of what runs unasked from then on."""
    if found.lines[0].pattern == WHOLE_TOOL:
        return (texts("every call of {tool}").format(tool=found.lines[0].tool),)
    return tuple(_example(text, found) for text in found.passes)


def asks(found: RuleOffer) -> tuple[str, ...]:
    """Examples of what is asked about all the same."""
    return tuple(_example(text, found) for text in found.asks)


def _example(text: str, found: RuleOffer) -> str:
    """An example; of a path, the part that differs: the rule beside it names the whole folder."""
    above = dirname(dirname(found.lines[0].pattern)).rstrip("/")
    if found.lines[0].tool in PATH_TOOLS and above and text.startswith(f"{above}/"):
        return f"…{visible(text.removeprefix(above), Care.COMMAND)}"
    return visible(text, Care.COMMAND)


def warnings(found: RuleOffer, texts: Texts) -> tuple[str, ...]:
    """What a person must know before pressing it (T-091)."""
    return remarks(found, texts)
