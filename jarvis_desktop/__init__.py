"""Jarvis Desktop: a local-first voice assistant that asks before it acts."""

__version__ = "0.1.0"
