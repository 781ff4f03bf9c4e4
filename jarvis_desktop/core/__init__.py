"""The assistant itself: plain Python that reaches the world only through ``core.ports``."""
