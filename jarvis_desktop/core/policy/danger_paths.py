"""Recursive deletion and recursive permissions on what must not be lost."""

from collections.abc import Iterator
from fnmatch import fnmatchcase
from posixpath import dirname

from jarvis_desktop.core.policy.command_facts import Call
from jarvis_desktop.core.policy.command_words import Expanded
from jarvis_desktop.core.policy.find_words import find_starts, finds_everything
from jarvis_desktop.core.policy.paths import Place, absolute, is_inside

_EVERYTHING = frozenset(
    {"*", ".*", "**", "?*", "*?", ".[!.]*", "[!.]*", ".??*", "*.*", ".[^.]*", ".?*", "[^.]*"}
)
"""Last parts that stand for all there is in a folder."""
_TEMPORARY = "/tmp"  # noqa: S108 - named, not written to
_PERMISSION_PROGRAMS = frozenset({"chmod", "chown", "chgrp", "chattr", "setfacl", "chcon"})


def deleted_whole(call: Call, place: Place) -> str | None:
    """The precious folder that ``call`` would delete with all in it; None when there is none."""
    if call.name == "rm" and _is_recursive(call, "rR", "--recursive"):
        return _first_precious(_operands(call, skip=0), call, place)
    if call.name == "find" and finds_everything(call.argv) and any(w.text == "-delete" for w in call.argv):
        return _first_precious(find_starts(call.argv), call, place)
    if call.name in ("Remove-Item", "ri", "rd", "rmdir", "del", "erase") and _is_windows_recursive(call):
        return next((w.text for w in call.argv[1:] if w.text.rstrip("\\/*").endswith(":")), None)
    return None


def permitted_whole(call: Call, place: Place) -> str | None:
    """The precious folder whose permissions ``call`` would change with all in it."""
    if call.name not in _PERMISSION_PROGRAMS or not _is_recursive(call, "R", "--recursive"):
        return None
    by_reference = any(word.text.startswith("--reference") for word in call.argv)
    return _first_precious(_operands(call, skip=0 if by_reference else 1), call, place)


def is_precious(word: Expanded, cwd: str | None, place: Place) -> bool:
    """``word`` names the root, a top-level folder, home, the current folder or one above either."""
    if not word.text or (word.missing and word.guarded):
        return False
    if cwd is None:
        # Nobody knows where this runs; all of wherever that is counts as precious.
        if not word.text.startswith("/"):
            return _without_everything(word)[0] in (".", "..", "./", "")
        cwd = "/"
    text, emptied = _without_everything(word)
    path = absolute(text or ".", cwd)
    if word.missing and not path.strip("/"):
        return True
    if word.missing:
        return False
    if emptied and path == _TEMPORARY:
        # Emptying the folder for temporary files is what it is for.
        return False
    return path.count("/") == 1 or _is_above(path, place.cwd) or _is_above(path, place.home)


def _is_above(path: str, folder: str) -> bool:
    if "*" in path or "?" in path:
        return any(fnmatchcase(up, path) for up in _ups(folder))
    return is_inside(folder, path)


def _ups(folder: str) -> Iterator[str]:
    while folder != "/":
        yield folder
        folder = dirname(folder)


def _without_everything(word: Expanded) -> tuple[str, bool]:
    """The folder when the last part stands for all in it, and whether that is so."""
    text, emptied = word.text, False
    while word.glob and text:
        head, slash, last = text.rstrip("/").rpartition("/")
        if last not in _EVERYTHING:
            break
        text, emptied = (head or slash) or ".", True
        if not head:
            break
    return text, emptied


def _operands(call: Call, *, skip: int) -> tuple[Expanded, ...]:
    found: list[Expanded] = []
    closed = False
    for word in call.argv[1:]:
        if word.text == "--" and not closed:
            closed = True
        elif closed or not word.text.startswith("-"):
            found.append(word)
    return tuple(found[skip:])


def _is_recursive(call: Call, letters: str, long: str) -> bool:
    for word in call.argv[1:]:
        text = word.text
        if text == "--":
            return False
        if text.startswith("--"):
            if len(text) > 3 and long.startswith(text):
                return True
        elif text.startswith("-") and any(letter in text[1:] for letter in letters):
            return True
    return False


def _is_windows_recursive(call: Call) -> bool:
    return any(w.text.casefold() in ("-recurse", "-r", "/s", "-rec") for w in call.argv)


def _first_precious(words: tuple[Expanded, ...], call: Call, place: Place) -> str | None:
    return next((word.text or "." for word in words if is_precious(word, call.cwd, place)), None)
