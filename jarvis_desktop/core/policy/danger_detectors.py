"""Detectors for privilege, disks, power, fork bombs and downloads that run."""

import re
from collections.abc import Sequence
from itertools import takewhile
from posixpath import basename

from jarvis_desktop.core.policy.command_facts import Call, CommandFacts
from jarvis_desktop.core.policy.command_words import Expanded
from jarvis_desktop.core.policy.interpreters import Source, program_of
from jarvis_desktop.core.policy.known_programs import DOWNLOADERS, PRIVILEGE, program_name
from jarvis_desktop.core.policy.paths import absolute

_DISK = re.compile(
    r"/dev/(?:[shv]d[a-z]|xvd|nvme\d|mmcblk\d|r?disk|md\d|dm-\d|mapper/|loop\d|sr\d|sg\d|nbd\d|zram\d|mtd|ram\d|pmem|"
    r"bcache|root$|kmem$|mem$|port$|block/|ubi|fd\d+$|drbd|zd\d|cciss|vg\w*/)"
)
_HARMLESS_DEVICE = re.compile(
    r"/dev/(?:null|zero|full|random|urandom|stdout|stderr|stdin|fd/\d+|tty\w*|pts/\d+|shm/.*|tcp/.*|udp/.*)"
)
_FORMAT = frozenset(
    [
        "mkswap",
        "wipefs",
        "mke2fs",
        "mkdosfs",
        "mkntfs",
        "newfs",
        "mkreiserfs",
        "diskpart",
        "blkdiscard",
        "mkinitfs",
        "bcachefs-format",
    ]
)
_POWER = frozenset(["shutdown", "reboot", "halt", "poweroff"])
_POWER_VERBS = frozenset(["reboot", "poweroff", "halt", "kexec", "soft-reboot", "shutdown"])
_BOMB = re.compile(
    r"(?<![^\s(){};|&'\"])([^\s(){};|&'\"]{1,200})\s{0,9}\(\s{0,9}\)\s{0,9}\{(.{0,2000})", re.DOTALL
)


def privilege(call: Call) -> str | None:
    """The program that would change who runs the command."""
    return call.name if call.name in PRIVILEGE else None


def power(call: Call) -> str | None:
    """The program that would stop or restart the machine."""
    words = [word.text for word in call.argv[1:]]
    if call.name in _POWER:
        return call.name
    if call.name in ("systemctl", "loginctl"):
        verb = next((word for word in words if not word.startswith("-")), "")
        return f"{call.name} {verb}" if verb in _POWER_VERBS else None
    if call.name in ("init", "telinit") and words[:1] and words[0] in ("0", "6"):
        return call.name
    return "sysrq-trigger" if any(o.target.text == "/proc/sysrq-trigger" for o in call.redirects) else None


def formats(call: Call) -> str | None:
    """The program that would make or wipe a file system."""
    name = call.name
    if name in _FORMAT or name == "mkfs" or name.startswith(("mkfs.", "newfs_", "mkfs_")):
        return name
    words = [word.text.casefold() for word in call.argv[1:]]
    if name.casefold() in ("format", "format.com") and any(re.fullmatch("[a-z]:", word) for word in words):
        return name
    if (
        name == "diskutil"
        and words[:1]
        and words[0].startswith(("erase", "partition", "zero", "secureerase"))
    ):
        return name
    return (
        name if name == "sgdisk" and any(w in ("-z", "--zap-all", "-o", "--clear") for w in words) else None
    )


def disk_write(call: Call, facts: CommandFacts) -> str | None:
    """The disk that would be written over."""
    for opened in call.redirects:
        if ">" in opened.operator and _is_disk(opened.target, call, facts):
            return opened.target.text
    for word in call.argv[1:]:
        if call.name in ("dd", "dcfldd", "dc3dd") and word.text.startswith("of="):
            target = Expanded(word.text[3:])
            if _is_disk(target, call, facts) or _is_device(target, call, facts):
                return target.text
        elif call.name in _WRITES_OPERANDS and _is_disk(word, call, facts):
            return word.text
    return None


_WRITES_OPERANDS = frozenset(
    ["tee", "shred", "badblocks", "cp", "mv", "install", "truncate", "sponge", "wipe", "scrub"]
)


def _path(word: Expanded, call: Call, facts: CommandFacts) -> tuple[str, ...]:
    path = absolute(word.text, call.cwd or facts.place.cwd)
    fact = facts.paths.get(path)
    return (path, fact.real) if fact is not None else (path,)


def _is_disk(word: Expanded, call: Call, facts: CommandFacts) -> bool:
    if call.name in ("cp", "mv", "install") and word is not call.argv[-1]:
        return False
    return any(_DISK.match(path) for path in _path(word, call, facts))


def _is_device(word: Expanded, call: Call, facts: CommandFacts) -> bool:
    return any(
        path.startswith("/dev/") and not _HARMLESS_DEVICE.fullmatch(path) for path in _path(word, call, facts)
    )


def fork_bomb(facts: CommandFacts) -> str | None:
    """The function that would start itself over and over."""
    for function in facts.functions:
        if _multiplies(function.name, function.body):
            return function.name
    match = _BOMB.search(facts.text)
    if match is not None and _multiplies(match[1], match[2]):
        return match[1]
    return "$0" if re.search(r"\$0\"?\s*[|&]\s*\"?\$0", facts.text) else None


def _multiplies(name: str, body: str) -> bool:
    """``body`` calls ``name`` in a pipe of two, or in the background."""
    word = rf"(?<![\w.:/-]){re.escape(name)}(?![\w.:/-])"
    return re.search(rf"{word}[^;\n|&]*\|&?\s*{word}|{word}[^;\n|&]*&(?![&>])", body) is not None


def download_to_interpreter(call: Call, calls: Sequence[Call]) -> str | None:
    """The interpreter that would run what a download brings."""
    if 0 in call.drawn:
        return "$(…)"
    if call.name in ("eval", "source", ".") and any(index > 0 for index in call.drawn):
        return call.name
    program = program_of([word.text for word in call.argv]) if call.argv else None
    if program is None:
        return None
    from_stdin = program.source is Source.STDIN
    # Code is in the word that a download printed, or in what a download feeds.
    code_at = -1 if from_stdin else program.at if program.source is not Source.MODULE else -2
    is_fed = from_stdin or (call.fed is not None and program.source is not Source.FILE)
    if code_at in call.drawn or (is_fed and _downloads_before(call, calls)):
        return call.name
    return _saved_and_run(call, program.name, calls) if program.source is Source.FILE else None


def downloaded_program(call: Call, calls: Sequence[Call]) -> str | None:
    """A file that the same command downloads and then starts by its path."""
    if call.argv and "/" in call.argv[0].text:
        return _saved_and_run(call, call.argv[0].text, calls)
    return None


def _downloads_before(call: Call, calls: Sequence[Call]) -> bool:
    return any(
        other.group == call.group
        and other.stage < call.stage
        and (other.name in DOWNLOADERS or bool(other.drawn))
        for other in calls
    )


def _saved_and_run(call: Call, path: str, calls: Sequence[Call]) -> str | None:
    """``path`` was the output file of a downloader earlier in the command."""
    for other in takewhile(lambda one: one is not call, calls):
        if other.name in DOWNLOADERS and basename(path) in _saved_names(other):
            return call.name
    return None


def _saved_names(call: Call) -> set[str]:
    words = [word.text for word in call.argv]
    names = {basename(opened.target.text) for opened in call.redirects if ">" in opened.operator}
    for at, word in enumerate(words[1:], 1):
        if word in ("-o", "-O", "--output", "--output-document") and at + 1 < len(words):
            names.add(basename(words[at + 1]))
        elif word.startswith(("--output=", "--output-document=")):
            names.add(basename(word.partition("=")[2]))
        elif word.startswith(("-o", "-O")) and len(word) > 2:
            names.add(basename(word[2:]))
        if "/" in word and (
            call.name.startswith("wget") or any("O" in w for w in words if w[:1] == "-" and w[1:2] != "-")
        ):
            names.add(basename(word.partition("?")[0].rstrip("/")))
    return {name for name in names if name and name not in ("-",)} - {program_name(words[0])}
