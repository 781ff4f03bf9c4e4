"""The desktop front end (PySide6)."""
