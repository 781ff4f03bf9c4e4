"""Memory on a real database."""
