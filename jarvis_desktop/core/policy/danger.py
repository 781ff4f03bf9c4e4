"""The danger list: what is refused without asking, on every route."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from jarvis_desktop.core.policy.command_facts import Call, CommandFacts
from jarvis_desktop.core.policy.command_words import Expanded
from jarvis_desktop.core.policy.danger_detectors import (
    disk_write,
    download_to_interpreter,
    downloaded_program,
    fork_bomb,
    formats,
    power,
    privilege,
)
from jarvis_desktop.core.policy.danger_foreign import deleted_folders
from jarvis_desktop.core.policy.danger_paths import deleted_whole, is_precious, permitted_whole
from jarvis_desktop.core.policy.danger_rule_files import rule_file_written


class Detector(StrEnum):
    """The default entries. Each can be left out but the last."""

    RECURSIVE_DELETE = "recursive-delete"
    RECURSIVE_PERMISSIONS = "recursive-permissions"
    PRIVILEGE = "privilege"
    DOWNLOAD_TO_INTERPRETER = "download-to-interpreter"
    DISK_WRITE = "disk-write"
    FORMAT = "format"
    POWER = "power"
    FORK_BOMB = "fork-bomb"
    RULE_FILES = "rule-files"


DEFAULT_ENTRIES = tuple(detector.value for detector in Detector)
MOST_PATTERN_CHARACTERS = 1_000


@dataclass(frozen=True, slots=True)
class Hit:
    """One entry of the list that a command runs into."""

    entry: str
    """Name of the detector, or the person's own pattern."""
    found: str
    """The part of the command that did it."""


@dataclass(frozen=True, slots=True)
class DangerList:
    """The list in force."""

    detectors: frozenset[Detector]
    patterns: tuple[re.Pattern[str], ...] = ()
    problems: tuple[str, ...] = ()
    """Entries that mean nothing. While there is one, every shell command is asked about."""

    def hits(self, facts: CommandFacts) -> tuple[Hit, ...]:
        """Every entry that ``facts`` run into, the first one first."""
        return tuple(self._hits(facts))

    def _hits(self, facts: CommandFacts) -> Iterator[Hit]:
        for detector, detect in _DETECTORS.items():
            if detector in self.detectors:
                found = detect(facts)
                if found is not None:
                    yield Hit(detector.value, found)
        for pattern in self.patterns:
            match = pattern.search(facts.text)
            if match is not None:
                yield Hit(pattern.pattern, match[0])


def danger_list(entries: Sequence[str] | None) -> DangerList:
    """The list that the setting ``security.dangerous_commands`` means.

    entries: names of detectors and regular expressions, mixed; None is the default; empty leaves only
        ``rule-files``. With a bad entry all detectors hold, and so do the good entries.
    """
    names = DEFAULT_ENTRIES if entries is None else tuple(entries)
    detectors = {Detector(name) for name in names if name in DEFAULT_ENTRIES} | {Detector.RULE_FILES}
    patterns: list[re.Pattern[str]] = []
    problems: list[str] = []
    for name in names:
        if name in DEFAULT_ENTRIES:
            continue
        problem = _problem(name)
        if problem is None:
            patterns.append(re.compile(name, re.IGNORECASE))
        else:
            problems.append(problem)
    return DangerList(
        frozenset(Detector) if problems else frozenset(detectors), tuple(patterns), tuple(problems)
    )


def _problem(entry: str) -> str | None:
    if not entry.strip():
        return "an entry is empty and would match every command"
    if len(entry) > MOST_PATTERN_CHARACTERS:
        return f"{entry[:40]!r}… is longer than {MOST_PATTERN_CHARACTERS} characters"
    try:
        pattern = re.compile(entry, re.IGNORECASE)
    except (re.error, RecursionError, OverflowError) as error:
        return f"{entry!r} is neither the name of a detector nor a regular expression: {error}"
    return f"{entry!r} matches every command" if pattern.search("") else None


def _each(detect: Callable[[Call], str | None]) -> Callable[[CommandFacts], str | None]:
    def first(facts: CommandFacts) -> str | None:
        return next(
            (found for call in facts.calls if call.argv or call.redirects if (found := detect(call))), None
        )

    return first


def _deleted(facts: CommandFacts) -> str | None:
    for call in facts.calls:
        found = deleted_whole(call, facts.place)
        if found is not None:
            return f"{call.name} {found}"
        for folder in deleted_folders(call.foreign) if call.foreign else ():
            if is_precious(Expanded(folder, glob="*" in folder), call.cwd, facts.place):
                return folder
    return None


def _permitted(facts: CommandFacts) -> str | None:
    for call in facts.calls:
        found = permitted_whole(call, facts.place)
        if found is not None:
            return f"{call.name} {found}"
    return None


def _downloaded(facts: CommandFacts) -> str | None:
    for call in facts.calls:
        found = download_to_interpreter(call, facts.calls) or downloaded_program(call, facts.calls)
        if found is not None:
            return found
    return None


def _rule_files(facts: CommandFacts) -> str | None:
    return next((found for call in facts.calls if (found := rule_file_written(call, facts))), None)


def _disks(facts: CommandFacts) -> str | None:
    return next((found for call in facts.calls if (found := disk_write(call, facts))), None)


_DETECTORS: Mapping[Detector, Callable[[CommandFacts], str | None]] = MappingProxyType(
    {
        Detector.RECURSIVE_DELETE: _deleted,
        Detector.RECURSIVE_PERMISSIONS: _permitted,
        Detector.PRIVILEGE: _each(privilege),
        Detector.DOWNLOAD_TO_INTERPRETER: _downloaded,
        Detector.DISK_WRITE: _disks,
        Detector.FORMAT: _each(formats),
        Detector.POWER: _each(power),
        Detector.FORK_BOMB: fork_bomb,
        Detector.RULE_FILES: _rule_files,
    }
)
