"""The approval rule files: looked at before every decision, written by ALWAYS and by revoking."""

import logging
import os
import re
import tempfile
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from jarvis_desktop.adapters.plain_file import bytes_of
from jarvis_desktop.adapters.rule_text import MOST_BYTES, NOTHING, ReadRules, RuleProblem, read_rules
from jarvis_desktop.adapters.rule_text_edit import with_lines, without_rule
from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.items.ids import AgentId
from jarvis_desktop.core.items.rules import Rule, RuleLine
from jarvis_desktop.core.policy.rules import NO_RULES, RuleSet, rule_set

_log = logging.getLogger(__name__)

SHARED_FILE = "approvals.yaml"
AGENT_FOLDER = "approvals"
_AGENT_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}")
_TRIES = 5

Stamp: TypeAlias = tuple[int, int, int, int] | None
"""What tells two states of a file apart without reading it; None when there is no file."""


class RuleFileError(UserFixableError):
    """A rule file cannot be changed; it is as it was."""


class RuleFileMovedError(RuleFileError):
    """Another content is on disk than the one that was read; it is as it was."""


@dataclass(frozen=True, slots=True)
class LoadedRules:
    """The rules in force for one agent."""

    rules: RuleSet
    problems: tuple[RuleProblem, ...] = ()


@dataclass(frozen=True, slots=True)
class Saved:
    """What ALWAYS wrote."""

    file: str
    """As people write it; empty when nothing had to be written."""
    lines: tuple[RuleLine, ...]
    """The lines that are new; the others were there already."""


@dataclass(frozen=True, slots=True)
class _Read:
    stamp: Stamp
    found: ReadRules


@dataclass(frozen=True, slots=True)
class _Joined:
    shared: ReadRules
    own: ReadRules
    loaded: LoadedRules


class RuleFiles:
    """The shared file and one file per agent, below the app's folder. Safe to use from any thread."""

    def __init__(self, app_home: Path) -> None:
        self._home = app_home
        self._lock = threading.Lock()
        self._read: dict[Path, _Read] = {}
        self._joined: dict[AgentId, _Joined] = {}

    def load(self, agent_id: AgentId) -> LoadedRules:
        """The rules that count now, shared ones first. Files that did not change are not read again."""
        with self._lock:
            shared, own = self._fresh(SHARED_FILE), self._fresh(self.file_of(agent_id))
            known = self._joined.get(agent_id)
            if known is not None and known.shared is shared and known.own is own:
                return known.loaded
            rules = (*shared.rules, *own.rules)
            loaded = LoadedRules(rule_set(rules) if rules else NO_RULES, (*shared.problems, *own.problems))
            self._joined[agent_id] = _Joined(shared, own, loaded)
            return loaded

    def save(self, agent_id: AgentId, lines: Sequence[RuleLine]) -> Saved:
        """Add ``lines`` to the agent's own file. What either file holds already is not written again.

        Raises:
            RuleFileError: the file is broken or cannot be written; it is as it was.
        """
        name = self.file_of(agent_id)

        def added(source: bytes) -> bytes | None:
            held = {rule.line for rule in read_rules(source, name).rules} | shared
            fresh.clear()
            fresh.extend(line for line in dict.fromkeys(lines) if line not in held)
            return with_lines(source, fresh) if fresh else None

        fresh: list[RuleLine] = []
        with self._lock:
            shared = {rule.line for rule in self._fresh(SHARED_FILE).rules}
            self._change(name, added)
        return Saved(name if fresh else "", tuple(fresh))

    def share(self, line: RuleLine) -> Saved:
        """Add ``line`` to the file that counts for every agent, unless it is there.

        Raises:
            RuleFileError: the file is broken or cannot be written; it is as it was.
        """

        def added(source: bytes) -> bytes | None:
            held = line in {rule.line for rule in read_rules(source, SHARED_FILE).rules}
            fresh[:] = [] if held else [line]
            return None if held else with_lines(source, fresh)

        fresh: list[RuleLine] = []
        with self._lock:
            self._change(SHARED_FILE, added)
        return Saved(SHARED_FILE if fresh else "", tuple(fresh))

    def content(self, name: str) -> bytes | None:
        """The bytes of a rule file; None when there is none.

        Raises:
            RuleFileError: it is no rule file, or cannot be read.
        """
        path = self._path(name)
        try:
            return bytes_of(path, MOST_BYTES)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise RuleFileError(f"{path}: {error.strerror}.") from error

    def put(self, name: str, content: bytes, expected: bytes) -> None:
        """``content`` is in the file, but only in place of what was ``expected``; no file is an empty one.

        Raises:
            RuleFileMovedError: something else is there.
            RuleFileError: it cannot be written; it is as it was.
        """

        def changed(source: bytes) -> bytes | None:
            if source != expected:
                raise RuleFileMovedError(f"{name} is another one by now. Nothing was written.")
            return content

        with self._lock:
            self._path(name)
            self._change(name, changed)

    def revoke(self, rule: Rule) -> None:
        """Remove ``rule`` from its file; it no longer counts when this returns.

        Raises:
            RuleFileError: it is not there any more, or the file cannot be written.
        """
        with self._lock:
            self._change(rule.file, lambda source: without_rule(source, rule))

    def agents(self) -> tuple[AgentId, ...]:
        """Agents that have a rule file."""
        folder = self._home / AGENT_FOLDER
        names = (path.stem for path in sorted(folder.glob("*.yaml"))) if folder.is_dir() else ()
        return tuple(AgentId(name) for name in names if _AGENT_NAME.fullmatch(name))

    def file_of(self, agent_id: AgentId) -> str:
        """The file that ``save`` writes, as people write it."""
        # A name that could lead out of the folder has no file at all.
        name = agent_id if _AGENT_NAME.fullmatch(agent_id) and ".." not in agent_id else "_"
        return f"{AGENT_FOLDER}/{name}.yaml"

    def read(self, name: str) -> ReadRules:
        """What one file holds now."""
        with self._lock:
            self._path(name)
            return self._fresh(name)

    def _path(self, name: str) -> Path:
        """Where a rule file lies; a name that is none must not lead anywhere."""
        agent = name.removeprefix(f"{AGENT_FOLDER}/").removesuffix(".yaml")
        if name not in (SHARED_FILE, self.file_of(AgentId(agent))):
            raise RuleFileError(f"{name} is no rule file.")
        return self._home / name

    def _fresh(self, name: str) -> ReadRules:
        path = self._home / name
        known = self._read.get(path)
        stamp = _stamp(path)
        if known is not None and known.stamp == stamp:
            return known.found
        found = NOTHING if stamp is None else _read_file(path, name)
        self._read[path] = _Read(stamp, found)
        if found.problems:
            _log.warning(
                "a rule file has entries that do not count",
                extra={"rule_file": name, "count": len(found.problems)},
            )
        return found

    def _change(self, name: str, change: Callable[[bytes], bytes | None]) -> None:
        """Read, change and replace; again when somebody else wrote in between."""
        path = self._home / name
        try:
            for _ in range(_TRIES):
                stamp = _stamp(path)
                fresh = change(b"" if stamp is None else bytes_of(path, MOST_BYTES))
                if fresh is None or _replace(path, fresh, stamp):
                    self._read.pop(path, None)
                    return
        except (OSError, ValueError) as error:
            raise RuleFileError(
                f"{path}: {error}. Nothing was written; mend the file and try again."
            ) from error
        raise RuleFileError(f"{path} is being written by something else. Nothing was written; try again.")


def _stamp(path: Path) -> Stamp:
    try:
        state = path.stat()
    except OSError:
        return None
    # The change time as well: an editor can put back size and modification time, but not this.
    return state.st_mtime_ns, state.st_size, state.st_ino, state.st_ctime_ns


def _read_file(path: Path, name: str) -> ReadRules:
    try:
        source = bytes_of(path, MOST_BYTES)
    except OSError as error:
        what = f"it cannot be read ({error.strerror}), so none of its rules count"
        return ReadRules((), (RuleProblem(name, 0, what),))
    return read_rules(source, name)


def _replace(path: Path, content: bytes, seen: Stamp) -> bool:
    """Put ``content`` in place of the file, whole or not at all; False when the file changed meanwhile."""
    target = Path(os.path.realpath(path))  # resolve() stumbles over links that lead in a circle
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if _stamp(path) != seen:
            return False
        Path(temporary).replace(target)
        _sync_folder(target.parent)
        return True
    finally:
        with suppress(FileNotFoundError):
            Path(temporary).unlink()


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
