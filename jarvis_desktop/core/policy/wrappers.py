"""What a command runs besides itself: the rest of its words, or text that is code.

The danger list sees through all of these; permission sees through none.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from jarvis_desktop.core.policy.command_words import Expanded
from jarvis_desktop.core.policy.find_words import find_starts, finds_everything
from jarvis_desktop.core.policy.inner_code import Inner, foreign_words, inline_code, sed_commands
from jarvis_desktop.core.policy.known_programs import (
    INTERPRETERS,
    MULTI_CALL,
    SHELLS,
    family_name,
    program_name,
)
from jarvis_desktop.core.policy.wrapper_tables import (
    MOST_INNER,
    MOST_STARTS,
    PLAIN_WRAPPERS,
    RUNNERS,
    SKIPPED_OPERANDS,
    VALUE_OPTIONS,
)

Words = Sequence[Expanded]


def inner_of(argv: Words) -> tuple[Inner, ...]:
    """Everything that ``argv`` would run besides itself, one level deep."""
    name = program_name(argv[0].text)
    family = family_name(name)
    special = _SPECIAL.get(name) or _SPECIAL.get(family)
    if special is not None:
        return special(argv)
    if family in SHELLS:
        return _shell(argv)
    if name in MULTI_CALL:
        return (Inner(tuple(argv[1:])),) if len(argv) > 1 else ()
    if name in RUNNERS:
        return _runner(argv, RUNNERS[name])
    if name in PLAIN_WRAPPERS:
        return _rest(argv, name)
    return inline_code(argv, family) if family in INTERPRETERS else ()


def operands_at(argv: Words, name: str) -> int:
    """Index of the first word after the options of ``argv[0]``."""
    takes = VALUE_OPTIONS.get(name, "").split()
    at = 1
    while at < len(argv):
        word = argv[at].text
        if word == "--":
            return at + 1
        if not word.startswith("-") or word == "-":
            return at
        at += 2 if word in takes else 1
    return at


def _is_lookup(argv: Words) -> bool:
    """``command -v name`` and its like only look a name up."""
    return argv[0].text == "command" and any(
        word.text.startswith("-") and word.text[-1:] in ("v", "V") for word in argv[1:2]
    )


def _rest(argv: Words, name: str) -> tuple[Inner, ...]:
    if _is_lookup(argv):
        return ()
    at = operands_at(argv, name) + SKIPPED_OPERANDS.get(name, 0)
    if name in ("sudo", "run0", "doas"):
        at = _after_assignments(argv, at)
    return (Inner(tuple(argv[at:])),) if at < len(argv) else ()


def _after_assignments(argv: Words, at: int) -> int:
    while at < len(argv) and "=" in argv[at].text and "/" not in argv[at].text.partition("=")[0]:
        at += 1
    return at


def _env(argv: Words) -> tuple[Inner, ...]:
    for at, word in enumerate(argv[1:], 1):
        for option in ("-S", "--split-string"):
            if word.text == option and at + 1 < len(argv):
                return (Inner(code=_joined(argv[at + 1 :])),)
            if word.text.startswith(option) and len(word.text) > len(option):
                text = word.text[len(option) :].lstrip("=")
                return (Inner(code=" ".join([text, *(w.text for w in argv[at + 1 :])])),)
    at = _after_assignments(argv, operands_at(argv, "env"))
    return (Inner(tuple(argv[at:])),) if at < len(argv) else ()


def _xargs(argv: Words) -> tuple[Inner, ...]:
    at = operands_at(argv, "xargs")
    return (Inner(tuple(argv[at:]), fed=True),) if at < len(argv) else ()


def _shell(argv: Words) -> tuple[Inner, ...]:
    """``bash -c text``; the option may hide in a cluster such as ``-lc``."""
    for at, word in enumerate(argv[1:], 1):
        text = word.text
        if text in ("--command", "-Command", "-command") or (
            text[:1] in "-+" and text[1:2] != "-" and "c" in text[1:] and text.isascii()
        ):
            rest = [w for w in argv[at + 1 :] if w.text[:1] not in ("-", "+") or " " in w.text]
            return (Inner(code=rest[0].text, given=tuple(rest[1:])),) if rest else ()
        if text in ("-o", "-O", "+o", "+O", "--rcfile", "--init-file"):
            continue
        if not text.startswith(("-", "+")) and argv[at - 1].text not in ("-o", "-O", "+o", "+O"):
            break
    return ()


def _joined(argv: Words) -> str:
    return " ".join(word.text for word in argv)


def _joined_code(argv: Words) -> tuple[Inner, ...]:
    """``eval``: all words together are code."""
    return (Inner(code=_joined(argv[1:])),) if len(argv) > 1 else ()


def _trap(argv: Words) -> tuple[Inner, ...]:
    return (Inner(code=argv[1].text),) if len(argv) > 1 else ()


def _rest_is_code(argv: Words) -> tuple[Inner, ...]:
    """``watch``, ``parallel``: the rest is handed to a shell as one text."""
    at = operands_at(argv, program_name(argv[0].text))
    words = [word.text for word in argv[at:]]
    if ":::" in words:
        cut = words.index(":::")
        return (Inner(argv=tuple(argv[at : at + cut]) + tuple(argv[at + cut + 1 :])),) if cut else ()
    return (Inner(code=" ".join(words), fed=program_name(argv[0].text) == "parallel"),) if words else ()


def _code_options(*options: str) -> Callable[[Words], tuple[Inner, ...]]:
    """Inner code is the value of one of ``options``, glued, after ``=``, or the next word."""

    def found(argv: Words) -> tuple[Inner, ...]:
        inner: list[Inner] = []
        for at, word in enumerate(argv[1:], 1):
            for option in options:
                value = _value_of(word.text, option, argv, at)
                if value:
                    inner.append(Inner(code=value))
        return tuple(inner)

    return found


def _value_of(word: str, option: str, argv: Words, at: int) -> str:
    if word == option:
        return argv[at + 1].text if at + 1 < len(argv) else ""
    if option.startswith("--") and word.startswith(f"{option}="):
        return word[len(option) + 1 :]
    if not option.startswith("--") and len(option) == 2 and word.startswith(option):
        return word[2:]
    return ""


def _flock(argv: Words) -> tuple[Inner, ...]:
    return _code_options("-c", "--command")(argv) or _rest(argv, "flock")


def _su(argv: Words) -> tuple[Inner, ...]:
    return _code_options("-c", "--command", "--session-command")(argv) + _after_user(argv)


def _after_user(argv: Words) -> tuple[Inner, ...]:
    at = operands_at(argv, program_name(argv[0].text))
    return (Inner(tuple(argv[at:])),) if at < len(argv) else ()


def _multiplexer(argv: Words) -> tuple[Inner, ...]:
    """``tmux new 'text'``, ``screen -dm prog``: any word with a blank may be code, and any tail a program."""
    code = tuple(Inner(code=word.text) for word in argv[1:] if " " in word.text)
    tails = tuple(Inner(tuple(argv[at:])) for at in range(1, min(len(argv), 4)) if argv[at].text[:1] != "-")
    return code + tails


def _find(argv: Words) -> tuple[Inner, ...]:
    """``find … -exec prog … ;``: ``{}`` becomes each starting point, or something below it."""
    starts = find_starts(argv)[:MOST_STARTS]
    if not finds_everything(argv):
        # A test such as -name picks some of what lies there, never the starting point with all in it.
        starts = tuple(Expanded(f"{start.text.rstrip('/')}/some/thing") for start in starts)
    inner: list[Inner] = []
    at = 1
    while at < len(argv):
        if argv[at].text in ("-exec", "-execdir", "-ok", "-okdir"):
            end = next((i for i in range(at + 1, len(argv)) if argv[i].text in (";", "+")), len(argv))
            inner.extend(Inner(_put(argv[at + 1 : end], start)) for start in starts)
            at = end
        at += 1
    return tuple(one for one in inner if one.argv)[:MOST_INNER]


def _put(argv: Words, start: Expanded) -> tuple[Expanded, ...]:
    return tuple(start if word.text == "{}" else word for word in argv)


def _fd(argv: Words) -> tuple[Inner, ...]:
    for at, word in enumerate(argv[1:], 1):
        if word.text in ("-x", "-X", "--exec", "--exec-batch"):
            return (Inner(_put(argv[at + 1 :], Expanded("."))),) if at + 1 < len(argv) else ()
    return ()


def _runner(argv: Words, subcommands: frozenset[str]) -> tuple[Inner, ...]:
    name = program_name(argv[0].text)
    for at, word in enumerate(argv[1:6], 1):
        if word.text in subcommands:
            rest = argv[at:]
            start = operands_at(rest, name)
            return (Inner(tuple(rest[start:])),) if start < len(rest) else ()
    return ()


def _git(argv: Words) -> tuple[Inner, ...]:
    """Aliases on the command line, ``rebase -x``, ``bisect run``, ``submodule foreach``."""
    words = [word.text for word in argv]
    inner = list(_code_options("-x", "--exec", "--extcmd", "--upload-pack", "--receive-pack")(argv))
    inner += [
        Inner(code=word.split("!", 1)[1]) for word in words if word.startswith("alias.") and "=!" in word
    ]
    for first, second in (("bisect", "run"), ("submodule", "foreach")):
        if first in words and second in words[words.index(first) :]:
            at = words.index(second, words.index(first)) + 1
            inner += [Inner(tuple(argv[at:])), Inner(code=" ".join(words[at:]))] if at < len(argv) else []
    return tuple(inner)


def _tar(argv: Words) -> tuple[Inner, ...]:
    actions = (
        word.text.partition("exec=")[2]
        for word in argv
        if "checkpoint-action" in word.text or "exec=" in word.text
    )
    named = _code_options(
        "-I", "-F", "--use-compress-program", "--to-command", "--info-script", "--rsh-command"
    )(argv)
    return named + tuple(Inner(code=action) for action in actions if action)


_SPECIAL: Mapping[str, Callable[[Words], tuple[Inner, ...]]] = MappingProxyType(
    {
        "env": _env, "xargs": _xargs, "eval": _joined_code, "trap": _trap, "watch": _rest_is_code,
        "parallel": _rest_is_code, "flock": _flock, "su": _su, "runuser": _su, "find": _find, "fd": _fd,
        "fdfind": _fd, "git": _git, "tar": _tar, "bsdtar": _tar, "gtar": _tar,
        "sed": sed_commands, "gsed": sed_commands,
        "script": _code_options("-c", "--command"), "sg": _code_options("-c"), "rg": _code_options("--pre"),
        "man": _code_options("-P", "--pager"), "sort": _code_options("--compress-program"),
        "split": _code_options("--filter"), "ssh": _code_options(), "tmux": _multiplexer,
        "screen": _multiplexer,
        "hyperfine": _rest_is_code, "nix-shell": _code_options("--run", "--command"),
        "vim": foreign_words, "vi": foreign_words, "nvim": foreign_words, "ex": foreign_words,
        "make": _code_options("--eval"), "npm": lambda argv: _code_options("-c",
        "--call")(argv) + _runner(argv, RUNNERS["npm"]),
        "npx": lambda argv: _code_options("-c", "--call")(argv) + _rest(argv, "npx"),
    }
)  # fmt: skip
