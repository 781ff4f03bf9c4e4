"""Each module fills one port of the core with the real thing."""
