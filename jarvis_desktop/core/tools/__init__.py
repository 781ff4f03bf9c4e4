"""One file per built-in tool."""
