"""Plugins with real files, processes and the whole core."""
