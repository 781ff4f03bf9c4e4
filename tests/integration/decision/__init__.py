"""Decisions over real files, a real shell and real links."""
