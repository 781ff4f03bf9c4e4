"""Tables of what grows with goals: keys that were told, records, history, and items that wait."""

GOALS_STEP: tuple[str, ...] = (
    """CREATE TABLE goal_keys (
        goal TEXT NOT NULL,
        key TEXT NOT NULL,
        version TEXT NOT NULL, -- that was told last
        first_seen TEXT NOT NULL, -- UTC, to the microsecond
        last_seen TEXT NOT NULL,
        told_at TEXT, -- null until somebody was told
        PRIMARY KEY (goal, key)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE goal_records (
        number INTEGER PRIMARY KEY,
        goal TEXT NOT NULL,
        at TEXT NOT NULL,
        text TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX records_of_goal ON goal_records (goal, number)",
    """CREATE TABLE goal_runs (
        number INTEGER PRIMARY KEY,
        goal TEXT NOT NULL,
        at TEXT NOT NULL,
        outcome TEXT NOT NULL,
        told INTEGER NOT NULL,
        model_turns INTEGER NOT NULL,
        took_s REAL NOT NULL,
        why TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX runs_of_goal ON goal_runs (goal, number)",
    """CREATE TABLE goal_inbox (
        number INTEGER PRIMARY KEY,
        goal TEXT NOT NULL,
        key TEXT NOT NULL,
        version TEXT NOT NULL,
        line TEXT NOT NULL, -- gone as soon as it stands in a conversation
        at TEXT NOT NULL,
        UNIQUE (goal, key)
    ) STRICT""",
)

GOAL_TOKENS_STEP: tuple[str, ...] = ("ALTER TABLE goal_runs ADD COLUMN tokens INTEGER NOT NULL DEFAULT 0",)

GOAL_TELLING_STEP: tuple[str, ...] = (
    # Set: people were told by a notification, and the row waits to be shown in the conversation.
    "ALTER TABLE goal_inbox ADD COLUMN noticed_at TEXT",
    # Set: a person wants to hear no more of it.
    "ALTER TABLE goal_keys ADD COLUMN muted_at TEXT",
)

GOAL_BUDGETS_STEP: tuple[str, ...] = (
    "CREATE INDEX runs_by_time ON goal_runs (at)",
    """CREATE TABLE goal_renewals (
        goal TEXT PRIMARY KEY NOT NULL,
        at TEXT NOT NULL -- UTC; what the goal cost before does not count
    ) STRICT, WITHOUT ROWID""",
)
