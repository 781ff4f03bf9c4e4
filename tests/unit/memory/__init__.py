"""What is kept, how it is found, what fits: pure functions."""
