"""Does the jobs of the kind ``task``: what the file says is asked of its agent, in a turn of its own."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from jarvis_desktop.adapters.sqlite_schedule import SqliteSchedule
from jarvis_desktop.app.quiet_turns import QuietTurns
from jarvis_desktop.core.items.ids import TurnId, fresh_id
from jarvis_desktop.core.items.schedule import Job, RunEnd, RunResult
from jarvis_desktop.core.items.turn import Origin, Role, Situation, TurnEnd, TurnRequest
from jarvis_desktop.core.ports import Clock, Team, Texts
from jarvis_desktop.core.turn.turn_notes import TurnNotes

ENDS = {TurnEnd.ANSWERED: RunEnd.DONE, TurnEnd.INTERRUPTED: RunEnd.INTERRUPTED}
"""Every other end of a turn is a failure of the run."""


@dataclass(frozen=True, slots=True)
class TaskRuns:
    """Runs one task after another, each in the conversation of its job."""

    team: Team
    ledger: SqliteSchedule
    turns: QuietTurns
    ready: Callable[[], Awaitable[None]]
    """Tools that people added have begun: a run right after the start has them, too."""
    only_reads: Callable[[str], bool]
    """A tool of that name changes nothing."""
    folder: Callable[[], Awaitable[Path]]
    clock: Clock
    texts: Texts

    async def run(self, job: Job, due_at: datetime) -> RunResult:
        """What the turn came to."""
        del due_at
        await self.ready()
        await self.team.look()
        card = self.team.find(job.agent_id)
        if card is None:
            text = self.texts("There is no agent called {agent}.").format(agent=job.agent_id)
            return RunResult(RunEnd.FAILED, text)
        now, folder = self.clock.now(), await self.folder()
        session_id = (await self.ledger.conversation(job.job_id, card.agent_id, folder, now)).session_id
        turn_id, language = TurnId(fresh_id()), self.texts.language
        request = TurnRequest(
            *(turn_id, session_id, card.agent_id, job.task, Origin.SCHEDULE, language, folder, now),
            situation=Situation.SCHEDULE,
            card=card,
        )
        notes = TurnNotes()
        outcome = await self.turns.run(request, notes)
        end = ENDS.get(outcome.end, RunEnd.FAILED)
        again = outcome.end is TurnEnd.FAILED and self._changed_nothing(notes)
        return RunResult(end, outcome.text, again, session_id, turn_id)

    def _changed_nothing(self, notes: TurnNotes) -> bool:
        called = {one.tool_name for one in notes.messages if one.role is Role.TOOL}
        return all(name is not None and self.only_reads(name) for name in called)
