"""Goals as files, ``~/.jarvis/goals/<id>.json``: written by us, edited by people, read as they are now."""

import logging
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from threading import RLock
from typing import TypeAlias

from jarvis_desktop.adapters.files_write import write_whole
from jarvis_desktop.adapters.goal_text import GoalFileError, goal_of, text_of
from jarvis_desktop.adapters.plain_file import bytes_of
from jarvis_desktop.core.goals.life import after
from jarvis_desktop.core.goals.naming import folded
from jarvis_desktop.core.items.goals import Goal, GoalCue, GoalId, GoalProblem, GoalsRead
from jarvis_desktop.core.items.ids import AgentId

log = logging.getLogger(__name__)

FOLDER = "goals"
MAX_BYTES = 1 << 20
RACY_NS = 50_000_000
"""A folder that changed so shortly before it was read may have changed again with the same time."""
_Stamp: TypeAlias = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class _Known:
    """A file as it was last read."""

    stamp: _Stamp
    goal: Goal | None
    problem: GoalProblem | None = None


class GoalFiles:
    """One goal is looked at with one ``stat``; all of them with one, unless something changed. Any thread."""

    def __init__(self, home: Path) -> None:
        self._folder = home / FOLDER
        self._path = str(self._folder)
        self._lock = RLock()
        self._known: dict[GoalId, _Known] = {}
        self._named: dict[tuple[AgentId, str], GoalId] = {}
        """Goals by agent and folded sentence: a sentence may have been edited away from its id."""
        self._read: GoalsRead | None = None
        self._stamp: _Stamp | None = None
        """Of the folder, when all its files were looked at."""
        self._trusted = False

    @property
    def folder(self) -> Path:
        """Where they lie; it need not be there."""
        return self._folder

    def distrust(self) -> None:
        """Something in the folder may have changed: the next look is at every file."""
        with self._lock:
            self._trusted = False

    def look(self, *, every_file: bool = False) -> GoalsRead:
        """All of them; the very same value as before while nothing changed. Never raises.

        every_file: also notice a file that was written over in its place, which a folder does not show.
        """
        with self._lock:
            if every_file or not self._trusted or _stat(self._path) != self._stamp:
                self._look_at_every_file()
            if self._read is None:
                goals = (one.goal for one in self._known.values() if one.goal is not None)
                problems = (one.problem for one in self._known.values() if one.problem is not None)
                self._read = GoalsRead(
                    tuple(sorted(goals, key=lambda goal: (goal.created_at, goal.goal_id))),
                    tuple(sorted(problems, key=lambda problem: problem.file)),
                )
            return self._read

    def find(self, goal_id: GoalId) -> Goal | None:
        """That goal as its file says now; None where there is none, or none that can be read."""
        with self._lock:
            stamp = _stat(self._file(goal_id))
            known = self._known.get(goal_id)
            if stamp is None or (known is not None and known.stamp == stamp):
                return known.goal if known is not None and stamp is not None else None
            return self._learn(goal_id, stamp).goal

    def give(self, goal: Goal, *, durable: bool = True) -> tuple[Goal, bool]:
        """The goal as it is kept, and whether it is a new one; one that was there is active again.

        durable: it survives a power cut when this returns; otherwise only a crash of ours.

        Raises:
            OSError: it is not kept.
        """
        with self._lock:
            if _stat(self._path) != self._stamp:
                self._look_at_every_file()
            name = self._named.get(_words(goal))
            there = self.find(name) if name is not None else None
            if name is None or there is None or _words(there) != _words(goal):
                name = self._free(goal)
                there = self.find(name)
            if there is None:
                self._set_aside(name)
                made = replace(goal, goal_id=name)
                self._write(made, "", durable=durable)
                return made, True
            given = self.change(name, lambda one: after(one, GoalCue.GIVE), durable=durable)
            return given or there, False

    def change(self, goal_id: GoalId, edit: Callable[[Goal], Goal], *, durable: bool = True) -> Goal | None:
        """The goal after ``edit``, which sees it as its file says at that moment; None where there is none.

        Raises:
            OSError: it is as it was.
        """
        with self._lock:
            goal = self.find(goal_id)
            if goal is None:
                return None
            edited = edit(goal)
            if edited != goal:
                before = bytes_of(self._folder / f"{goal_id}.json", MAX_BYTES).decode("utf-8")
                self._write(edited, before, durable=durable)
            return edited

    def _write(self, goal: Goal, before: str, *, durable: bool) -> None:
        knew_all = _stat(self._path) == self._stamp
        path = self._file(goal.goal_id)
        write_whole(path, text_of(goal, before).encode(), durable=durable)
        stamp = _stat(path)
        if stamp is not None:
            self._keep(goal.goal_id, _Known(stamp, goal))
        if knew_all:  # what changed in the folder was ours
            self._stamp = _stat(self._path)
        self._trusted = False  # what changes in the same moment would not show

    def _free(self, goal: Goal) -> GoalId:
        """Its id, or one beside it while a person has put other words into the goal that has it."""
        name = goal.goal_id
        for number in count(2):
            there = self.find(name)
            if there is None or _words(there) == _words(goal):
                break
            name = GoalId(f"{goal.goal_id}-{number}")
        return name

    def _set_aside(self, goal_id: GoalId) -> None:
        """A file that cannot be read makes room, and keeps what a person wrote into it."""
        path = self._file(goal_id)
        stamp = _stat(path)
        if stamp is not None:
            os.replace(path, f"{path}.broken-{stamp[0]}")  # noqa: PTH105 - as the others

    def _look_at_every_file(self) -> None:
        self._stamp = _stat(self._path)
        found = dict(_files(self._path))
        for gone in self._known.keys() - found.keys():
            self._forget(gone)
        for goal_id, stamp in found.items():
            known = self._known.get(goal_id)
            if known is None or known.stamp != stamp:
                self._learn(goal_id, stamp)
        changed_ns = 0 if self._stamp is None else self._stamp[0]
        self._trusted = time.time_ns() - changed_ns > RACY_NS

    def _learn(self, goal_id: GoalId, stamp: _Stamp) -> _Known:
        file = f"{FOLDER}/{goal_id}.json"
        try:
            known = _Known(stamp, goal_of(goal_id, _text(self._file(goal_id), stamp)))
        except GoalFileError as error:
            known = _Known(stamp, None, GoalProblem(file, error.line, error.found))
        except UnicodeDecodeError:
            known = _Known(stamp, None, GoalProblem(file, 0, "this is no UTF-8 text"))
        except OSError as error:
            found = error.strerror or type(error).__name__
            known = _Known(stamp, None, GoalProblem(file, 0, f"it cannot be read: {found}"))
        if known.problem is not None:
            log.warning("a goal's file does not count", extra={"line": known.problem.line})
        self._keep(goal_id, known)
        return known

    def _keep(self, goal_id: GoalId, known: _Known) -> None:
        self._forget(goal_id)
        self._known[goal_id] = known
        if known.goal is not None:
            self._named.setdefault(_words(known.goal), goal_id)

    def _forget(self, goal_id: GoalId) -> None:
        self._read = None
        known = self._known.pop(goal_id, None)
        if known is not None and known.goal is not None:
            name = _words(known.goal)
            if self._named.get(name) == goal_id:
                del self._named[name]

    def _file(self, goal_id: GoalId) -> str:
        return f"{self._path}/{goal_id}.json"


def _words(goal: Goal) -> tuple[AgentId, str]:
    return goal.agent_id, folded(goal.sentence)


def _text(path: str, stamp: _Stamp) -> str:
    if stamp[1] > MAX_BYTES:
        raise GoalFileError(0, "the file is larger than a goal can be")
    return bytes_of(Path(path), MAX_BYTES).decode("utf-8")


def _stat(path: str) -> _Stamp | None:
    try:
        state = os.stat(path)  # noqa: PTH116 - a Path costs more than the look
    except (OSError, ValueError):
        return None
    return state.st_mtime_ns, state.st_size, state.st_ino, state.st_ctime_ns


def _files(folder: str) -> Iterator[tuple[GoalId, _Stamp]]:
    try:
        entries = os.scandir(folder)
    except OSError:
        return  # no such folder, as before the first goal
    with entries:
        for entry in entries:
            if entry.name.endswith(".json") and not entry.name.startswith("."):
                stamp = _stat(entry.path)
                if stamp is not None:
                    yield GoalId(entry.name.removesuffix(".json")), stamp
