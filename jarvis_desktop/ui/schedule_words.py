"""What became of scheduled work, in sentences for people."""

from datetime import timedelta

from jarvis_desktop.core.items.schedule import Job, JobRan, RunEnd
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.visible_text import one_line

LATE = timedelta(minutes=10)
"""More than waiting for a person to finish what they say or type."""
TITLE_CHARS = 60
TEXT_CHARS = 240


def job_title(job: Job) -> str:
    """What the job is called: its task, or the name of its file where it says none."""
    return one_line(job.task or job.job_id, TITLE_CHARS)


def ran_line(ran: JobRan, texts: Texts) -> str:
    """One line of the activity list."""
    line = {
        None: texts("⏰ {job}: running"),
        RunEnd.DONE: texts("⏰ {job}: done"),
        RunEnd.FAILED: texts("⏰ {job}: failed"),
        RunEnd.INTERRUPTED: texts("⏰ {job}: cut off before it was done, and not repeated by itself"),
        RunEnd.MISSED: texts("⏰ {job}: missed, it was due at {time}"),
    }[ran.run.end]
    if ran.run.end is RunEnd.DONE and ran.run.began_at - ran.run.due_at > LATE:
        line = texts("⏰ {job}: done late, it was due at {time}")
    time = f"{ran.run.due_at.astimezone():%Y-%m-%d %H:%M}"
    return line.format(job=job_title(ran.job), time=time)


def ran_text(ran: JobRan, texts: Texts) -> str:
    """What a notification says: the outcome, or the reason why there is none."""
    text = one_line(ran.run.text, TEXT_CHARS)
    return (
        text if ran.run.end is RunEnd.DONE and text else " ".join(filter(None, (ran_line(ran, texts), text)))
    )
