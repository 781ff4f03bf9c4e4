"""Months of goals: the real core, database and files among people, models and machines that fail."""
