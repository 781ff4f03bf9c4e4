"""The command line of ``jarvis-desktop``."""


def run(arguments: list[str]) -> int:
    """Run one command; the exit status comes back."""
    raise NotImplementedError(arguments)
