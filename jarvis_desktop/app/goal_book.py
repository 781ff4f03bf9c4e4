"""The goals in force: files that are looked at when they count, watched, and told of when they are wrong."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from jarvis_desktop.adapters.folder_watch import FolderWatch
from jarvis_desktop.adapters.goal_files import GoalFiles
from jarvis_desktop.core.items.errors import StorageError
from jarvis_desktop.core.items.events import ActivityKind, ActivityNoted
from jarvis_desktop.core.items.goals import Goal, GoalId, GoalProblem, GoalsRead
from jarvis_desktop.core.ports import Clock, Emit, Texts

log = logging.getLogger(__name__)
T = TypeVar("T")


class LiveGoals:
    """Fills ``GoalBook`` from files."""

    def __init__(self, files: GoalFiles, clock: Clock, texts: Texts, emit: Emit) -> None:
        self._files, self._clock, self._texts, self._emit = files, clock, texts, emit
        self._told: tuple[GoalProblem, ...] = ()
        self._changed = asyncio.Event()

    async def look(self) -> GoalsRead:
        """All of them, and the files that do not count."""
        read = await asyncio.to_thread(self._files.look)
        await self._tell(read.problems)
        return read

    async def tick(self) -> None:
        """Every file was looked at, also one that was written over in its place (decision 4)."""
        await self._tell((await asyncio.to_thread(lambda: self._files.look(every_file=True))).problems)

    async def find(self, goal_id: GoalId) -> Goal | None:
        """That goal; None where there is none, or none that can be read."""
        return await asyncio.to_thread(self._files.find, goal_id)

    async def give(self, goal: Goal) -> tuple[Goal, bool]:
        """The goal as it is kept, and whether it is a new one. On the disk when this returns."""
        given = await self._written(lambda: self._files.give(goal))
        self._changed.set()  # the folder may be new, and is watched from now on
        return given

    async def change(self, goal_id: GoalId, edit: Callable[[Goal], Goal]) -> Goal | None:
        """The goal after ``edit``; None where there is none."""
        return await self._written(lambda: self._files.change(goal_id, edit))

    async def run(self, changed_to: Callable[[], Awaitable[None]]) -> None:
        """Hear of it when a file changes, without end.

        changed_to: called once the change counts.
        """
        loop = asyncio.get_running_loop()

        def changed() -> None:
            self._files.distrust()
            try:
                loop.call_soon_threadsafe(self._changed.set)
            except RuntimeError:
                log.info("a goal's file changed after the end")

        watch = FolderWatch(self._files.folder, changed)
        try:
            while True:
                await asyncio.to_thread(watch.keep_up)
                await self._changed.wait()
                self._changed.clear()
                await changed_to()
        finally:
            watch.close()

    async def _written(self, work: Callable[[], T]) -> T:
        try:
            return await asyncio.to_thread(work)
        except OSError as error:
            text = self._texts("The goal could not be written to {folder}: {reason}.")
            reason = error.strerror or type(error).__name__
            raise StorageError(text.format(folder=self._files.folder, reason=reason)) from error

    async def _tell(self, problems: tuple[GoalProblem, ...]) -> None:
        news = [one for one in problems if one not in self._told]
        self._told = problems
        for one in news:
            line = problem_sentence(one, self._texts)
            await self._emit(ActivityNoted(ActivityKind.TROUBLE, line, self._clock.now()))


def problem_sentence(problem: GoalProblem, texts: Texts) -> str:
    """What is wrong with a goal's file, for people."""
    if problem.line:
        text = texts("{file}, line {line}: {problem}. This goal rests until the file is mended.")
    else:
        text = texts("{file}: {problem}. This goal rests until the file is mended.")
    return text.format(file=problem.file, line=problem.line, problem=problem.found)
