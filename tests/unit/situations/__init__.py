"""Situations that others met, each a test named after its line."""
