"""A shell command in words: what it does to what, with its destructive options.

Reading is all or nothing: a command that cannot be said in full is left to the screen.
"""

import re
import shlex
from collections.abc import Sequence
from pathlib import PurePath, PurePosixPath
from posixpath import normpath

from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.voice.spoken_phrase import spoken_form
from jarvis_desktop.core.voice.spoken_text import has_hangul, words_of

MOST_WORDS = 8
"""A longer command cannot be held in mind by listening."""
MOST_SIGNS = 120
_PROGRAM = re.compile(r"[\w./+~-]{1,40}")
_PLAIN_TEXT = re.compile(r"[\w ./:=@,+%~-]{1,60}")
"""A quoted text that sounds as it looks. No sign of the shell is in it, quoted or not."""
_OUTPUT = re.compile(r"(?P<command>[^<>]*[^<>&|\d\s])\s*(?P<sign>>>?)\s*(?P<where>[\w./~-]{1,40})")
_NEVER_READ = re.compile(r"://|jarvis|자비스", re.IGNORECASE)
_FORCE = frozenset(
    {"-f", "--force", "--hard", "--delete", "-delete", "-D", "--purge", "--overwrite", "--prune"}
)
_RECURSIVE = frozenset({"-r", "-R", "--recursive"})


def command_words(command: str, cwd: PurePath, texts: Texts) -> str | None:
    """The question for a command, with its warnings; ``None`` when it cannot be said in full."""
    written = _OUTPUT.fullmatch(command.strip())
    words = _plain_words(written["command"] if written else command)
    if words is None or _NEVER_READ.search(command) or not all(map(_survives, words)):
        return None
    flags = _single_flags(words[1:])
    if written:
        return _generic(_with_output(words, written, cwd, texts), flags, texts)
    places = [place_words(word, cwd, texts) for word in words[1:] if not word.startswith("-")]
    known = _known(words[0], flags, places, texts)
    return known if known is not None else _generic(_said(words, cwd, texts), flags, texts)


def rule_words(pattern: str, texts: Texts) -> str | None:
    """The words with which a rule's commands begin; ``None`` when they cannot be said in full."""
    words = _plain_words(pattern)
    if words is None or "/" in pattern or _NEVER_READ.search(pattern) or not all(map(_survives, words)):
        return None
    return _said(words, PurePath("/"), texts)


def text_in_full(text: str) -> str | None:
    """A line of text as it can be said without leaving anything out; ``None`` when it cannot."""
    line = text.strip()
    words = line.split(" ")
    if not _PLAIN_TEXT.fullmatch(line) or len(words) > MOST_WORDS or _NEVER_READ.search(line):
        return None
    return line if all(map(_survives, words)) else None


def _plain_words(command: str) -> list[str] | None:
    """The words of a simple command that can be said in full."""
    if len(command) > MOST_SIGNS or "\\" in command or "\n" in command.strip():
        return None
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    if not words or len(words) > MOST_WORDS or not _PROGRAM.fullmatch(words[0]):
        return None
    return words if all(_PLAIN_TEXT.fullmatch(word) for word in words) else None


def _survives(word: str) -> bool:
    """Nothing of it is left out when it is spoken, as hashes and parts of addresses are."""
    name = PurePosixPath(word).name
    if has_hangul(name):
        return True
    return words_of(spoken_form(name, Language.ENGLISH).lower()) == words_of(name.lower())


def _with_output(words: Sequence[str], written: re.Match[str], cwd: PurePath, texts: Texts) -> str:
    pattern = (
        texts("{command}, with the output added to {where}")
        if written["sign"] == ">>"
        else texts("{command}, with the output written over {where}")
    )
    return pattern.format(command=_said(words, cwd, texts), where=place_words(written["where"], cwd, texts))


def place_words(path: str, cwd: PurePath, texts: Texts) -> str:
    """A file or folder by name, with where it lies when that is not the working folder itself."""
    whole = normpath(path if path.startswith(("/", "~")) else f"{cwd}/{path}")
    named = {
        "~": texts("your home folder"),
        "/": texts("the whole disk"),
        str(cwd): texts("the working folder"),
    }.get(whole)
    if named is not None:
        return named
    place, here = PurePosixPath(whole), PurePosixPath(cwd)
    if place.parent == here:
        return place.name
    if not place.parent.name:
        return texts("{name} at the top of the disk").format(name=place.name)
    pattern = (
        texts("{name} in the folder {folder}")
        if place.is_relative_to(here)
        else texts("{name} in the folder {folder}, outside the working folder")
    )
    return pattern.format(name=place.name, folder=place.parent.name)


def _single_flags(words: Sequence[str]) -> list[str]:
    flags: list[str] = []
    for word in words:
        if word == "--":
            break
        if word.startswith("--") or word == "-delete":
            flags.append(word)
        elif word.startswith("-"):
            flags += [f"-{letter}" for letter in word[1:]]
    return flags


def _known(program: str, flags: Sequence[str], places: Sequence[str], texts: Texts) -> str | None:
    """Wording for the commands that people ask for most; ``None`` for everything else."""
    if program == "rm" and places and set(flags) <= _RECURSIVE | {"-f", "--force"}:
        return _deletion(flags, places, texts)
    if program in ("mv", "cp") and len(places) == 2 and not flags:
        pattern = texts("Move {what} to {where}?") if program == "mv" else texts("Copy {what} to {where}?")
        return pattern.format(what=places[0], where=places[1])
    if program == "mkdir" and len(places) == 1 and set(flags) <= {"-p", "--parents"}:
        return texts("Make the folder {what}?").format(what=places[0])
    if program == "touch" and len(places) == 1 and not flags:
        return texts("Make the file {what}?").format(what=places[0])
    return None


def _deletion(flags: Sequence[str], places: Sequence[str], texts: Texts) -> str:
    what = ", ".join(places)
    recursive, forced = bool(_RECURSIVE & set(flags)), "-f" in flags or "--force" in flags
    if recursive and forced:
        question = texts("Delete {what} with everything in it, by force?")
    elif recursive:
        question = texts("Delete {what} with everything in it?")
    elif forced:
        question = texts("Delete {what} by force?")
    else:
        question = texts("Delete {what}?")
    return question.format(what=what) + " " + texts("This cannot be undone.")


def _generic(said: str, flags: Sequence[str], texts: Texts) -> str:
    question = texts("Run the command {command}?").format(command=said)
    if _FORCE.intersection(flags):
        question += " " + texts("Careful: it acts by force, and that may not be undone.")
    return question


def _said(words: Sequence[str], cwd: PurePath, texts: Texts) -> str:
    """Every word: plain ones as they are, an option and a path each as a phrase of its own."""
    phrases, plain = [], list[str]()
    for word in words:
        phrase = _phrase(word, cwd, texts)
        if phrase is None:
            plain.append(word)
            continue
        phrases += [" ".join(plain), phrase]
        plain.clear()
    return ", ".join(filter(None, (*phrases, " ".join(plain))))


def _phrase(word: str, cwd: PurePath, texts: Texts) -> str | None:
    if word.startswith("-"):
        return texts("option {name}").format(name=word.lstrip("-").replace("=", " "))
    if "/" in word or word in ("~", ".", ".."):
        return place_words(word, cwd, texts)
    return None
