"""The reason of a verdict and the remarks of a proposal in the app's language."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from jarvis_desktop.core.items.decisions import RuleOffer, Verdict
from jarvis_desktop.core.policy.proposals import Proposal
from jarvis_desktop.core.policy.rules import PATH_TOOLS, SHELL_TOOL, Weakness
from jarvis_desktop.core.ports import Texts


def reason(verdict: Verdict, texts: Texts) -> str:
    """One sentence for a person: why this call is asked about, blocked or allowed."""
    kind, _, what = verdict.source.partition(":")
    if kind == "danger":
        return _danger(what, texts)
    if kind in ("script", "content"):
        return texts("What it would run is on the list of dangerous commands: {entry}.").format(entry=what)
    if kind == "rule":
        return texts("Covered by a remembered rule: {rule}").format(rule=what)
    if kind == "web":
        return texts(
            "Text of strangers may have asked for this: neither you nor a search result named {host}."
        ).format(host=what)
    if kind == "unclear":
        return _UNCLEAR.get(what, _unreadable)(texts)
    return _PLAIN.get(kind, _no_rule)(texts)


def remarks(proposal: Proposal | RuleOffer, texts: Texts) -> tuple[str, ...]:
    """What a person must know before a rule is saved (T-091)."""
    found = [_reach(proposal.lines[0].tool, texts)]
    if proposal.project_decides:
        found.append(
            texts("The rule covers whatever the project's own file says, also when that file changes.")
        )
    return tuple(found)


def _reach(tool: str, texts: Texts) -> str:
    if tool == SHELL_TOOL:
        return texts(
            "From then on this runs without asking, whatever words follow, also to change or remove files."
        )
    if tool in PATH_TOOLS:
        return texts(
            "From then on files in this folder are written without asking, also over what is there already."
        )
    return texts("From then on every call of this tool runs without asking.")


def weakness_text(weakness: Weakness, texts: Texts) -> str:
    """Why a rule is listed but never allows anything."""
    if weakness is Weakness.RUNS_ANYTHING:
        return texts("This program runs anything it is handed, so a rule on it never allows.")
    if weakness is Weakness.PROGRAM_BY_PATH:
        return texts("A program given by its path can be replaced, so a rule on it never allows.")
    return texts("This pattern means nothing for this tool, so the rule never allows.")


def _danger(entry: str, texts: Texts) -> str:
    known = _DANGER.get(entry)
    if known is not None:
        return known(texts)
    return texts("It matches the dangerous command that you set: {entry}").format(entry=entry)


def _unreadable(texts: Texts) -> str:
    return texts("The command cannot be read for certain.")


def _no_rule(texts: Texts) -> str:
    return texts("No remembered rule covers this.")


_DANGER: Mapping[str, Callable[[Texts], str]] = MappingProxyType(
    {
        "recursive-delete": lambda texts: texts("It would delete a whole system, home or working folder."),
        "recursive-permissions": lambda texts: texts(
            "It would change the permissions of a whole system, home or working folder."
        ),
        "privilege": lambda texts: texts("It would run with other rights than yours."),
        "download-to-interpreter": lambda texts: texts("It would run a program straight from the network."),
        "disk-write": lambda texts: texts("It would write over a disk."),
        "format": lambda texts: texts("It would make or wipe a file system."),
        "power": lambda texts: texts("It would switch off or restart this computer."),
        "fork-bomb": lambda texts: texts("It would start itself over and over."),
        "rule-files": lambda texts: texts("It would change the approval rules, which no tool may do."),
    }
)

_UNCLEAR: Mapping[str, Callable[[Texts], str]] = MappingProxyType(
    {
        "too-long": lambda texts: texts("The command is too long to be covered by a rule."),
        "odd-characters": lambda texts: texts("The command holds characters that cannot be seen."),
        "substitution": lambda texts: texts("The command runs another command inside a word."),
        "background": lambda texts: texts("A part of the command would go on in the background."),
        "assignment": lambda texts: texts("The command sets a variable."),
        "not-literal": lambda texts: texts("A word of the command is only known when it runs."),
    }
)

_PLAIN: Mapping[str, Callable[[Texts], str]] = MappingProxyType(
    {
        "no-rule": _no_rule,
        "stands-in": lambda texts: texts("It takes the place of a tool of Jarvis, which no rule covers."),
        "no-sandbox": lambda texts: texts(
            "A remembered rule covers this, but commands cannot be shut in here, so it is asked about."
        ),
        "risky-option": lambda texts: texts("An option makes the program do more than the rule says."),
        "guarded-path": lambda texts: texts("It touches a place that no rule may cover."),
        "guarded": lambda texts: texts("It touches a place that no rule may cover."),
        "redirection": lambda texts: texts("It would write to or read from a file by redirection."),
        "danger-list-broken": lambda texts: texts(
            "The list of dangerous commands has an error, so every command is asked about until it is mended."
        ),
        "odd-path": lambda texts: texts("The path is empty or holds characters that cannot be seen."),
        "unclear-path": lambda texts: texts("The file has a second name or could not be looked at."),
        "taught": lambda texts: texts(
            "Text of strangers is in this conversation and may have asked for this, which counts from now on."
        ),
        "redefined": lambda texts: texts(
            "This tool is not the one that you had remembered: it has changed since, so Jarvis asks."
        ),
        "secret": lambda texts: texts("What is in there may be a secret, and the model would read it."),
        "no-approval-needed": lambda texts: texts("This tool needs no approval."),
    }
)
