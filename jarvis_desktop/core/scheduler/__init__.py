"""When work is due, and which of it runs now; pure, on a clock that is handed in."""
