"""The desk of goals and schedules, over real files and a real database."""
