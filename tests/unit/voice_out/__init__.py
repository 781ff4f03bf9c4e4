"""Promises of the mouth and of the understanding of spoken answers."""
