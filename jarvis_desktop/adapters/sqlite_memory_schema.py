"""Tables of what Jarvis remembers: episodes with their words, taught patterns, requests of failed turns."""

from typing import TypeAlias

Step: TypeAlias = tuple[str, ...]
"""Statements that lead from one version to the next, in one transaction."""

MEMORY_STEP: Step = (
    """CREATE TABLE episodes (
        number INTEGER PRIMARY KEY AUTOINCREMENT, -- never given twice: results of recalls name it
        turn TEXT NOT NULL UNIQUE, -- no references: the turn may have gone before
        session TEXT NOT NULL,
        agent TEXT NOT NULL,
        kind TEXT NOT NULL, -- of the session
        outcome TEXT NOT NULL,
        at TEXT NOT NULL, -- UTC, so that text sorts like time
        took_s REAL NOT NULL,
        language TEXT NOT NULL,
        task TEXT NOT NULL,
        strangers INTEGER NOT NULL, -- 1 where text of strangers was in the turn
        leaving INTEGER NOT NULL DEFAULT 0, -- 1 while a person can still take forgetting back
        request TEXT NOT NULL, -- long texts last: what stands behind them is slow to read
        request_tail TEXT NOT NULL,
        reply TEXT NOT NULL,
        reply_tail TEXT NOT NULL,
        calls TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX episodes_of_agent ON episodes (agent, number)",
    "CREATE INDEX episodes_by_time ON episodes (at)",
    "CREATE INDEX episodes_by_outcome ON episodes (outcome, number)",
    """CREATE TABLE episode_tools (
        tool TEXT NOT NULL,
        episode INTEGER NOT NULL REFERENCES episodes (number) ON DELETE CASCADE,
        PRIMARY KEY (tool, episode)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX tools_of_episode ON episode_tools (episode)",
    # Without content of its own: a removal hands in the same words once more.
    """CREATE VIRTUAL TABLE episode_words USING fts5(
        words, content='', tokenize = "unicode61 remove_diacritics 0"
    )""",
    """CREATE TABLE replays (
        turn TEXT PRIMARY KEY NOT NULL,
        agent TEXT NOT NULL,
        at TEXT NOT NULL,
        request TEXT NOT NULL,
        request_tail TEXT NOT NULL
    ) STRICT""",
    """CREATE TABLE patterns (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        agent TEXT NOT NULL,
        name TEXT NOT NULL,
        situation TEXT NOT NULL,
        keywords TEXT NOT NULL,
        content TEXT NOT NULL,
        taught_at TEXT NOT NULL,
        taught_in TEXT,
        leaving INTEGER NOT NULL DEFAULT 0
    ) STRICT""",
    "CREATE INDEX patterns_of_agent ON patterns (agent, name)",
    """CREATE TABLE pattern_uses (
        turn TEXT NOT NULL,
        pattern INTEGER NOT NULL REFERENCES patterns (number) ON DELETE CASCADE,
        at TEXT NOT NULL,
        PRIMARY KEY (turn, pattern)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX uses_of_pattern ON pattern_uses (pattern)",
    "CREATE TABLE memory_state (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT",
    # Turns up to this one were there before episodes were: they become some, little by little.
    "INSERT INTO memory_state SELECT 'past', coalesce(max(number), 0) FROM turns",
)
