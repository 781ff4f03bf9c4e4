"""Goals: what a turn's answer means, what is new in it, and what becomes of a goal. Pure."""
