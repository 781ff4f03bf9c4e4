"""The agents' files, on a real disk."""
