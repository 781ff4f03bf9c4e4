"""Known bugs of goals and schedules elsewhere that have no test here, each with the reason.

The list is ``tests/data/cases/goal_bugs.jsonl``; a line with a test is named by
``goal_bug("<area>", "<first words of the symptom>")``.
"""

from collections.abc import Mapping
from types import MappingProxyType

_SCHEDULER = "still to come: it is about when things run, and is tested with the scheduler"
_DELIVERY = "still to come: notifications, inbox and their retries are not built yet"
_PANEL = "still to come: the panel that shows it is not built yet"

TO_COME: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        ("duplicate", "One execution and one"): _DELIVERY,
        ("duplicate", "Many notices for one"): _DELIVERY,
        ("duplicate", "With several workers, pairs"): _DELIVERY,
        ("flood", "Entries from last year"): _PANEL,
        ("sleep", "Morning routines never ran"): _SCHEDULER,
        ("sleep", "A job due Sunday"): _SCHEDULER,
        ("sleep", "After resume a job"): _SCHEDULER,
        ("sleep", "After waking, every missed"): _SCHEDULER,
        ("sleep", "PC slept inside the"): _SCHEDULER,
        ("restart", "All tasks missed while"): _SCHEDULER,
        ("restart", "After a power cut"): _SCHEDULER,
        ("restart", "13 jobs that ran"): _SCHEDULER,
        ("restart", "A missed job restarts"): _SCHEDULER,
        ("restart", "Restart at 22:10 sends"): _SCHEDULER,
        ("restart", "Occurrences that already ran"): _SCHEDULER,
        ("sleep", "A Friday 16:00 job"): _SCHEDULER,
        ("restart", "A slot that falls"): _SCHEDULER,
        ("sleep", "After sleep the missed"): _SCHEDULER,
        ("missed", "Weekly cleanup on a"): _SCHEDULER,
        ("dst", "Iteration stays at 01:00"): _SCHEDULER,
        ("dst", "After the change no"): _SCHEDULER,
        ("dst", "Reminders sent twice on"): _SCHEDULER,
        ("dst", "A 02:00 automation does"): _SCHEDULER,
        ("dst", "A 02:01 automation was"): _SCHEDULER,
        ("dst", "Runs generated before the"): _SCHEDULER,
        ("timezone", "'0 9 * *"): _SCHEDULER,
        ("timezone", "Jobs with CRON_TZ=UTC are"): _SCHEDULER,
        ("clock", "After the clock is"): _SCHEDULER,
        ("cron", "'0 0 13 *"): _SCHEDULER,
        ("cron", "Users expect day-of-month AND"): _SCHEDULER,
        ("cron", "'7' for Sunday is"): _SCHEDULER,
        ("cron", "'7L' never matches while"): _SCHEDULER,
        ("cron", "'7/2' and '0/2' give"): _SCHEDULER,
        ("cron", "'59/15' fired at 0,15,30,45."): _SCHEDULER,
        ("cron", "Day 0 ('0/10') accepted"): _SCHEDULER,
        ("cron", "'2-7' in day-of-week fails."): _SCHEDULER,
        ("lost", "When one notification URL"): _DELIVERY,
        ("duplicate", "Daily reminders fire on"): _DELIVERY,
    }
)
"""Lines that can occur here and have no test yet."""
