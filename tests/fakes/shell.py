"""A shell that runs nothing: it answers from a script and remembers what it was asked."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from jarvis_desktop.core.items.room import PERSONS_ROOM, Room
from jarvis_desktop.core.ports import ShellEnd


@dataclass(frozen=True, slots=True)
class Ran:
    """One call of the shell."""

    command: str
    cwd: Path
    timeout_s: float
    max_output_bytes: int
    env: Mapping[str, str] | None = None
    room: Room = PERSONS_ROOM


class FakeShell:
    """Fills ``Shell``. Answers in order, the last one for ever; an exception is raised."""

    def __init__(self, *answers: ShellEnd | Exception) -> None:
        self.ran: list[Ran] = []
        self._answers = list(answers) or [ShellEnd(0, "", timed_out=False, took_s=0.0)]

    async def run(
        self,
        command: str,
        cwd: Path,
        timeout_s: float,
        max_output_bytes: int,
        env: Mapping[str, str] | None = None,
        room: Room = PERSONS_ROOM,
    ) -> ShellEnd:
        self.ran.append(Ran(command, cwd, timeout_s, max_output_bytes, env, room))
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer
