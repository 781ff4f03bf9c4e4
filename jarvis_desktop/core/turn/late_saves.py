"""A rule that was saved after its call: in the audit log, and in the activity list."""

from jarvis_desktop.core.items.decisions import Question, Saved, Settled
from jarvis_desktop.core.turn.audit_trail import AuditTrail
from jarvis_desktop.core.turn.call_reports import CallReports


class LateSaves:
    """Told by the broker what came of a spoken ALWAYS that was said yes to twice."""

    def __init__(self, trail: AuditTrail, reports: CallReports) -> None:
        self._trail = trail
        self._reports = reports

    async def kept(self, question: Question, settled: Settled, saved: Saved) -> None:
        """It can be read by whom the rule was made, and everybody sees that it was."""
        if not saved.problem:
            await self._trail.saved_later(question, settled, saved.lines)
        await self._reports.saved_later(question, settled, saved)
