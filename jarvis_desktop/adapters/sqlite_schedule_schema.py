"""Tables of the run ledger: how far each job has come, and every run."""

SCHEDULE_STEP: tuple[str, ...] = (
    """CREATE TABLE schedule_jobs (
        job TEXT PRIMARY KEY NOT NULL,
        rule TEXT NOT NULL, -- how it is due; another one counts anew
        since TEXT NOT NULL, -- UTC; due times up to then are dealt with
        failures INTEGER NOT NULL DEFAULT 0, -- in a row
        not_before TEXT -- UTC; after a failure
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE schedule_runs (
        number INTEGER PRIMARY KEY,
        job TEXT NOT NULL,
        due_at TEXT NOT NULL, -- UTC, to the microsecond
        began_at TEXT NOT NULL,
        working INTEGER NOT NULL DEFAULT 0, -- 1 as soon as something may have been changed
        attempts INTEGER NOT NULL DEFAULT 1,
        again INTEGER NOT NULL DEFAULT 0, -- 1: it failed and may be done once more
        end TEXT, -- null while it runs
        ended_at TEXT,
        text TEXT NOT NULL DEFAULT '',
        session TEXT, -- no reference: a run outlives its conversation
        UNIQUE (job, due_at)
    ) STRICT""",
    "CREATE INDEX schedule_open_runs ON schedule_runs (number) WHERE end IS NULL",
    """CREATE TABLE schedule_sessions (
        job TEXT PRIMARY KEY NOT NULL,
        conversation TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID""",
)

SCHEDULE_AGAIN_STEP: tuple[str, ...] = (
    # Asked of every job at every tick; without it that reads all the runs a job ever had.
    "CREATE INDEX schedule_runs_again ON schedule_runs (job, due_at) WHERE again = 1",
)
