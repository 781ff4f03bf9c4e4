"""The files of jobs in ``~/.jarvis/schedules``: a person's lines and comments stay."""

import asyncio
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from typing import Any, TypeAlias

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.error import YAMLError

from jarvis_desktop.adapters.files_write import write_whole
from jarvis_desktop.adapters.plain_file import bytes_of
from jarvis_desktop.adapters.schedule_text import MOST_TASK_CHARS, ReadJob, read_job
from jarvis_desktop.adapters.yaml_text import MOST_BYTES, YamlTextError, read_yaml_text
from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.items.ids import MAIN_AGENT
from jarvis_desktop.core.items.schedule import GOAL_JOB, Job, JobId, JobKind, is_job_name
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.ports import JobsRead, Texts
from jarvis_desktop.core.scheduler.due import ZoneOf

FOLDER = "schedules"
ENDING = ".yaml"
NAME_CHARS = 40
REMOVED_KEPT = 20
WIDTH = 10_000
"""No line that a person wrote is folded."""
_Stamp: TypeAlias = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class _Known:
    stamp: _Stamp
    around: tuple[Language, str]
    """Language and zone in which it was read."""
    read: ReadJob


class ScheduleFiles:
    """Fills ``Jobs``. Every call looks at the disk; files that did not change are not read again."""

    def __init__(self, home: Path, zone: ZoneOf, texts: Texts) -> None:
        self._folder = home / FOLDER
        self._zone, self._texts = zone, texts
        self._known: dict[Path, _Known] = {}
        self._one_at_a_time = asyncio.Lock()
        self._removed: dict[Path, bytes] = {}
        """What stood in the files that were removed last, so that it can be put back."""

    async def look(self) -> JobsRead:
        """As the files say now. Never raises."""
        async with self._one_at_a_time:
            return await asyncio.to_thread(self._look)

    async def add(self, job: Job) -> Job:
        """The job with the name that its file got.

        Raises:
            UserFixableError: its file cannot be read or written, or would not count; it is as it was.
        """
        async with self._one_at_a_time:
            return await asyncio.to_thread(self._add, job)

    async def remove(self, job_id: JobId) -> bool:
        """Its file is gone; False when there was none.

        Raises:
            UserFixableError: it cannot be removed.
        """
        async with self._one_at_a_time:
            return await asyncio.to_thread(self._remove, job_id)

    async def put_back(self, job_id: JobId) -> bool:
        """A file that was removed is there again, to the byte; False when that is not possible any more.

        Raises:
            UserFixableError: it cannot be written.
        """
        async with self._one_at_a_time:
            return await asyncio.to_thread(self._put_back, job_id)

    async def set_enabled(self, job_id: JobId, *, enabled: bool) -> bool:
        """It is paused, or goes on; False when there is none.

        Raises:
            UserFixableError: its file cannot be read or written; it is as it was.
        """
        async with self._one_at_a_time:
            return await asyncio.to_thread(self._set_enabled, job_id, enabled)

    def _look(self) -> JobsRead:
        around, known = (self._texts.language, self._zone("").key), {}
        for path, stamp in sorted(_files(self._folder)):
            before = self._known.get(path)
            if before is None or before.stamp != stamp or before.around != around:
                read = read_job(path, f"{FOLDER}/{path.name}", self._zone, self._texts)
                before = _Known(stamp, around, read)
            known[path] = before
        self._known = known
        reads = [one.read for one in known.values()]
        jobs = tuple(read.job for read in reads if read.job is not None)
        return JobsRead(jobs, tuple(problem for read in reads for problem in read.problems))

    def _add(self, job: Job) -> Job:
        if job.kind is JobKind.TASK and not job.task.strip():
            raise UserFixableError(self._texts("Say what is to be done; nothing was scheduled."))
        if len(job.task) > MOST_TASK_CHARS:
            text = self._texts("What is to be done has at most {count} characters; nothing was scheduled.")
            raise UserFixableError(text.format(count=MOST_TASK_CHARS))
        named = job if job.job_id else replace(job, job_id=self._free_name(job.task))
        self._write(self._path(named.job_id), _lines_of(named))
        return named

    def _remove(self, job_id: JobId) -> bool:
        path = self._path(job_id)
        self._removed.pop(path, None)
        try:
            content = bytes_of(path, MOST_BYTES)
        except OSError:
            content = None  # what cannot be read can go all the same, and not come back
        try:
            path.unlink()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise self._unwritable(path, error) from error
        if content is not None:
            self._removed[path] = content
        while len(self._removed) > REMOVED_KEPT:
            self._removed.pop(next(iter(self._removed)))
        return True

    def _put_back(self, job_id: JobId) -> bool:
        path = self._path(job_id)
        content = self._removed.get(path)
        if content is None or os.path.lexists(path):
            return False
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(path, content)
        except OSError as error:
            raise self._unwritable(path, error) from error
        del self._removed[path]
        return True

    def _set_enabled(self, job_id: JobId, enabled: bool) -> bool:  # noqa: FBT001 - handed on by to_thread
        path = self._path(job_id)
        if not path.exists():
            return False
        self._write(path, {"enabled": enabled})
        return True

    def _write(self, path: Path, lines: dict[str, Any]) -> None:
        """These lines say this from now on; the others and all comments stay."""
        try:
            old = bytes_of(path, MOST_BYTES).decode("utf-8-sig") if os.path.lexists(path) else ""
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(path, _changed(old, lines).encode())
        except OSError as error:
            raise self._unwritable(path, error) from error
        except (YamlTextError, YAMLError, UnicodeError) as error:
            text = self._texts("{file} cannot be read ({reason}). Mend it, then try again.")
            file = f"{FOLDER}/{path.name}"
            raise UserFixableError(text.format(file=file, reason=type(error).__name__)) from error

    def _unwritable(self, path: Path, error: OSError) -> UserFixableError:
        text = self._texts("{file} cannot be written: {reason}. Make it writable, then try again.")
        return UserFixableError(text.format(file=path, reason=error.strerror or type(error).__name__))

    def _path(self, job_id: JobId) -> Path:
        if not is_job_name(job_id):
            text = self._texts('"{name}" is no name of a job.').format(name=job_id[:60])
            raise UserFixableError(text)
        return self._folder / f"{job_id}{ENDING}"

    def _free_name(self, task: str) -> JobId:
        words = re.sub(r"[\W_]+", "-", task.lower()).strip("-")[:NAME_CHARS].strip("-") or "job"
        if words.startswith(GOAL_JOB):
            words = f"task-{words}"
        number, name = 1, words
        while os.path.lexists(self._folder / f"{name}{ENDING}"):
            number += 1
            name = f"{words}-{number}"
        return JobId(name)


def _lines_of(job: Job) -> dict[str, Any]:
    """The lines of a job's file; None for one that must not stand there."""
    return {
        "kind": job.kind.value,
        "task": job.task or None,
        "cron": job.cron or None,
        "at": job.at.isoformat(timespec="seconds") if job.at is not None else None,
        "zone": job.zone or None,
        "agent": str(job.agent_id) if job.agent_id != MAIN_AGENT or job.kind is JobKind.GOAL else None,
        "enabled": None if job.enabled else False,
    }


def _changed(text: str, lines: dict[str, Any]) -> str:
    held = bool(read_yaml_text(text))
    yaml = YAML(typ="rt")
    yaml.preserve_quotes, yaml.width, yaml.allow_unicode = True, WIDTH, True
    root = yaml.load(text) if held else CommentedMap()
    for name, value in lines.items():
        if value is None:
            root.pop(name, None)
        elif root.get(name) != value:
            root[name] = value
    out = StringIO()
    yaml.dump(root, out)
    # ruamel keeps no comments where there is no value: what stands there stays, ours comes after it.
    return (
        out.getvalue() if held else text + ("\n" if text and not text.endswith("\n") else "") + out.getvalue()
    )


def _files(folder: Path) -> Iterator[tuple[Path, _Stamp]]:
    try:
        paths = [path for path in folder.iterdir() if path.suffix == ENDING and path.name[0] != "."]
    except OSError:
        return  # no such folder, as on most machines
    for path in paths:
        try:
            state = path.stat()
        except OSError:
            continue  # it went between two looks, or leads nowhere
        yield path, (state.st_mtime_ns, state.st_size, state.st_ino, state.st_ctime_ns)
