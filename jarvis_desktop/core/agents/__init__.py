"""Agents: who is meant by a name."""
