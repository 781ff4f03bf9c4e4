"""Wiring: the only package that knows every other."""
