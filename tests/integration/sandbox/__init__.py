"""The rooms of commands, with the real bubblewrap and passt."""
