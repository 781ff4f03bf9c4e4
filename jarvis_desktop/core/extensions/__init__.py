"""What people add themselves, as far as it is plain text and values: reading it, judging it, using it."""
