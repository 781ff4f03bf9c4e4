"""Goals on a real disk and in a real database."""
