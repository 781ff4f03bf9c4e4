"""Whether the words after a rule's words make the program write, run or send something else."""

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from jarvis_desktop.core.policy.interpreters import Source, program_of
from jarvis_desktop.core.policy.known_programs import (
    BUILTINS_THAT_CHANGE_THE_SHELL,
    EDITORS,
    INTERPRETERS,
    MULTI_CALL,
    OURS,
    PRIVILEGE,
    SHELLS,
    WRAPPERS,
    family_name,
    program_name,
)
from jarvis_desktop.core.policy.risky_git import git_risk
from jarvis_desktop.core.policy.risky_scripts import awk_only_prints, sed_only_prints
from jarvis_desktop.core.policy.risky_tables import (
    GENERIC,
    TABLE,
    Risky,
)

Argv = Sequence[str]

_CODE_MODULES = frozenset(
    [
        "timeit",
        "pdb",
        "cProfile",
        "profile",
        "trace",
        "runpy",
        "code",
        "codeop",
        "pip",
        "ensurepip",
        "venv",
        "http",
        "http.server",
        "idlelib",
        "doctest",
        "site",
        "zipapp",
        "webbrowser",
        "antigravity",
        "smtpd",
        "bdb",
        *OURS,
    ]
)
"""Modules that run code from their arguments, install, or open the network; and ours."""
_RUNNER_WORDS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "uv": frozenset({"run"}), "poetry": frozenset({"run"}), "pipenv": frozenset({"run"}),
        "pdm": frozenset({"run"}), "hatch": frozenset({"run"}), "rye": frozenset({"run"}),
        "pixi": frozenset({"run"}),
        "conda": frozenset({"run"}), "mamba": frozenset({"run"}), "micromamba": frozenset({"run"}),
        "bundle": frozenset({"exec"}), "npm": frozenset({"exec", "x"}), "pnpm": frozenset({"exec", "dlx"}),
        "yarn": frozenset({"exec", "dlx"}), "bun": frozenset({"x"}), "mise": frozenset({"exec", "x"}),
        "asdf": frozenset({"exec"}), "rbenv": frozenset({"exec"}), "pyenv": frozenset({"exec"}),
        "pipx": frozenset({"run"}), "nix": frozenset({"run", "shell", "develop"}),
    }
)  # fmt: skip
_PACKAGE_RUNNERS = frozenset({"npx", "bunx", "uvx", "pnpx"})
_CONTAINERS = frozenset({"docker", "podman", "nerdctl", "docker-compose", "kubectl", "oc", "lxc", "incus"})
_CONTAINER_RUNS = frozenset({"run", "exec", "create", "start", "attach", "debug", "cp"})
_SCRIPT_ONLY_LETTERS: Mapping[str, str] = MappingProxyType(
    {"python": "bBdEhiIOPqRsSuvVxt", "python3": "bBdEhIOPqRsSuvVx"}
)


_NEVER = SHELLS | WRAPPERS | PRIVILEGE | MULTI_CALL | EDITORS | BUILTINS_THAT_CHANGE_THE_SHELL | OURS


def never_by_rule(word: str) -> bool:
    """No rule on this program allows anything: shells, wrappers, editors, builtins that run text, and we."""
    name = program_name(word)
    return name in _NEVER or family_name(name) in SHELLS


def risk_of(argv: Argv, covered: int = 2) -> str | None:
    """The word of ``argv`` because of which a rule on its first ``covered`` words is not enough."""
    name, family = program_name(argv[0]), family_name(argv[0])
    if name == "command" and len(argv) == 3 and argv[1] in ("-v", "-V"):
        return None
    if never_by_rule(argv[0]):
        return argv[0]
    special = _SPECIAL.get(name)
    found = special(argv) if special is not None else None
    if found is None and family in INTERPRETERS and not family.endswith("awk"):
        found = _interpreter(argv, covered)
    if found is None and name in _RUNNER_WORDS:
        found = _runner(argv)
    if found is None and name in _CONTAINERS:
        found = _container(argv)
    if found is None and name in _PACKAGE_RUNNERS:
        found = argv[0] if covered < 2 or argv[1].startswith("-") else _started(argv[1])
    return found or _table(argv, name)


def _table(argv: Argv, name: str) -> str | None:
    risky = TABLE.get(name, GENERIC)
    operands = 0
    skip = False
    for word in argv[1:]:
        if skip:
            skip = False
        elif word == "--" and name in ("npm", "pnpm", "yarn", "cargo", "uv", "go", "bun"):
            return None
        elif _is_risky(word, risky):
            return word
        elif word.startswith("-") and len(word) > 1:
            skip = len(word) == 2 and word[1] in risky.valued and risky.most_operands >= 0
        else:
            operands += 1
            if 0 <= risky.most_operands < operands and not word.startswith("+"):
                return word
    return None


def _is_risky(word: str, risky: Risky) -> bool:
    head = word.partition("=")[0]
    if head in risky.words:
        return True
    if word.startswith("--"):
        return len(head) >= 3 and any(long.startswith(head) or head == long for long in risky.long)
    if word.startswith("-") and len(word) > 1 and risky.short:
        for letter in word[1:]:
            if letter in risky.short:
                return True
            if letter in risky.valued:
                return False
    return False


def _interpreter(argv: Argv, covered: int) -> str | None:
    """Inline code, code from standard input, odd options, or a module that the rule does not name."""
    program = program_of(argv)
    if len(argv) == 2 and argv[1] in ("--version", "-V", "-v", "--help", "-h"):
        return None
    if program is None or program.source in (Source.INLINE, Source.STDIN):
        return argv[1] if len(argv) > 1 else argv[0]
    letters = _SCRIPT_ONLY_LETTERS.get(family_name(argv[0]), "")
    for word in argv[1 : program.at]:
        if word != "-m" and not (set(word[1:]) <= set(letters) and word.startswith("-") and letters):
            return word
    if program.source is Source.MODULE:
        known = program.name or (argv[program.at] if program.at < len(argv) else "")
        return known or argv[0] if covered <= program.at or known.split(".")[0] in _CODE_MODULES else None
    return program.name if "://" in program.name or program.name.startswith("/dev/") else None


def _started(word: str) -> str | None:
    """``word`` when it is a program that a runner must not start unasked."""
    known = family_name(word) in INTERPRETERS or never_by_rule(word)
    odd = "/" in word or "://" in word or word == "-" or word.startswith("-")
    return word if known or odd else None


def _runner(argv: Argv) -> str | None:
    name = program_name(argv[0])
    for at, word in enumerate(argv[1:], 1):
        if word in _RUNNER_WORDS[name]:
            rest = list(argv[at + 1 :])
            if rest[:1] == ["--"]:
                rest = rest[1:]
            if not rest:
                return None
            return _started(rest[0]) or risk_of(rest)
        if not word.startswith("-"):
            return None
    return None


def _container(argv: Argv) -> str | None:
    for word in argv[1:4]:
        if word in _CONTAINER_RUNS:
            return word
    if "compose" in argv[1:2] and {"-f", "--file", "--env-file"} & {word.partition("=")[0] for word in argv}:
        return "--file"
    return (
        argv[1] if len(argv) > 1 and argv[1].startswith("-") and argv[1] not in ("--version", "-v") else None
    )


def _sed(argv: Argv) -> str | None:
    script_seen = False
    at = 1
    while at < len(argv):
        word = argv[at]
        at += 1
        if word in ("-e", "--expression") and at < len(argv):
            word, at = f"--expression={argv[at]}", at + 1
        script = _sed_script(word, seen=script_seen)
        script_seen = script_seen or script is not None
        if script is not None and not sed_only_prints(script):
            return word
        if script is None and word[:1] == "-" and len(word) > 1 and not _SED_HARMLESS.fullmatch(word):
            return word
    return None


_SED_HARMLESS = re.compile(
    r"-[nErsuz]+|--quiet|--silent|--regexp-extended|--posix|--debug|--sandbox|--version"
)


def _sed_script(word: str, *, seen: bool) -> str | None:
    """The script in one word; the first operand is one when no option brought it."""
    if word.startswith("--expression="):
        return word.partition("=")[2]
    if word.startswith("-e") and len(word) > 2:
        return word[2:]
    return None if seen or (word.startswith("-") and len(word) > 1) else word


def _awk(argv: Argv) -> str | None:
    at = 1
    while at < len(argv):
        word = argv[at]
        if word in ("-F", "-v", "--field-separator", "--assign"):
            at += 2
        elif word.startswith(("-F", "-v")) and len(word) > 2:
            at += 1
        elif word.startswith("-") and word != "--":
            return word
        elif word == "--":
            at += 1
        else:
            return None if awk_only_prints(word) else word
    return None


def _assignments(argv: Argv) -> str | None:
    """``make test SHELL=./x``: a variable on the command line may name any program."""
    return next((word for word in argv[1:] if re.match(r"[A-Za-z_][\w.]*[:+?!]?:?:?=", word)), None)


def _date(argv: Argv) -> str | None:
    valued = False
    for word in argv[1:]:
        if not valued and not word.startswith(("-", "+")):
            return word
        valued = word in ("-d", "--date", "-f", "--file", "-r", "--reference")
    return None


def _tar(argv: Argv) -> str | None:
    """Old-style clusters have no dash; an archive named ``host:file`` starts a remote shell."""
    if len(argv) > 1 and not argv[1].startswith("-") and set(argv[1]) & set("IFP"):
        return argv[1]
    for word in argv[2:]:
        if re.match(r"[\w.@-]+:", word):
            return word
    return None


def _less(argv: Argv) -> str | None:
    return next((word for word in argv[1:] if word.startswith("+")), None)


def _sqlite(argv: Argv) -> str | None:
    pattern = r"(?i)^\.|writefile|load_extension|edit\s*\(|attach|vacuum\s+into|fts3_tokenizer|readfile"
    return next((word for word in argv[1:] if re.search(pattern, word)), None)


def _cargo(argv: Argv) -> str | None:
    return argv[1] if len(argv) > 1 and argv[1].startswith("+") else None


def _at_files(argv: Argv) -> str | None:
    return next((word for word in argv[1:] if word.startswith("@")), None)


_SPECIAL: Mapping[str, Callable[[Argv], str | None]] = MappingProxyType(
    {
        "git": git_risk, "sed": _sed, "gsed": _sed, "awk": _awk, "gawk": _awk, "mawk": _awk, "nawk": _awk,
        "make": _assignments, "gmake": _assignments, "bmake": _assignments, "just": _assignments,
        "date": _date, "tar": _tar, "gtar": _tar, "bsdtar": _tar, "less": _less, "more": _less, "man": _less,
        "sqlite3": _sqlite, "cargo": _cargo, "gcc": _at_files, "cc": _at_files, "clang": _at_files,
        "g++": _at_files,
    }
)  # fmt: skip
