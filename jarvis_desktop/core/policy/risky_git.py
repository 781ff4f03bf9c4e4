"""Options of git that write a file or name a program."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

Argv = Sequence[str]

_GIT_LONG = tuple(
    f"--{name}"
    for name in [
        "output",
        "output-directory",
        "ext-diff",
        "textconv",
        "filters",
        "upload-pack",
        "receive-pack",
        "exec",
        "exec-path",
        "extcmd",
        "open-files-in-pager",
        "template",
        "config",
        "config-env",
        "separate-git-dir",
        "sendmail-cmd",
        "smtp-server",
        "to-cmd",
        "cc-cmd",
        "header-cmd",
        "export-marks",
        "index-output",
        "run-hook",
        "interactive",
        "edit-todo",
        "edit-description",
        "toolcmd",
        "tool",
        "remote-cmd",
        "file",
        "gui",
        "web",
        "man",
        "paginate",
        "import-marks",
        "server-option",
        "edit",
        "super-prefix",
        "attr-source",
        "prefix",
        "format-program",
        "batch-command",
    ]
)
"""Options of git subcommands that write a file or name a program."""

_GIT_PROGRAM_SUBCOMMANDS = frozenset(
    [
        "filter-branch",
        "filter-repo",
        "daemon",
        "shell",
        "http-backend",
        "instaweb",
        "web--browse",
        "send-email",
        "imap-send",
        "credential",
        "credential-cache",
        "credential-store",
        "upload-pack",
        "receive-pack",
        "upload-archive",
        "for-each-repo",
        "maintenance",
        "difftool",
        "mergetool",
        "gui",
        "citool",
        "svn",
        "p4",
        "cvsimport",
        "cvsserver",
        "fast-import",
        "remote-ext",
        "remote-fd",
        "hook",
        "bisect--helper",
        "alias",
        "submodule--helper",
        "fsmonitor--daemon",
        "lfs",
        "annex",
        "flow",
        "extras",
        "sh-setup",
    ]
)
"""Subcommands that run programs named elsewhere, or take code."""


def git_risk(argv: Argv) -> str | None:
    """The word that makes a git command write, run or send more than its subcommand says."""
    if len(argv) < 2:
        return None
    sub = argv[1]
    if sub.startswith("-"):
        return None if len(argv) == 2 and sub in ("--version", "-v", "-h", "--help") else sub
    if sub in _GIT_PROGRAM_SUBCOMMANDS or sub.startswith("remote-"):
        return sub
    if sub == "config":
        return _git_config(argv)
    for word in argv[2:]:
        if _is_risky_git(word, sub):
            return word
    return None


def _is_risky_git(word: str, sub: str) -> bool:
    head = word.partition("=")[0]
    if word.startswith("--"):
        if (head, sub) in _GIT_HARMLESS:
            return False
        return len(head) >= 3 and any(long.startswith(head) for long in _GIT_LONG)
    if re.match(r"(ext|fd)::|\w+::", word):
        return True
    if word.startswith("-") and len(word) > 1:
        return any(letter in _GIT_SHORT.get(sub, "") for letter in word[1:])
    return word in _GIT_WORDS.get(sub, ())


_GIT_SHORT: Mapping[str, str] = MappingProxyType(
    {
        "status": "v", "commit": "vp", "checkout": "p", "stash": "p", "reset": "p", "restore": "p",
        "rebase": "xis", "grep": "O", "format-patch": "o", "archive": "o", "clone": "cu", "difftool": "x",
        "blame": "", "bugreport": "o", "diagnose": "o", "index-pack": "o", "add": "iep", "am": "i",
        "ls-remote": "u",
        "merge": "s", "pull": "s", "cherry-pick": "e", "revert": "e", "help": "wi", "remote": "",
        "branch": "",
    }
)  # fmt: skip
_GIT_WORDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "bisect": ("run", "visualize", "view"), "submodule": ("foreach", "update", "add", "set-url"),
        "remote": ("add", "set-url", "rename", "update"), "branch": (), "stash": (), "bundle": ("create",
        "unbundle"),
        "worktree": ("add", "move", "repair"), "sparse-checkout": (), "lfs": (), "replace": ("--edit",),
        "notes": ("edit",),
    }
)  # fmt: skip
_GIT_HARMLESS = frozenset(
    {("--file", "commit"), ("--file", "tag"), ("--file", "notes"), ("--format", "log"), ("--format", "show")}
)
_GIT_CONFIG_READS = frozenset(
    [
        "--get",
        "--get-all",
        "--get-regexp",
        "--get-urlmatch",
        "--list",
        "-l",
        "get",
        "list",
        "--show-origin",
        "--show-scope",
        "--global",
        "--local",
        "--system",
        "--name-only",
        "-z",
        "--null",
        "--type=bool",
        "--type=int",
        "--bool",
        "--int",
        "--path",
        "--get-color",
        "--get-colorbool",
    ]
)


def _git_config(argv: Argv) -> str | None:
    """Only what reads: ``--get`` and its kin."""
    reads = any(
        word in _GIT_CONFIG_READS and ("get" in word or "list" in word or word == "-l") for word in argv[2:]
    )
    for word in argv[2:]:
        if word.startswith("-") and word not in _GIT_CONFIG_READS:
            return word
    return None if reads else argv[1]
