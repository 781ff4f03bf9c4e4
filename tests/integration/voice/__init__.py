"""The voice program, really speaking."""
