"""Skills as files."""
