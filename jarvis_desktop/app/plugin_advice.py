"""What in a plugin's text will not be called as its author thinks: names almost a hook's, odd parameters."""

import difflib
import re
from collections.abc import Iterator

from jarvis_desktop.adapters.extension_files import FoundFile, Function
from jarvis_desktop.core.items.hooks import GIVEN, Hook
from jarvis_desktop.core.ports import Texts

LIKE_ENOUGH = 0.75
"""One or two letters, a word left out, or the words written together; "helper" is like no hook."""


def advice(file: FoundFile, texts: Texts) -> str:
    """Everything that is to be said about it, found in its text alone; empty where it is well."""
    lacking = "" if _may_have_hooks(file) else _no_hooks(texts)
    return " ".join(filter(None, (lacking, mistakes(file, texts))))


def mistakes(file: FoundFile, texts: Texts) -> str:
    """Functions that will not be called, or cannot be; empty where there are none."""
    return " ".join((*_misspelt(file, texts), *_unfit(file, texts)))


def _may_have_hooks(file: FoundFile) -> bool:
    # It need not be a ``def``: a hook can be imported, made by a decorator, or put there in a branch.
    return any(re.search(rf"\b{hook.value}\b", file.text) for hook in Hook)


def _no_hooks(texts: Texts) -> str:
    text = texts("Jarvis calls nothing in it: it has none of the functions {hooks}.")
    return text.format(hooks=", ".join(hook.value for hook in Hook))


def _misspelt(file: FoundFile, texts: Texts) -> Iterator[str]:
    there = {one.name for one in file.functions}
    missing = {_letters(hook.value): hook.value for hook in Hook if hook.value not in there}
    for one in file.functions:
        if one.used or one.name in set(Hook):
            continue
        near = difflib.get_close_matches(_letters(one.name), missing, n=1, cutoff=LIKE_ENOUGH)
        if near:
            text = texts("Nobody calls {name} (line {line}). Did you mean {hook}?")
            yield text.format(name=one.name, line=one.line, hook=missing[near[0]])


def _unfit(file: FoundFile, texts: Texts) -> Iterator[str]:
    for one in file.functions:
        if one.name in set(Hook) and (strange := _strange(one)):
            text = texts(
                "{hook} (line {line}) cannot be called: it is not given {names}. It may have any of {given}."
            )
            yield text.format(
                hook=one.name,
                line=one.line,
                names=", ".join(strange),
                given=", ".join(GIVEN[Hook(one.name)]),
            )


def _strange(one: Function) -> list[str]:
    return [name for name in one.needed if name not in GIVEN[Hook(one.name)]]


def _letters(name: str) -> str:
    return name.replace("_", "").lower()
