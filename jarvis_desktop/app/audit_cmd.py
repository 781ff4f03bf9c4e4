"""``audit``: every decision about a tool call, for people or as JSON lines."""

import json
import re
from datetime import datetime, timedelta

from jarvis_desktop.adapters.sqlite_audit import stored_entries
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.app.cli_home import cli_home
from jarvis_desktop.app.options import DATABASE_NAME
from jarvis_desktop.app.rules_cmd import rule_json
from jarvis_desktop.core.items.audit import AuditEntry
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.rule_words import outcome_text
from jarvis_desktop.ui.visible_text import one_line

_SPAN = re.compile(r"(\d{1,6})([smhdw])")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_SHOWN_CHARS = 100


def since_when(text: str, now: datetime) -> datetime:
    """The time that ``2h``, ``7d``, a date or a date with a time means.

    Raises:
        ValueError: it means none.
    """
    span = _SPAN.fullmatch(text.strip())
    if span is not None:
        return now - timedelta(seconds=int(span[1]) * _SECONDS[span[2]])
    at = datetime.fromisoformat(text.strip())
    return at if at.tzinfo else at.astimezone()


def print_audit(since: datetime | None, *, as_json: bool) -> int:
    """Print every decision from ``since`` on, oldest first; the exit status comes back.

    Raises:
        StorageError: the database cannot be read.
    """
    home = cli_home()
    texts = home.texts
    entries = stored_entries(home.folder / DATABASE_NAME, since, texts)
    for entry in entries:
        print(json.dumps(entry_json(entry)) if as_json else _row(entry, texts))  # noqa: T201 - the answer of the command
    if not entries and not as_json:
        print(texts("No decisions are on record."))  # noqa: T201 - the answer of the command
    return 0


def now() -> datetime:
    """The time that ``--since`` counts back from."""
    return SystemClock().now()


def entry_json(entry: AuditEntry) -> dict[str, object]:
    """An entry as JSON shows it."""
    subject, ground, result = entry.subject, entry.ground, entry.result
    return {
        "id": entry.entry_id,
        "at": entry.at.isoformat(),
        "session": subject.session_id,
        "turn": subject.turn_id,
        "agent": subject.agent_id,
        "call": subject.call_id,
        "tool": subject.tool,
        "digest": subject.digest,
        "shown": subject.shown,
        "outcome": entry.outcome.value,
        "verdict": ground.verdict.value,
        "source": ground.source,
        "rules": [rule_json(rule) for rule in ground.rules],
        "by": ground.by.value,
        "question": ground.question_id,
        "window": ground.window_id,
        "saved": [{"tool": line.tool, "pattern": line.pattern} for line in ground.saved],
        "result": result.status.value if result else None,
        "result_at": result.at.isoformat() if result else None,
    }


def _row(entry: AuditEntry, texts: Texts) -> str:
    subject = entry.subject
    at = f"{entry.at.astimezone():%Y-%m-%d %H:%M:%S}"
    ended = f" · {entry.result.status.value}" if entry.result else ""
    words = f"{outcome_text(entry.outcome, texts)} · {_behind(entry, texts)}{ended}"
    return f"{at}  {subject.agent_id}  {subject.tool}  {words}\n    {one_line(subject.shown, _SHOWN_CHARS)}"


def _behind(entry: AuditEntry, texts: Texts) -> str:
    """The rule, detector or answer."""
    ground = entry.ground
    if ground.question_id is not None:
        return texts("answered by {road}").format(road=ground.by.value)
    return one_line(ground.source, _SHOWN_CHARS)
