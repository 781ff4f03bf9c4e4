"""Skills as text."""
