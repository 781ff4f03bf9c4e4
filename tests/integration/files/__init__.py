"""The adapter of files, on a real disk."""
