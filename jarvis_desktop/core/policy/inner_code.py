"""Program text among the words of a command: what interpreters, editors and sed are handed."""

from collections.abc import Sequence
from dataclasses import dataclass

from jarvis_desktop.core.policy.command_words import Expanded


@dataclass(frozen=True, slots=True)
class Inner:
    """What runs inside another command."""

    argv: tuple[Expanded, ...] = ()
    code: str = ""
    """Shell text, when it is text."""
    fed: bool = False
    """More words come from standard input, as for ``xargs``."""
    foreign: bool = False
    """Not shell text: a program in another language."""
    given: tuple[Expanded, ...] = ()
    """What the code sees as ``$0``, ``$1`` …"""


Words = Sequence[Expanded]


def inline_code(argv: Words, family: str) -> tuple[Inner, ...]:
    """Program text handed to an interpreter; ``danger_foreign`` looks into it."""
    if family.endswith("awk"):
        return tuple(Inner(code=word.text, foreign=True) for word in argv[1:] if set("(|>") & set(word.text))
    found: list[Inner] = []
    for at, word in enumerate(argv[1:], 1):
        text = word.text
        cluster = text[:1] == "-" and text[1:2] != "-" and any(c in text[1:] for c in "cerEpnRB")
        if (cluster or text in ("--eval", "--print", "--execute")) and at + 1 < len(argv):
            found.append(Inner(code=argv[at + 1].text, foreign=True))
        if cluster and len(text) > 3:
            found.append(Inner(code=text[2:], foreign=True))
        if text.startswith("--eval="):
            found.append(Inner(code=text[7:], foreign=True))
        if text[:1] != "-" and at > 1 and not found:
            break
    return tuple(found)


def foreign_words(argv: Words) -> tuple[Inner, ...]:
    """Words of an editor's command line, any of which may be a command of its own."""
    return tuple(Inner(code=word.text, foreign=True) for word in argv[1:] if word.text[:1] != "-")


def sed_commands(argv: Words) -> tuple[Inner, ...]:
    """``e command`` in a script is shell code."""
    found = []
    for word in argv[1:]:
        head, mark, rest = word.text.partition("e ")
        if mark and rest and not head.strip("0123456789$, "):
            found.append(Inner(code=rest))
    return tuple(found)
