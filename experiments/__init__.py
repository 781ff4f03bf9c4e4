"""Measurements and experiments; each module runs by itself."""
