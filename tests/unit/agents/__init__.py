"""Agents: cards, names, files."""
