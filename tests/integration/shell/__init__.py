"""The adapter of the shell, with the real bash."""
