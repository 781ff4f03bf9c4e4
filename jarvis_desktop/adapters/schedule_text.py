"""One job's file read: the job, or what keeps it from being one, with the line of each mistake."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

from jarvis_desktop.adapters.settings_problem import closest
from jarvis_desktop.adapters.yaml_text import YamlTextError, YamlTree, read_tree
from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId
from jarvis_desktop.core.items.schedule import GOAL_JOB, Job, JobId, JobKind
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.scheduler.cron import read_cron
from jarvis_desktop.core.scheduler.due import ZoneOf
from jarvis_desktop.core.scheduler.moments import moment_of
from jarvis_desktop.core.scheduler.scheduler import timing_of

LINES = ("kind", "task", "cron", "at", "zone", "agent", "enabled")
MOST_TASK_CHARS = 10_000
_SHOWN_CHARS = 60


@dataclass(frozen=True, slots=True)
class ReadJob:
    """What one file came to."""

    job: Job | None
    """None when something in it is wrong: half of what was meant may be the wrong half."""
    problems: tuple[str, ...] = ()


def read_job(path: Path, file: str, zone: ZoneOf, texts: Texts) -> ReadJob:
    """What the file at ``path`` says. Never raises.

    file: its name as people write it.
    """
    try:
        tree = read_tree(path)
    except YamlTextError as error:
        return ReadJob(None, (_sentence(file, error.line, str(error), texts),))
    reader = _Reader(tree, file, zone, texts)
    job = reader.job(JobId(path.stem))
    return ReadJob(None if reader.problems else job, tuple(reader.problems))


def _sentence(file: str, line: int | None, reason: str, texts: Texts) -> str:
    if line is None:
        return texts("{file}: {reason} This job does not run.").format(file=file, reason=_ended(reason))
    text = texts("{file}, line {line}: {reason} This job does not run.")
    return text.format(file=file, line=line, reason=_ended(reason))


def _ended(reason: str) -> str:
    return reason if reason.endswith((".", "?")) else f"{reason}."


class _Reader:
    """Reads one tree and collects what is wrong with it."""

    def __init__(self, tree: YamlTree, file: str, zone: ZoneOf, texts: Texts) -> None:
        self._tree, self._file, self._zone, self._texts = tree, file, zone, texts
        self.problems: list[str] = []

    def job(self, job_id: JobId) -> Job:
        """The job, as far as its lines say one."""
        self.problems += [self._unknown(name) for name in self._tree.values if name not in LINES]
        kind = self._kind()
        job = Job(
            job_id,
            kind,
            self._text("task"),
            self._text("cron"),
            None,
            self._text("zone"),
            AgentId(self._text("agent") or MAIN_AGENT),
            self._enabled(),
        )
        if not self.problems:
            self.problems += [*self._wrong(job)]
        if not self.problems and not job.cron:
            return self._once(job)
        return job

    def _wrong(self, job: Job) -> Iterator[str]:
        """What does not fit together."""
        texts, values = self._texts, self._tree.values
        if bool(job.cron) == (values.get("at") is not None):
            yield self._at("cron", texts('exactly one of "cron" and "at" says when it is due.'))
        if job.kind is JobKind.TASK and not job.task:
            yield self._at("task", texts('"task" says what is to be done, and is missing.'))
        if len(job.task) > MOST_TASK_CHARS:
            text = texts("the task is longer than {count} characters.").format(count=MOST_TASK_CHARS)
            yield self._at("task", text)
        if job.kind is JobKind.GOAL and not job.job_id.startswith(GOAL_JOB):
            text = texts('a file of the kind "goal" is called {prefix}ID.yaml.').format(prefix=GOAL_JOB)
            yield self._at("kind", text)
        try:
            self._zone(job.zone)
        except (KeyError, ValueError, OSError):
            yield self._tried("zone", lambda: timing_of(job, self._zone, texts))
            return
        if job.cron:
            yield from filter(None, [self._tried("cron", lambda: read_cron(job.cron, texts))])

    def _tried(self, name: str, work: Callable[[], object]) -> str:
        """Why ``work`` refuses; empty when it does not."""
        try:
            work()
        except UserFixableError as error:
            return self._at(name, str(error))
        return ""

    def _kind(self) -> JobKind:
        said = self._text("kind") or JobKind.TASK
        if said in {kind.value for kind in JobKind}:
            return JobKind(said)
        text = self._texts('"kind" is {found}, but is task or goal.').format(found=_shown(said))
        self.problems.append(self._at("kind", text))
        return JobKind.TASK

    def _text(self, name: str) -> str:
        value = self._tree.values.get(name)
        if value is None or name == "at":
            return ""
        if isinstance(value, str):
            return value.strip()
        text = self._texts('"{name}" is {found}, but a text is expected. Put it in quotes.')
        self.problems.append(self._at(name, text.format(name=name, found=_shown(value))))
        return ""

    def _enabled(self) -> bool:
        value = self._tree.values.get("enabled")
        if value is None or isinstance(value, bool):
            return value is not False
        text = self._texts('"enabled" is {found}, but is true or false.').format(found=_shown(value))
        self.problems.append(self._at("enabled", text))
        return True

    def _once(self, job: Job) -> Job:
        value = self._tree.values["at"]
        at = instant_of(value, job.zone, self._zone)
        if at is None:
            text = self._texts('"at" is {found}, but a time like 2026-12-24T18:00 is expected.')
            self.problems.append(self._at("at", text.format(found=_shown(value))))
            return job
        return Job(job.job_id, job.kind, job.task, "", at, job.zone, job.agent_id, job.enabled)

    def _unknown(self, name: str) -> str:
        near = closest(name, LINES)
        text = self._texts('a job has no line "{name}".').format(name=name)
        if near:
            text += " " + self._texts('Did you mean "{name}"?').format(name=near)
        return self._at(name, text)

    def _at(self, name: str, reason: str) -> str:
        return _sentence(self._file, self._tree.line((name,)), reason, self._texts)


def instant_of(value: Any, zone_name: str, zone: ZoneOf) -> datetime | None:
    """The time that is written there, as ``moment_of`` has it; None where none is."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
    if not isinstance(value, datetime):
        return None
    plain = datetime.fromisoformat(value.isoformat())  # ruamel has a class of its own for it
    return moment_of(plain, zone(zone_name))


def _shown(value: object) -> str:
    text = value.isoformat() if isinstance(value, date) else str(value)
    return text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 1] + "…"
