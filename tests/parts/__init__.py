"""Real parts for tests: where they come from, how they start, and why a test is skipped without them."""
