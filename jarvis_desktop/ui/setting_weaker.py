"""What becomes possible by a change of settings that makes Jarvis ask or refuse less."""

from collections.abc import Callable, Mapping, Sequence

from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.settings import EVERY_TOOL
from jarvis_desktop.ui import rule_words
from jarvis_desktop.ui.visible_text import Care, visible

MOST_NAMED = 4


def weaker_text(name: str, old: object, new: object, texts: Texts) -> str:
    """What ``new`` would let happen that ``old`` does not; empty when it protects as much."""
    said = _WEAKER.get(name)
    return said(old, new, texts) if said and old != new else ""


def _approval(old: object, new: object, texts: Texts) -> str:
    before, after = _names(old), _names(new)
    if EVERY_TOOL in after:
        return ""
    if EVERY_TOOL in before:
        if not after:
            return texts("Every tool can then run without asking you, shell commands included.")
        return texts("Every tool except {tools} can then run without asking you.").format(
            tools=_listed(after)
        )
    gone = [one for one in before if one not in after]
    if not gone:
        return ""
    said = [texts("{tools} can then run without asking you.").format(tools=_listed(gone))]
    if "bash" in gone:
        said.append(texts("Whatever command the model writes is run at once, with your rights."))
    if {"write_file", "edit_file"} & set(gone):
        said.append(texts("Your files can be changed and written over without a question."))
    return " ".join(said)


def _danger(old: object, new: object, texts: Texts) -> str:
    after = _names(new)
    gone = [one for one in _names(old) if one not in after]
    if not gone:
        return ""
    words = [rule_words.DETECTORS[one](texts) if one in rule_words.DETECTORS else one for one in gone]
    return texts(
        "Commands that are always refused today can then run, when you or a rule allow them: {commands}."
    ).format(commands=_listed(words))


def _network(old: object, new: object, texts: Texts) -> str:
    if old != "off" or new == "off":
        return ""
    return texts(
        "Commands that a rule allows can then reach the network, and send away whatever they can read."
    )


def _other_machine(old: object, new: object, texts: Texts) -> str:
    del old
    if not new:
        return ""
    return texts(
        "What you say and write, and what Jarvis reads of your files for it, can then be sent to {host}."
    ).format(host=visible(str(new), Care.COMMAND))


_WEAKER: Mapping[str, Callable[[object, object, Texts], str]] = {
    "security.require_approval_for": _approval,
    "security.dangerous_commands": _danger,
    "security.sandbox_network": _network,
    "model.allowed_host": _other_machine,
}


def _names(value: object) -> tuple[str, ...]:
    assert isinstance(value, Sequence)
    return tuple(map(str, value))


def _listed(names: Sequence[str]) -> str:
    shown = [visible(one, Care.COMMAND) for one in names[:MOST_NAMED]]
    return ", ".join(shown) + (" …" if len(names) > MOST_NAMED else "")
