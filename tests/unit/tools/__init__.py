"""The built-in tools, on files and a shell in memory."""
