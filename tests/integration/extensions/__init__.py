"""Extensions in real processes, inside real rooms."""
